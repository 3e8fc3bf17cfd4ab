//===- Manifest.h - How to launch what was compiled -------------*- C++ -*-===//
//
// manifest.json: every kernel of an artifact with its file, its launch shape and each byte of its
// argument list, so that a loader that knows nothing of this compiler can run it. In names, `m`,
// `n` and `k` are the extents of the GEMM, `g` its batch; a quantize kernel has `g`, `r` and `k`.
//
// Sources of the fields: CUDA driver API, cuLaunchKernelEx (grid, block, cluster, dynamic shared
// memory in bytes); HSA kernel dispatch packet (grid counted in blocks here too); docs/spec.md F1,
// F2 (codes and scales).
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_MANIFEST_H
#define UFP4_TARGET_MANIFEST_H

#include "ufp4/Target/Capabilities.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ufp4::target {

/// The suffix of entries that need a binary rewrite first; no manifest names one.
inline constexpr llvm::StringLiteral kUnpatchedSuffix = "__unpatched";
/// What the names of files with such entries hold.
inline constexpr llvm::StringLiteral kUnpatchedFile = ".unpatched.";

enum class ArgumentKind : uint8_t {
  /// A tensor that is to be quantized, or a bias.
  Input,
  Codes,
  Scales,
  /// The f32 per tensor of `ue4m3`.
  Global,
  Output,
  /// Read and written: C0 before, the result after.
  Accumulator,
  /// Passed by value.
  Scalar,
};

enum class ArgumentAccess : uint8_t { Read, Write, ReadWrite };

/// A tensor map that a kernel takes in place of a plane's address, 128 bytes by value (CUDA driver
/// API, cuTensorMapEncodeTiled): of bytes in two dimensions, those of a row and all rows of the
/// plane, [G, R] merged, not interleaved, zeros outside.
struct TensorMapEntry {
  /// The box: bytes of a row, and rows, of which every `rowStep`th is copied.
  int64_t boxBytes = 0, boxRows = 0, rowStep = 1;
  /// Bytes in which chunks of 16 bytes change places: 0 for none, 32, 64 or 128.
  int64_t swizzle = 0;
};

struct ArgumentEntry {
  std::string name;
  ArgumentKind kind = ArgumentKind::Scalar;
  ArgumentAccess access = ArgumentAccess::Read;
  /// u4, u6, u8, bf16, f16, f32, i32 or i64: of one element as stored.
  std::string element;
  /// Bits of memory that an element takes with what is left free between elements, where that is
  /// more than its own; else 0.
  int64_t storedBits = 0;
  /// The layout's name in `Manifest::layouts`; empty for row-major arrays and scalars.
  std::string layout;
  /// The extents, outermost first: names or numbers. Empty for scalars.
  std::vector<std::string> shape;
  /// What each extent is rounded up to in memory; as many as `shape` has, or none if nothing is
  /// padded. Whoever fills the buffer writes zeros into the padding.
  std::vector<int64_t> padding;
  /// What the address is a multiple of, in bytes; for a scalar, of its place in the argument list.
  int64_t alignment = 1;
  /// Which value a scalar holds: an extent's name, `EXTENT * min(g, 1)`, which is 0 where there is
  /// no batch, `tiles(EXTENT, PADDING, TILE)` as in TileCount, `stride(ARGUMENT, DIMENSION)` in
  /// elements, `alpha`, `seed`, `step` or `stream` (the last three followed by `_` and the
  /// quantized dimension where a kernel has two), `extent`, of the dimension that groups divide, or
  /// `first_group`. Empty otherwise.
  std::string value;
  /// Of codes that are stored neither as they are (u4) nor as their values (bf16): what stands for
  /// each of the 16.
  std::vector<int64_t> encoding;
  /// Of a plane whose rows lie one behind the other.
  std::optional<TensorMapEntry> tensorMap;
};

/// A count of tiles: the extent, rounded up to a multiple of `padding`, divided by the tile,
/// rounded up, and at least `least`.
struct TileCount {
  std::string extent;
  int64_t tile = 1, padding = 1, least = 0;

  int64_t of(int64_t extentValue) const;
  /// `tiles(EXTENT, PADDING, TILE)`.
  std::string spelling() const;
  /// The inverse, for scalars; nothing for another text.
  static std::optional<TileCount> parse(llvm::StringRef text);
};

/// The extent of `EXTENT * min(g, 1)`; empty for another text.
llvm::StringRef parseExtentOfBatch(llvm::StringRef value);

/// Blocks along one axis: the product of its factors, 1 if there are none.
using GridAxis = std::vector<TileCount>;

struct KernelEntry {
  /// The entry in the object file, and the files beside the manifest; `binary` is empty where the
  /// chip's assembler was not found.
  std::string name, assembly, binary;
  std::string chip;
  /// native, container, post, fold; `quantize` for kernels that make operands, `groups` for those
  /// that make tables of groups, which have no scheme.
  std::string path;
  /// Schemes as in every JSON file of this compiler: of a GEMM's `operands`, which depends neither
  /// on a rotation nor on rows of blocks; of a quantize kernel what it writes along `inner` and
  /// `outer`, with `rounding` and `bits` of a random word.
  std::map<std::string, llvm::json::Object> schemes;
  /// What extents and strides must be multiples of, by their names.
  std::map<std::string, int64_t> multiples;
  /// x, y, z.
  std::array<GridAxis, 3> grid;
  std::array<int64_t, 3> block = {1, 1, 1}, cluster = {1, 1, 1};
  /// Bytes given at launch, and bytes that the object file asks for itself.
  int64_t dynamicSharedBytes = 0, staticSharedBytes = 0;
  /// Of a thread; 0 where the kernel was not assembled.
  int64_t registers = 0;
  /// Of tensor memory, that a block allocates itself.
  int64_t tensorColumns = 0;
  /// False where the encoding is not described by the vendor: then `canary` says how to test it.
  bool documented = true;
  std::vector<ArgumentEntry> arguments;
  /// The name of the `CanaryEntry` that must pass before the first launch; empty for none.
  std::string canary;
  /// The kernel to launch where it does not pass, by the same values: it has the same arguments and
  /// the same grid. Empty if the work must be refused.
  std::string fallback;
};

/// A layout that arguments name: where element (g, row, k) of a view [G, R, Kp] lies. Formulas are
/// expressions on integers with the operators + * // % & | ^ and parentheses, as Python has them,
/// over g, row, k, R, Kp, the scheme's block B and rows of blocks BR, and scale_bytes, the bytes of
/// a scale's element.
struct LayoutEntry {
  std::string name;
  /// The first bit of its code, from the low bit of byte 0 on, and the first byte of the scale that
  /// applies to it; empty where scales have no plane and what stands for a code is its product with
  /// the scale (without the f32 of a tensor).
  std::string codeBit, scaleByte;
};

/// A launch on constant operands that tells whether a chip understands an encoding.
struct CanaryEntry {
  std::string name;
  /// The kernel that is launched.
  std::string kernel;
  int64_t m = 0, n = 0, k = 0;
  /// Every code of A and of B; all scales are 1.
  int64_t codeA = 0, codeB = 0;
  /// Every element of the result if it is understood, and if its bits mean the documented format.
  double expected = 0, otherwise = 0;
};

struct Manifest {
  std::string recipe, recipeHash;
  std::vector<KernelEntry> kernels;
  std::vector<LayoutEntry> layouts;
  std::vector<CanaryEntry> canaries;

  const KernelEntry *find(llvm::StringRef name) const;
};

/// Nothing when a stranger can launch every kernel: names are unique and defined, chips and paths
/// are known, launches are within the chip's limits, grids name extents that the kernel's shapes
/// name, and no entry is unpatched. Otherwise what is wrong, with the place and the numbers.
llvm::Error verify(const Manifest &manifest);

/// In what the launch of one kernel by the values of another would differ; empty if in nothing.
std::string explainOtherLaunch(const KernelEntry &x, const KernelEntry &y);

/// With `schema_version`, `compiler` and the recipe's name and hash.
llvm::json::Value toJSON(const Manifest &manifest);

/// Reads and verifies; `where` is named in errors. Another schema_version, a missing field and a
/// field that is not known are errors.
llvm::Expected<Manifest> parseManifest(llvm::StringRef text, llvm::StringRef where);

/// Verifies and writes a file.
llvm::Error writeManifest(const Manifest &manifest, llvm::StringRef file);
llvm::Expected<Manifest> readManifest(llvm::StringRef file);

/// The blocks along x, y and z for these extents. Errors: an extent that a formula names is missing
/// or negative or no multiple of what it must be, or there are more blocks than a launch can have.
llvm::Expected<std::array<int64_t, 3>> getGrid(const KernelEntry &kernel,
                                               const std::map<std::string, int64_t> &extents);

/// The bytes of a buffer for these extents, its padding included and without gaps: scales are one a
/// block, and where rows are not padded one a row of blocks. Errors: an argument that is a scalar
/// or none, an extent that its shape names and is missing or negative, or bytes beyond 2^63.
llvm::Expected<int64_t> getBytes(const KernelEntry &kernel, llvm::StringRef argument,
                                 const std::map<std::string, int64_t> &extents);

/// The bytes of a row and the rows of an argument that has a tensor map. Errors: an extent that its
/// shape names and is missing or negative, or rows beyond 2^31, which copies count in 32 bits.
llvm::Expected<std::array<int64_t, 2>> getTensorRows(const KernelEntry &kernel,
                                                     const ArgumentEntry &argument,
                                                     const std::map<std::string, int64_t> &extents);

/// The extents that a launch's own numbers tell: scalars that hold one, in `values` (one for each
/// argument), and axes of the grid that count an extent as it is.
std::map<std::string, int64_t> readExtents(const KernelEntry &kernel,
                                           const std::array<int64_t, 3> &grid,
                                           llvm::ArrayRef<int64_t> values);

/// The value that a scalar's entry spells: of an extent, of what is made of extents, or of one of
/// `others`. Nothing where a name in it has no value.
std::optional<int64_t> getScalar(llvm::StringRef value,
                                 const std::map<std::string, int64_t> &extents,
                                 const std::map<std::string, int64_t> &others);

/// The value of a formula of a layout. Errors: it is none, or names another variable than those
/// given.
llvm::Expected<int64_t> evaluateFormula(llvm::StringRef formula,
                                        const std::map<std::string, int64_t> &variables);

/// The names of the extents that a launch must give: those that shapes name.
std::vector<std::string> getExtentNames(const KernelEntry &kernel);

/// Bits of an element as stored; 0 for a name that is none.
unsigned getElementBits(llvm::StringRef element);

/// The scheme of what a plane of the kernel holds, codes or scales; null if the kernel has none of
/// that name.
const llvm::json::Object *getScheme(const KernelEntry &kernel, llvm::StringRef argument);

} // namespace ufp4::target

#endif // UFP4_TARGET_MANIFEST_H
