//===- Harness.h - Kernels as text, faults as kinds -------------*- C++ -*-===//

#ifndef UFP4_UNITTESTS_EMULATOR_HARNESS_H
#define UFP4_UNITTESTS_EMULATOR_HARNESS_H

#include "ufp4/Execution/Emulator/Emulator.h"

#include "gtest/gtest.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ufp4::emulator::testing {

/// Parses the text, after the triple and data layout that LLVM gives NVPTX modules.
llvm::Expected<std::unique_ptr<EmulatedModule>> load(llvm::StringRef text,
                                                     llvm::StringRef chip = "sm_80");
/// As load(); a failure fails the test.
std::unique_ptr<EmulatedModule> mustLoad(llvm::StringRef text, llvm::StringRef chip = "sm_80");
std::string readInput(llvm::StringRef name);
/// A text with a part of it, which it must have, replaced.
std::string replaced(std::string text, llvm::StringRef what, llvm::StringRef by);

struct Fault {
  FaultKind kind;
  std::string text;
};
/// What an error says, if it is an EmulatorFault.
std::optional<Fault> takeFault(llvm::Error error);

/// The text of a kernel whose body works on `%in` and `%out`, words of each thread: it is given
/// %tid, and the body reads %x0 … and ends in values %y0 ….
std::string laneKernel(llvm::StringRef body, unsigned inputs, unsigned outputs,
                       llvm::StringRef declarations = "");

/// Runs a laneKernel() on one warp: input word i of lane l is in[l][i].
std::vector<std::vector<uint32_t>> runLanes(llvm::StringRef text,
                                            const std::vector<std::vector<uint32_t>> &in,
                                            unsigned outputs, llvm::StringRef chip = "sm_80");

/// A launch that must succeed.
LaunchStats mustLaunch(EmulatedModule &module, llvm::StringRef kernel, Dim3 grid, Dim3 block,
                       unsigned shared, llvm::ArrayRef<KernelArgument> arguments,
                       const LaunchOptions &options = {});

/// Expects the launch to end in a fault of the kind whose text has the part.
void expectFault(EmulatedModule &module, llvm::StringRef kernel, Dim3 grid, Dim3 block,
                 unsigned shared, llvm::ArrayRef<KernelArgument> arguments, FaultKind kind,
                 llvm::StringRef part = "", const LaunchOptions &options = {});

template <typename T> KernelArgument in(const std::vector<T> &data, std::string name) {
  return KernelArgument::input(data.data(), data.size() * sizeof(T), std::move(name));
}
template <typename T>
KernelArgument out(std::vector<T> &data, std::string name, Access access = Access::Write) {
  return KernelArgument::buffer(data.data(), data.size() * sizeof(T), access, std::move(name));
}

uint32_t bits(float value);
float number(uint32_t bits);
/// The bf16 nearest to a number that bf16 holds exactly.
uint16_t exactBF16(float value);
float fromBF16(uint16_t bits);

} // namespace ufp4::emulator::testing

#endif // UFP4_UNITTESTS_EMULATOR_HARNESS_H
