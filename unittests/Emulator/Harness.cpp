//===- Harness.cpp - Kernels as text, faults as kinds ----------------------===//

#include "Harness.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace ufp4::emulator::testing {

static constexpr const char *kHeader =
    "target datalayout = \"e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-"
    "i256:256-v16:16-v32:32-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n";

static constexpr const char *kAMDHeader =
    "target datalayout = \"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-"
    "p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-"
    "v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9\"\n"
    "target triple = \"amdgcn-amd-amdhsa\"\n";

llvm::Expected<std::unique_ptr<EmulatedModule>> load(llvm::StringRef text, llvm::StringRef chip) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  const char *header = chip.starts_with("gfx") ? kAMDHeader : kHeader;
  std::string full = text.contains("target triple") ? text.str() : header + text.str();
  auto module = llvm::parseAssemblyString(full, diagnostic, *context);
  if (!module) {
    std::string message;
    llvm::raw_string_ostream os(message);
    diagnostic.print("kernel", os, false);
    return llvm::createStringError(std::errc::invalid_argument, message.c_str());
  }
  EmulatorTarget target;
  target.chip = chip.str();
  target.warpSize = chip.starts_with("gfx9") ? 64 : 32;
  return EmulatedModule::create(std::move(module), std::move(context), target);
}

std::unique_ptr<EmulatedModule> mustLoad(llvm::StringRef text, llvm::StringRef chip) {
  auto module = load(text, chip);
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    std::abort();
  }
  return std::move(*module);
}

std::string readInput(llvm::StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile((llvm::Twine(UFP4_EMULATOR_INPUTS "/") + name).str());
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << name.str();
    std::abort();
  }
  return (*buffer)->getBuffer().str();
}

std::string replaced(std::string text, llvm::StringRef what, llvm::StringRef by) {
  size_t at = text.find(what.str());
  EXPECT_NE(at, std::string::npos) << what.str();
  return at == std::string::npos ? text : text.replace(at, what.size(), by.str());
}

std::optional<Fault> takeFault(llvm::Error error) {
  std::optional<Fault> result;
  llvm::handleAllErrors(
      std::move(error),
      [&](const EmulatorFault &fault) {
        std::string text;
        llvm::raw_string_ostream os(text);
        fault.log(os);
        result = Fault{fault.kind, text};
      },
      [&](const llvm::ErrorInfoBase &other) { ADD_FAILURE() << other.message(); });
  return result;
}

std::string laneKernel(llvm::StringRef body, unsigned inputs, unsigned outputs,
                       llvm::StringRef declarations) {
  std::string text = "define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
                     "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  auto number = [](unsigned n) { return std::to_string(n); };
  text += "  %bi = mul i32 %tid, " + number(inputs) + "\n  %bo = mul i32 %tid, " + number(outputs) +
          "\n";
  for (unsigned i = 0; i < inputs; ++i) {
    std::string n = number(i);
    text += "  %ix" + n + " = add i32 %bi, " + n + "\n  %px" + n +
            " = getelementptr i32, ptr addrspace(1) %in, i32 %ix" + n + "\n  %x" + n +
            " = load i32, ptr addrspace(1) %px" + n + "\n";
  }
  text += body.str() + "\n";
  for (unsigned i = 0; i < outputs; ++i) {
    std::string n = number(i);
    text += "  %iy" + n + " = add i32 %bo, " + n + "\n  %py" + n +
            " = getelementptr i32, ptr addrspace(1) %out, i32 %iy" + n + "\n  store i32 %y" + n +
            ", ptr addrspace(1) %py" + n + "\n";
  }
  return text + "  ret void\n}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
         declarations.str();
}

std::vector<std::vector<uint32_t>> runLanes(llvm::StringRef text,
                                            const std::vector<std::vector<uint32_t>> &in,
                                            unsigned outputs, llvm::StringRef chip) {
  std::vector<uint32_t> flat;
  for (const auto &lane : in)
    flat.insert(flat.end(), lane.begin(), lane.end());
  std::vector<uint32_t> result(in.size() * outputs);
  auto module = mustLoad(text, chip);
  mustLaunch(*module, "k", {1}, {unsigned(in.size())}, 0,
             {testing::in(flat, "in"), out(result, "out")}, {});
  std::vector<std::vector<uint32_t>> lanes;
  for (size_t i = 0; i < in.size(); ++i)
    lanes.emplace_back(result.begin() + i * outputs, result.begin() + (i + 1) * outputs);
  return lanes;
}

LaunchStats mustLaunch(EmulatedModule &module, llvm::StringRef kernel, Dim3 grid, Dim3 block,
                       unsigned shared, llvm::ArrayRef<KernelArgument> arguments,
                       const LaunchOptions &options) {
  auto stats = module.launch(kernel, grid, block, shared, arguments, options);
  if (!stats) {
    ADD_FAILURE() << llvm::toString(stats.takeError());
    return {};
  }
  return *stats;
}

void expectFault(EmulatedModule &module, llvm::StringRef kernel, Dim3 grid, Dim3 block,
                 unsigned shared, llvm::ArrayRef<KernelArgument> arguments, FaultKind kind,
                 llvm::StringRef part, const LaunchOptions &options) {
  auto stats = module.launch(kernel, grid, block, shared, arguments, options);
  if (stats) {
    ADD_FAILURE() << "no fault, where " << stringifyFaultKind(kind).str() << " was planted";
    return;
  }
  auto fault = takeFault(stats.takeError());
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(stringifyFaultKind(fault->kind).str(), stringifyFaultKind(kind).str()) << fault->text;
  EXPECT_NE(fault->text.find(part.str()), std::string::npos) << fault->text;
}

uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

float number(uint32_t bits) {
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}

uint16_t exactBF16(float value) {
  EXPECT_EQ(bits(value) & 0xFFFF, 0u);
  return uint16_t(bits(value) >> 16);
}

float fromBF16(uint16_t code) { return number(uint32_t(code) << 16); }

} // namespace ufp4::emulator::testing
