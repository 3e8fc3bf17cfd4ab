//===- QuantizeKernel.cpp - Quantizing along the innermost dimension ------===//
//
// A thread takes one run of a row, which is the longer of a rotation and a block, and keeps it in
// registers: load, rotate, find the blocks' maxima and scales, encode, store. Nothing is shared
// between threads. Threads exist for the storage's padding too; they load zeros, and find code 0.
//
// Threads of a block lie so that those of a warp read 128 bytes of neighbouring rows (of 16-bit
// elements), and write whole lines of codes and whole sectors of scales in tile-major storage.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"

#include "QuantizeStore.h"
#include "ufp4/Conversion/NumericsEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;
using numerics::Element;
using numerics::ScaleKind;

static constexpr unsigned threadsOfBlock = 128;
/// Positions along K that a block covers, unless a single run is longer.
static constexpr unsigned depthOfThreads = 64;

StringRef ufp4::stringify(QuantizeArgument argument) {
  static constexpr StringLiteral names[] = {"input", "codes", "scales", "amax", "global",
                                            "rows",  "depth", "seed",   "step", "stream"};
  return names[unsigned(argument)];
}

//===----------------------------------------------------------------------===//
// QuantizeKernelInfo
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> QuantizeKernelInfo::grid(numerics::ViewShape shape) const {
  const OperandStorage &filled = storage ? *storage : naturalStorage();
  numerics::ViewShape padded = filled.pads({scheme, shape});
  std::array<int64_t, 3> blocks = {int64_t(llvm::divideCeil(padded.k, depthOfBlock)),
                                   int64_t(llvm::divideCeil(padded.r, rowsOfBlock)), padded.g};
  if (llvm::is_contained(arguments, QuantizeArgument::Global))
    for (int64_t &count : blocks)
      count = std::max<int64_t>(count, 1);
  return blocks;
}

std::optional<std::string> QuantizeKernelInfo::verifySizes(numerics::ViewShape shape) const {
  if (shape.k % depthMultiple)
    return llvm::formatv("{0} loads rows in pieces of {1}, which do not divide K = {2}", name,
                         depthMultiple, shape.k)
        .str();
  // Positions are counted in 32 bits, up to the end of the padding.
  static constexpr int64_t most = INT32_MAX - 1024;
  if (shape.r > most || shape.k > most)
    return llvm::formatv("{0} counts rows and depth in 32 bits: {1} x {2} is too large", name,
                         shape.r, shape.k)
        .str();
  static constexpr int64_t limits[3] = {INT32_MAX, 65535, 65535};
  std::array<int64_t, 3> blocks = grid(shape);
  for (unsigned i = 0; i < 3; ++i)
    if (blocks[i] > limits[i])
      return llvm::formatv("{0} would need {1} blocks along {2}; at most {3} can be launched", name,
                           blocks[i], StringRef("xyz").substr(i, 1), limits[i])
          .str();
  if (storage)
    return storage->verify({scheme, shape}, *chip);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

namespace {
class RunEmitter {
public:
  RunEmitter(KernelBuilder &b, const QuantizeKernelSpec &spec, const QuantizeKernelInfo &info)
      : b(b), spec(spec), info(info), scheme(spec.scheme), run(info.run) {}

  void emitQuantize(gpu::GPUFuncOp function, const RunWriter &writer) {
    emitIds(function);
    Value global = emitGlobal();
    Value exists = b.both(b.less(place.k, writer.paddedDepth(b, place.paddedK)),
                          b.less(place.row, writer.paddedRows(b, place.rows)));
    emitIf(exists, [&] {
      emitLoads();
      emitRotation();
      SmallVector<Value> stored, factors;
      for (Value maximum : emitMaxima()) {
        NumericsEmitter::BlockScale scale = numbers().chooseScale(scheme, maximum, global);
        stored.push_back(scale.stored);
        factors.push_back(scale.reciprocal);
      }
      SmallVector<Value> target = writer.begin(b, place, argument(QuantizeArgument::Codes),
                                               argument(QuantizeArgument::Scales));
      writer.storeScales(b, target, stored, isInView);
      for (unsigned first = 0; first < run; first += writer.codesAtOnce()) {
        SmallVector<Value> codes;
        for (unsigned i = first; i < first + writer.codesAtOnce(); ++i)
          codes.push_back(numbers().encode(scheme.format, x[i], factors[i / scheme.block],
                                           emitRandomWord(i), spec.randomBits));
        writer.storeCodes(b, target, first, codes);
      }
    });
  }

  void emitAmax(gpu::GPUFuncOp function) {
    emitIds(function);
    auto guarded = scf::IfOp::create(b, TypeRange(b.getI32Type()), isInView, /*addThenBlock=*/true,
                                     /*addElseBlock=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(guarded.thenBlock());
      emitLoads();
      emitRotation();
      Value found = b.i32(0);
      for (Value maximum : emitMaxima())
        found = arith::MaxUIOp::create(b, found, numbers().magnitudeForAmax(maximum));
      scf::YieldOp::create(b, found);
      b.setInsertionPointToStart(guarded.elseBlock());
      scf::YieldOp::create(b, b.i32(0));
    }
    // Bits of floats that are not negative order as the floats do.
    Value found = guarded.getResult(0);
    unsigned waveSize = spec.chip->waveSize;
    for (unsigned offset = 1; offset < waveSize; offset *= 2) {
      auto other = gpu::ShuffleOp::create(b, found, offset, waveSize, gpu::ShuffleMode::XOR);
      found = arith::MaxUIOp::create(b, found, other.getShuffleResult());
    }
    emitIf(b.less(b.bitAnd(thread, waveSize - 1), 1), [&] {
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::umax, argument(QuantizeArgument::Amax), found,
                                LLVM::AtomicOrdering::monotonic, "device", 4);
    });
  }

private:
  /// Emits where `b` stands.
  NumericsEmitter numbers() { return NumericsEmitter(b, b.getLoc()); }
  Value argument(QuantizeArgument role) { return arguments[unsigned(role)]; }
  Value i32(Value index) { return arith::IndexCastOp::create(b, b.getI32Type(), index); }
  Value smaller(Value x, Value y) { return b.createOrFold<arith::MinUIOp>(x, y); }

  void emitIf(Value condition, llvm::function_ref<void()> emit) {
    auto guarded = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    emit();
  }

  void emitIds(gpu::GPUFuncOp function) {
    for (auto [role, value] : llvm::zip(info.arguments, function.getArguments()))
      arguments[unsigned(role)] = value;
    thread = i32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    blockDepth = i32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
    blockRow = i32(gpu::BlockIdOp::create(b, gpu::Dimension::y));
    place.g = i32(gpu::BlockIdOp::create(b, gpu::Dimension::z));
    place.rows = argument(QuantizeArgument::Rows);
    depth = argument(QuantizeArgument::Depth);
    // Rotation and block are powers of two, so padding to the longer pads to both (Q3).
    place.paddedK = b.bitAnd(b.add(depth, run - 1), -int64_t(run));
    unsigned runs = info.depthOfBlock / run;
    place.k = b.add(b.mul(blockDepth, info.depthOfBlock), b.mul(b.bitAnd(thread, runs - 1), run));
    place.row = b.add(b.mul(blockRow, info.rowsOfBlock), b.shr(thread, llvm::Log2_32(runs)));
    isInView = b.both(b.less(place.row, place.rows), b.less(place.k, place.paddedK));
  }

  /// S, which one thread of all stores; null where the scheme has none.
  Value emitGlobal() {
    Value amax = argument(QuantizeArgument::Amax);
    if (!amax)
      return {};
    Value global = numbers().globalScale(b.load(b.getF32Type(), amax, 4), scheme.format);
    Value anyId = b.createOrFold<arith::OrIOp>(b.createOrFold<arith::OrIOp>(thread, blockDepth),
                                               b.createOrFold<arith::OrIOp>(blockRow, place.g));
    emitIf(b.less(anyId, 1), [&] { b.store(global, argument(QuantizeArgument::Global), 4); });
    return global;
  }

  /// Q1: x from the input, widened; zeros beyond K and R, for which any element is loaded.
  void emitLoads() {
    unsigned bytes = numerics::elementBytes(spec.element);
    unsigned known = spec.depthMultiple & -spec.depthMultiple;
    unsigned width = std::min(known, 16 / bytes);
    bool whole = spec.depthMultiple % run == 0;
    Value rowIsInside = b.less(place.row, place.rows);
    Value row = smaller(place.row, b.sub(place.rows, b.i32(1)));
    Value rowOfAll = b.add(b.mul(b.widen(place.g), b.widen(place.rows)), b.widen(row));
    Value line =
        b.at(argument(QuantizeArgument::Input), b.mul(b.mul(rowOfAll, b.widen(depth)), bytes));
    // A run, or else a piece of `width` elements, lies inside of K as a whole or not at all.
    unsigned piece = whole ? run : width;
    for (unsigned i = 0; i < run; i += piece) {
      Value k = b.add(place.k, i);
      Value inside = b.both(rowIsInside, b.less(k, depth));
      Value first = smaller(k, b.sub(depth, b.i32(piece)));
      Value pointer = b.at(line, b.mul(b.widen(first), bytes));
      for (unsigned j = 0; j < piece; j += width)
        for (Value word : loadWords(b.at(pointer, int32_t(j * bytes)), width * bytes))
          widen(b.select(inside, word, b.i32(0)), width * bytes == 2);
    }
  }

  /// Words of 32 bits; 2 bytes fill the lower half of one.
  SmallVector<Value> loadWords(Value pointer, unsigned bytes) {
    if (bytes == 2)
      return {arith::ExtUIOp::create(b, b.getI32Type(), b.load(b.getI16Type(), pointer, 2))};
    if (bytes == 4)
      return {b.load(b.getI32Type(), pointer, 4)};
    Value joined = b.load(b.vector(bytes / 4, b.getI32Type()), pointer, bytes);
    SmallVector<Value> words;
    for (unsigned i = 0; i < bytes / 4; ++i)
      words.push_back(b.element(joined, i));
    return words;
  }

  void widen(Value word, bool half) {
    auto real = [&](Value bits) -> Value {
      return arith::BitcastOp::create(b, b.getF32Type(), bits);
    };
    switch (spec.element) {
    case Element::F32:
      x.push_back(real(word));
      return;
    case Element::BF16:
      x.push_back(real(b.shl(word, 16)));
      if (!half)
        x.push_back(real(b.bitAnd(word, int32_t(0xFFFF0000))));
      return;
    case Element::F16:
      for (unsigned i = 0; i < (half ? 1 : 2); ++i) {
        Value bits = arith::TruncIOp::create(b, b.getI16Type(), b.shr(word, 16 * i));
        x.push_back(numbers().widen(arith::BitcastOp::create(b, b.getF16Type(), bits)));
      }
      return;
    }
  }

  /// Q2.
  void emitRotation() {
    unsigned n = scheme.rotation.size;
    if (!n)
      return;
    for (unsigned i = 0; i < run; ++i)
      if (scheme.rotation.signs[i % n / 64] >> i % n % 64 & 1)
        x[i] = arith::NegFOp::create(b, x[i]);
    for (unsigned stride = 1; stride < n; stride *= 2)
      for (unsigned i = 0; i < run; ++i) {
        if (i & stride)
          continue;
        Value low = x[i], high = x[i + stride];
        x[i] = arith::AddFOp::create(b, low, high);
        x[i + stride] = arith::SubFOp::create(b, low, high);
      }
    for (Value &value : x)
      value = numbers().rotationFactor(value, n);
  }

  /// Q4: the greatest magnitude of each block.
  SmallVector<Value> emitMaxima() {
    SmallVector<Value> maxima;
    for (unsigned i = 0; i < run; ++i) {
      Value magnitude = numbers().magnitude(x[i]);
      if (i % scheme.block == 0)
        maxima.push_back(magnitude);
      else
        maxima.back() = arith::MaxUIOp::create(b, maxima.back(), magnitude);
    }
    return maxima;
  }

  /// Q7: the word of the run's position i, which come in their order; null for nearest rounding.
  Value emitRandomWord(unsigned i) {
    unsigned bits = spec.randomBits;
    if (!bits)
      return {};
    unsigned ofDraw = 128 / bits, ofWord = 32 / bits;
    if (!firstDraw) {
      Value row = b.add(b.mul(b.widen(place.g), b.widen(place.rows)), b.widen(place.row));
      Value index = b.add(b.mul(row, b.widen(place.paddedK)), b.widen(place.k));
      firstDraw = b.shr(index, llvm::Log2_32(ofDraw));
    }
    // Runs begin at a multiple of a draw.
    if (i % ofDraw == 0)
      words =
          numbers().drawWords(b.add(firstDraw, i / ofDraw), argument(QuantizeArgument::Seed),
                              argument(QuantizeArgument::Stream), argument(QuantizeArgument::Step));
    return numbers().extractLane(words[i % ofDraw / ofWord], b.i32(i % ofWord), bits);
  }

  KernelBuilder &b;
  const QuantizeKernelSpec &spec;
  const QuantizeKernelInfo &info;
  const numerics::Scheme &scheme;
  const unsigned run;
  Value arguments[unsigned(QuantizeArgument::Stream) + 1];
  Value thread, blockDepth, blockRow;
  RunPlace place;
  /// K, and whether the run is one of the view's, K padded to Kp.
  Value depth, isInView;
  /// The run's values, first of the input and then x' of Q2.
  SmallVector<Value> x;
  Value firstDraw;
  std::array<Value, 4> words;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entries
//===----------------------------------------------------------------------===//

static StringRef nameOf(Element element) {
  static constexpr StringLiteral names[] = {"f32", "bf16", "f16"};
  return names[unsigned(element)];
}

static std::string makeName(const QuantizeKernelSpec &spec, bool isAmax) {
  const numerics::Scheme &scheme = spec.scheme;
  std::string name = isAmax ? "ufp4_amax" : "ufp4_quantize";
  name += llvm::formatv("_{0}_{1}_{2}_b{3}", nameOf(spec.element), numerics::name(scheme.format),
                        numerics::name(scheme.scale), scheme.block);
  if (scheme.scale == ScaleKind::UE8M0 && scheme.rule == numerics::ScaleRule::OcpFloor)
    name += "_floor";
  if (scheme.rotation) {
    name += "_r" + std::to_string(scheme.rotation.size);
    if (scheme.rotation != numerics::presetRotation(scheme.rotation.size))
      for (uint64_t signs : ArrayRef(scheme.rotation.signs))
        name += "_" + llvm::utohexstr(signs, /*LowerCase=*/true);
  }
  if (spec.randomBits && !isAmax)
    name += "_u" + std::to_string(spec.randomBits);
  if (spec.depthMultiple > 1)
    name += "_k" + std::to_string(spec.depthMultiple);
  if (!isAmax)
    name += "_" + spec.storage->name().str();
  return name;
}

static LogicalResult verifySpec(Location loc, const QuantizeKernelSpec &spec, bool isAmax) {
  if (!spec.chip)
    return emitError(loc) << "a kernel needs a chip";
  if (std::optional<std::string> reason = numerics::verifyScheme(spec.scheme))
    return emitError(loc) << *reason;
  if (spec.scheme.blockRows != 1)
    return emitError(loc) << "this kernel quantizes in 1-D blocks, not in blocks of "
                          << spec.scheme.blockRows << " rows";
  if (!spec.depthMultiple)
    return emitError(loc) << "K cannot be a multiple of 0";
  if (isAmax)
    return success();
  if (spec.randomBits)
    if (std::optional<std::string> reason =
            numerics::verifyDraw({0, 0, 0, spec.randomBits}, spec.scheme))
      return emitError(loc) << *reason;
  if (!spec.storage)
    return emitError(loc) << "a quantize kernel needs a storage";
  return success();
}

static FailureOr<QuantizeKernelInfo> build(OpBuilder &builder, Location loc,
                                           const QuantizeKernelSpec &spec, bool isAmax) {
  if (failed(verifySpec(loc, spec, isAmax)))
    return failure();
  std::unique_ptr<RunWriter> writer;
  if (!isAmax && !(writer = createRunWriter(*spec.storage, spec.scheme)))
    return emitError(loc) << "no quantize kernel writes the storage " << spec.storage->name();
  QuantizeKernelInfo info;
  info.name = spec.name.empty() ? makeName(spec, isAmax) : spec.name;
  info.chip = spec.chip;
  info.scheme = spec.scheme;
  info.storage = isAmax ? nullptr : spec.storage;
  info.run = numerics::runLength(spec.scheme);
  info.threads = threadsOfBlock;
  info.depthOfBlock = std::max(info.run, depthOfThreads);
  info.rowsOfBlock = threadsOfBlock / (info.depthOfBlock / info.run);
  info.depthMultiple = spec.depthMultiple;
  info.arguments = {QuantizeArgument::Input};
  bool hasGlobal = !isAmax && spec.scheme.scale == ScaleKind::UE4M3;
  if (!isAmax)
    info.arguments.append({QuantizeArgument::Codes, QuantizeArgument::Scales});
  if (isAmax || hasGlobal)
    info.arguments.push_back(QuantizeArgument::Amax);
  if (hasGlobal)
    info.arguments.push_back(QuantizeArgument::Global);
  unsigned pointerCount = info.arguments.size();
  info.arguments.append({QuantizeArgument::Rows, QuantizeArgument::Depth});

  KernelBuilder b(loc, builder);
  SmallVector<Type> types(pointerCount, LLVM::LLVMPointerType::get(b.getContext(), globalSpace));
  types.append(2, b.getI32Type());
  if (spec.randomBits && !isAmax) {
    info.arguments.append(
        {QuantizeArgument::Seed, QuantizeArgument::Step, QuantizeArgument::Stream});
    types.append({b.getI64Type(), b.getI32Type(), b.getI32Type()});
  }
  auto function = gpu::GPUFuncOp::create(b, info.name, b.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSize(ArrayRef<int32_t>{int32_t(info.threads), 1, 1});
  for (unsigned i = 0; i < pointerCount; ++i) {
    QuantizeArgument role = info.arguments[i];
    bool isScalar = role == QuantizeArgument::Amax || role == QuantizeArgument::Global;
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(isScalar ? 4 : 16));
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    if (role == QuantizeArgument::Input || (role == QuantizeArgument::Amax && !isAmax))
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
  }
  b.setInsertionPointToStart(&function.getBody().front());
  RunEmitter emitter(b, spec, info);
  if (isAmax)
    emitter.emitAmax(function);
  else
    emitter.emitQuantize(function, *writer);
  gpu::ReturnOp::create(b);
  return info;
}

FailureOr<QuantizeKernelInfo> ufp4::buildQuantizeKernel(OpBuilder &builder, Location loc,
                                                        const QuantizeKernelSpec &spec) {
  return build(builder, loc, spec, /*isAmax=*/false);
}

FailureOr<QuantizeKernelInfo> ufp4::buildAmaxKernel(OpBuilder &builder, Location loc,
                                                    const QuantizeKernelSpec &spec) {
  return build(builder, loc, spec, /*isAmax=*/true);
}
