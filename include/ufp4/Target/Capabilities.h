//===- Capabilities.h - What each chip can do -------------------*- C++ -*-===//
//
// One table of chips and of the ways they multiply 4-bit operands. The rest of the compiler asks it
// questions and never compares a chip's name.
//
// Sources: PTX ISA 9.0, "mma with block scaling", "tcgen05.mma" (kinds, tensor memory) and the
// target notes of each instruction; CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability" (shared memory, registers); LLVM's AMDGPU usage guide and AMD's CDNA ISA
// documents (gfx). A row marked `ByPermission` rests on an encoding that no document describes.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_CAPABILITIES_H
#define UFP4_TARGET_CAPABILITIES_H

#include "ufp4/Numerics/Scheme.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ufp4::target {

enum class Vendor : uint8_t { NVIDIA, AMD };

/// How a block-scaled product is computed.
enum class Path : uint8_t {
  /// Block-scaled MMA on the 4-bit codes themselves.
  Native,
  /// Block-scaled MMA on codes widened to a format that holds them exactly (E2M3).
  Container,
  /// An unscaled MMA per block, then scaling in f32.
  Post,
  /// Scales multiplied into 16-bit operands, which hold the products exactly.
  Fold,
};
inline constexpr Path kPaths[] = {Path::Native, Path::Container, Path::Post, Path::Fold};

enum class Permission : uint8_t {
  Documented,
  /// An undocumented encoding: only where the user allows it, or a canary decides at run time.
  ByPermission,
};

/// What a relative rate is a multiple of.
enum class RateBase : uint8_t {
  Unknown,
  /// The chip's E2M1 block-scaled MMA.
  E2M1,
  /// The chip's dense bf16 MMA.
  BF16,
};

/// Instructions that kernels choose between, beside the matrix ones.
enum class Feature : uint16_t {
  /// cp.async: 16 bytes a thread, global to shared.
  AsyncCopy = 1 << 0,
  /// cp.async.bulk and mbarrier transactions.
  BulkCopy = 1 << 1,
  /// cp.async.bulk.tensor.
  TensorMap = 1 << 2,
  /// tcgen05: accumulators in tensor memory.
  TensorMemory = 1 << 3,
  /// f32 to E4M3, nearest even; its subnormals are the uniform grid.
  /// (gfx942 has the fnuz form: half the value, and the code of -0 is NaN.)
  ConvertE4M3 = 1 << 4,
  /// f32 to E2M1, nearest even.
  ConvertE2M1 = 1 << 5,
  /// f32 to E2M1 with stochastic rounding.
  ConvertStochastic = 1 << 6,
  /// fma on pairs of f32 that the hardware does not split.
  PackedF32 = 1 << 7,
  /// f32 plus bf16 without a conversion.
  MixedAdd = 1 << 8,
  /// Global to shared memory, 16 bytes a lane, by buffer loads.
  BufferToShared = 1 << 9,
  /// The maximum of three integers by one instruction, where that of f32 takes two.
  MaximumOfThree = 1 << 10,
  /// Thirty-two f32 to E2M3, nearest even; its subnormals are the uniform grid.
  ConvertE2M3 = 1 << 11,
  /// Loads and stores of 32 bytes a thread in global memory (PTX ISA, ld and st: `.v8.b32`).
  WideAccess = 1 << 12,
};

struct PathCapability {
  Path path;
  /// Sets of formats and of scale kinds: bit `1 << unsigned(value)`.
  uint8_t formats, scales;
  /// Elements along K under one scale; 0 is any.
  uint8_t block;
  /// The instruction, as the vendor's assembler spells it.
  llvm::StringLiteral instruction;
  Permission permission;
  /// At best `rate` times the base's.
  float rate;
  RateBase base;
  /// The PTX version that has the instruction, major * 10 + minor; 0 where this is no question.
  uint8_t ptxVersion;

  bool takes(const numerics::Scheme &scheme) const;
};

struct Chip {
  /// The vendor's name; LLVM's name of the architecture is the same.
  llvm::StringLiteral name;
  Vendor vendor;
  /// LLVM's triple and feature string.
  llvm::StringLiteral triple, features;
  /// The PTX version that `features` asks for, major * 10 + minor; 0 for AMD.
  uint8_t ptxVersion;
  /// Threads that execute as one.
  uint8_t waveSize;
  /// The most dynamic shared memory of a block, in bytes.
  uint32_t sharedMemoryBytes;
  /// The most 32-bit registers of a thread.
  uint16_t maxRegisters;
  /// Columns of tensor memory, 128 lanes of 32 bits each, of a multiprocessor.
  uint16_t tensorMemoryColumns;
  /// A set of `Feature`s.
  uint16_t featureSet;
  llvm::ArrayRef<PathCapability> paths;

  bool has(Feature feature) const { return featureSet & uint16_t(feature); }
  /// The most that a thread loads or stores at once, in bytes.
  unsigned accessBytes() const { return has(Feature::WideAccess) ? 32 : 16; }
};

llvm::StringRef stringify(Vendor vendor);
llvm::StringRef stringify(Path path);
llvm::StringRef stringify(Permission permission);
/// `async copy`, …; the bits of a `featureSet` that have no name give an empty one.
llvm::StringRef stringify(Feature feature);

/// `native`, `container`, `post` or `fold`.
std::optional<Path> parsePath(llvm::StringRef name);

/// Of an option that names a path, or `auto`: what it takes, where `name` is neither; else empty.
std::string explainPathOption(llvm::StringRef name);

/// The chip whose kernels need least: what test tools compile for when no chip is named.
inline constexpr llvm::StringLiteral kBaselineChip = "sm_80";

llvm::ArrayRef<Chip> getChips();

/// Null when the table has no such chip.
const Chip *findChip(llvm::StringRef name);

/// How kernels that were built for a chip get onto an NVIDIA device.
enum class Fit : uint8_t {
  /// Not at all.
  None,
  /// As assembly, which the driver compiles.
  Assembly,
  /// As their binary, or as assembly.
  Binary,
};

/// How kernels of `chip` get onto a device of this compute capability: a binary runs on its chip
/// and on later minor capabilities, assembly on all later ones; where the chip's name ends in `a`,
/// either runs on that chip alone, and where it ends in `f`, on its family: later minor
/// capabilities that the table does not refuse (CUDA C++ Programming Guide, "Binary Compatibility"
/// and "PTX Compatibility"; PTX ISA, `.target`).
Fit getFit(const Chip &chip, int major, int minor);

/// The chip whose kernels suit a device of this compute capability best; null if none runs there.
const Chip *findChip(int major, int minor);

/// The chip of the table that a misspelt name most likely means: the same name with its suffix,
/// else the nearest by edit distance; empty if none is near. No chip is suggested for one that the
/// table refuses.
llvm::StringRef suggestChip(llvm::StringRef name);

/// Why `findChip(name)` is null: what was probably meant, and the chips that are known.
std::string explainUnknownChip(llvm::StringRef name);

/// Everything the chip can do, in the order of `Path`.
llvm::ArrayRef<PathCapability> getPaths(const Chip &chip);

/// The row by which a chip multiplies operands of this scheme on this path; null if there is none
/// that this compiler can emit.
const PathCapability *findPath(const Chip &chip, const numerics::Scheme &scheme, Path path);

/// Why `findPath` is null, in one sentence that names the scheme and the schemes that the path does
/// take; empty if it is not null.
std::string explainRefusal(const Chip &chip, const numerics::Scheme &scheme, Path path);

/// `e1m2 with f32 scales per 16`.
std::string describeScheme(const numerics::Scheme &scheme);

/// The table, for people.
void printCapabilities(llvm::raw_ostream &os);

} // namespace ufp4::target

#endif // UFP4_TARGET_CAPABILITIES_H
