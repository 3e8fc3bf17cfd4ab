//===- ShardPlaces.cpp - which part of a tensor a device holds ------------===//

#include "ShardPlaces.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace ufp4;

//===----------------------------------------------------------------------===//
// Shards
//===----------------------------------------------------------------------===//

static uint64_t getBits(ArrayRef<unsigned> axes) {
  uint64_t bits = 0;
  for (unsigned axis : axes)
    bits |= uint64_t(1) << axis;
  return bits;
}

static uint64_t getBits(const Digits &digits) {
  uint64_t bits = 0;
  for (const Digit &digit : digits)
    bits |= getBits(digit.axes);
  return bits;
}

uint64_t Shard::getSplitAxes() const {
  uint64_t bits = 0;
  for (const Digits &dim : dims)
    bits |= getBits(dim);
  return bits;
}

/// Puts a digit before others: a whole one joins what it is the inside or the unit outside of.
static void prepend(Digits &digits, Digit digit) {
  if (digit.extent == 1 && digit.axes.empty())
    return;
  if (!digits.empty() && digits.front().group == digit.group) {
    Digit &next = digits.front();
    if (next.axes.empty() || digit.extent == 1) {
      next.extent *= digit.extent;
      digit.axes.append(next.axes);
      next.axes = std::move(digit.axes);
      return;
    }
  }
  digits.insert(digits.begin(), std::move(digit));
}

static Digits normalize(const Digits &digits) {
  Digits result;
  for (const Digit &digit : llvm::reverse(digits))
    prepend(result, digit);
  return result;
}

Shard ufp4::getWholeShard(ArrayRef<int64_t> shape) {
  Shard shard;
  shard.dims.resize(shape.size());
  for (auto [dim, extent] : llvm::zip_equal(shard.dims, shape))
    if (extent != 1)
      dim.push_back({extent, {}});
  return shard;
}

/// Axes of `bits` no longer split anything.
static void dropAxes(Shard &shard, uint64_t bits) {
  if (!(shard.getSplitAxes() & bits))
    return;
  for (Digits &dim : shard.dims) {
    for (Digit &digit : dim)
      llvm::erase_if(digit.axes, [&](unsigned axis) { return bits >> axis & 1; });
    dim = normalize(dim);
  }
}

static void vary(Shard &shard, uint64_t bits) {
  dropAxes(shard, bits);
  shard.varying |= bits;
}

/// Removes axes for the same reason everywhere: devices along them hold the same.
static void unify(Shard &shard, uint64_t bits) {
  dropAxes(shard, bits);
  shard.varying &= ~bits;
}

static int64_t getExtent(const Digits &digits) {
  int64_t extent = 1;
  for (const Digit &digit : digits)
    extent *= digit.extent;
  return extent;
}

Shard ufp4::reshapeShard(const Shard &shard, ArrayRef<int64_t> shape) {
  if (llvm::equal(llvm::map_range(shard.dims, getExtent), shape))
    return shard;
  Digits pending;
  // The elements of an empty tensor are nowhere, and a symbolic extent cannot be cut.
  bool isStatic = llvm::all_of(shape, [](int64_t extent) { return extent > 0; });
  for (const Digits &dim : shard.dims)
    for (const Digit &digit : dim) {
      isStatic &= digit.extent > 0;
      // What is whole belongs to what is outside of it, but for a unit, which could be elsewhere's.
      if (isStatic && !pending.empty() && digit.axes.empty() && pending.back().extent != 1 &&
          pending.back().group == digit.group)
        pending.back().extent *= digit.extent;
      else
        pending.push_back(digit);
    }
  Shard result = getWholeShard(shape);
  result.varying = shard.varying;
  if (!isStatic) {
    result.varying |= shard.getSplitAxes();
    return result;
  }
  uint64_t unclear = 0;
  for (size_t i = shape.size(); i-- > 0;) {
    Digits &dim = result.dims[i];
    dim.clear();
    int64_t need = shape[i];
    bool isUnit = need == 1;
    while (need != 1) {
      int64_t last = pending.empty() ? 0 : pending.back().extent;
      if (last && need % last == 0) {
        need /= last;
        prepend(dim, pending.pop_back_val());
      } else if (last && last % need == 0) {
        // The axes stay outside of what is cut off.
        prepend(dim, {need, {}, pending.back().group});
        pending.back().extent /= need;
        need = 1;
      } else {
        // The cut lies between two positions of a split dimension.
        result = getWholeShard(shape);
        result.varying = shard.varying | shard.getSplitAxes();
        return result;
      }
    }
    // Units that are split: a unit dimension takes one; the outermost dimension all that is left;
    // between two others only the group of a GEMM's view can tell.
    auto isUnitDigit = [&] { return !pending.empty() && pending.back().extent == 1; };
    if (isUnit) {
      if (isUnitDigit())
        prepend(dim, pending.pop_back_val());
      continue;
    }
    bool isOutermost = llvm::all_of(shape.take_front(i), [](int64_t e) { return e == 1; });
    while (isUnitDigit()) {
      int group = pending.back().group;
      int64_t unitsBefore = llvm::count(shape.take_front(i), 1);
      bool wantedBefore = i > 0 && shape[i - 1] == 1;
      if (wantedBefore || (isOutermost && unitsBefore))
        break;
      if (isOutermost || (group >= 0 && group == dim.front().group)) {
        prepend(dim, pending.pop_back_val());
        continue;
      }
      if (group >= 0)
        break;
      unclear |= getBits(pending.pop_back_val().axes);
    }
  }
  // What no dimension took.
  while (!pending.empty())
    unclear |= getBits(pending.pop_back_val().axes);
  vary(result, unclear);
  return result;
}

/// The shard of a value of which each element depends on the same element of both.
static Shard combine(Shard a, Shard b) {
  uint64_t varying = a.varying | b.varying;
  vary(a, varying);
  vary(b, varying);
  // Each axis splits the same dimension in both, or is absent from one.
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims)) {
    uint64_t xBits = getBits(x), yBits = getBits(y);
    if (x == y || !yBits)
      continue;
    if (!xBits)
      x = y;
    else
      varying |= xBits | yBits;
  }
  uint64_t seen = 0;
  for (const Digits &dim : a.dims) {
    uint64_t own = getBits(dim);
    varying |= seen & own;
    seen |= own;
  }
  vary(a, varying);
  return a;
}

/// The shard of a value that is one or the other.
static Shard join(Shard a, Shard b) {
  if (a == b)
    return a;
  uint64_t varying = a.varying | b.varying;
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims))
    if (!(x == y))
      varying |= getBits(x) | getBits(y);
  vary(a, varying);
  return a;
}

//===----------------------------------------------------------------------===//
// Attributes that are text
//===----------------------------------------------------------------------===//

static StringRef getText(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<OpaqueAttr>(name);
  return attr ? attr.getAttrData() : StringRef();
}

/// The names in quotes of a text.
static SmallVector<StringRef> getQuoted(StringRef text) {
  SmallVector<StringRef> names;
  while (text.contains('"')) {
    text = text.split('"').second;
    auto [name, rest] = text.split('"');
    names.push_back(name);
    text = rest;
  }
  return names;
}

/// `mesh<["data"=2, "model"=4]>`; nothing where devices are numbered by a list.
static std::optional<Mesh> parseMesh(StringRef text) {
  if (!text.consume_front("mesh<[") || !text.consume_back("]>"))
    return std::nullopt;
  Mesh mesh;
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, size] = part.trim().split('=');
    int64_t number;
    if (!name.consume_front("\"") || !name.consume_back("\"") || size.getAsInteger(10, number))
      return std::nullopt;
    mesh.axes.push_back({name.str(), number});
  }
  if (mesh.axes.empty() || mesh.axes.size() > 64)
    return std::nullopt;
  return mesh;
}

/// A dimension list per value of `sharding_per_value<[<@mesh, [{"a"}, {}]>, …]>`, as texts.
static std::optional<SmallVector<SmallVector<StringRef>>> parseShardings(StringRef text) {
  if (!text.consume_front("sharding_per_value<[") || !text.consume_back("]>"))
    return std::nullopt;
  SmallVector<SmallVector<StringRef>> shardings;
  while (!(text = text.ltrim(", ")).empty()) {
    size_t open = text.find('[');
    // A mesh in place of a mesh's name, and what follows the dimensions, are not read.
    if (!text.starts_with("<@") || open == StringRef::npos)
      return std::nullopt;
    text = text.drop_front(open + 1);
    SmallVector<StringRef> &dims = shardings.emplace_back();
    while (text.ltrim(", ").starts_with("{")) {
      text = text.ltrim(", ").drop_front();
      size_t close = text.find('}');
      if (close == StringRef::npos)
        return std::nullopt;
      dims.push_back(text.take_front(close));
      text = text.drop_front(close + 1);
    }
    if (!text.consume_front("]"))
      return std::nullopt;
    size_t end = text.find('>');
    if (end == StringRef::npos || text.take_front(end).contains("unreduced"))
      return std::nullopt;
    text = text.drop_front(end + 1);
  }
  return shardings;
}

/// The list `name = [1, 2]` in a text; empty where it is absent.
static SmallVector<int64_t> parseDims(StringRef text, StringRef name) {
  SmallVector<int64_t> dims;
  size_t at = text.find((name + " = [").str());
  if (at == StringRef::npos)
    return dims;
  SmallVector<StringRef> words;
  text.substr(at).split('[').second.split(']').first.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    int64_t dim;
    if (!word.trim().getAsInteger(10, dim))
      dims.push_back(dim);
  }
  return dims;
}

static std::optional<int64_t> parseNumber(StringRef text, StringRef name) {
  size_t at = text.find((name + " = ").str());
  int64_t number;
  if (at == StringRef::npos ||
      text.substr(at + name.size() + 3).take_while(llvm::isDigit).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// The function with a body that an operation calls; null: none.
static func::FuncOp getCallee(Operation *op, const Frontends &frontends,
                              SymbolTableCollection &symbols) {
  auto call = dyn_cast<func::CallOp>(op);
  FlatSymbolRefAttr symbol = call ? call.getCalleeAttr() : frontends.getCallee(op);
  auto callee = symbol ? symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol) : func::FuncOp();
  return callee && !callee.isExternal() ? callee : func::FuncOp();
}

static bool isManual(Operation *op) {
  return op->getName().getStringRef() == "sdy.manual_computation";
}

/// Follows shards forward through one manual computation and the functions it calls.
struct ShardPlaces::Walk {
  const Frontends &frontends;
  SymbolTableCollection &symbols;
  ShardPlaces &places;
  const Mesh *mesh;
  std::string problem;
  DenseMap<Value, Shard> shards;
  /// By contraction and the calls on the way to it.
  std::map<std::pair<Operation *, std::vector<Operation *>>, ContractionShards> found;
  std::vector<Operation *> calls;

  Walk(const Frontends &frontends, SymbolTableCollection &symbols, ShardPlaces &places,
       const Mesh *mesh)
      : frontends(frontends), symbols(symbols), places(places), mesh(mesh) {}

  uint64_t getAllAxes() const {
    uint64_t bits = 0;
    for (auto [i, axis] : llvm::enumerate(mesh->axes))
      bits |= uint64_t(axis.size != 1) << i;
    return bits;
  }

  static ArrayRef<int64_t> getShape(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.getShape() : ArrayRef<int64_t>();
  }

  Shard get(Value value) {
    auto known = shards.find(value);
    if (known != shards.end())
      return known->second;
    // A value from outside is whole; one that was not reached yet can be anything.
    return getWholeShard(getShape(value));
  }

  /// A function of everything the operation reads, nothing more being known of it.
  Shard getVarying(Operation *op, Value result) {
    Shard shard = getWholeShard(getShape(result));
    for (Value operand : op->getOperands())
      shard.varying |= get(operand).getAxes();
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (!region.isAncestor(operand.getParentRegion()))
            shard.varying |= get(operand).getAxes();
      });
    return shard;
  }

  /// The axes that the groups of a collective run over; nothing where they are no axes.
  std::optional<SmallVector<unsigned>> getGroupAxes(Operation *op) {
    auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
    if (!groups || !op->hasAttr("channel_handle") ||
        (op->getName().getStringRef() != "stablehlo.all_to_all" &&
         !op->hasAttr("use_global_device_ids")))
      return std::nullopt;
    auto type = cast<ShapedType>(groups.getType());
    if (type.getRank() != 2 || type.getNumElements() == 0)
      return std::nullopt;
    SmallVector<int64_t> ids;
    for (const APInt &id : groups)
      ids.push_back(id.getSExtValue());
    int64_t size = type.getDimSize(1);
    SmallVector<unsigned> axes;
    SmallVector<int64_t> strides(mesh->axes.size(), 1);
    for (size_t i = mesh->axes.size() - 1; i-- > 0;)
      strides[i] = strides[i + 1] * mesh->axes[i + 1].size;
    int64_t devices = strides[0] * mesh->axes[0].size, product = 1;
    for (auto [i, axis] : llvm::enumerate(mesh->axes))
      for (int64_t j = 1; j < size; ++j)
        if (ids[j] / strides[i] % axis.size != ids[0] / strides[i] % axis.size) {
          axes.push_back(i);
          product *= axis.size;
          break;
        }
    if (product != size || type.getNumElements() != devices)
      return std::nullopt;
    // Every group counts its axes row-major, all other coordinates being equal.
    for (int64_t group = 0; group < devices / size; ++group)
      for (int64_t j = 0; j < size; ++j) {
        int64_t rest = j, id = ids[group * size];
        for (unsigned axis : llvm::reverse(axes)) {
          int64_t own = id / strides[axis] % mesh->axes[axis].size;
          id += (rest % mesh->axes[axis].size - own) * strides[axis];
          rest /= mesh->axes[axis].size;
        }
        if (id != ids[group * size + j])
          return std::nullopt;
      }
    return axes;
  }

  Shard visitCollective(Operation *op, StringRef name, OpResult result) {
    Shard shard = get(op->getOperand(result.getResultNumber()));
    Shard unknown = getVarying(op, result);
    std::optional<SmallVector<unsigned>> axes = getGroupAxes(op);
    if (!axes)
      return unknown;
    uint64_t bits = getBits(*axes);
    if (name == "stablehlo.all_reduce") {
      unify(shard, bits);
      return shard;
    }
    StringRef dimName = name == "stablehlo.all_gather" ? "all_gather_dim" : "scatter_dimension";
    auto attr = op->getAttrOfType<IntegerAttr>(dimName);
    ArrayRef<int64_t> shape = getShape(result);
    if (!attr || attr.getInt() < 0 || attr.getInt() >= static_cast<int64_t>(shape.size()))
      return unknown;
    Digits &digits = shard.dims[attr.getInt()];
    int64_t extent = shape[attr.getInt()];
    if (name == "stablehlo.all_gather") {
      // The gathered axes are the innermost of the dimension, or split no dimension at all.
      uint64_t others = getBits(digits) & ~bits;
      SmallVector<unsigned, 2> outer;
      if (digits.size() == 1) {
        outer = digits.front().axes;
        size_t inside = 0;
        while (!outer.empty() && bits >> outer.back() & 1) {
          outer.pop_back();
          ++inside;
        }
        if (inside != 0 && inside != axes->size())
          outer.clear();
      }
      bool isOuter = getBits(outer) == others;
      digits = {{extent, isOuter ? outer : SmallVector<unsigned, 2>()}};
      digits = normalize(digits);
      unify(shard, bits);
      if (!isOuter)
        vary(shard, others);
      return shard;
    }
    unify(shard, bits);
    if (digits.size() > 1) {
      vary(shard, getBits(digits) | bits);
      return shard;
    }
    SmallVector<unsigned, 2> split = digits.empty() ? SmallVector<unsigned, 2>() : digits[0].axes;
    split.append(*axes);
    digits = {{extent, std::move(split)}};
    return shard;
  }

  Shard visitContraction(const ContractionView &view, OpResult result) {
    Shard lhs = get(view.lhs), rhs = get(view.rhs);
    Shard shard = getWholeShard(getShape(result));
    uint64_t all = lhs.getAxes() | rhs.getAxes(), varying = lhs.varying | rhs.varying;
    uint64_t seen = 0;
    for (const ContractionDim &dim : view.dims) {
      // What counts the gradients of experts is in neither operand.
      if (dim.lhs < 0 && dim.rhs < 0)
        continue;
      const Digits *l = dim.lhs >= 0 ? &lhs.dims[dim.lhs] : nullptr;
      const Digits *r = dim.rhs >= 0 ? &rhs.dims[dim.rhs] : nullptr;
      uint64_t bits = (l ? getBits(*l) : 0) | (r ? getBits(*r) : 0);
      varying |= seen & bits;
      seen |= bits;
      if (dim.result < 0)
        varying |= bits;
      else if (l && r && !(*l == *r))
        varying |= bits;
      else
        shard.dims[dim.result] = l ? *l : *r;
    }
    vary(shard, varying | (all & ~seen));
    return shard;
  }

  /// `dims[i]`: the dimension of the operand that dimension i of the result is, where it is whole.
  void takeDims(Shard &shard, const Shard &from, ArrayRef<int64_t> dims) {
    uint64_t taken = 0;
    for (auto [to, dim] : llvm::enumerate(dims))
      if (dim >= 0) {
        shard.dims[to] = from.dims[dim];
        taken |= getBits(from.dims[dim]);
      }
    vary(shard, from.getAxes() & ~taken);
  }

  Shard visitGather(Operation *op, OpResult result) {
    StringRef text = getText(op, "dimension_numbers");
    auto sizes = op->getAttrOfType<DenseI64ArrayAttr>("slice_sizes");
    std::optional<int64_t> vectorDim = parseNumber(text, "index_vector_dim");
    if (text.empty() || !sizes || op->getNumOperands() != 2)
      return getVarying(op, result);
    Value operand = op->getOperand(0), indices = op->getOperand(1);
    SmallVector<int64_t> offsets = parseDims(text, "offset_dims"),
                         collapsed = parseDims(text, "collapsed_slice_dims"),
                         batching = parseDims(text, "operand_batching_dims"),
                         indexBatching = parseDims(text, "start_indices_batching_dims");
    // An index vector of one number may have no dimension.
    int64_t vector = vectorDim.value_or(0);
    Shard shard = getWholeShard(getShape(result));
    SmallVector<int64_t> fromIndices(shard.dims.size(), -1), fromOperand(shard.dims.size(), -1);
    int64_t nextIndex = 0, nextOffset = 0;
    ArrayRef<int64_t> shape = getShape(operand);
    auto batchDim = [&](int64_t indexDim) -> int64_t {
      auto *it = llvm::find(indexBatching, indexDim);
      return it == indexBatching.end() ? -1 : batching[it - indexBatching.begin()];
    };
    for (int64_t to = 0; to < static_cast<int64_t>(shard.dims.size()); ++to) {
      if (llvm::is_contained(offsets, to)) {
        while (llvm::is_contained(collapsed, nextOffset) ||
               llvm::is_contained(batching, nextOffset))
          ++nextOffset;
        if (nextOffset >= static_cast<int64_t>(shape.size()))
          return getVarying(op, result);
        if (sizes[nextOffset] == shape[nextOffset])
          fromOperand[to] = nextOffset;
        ++nextOffset;
        continue;
      }
      nextIndex += nextIndex == vector;
      if (nextIndex >= static_cast<int64_t>(getShape(indices).size()))
        return getVarying(op, result);
      fromIndices[to] = nextIndex;
      fromOperand[to] = batchDim(nextIndex);
      ++nextIndex;
    }
    Shard other = shard;
    takeDims(shard, get(operand), fromOperand);
    takeDims(other, get(indices), fromIndices);
    return combine(std::move(shard), std::move(other));
  }

  /// An update of a tensor has the tensor's shard along dimensions that it does not index.
  Shard visitScatter(Operation *op, OpResult result) {
    StringRef text = getText(op, "scatter_dimension_numbers");
    if (text.empty() || op->getNumOperands() != 3)
      return getVarying(op, result);
    Value indices = op->getOperand(1), updates = op->getOperand(2);
    SmallVector<int64_t> windows = parseDims(text, "update_window_dims"),
                         inserted = parseDims(text, "inserted_window_dims"),
                         batching = parseDims(text, "input_batching_dims"),
                         indexBatching = parseDims(text, "scatter_indices_batching_dims");
    int64_t vector = parseNumber(text, "index_vector_dim").value_or(0);
    Shard shard = get(op->getOperand(0));
    ArrayRef<int64_t> shape = getShape(result), updateShape = getShape(updates);
    if (batching.size() != indexBatching.size())
      return getVarying(op, result);
    SmallVector<int64_t> fromUpdates(shape.size(), -1), fromIndices(shape.size(), -1);
    size_t nextWindow = 0;
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
      if (auto *it = llvm::find(batching, dim); it != batching.end()) {
        int64_t indexDim = indexBatching[it - batching.begin()];
        fromIndices[dim] = indexDim;
        // The dimensions of the updates that are no window's are the indices' in order.
        int64_t number = indexDim - (vector < indexDim), place = 0;
        for (int64_t to = 0; to < static_cast<int64_t>(updateShape.size()); ++to)
          if (!llvm::is_contained(windows, to) && place++ == number)
            fromUpdates[dim] = to;
        continue;
      }
      if (llvm::is_contained(inserted, dim) || nextWindow >= windows.size())
        continue;
      int64_t window = windows[nextWindow++];
      if (updateShape[window] == shape[dim])
        fromUpdates[dim] = window;
    }
    Shard update = getWholeShard(shape), index = update;
    takeDims(update, get(updates), fromUpdates);
    takeDims(index, get(indices), fromIndices);
    return combine(combine(std::move(shard), std::move(update)), std::move(index));
  }

  /// Operations of StableHLO and CHLO, each element of whose results depends on the same element of
  /// the operands.
  static bool isElementwise(StringRef name) {
    static const StringRef names =
        " abs acos acosh add and asin asinh atan atan2 atanh bessel_i1e bitcast_convert cbrt ceil "
        "clamp compare complex conj convert cosh cosine count_leading_zeros digamma divide erf "
        "erf_inv erfc exponential exponential_minus_one floor imag is_finite is_inf is_neg_inf "
        "is_pos_inf lgamma log log_plus_one logistic maximum minimum multiply negate next_after "
        "not or polygamma popcnt power real reduce_precision remainder round_nearest_afz "
        "round_nearest_even rsqrt select shift_left shift_right_arithmetic shift_right_logical "
        "sign sine sinh sqrt square subtract tan tanh xor zeta ";
    return names.contains((" " + name + " ").str());
  }

  /// One result of an operation without regions of its own to follow.
  Shard visit(Operation *op, OpResult result) {
    StringRef name = op->getName().getStringRef();
    ArrayRef<int64_t> shape = getShape(result);
    if (std::optional<ContractionView> view = frontends.matchContraction(op))
      return view->readOnly ? getVarying(op, result) : visitContraction(*view, result);
    if (name == "stablehlo.optimization_barrier")
      return get(op->getOperand(result.getResultNumber()));
    if (name == "stablehlo.all_reduce" || name == "stablehlo.all_gather" ||
        name == "stablehlo.reduce_scatter")
      return visitCollective(op, name, result);
    if (name == "stablehlo.gather")
      return visitGather(op, result);
    if (name == "stablehlo.scatter")
      return visitScatter(op, result);
    if (name == "stablehlo.reshape")
      return reshapeShard(get(op->getOperand(0)), shape);
    if (name == "stablehlo.reduce") {
      auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dimensions");
      unsigned inputs = op->getNumOperands() / 2;
      if (!dims)
        return getVarying(op, result);
      Shard shard = getWholeShard(shape);
      SmallVector<int64_t> kept;
      for (int64_t dim = 0; dim < int64_t(getShape(op->getOperand(0)).size()); ++dim)
        if (!llvm::is_contained(dims.asArrayRef(), dim))
          kept.push_back(dim);
      for (unsigned i = 0; i < inputs; ++i) {
        Shard own = getWholeShard(shape);
        takeDims(own, get(op->getOperand(i)), kept);
        vary(own, get(op->getOperand(inputs + i)).getAxes());
        shard = combine(std::move(shard), std::move(own));
      }
      return shard;
    }
    if (name == "stablehlo.concatenate") {
      auto attr = op->getAttrOfType<IntegerAttr>("dimension");
      Shard shard = getWholeShard(shape);
      for (Value operand : op->getOperands()) {
        SmallVector<int64_t> kept = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
        if (attr)
          kept[attr.getInt()] = -1;
        Shard own = getWholeShard(shape);
        takeDims(own, get(operand), kept);
        shard = combine(std::move(shard), std::move(own));
      }
      return shard;
    }
    // Of a part of a tensor, dimensions that are there from end to end are as they were.
    if (name == "stablehlo.slice" || name == "stablehlo.dynamic_slice" || name == "stablehlo.pad" ||
        name == "stablehlo.dynamic_update_slice" || name == "stablehlo.reverse" ||
        name == "stablehlo.sort") {
      bool isUpdate = name == "stablehlo.dynamic_update_slice";
      bool isSort = name == "stablehlo.sort";
      auto reversed = op->getAttrOfType<DenseI64ArrayAttr>("dimensions");
      auto low = op->getAttrOfType<DenseI64ArrayAttr>("edge_padding_low");
      auto sorted = op->getAttrOfType<IntegerAttr>("dimension");
      auto isWhole = [&](Value operand, int64_t dim) {
        return getShape(operand)[dim] == shape[dim] && !(low && low[dim] != 0) &&
               !(name == "stablehlo.reverse" && reversed &&
                 llvm::is_contained(reversed.asArrayRef(), dim)) &&
               !(isSort && sorted && sorted.getInt() == dim);
      };
      unsigned tensors = isSort ? op->getNumOperands() : isUpdate ? 2 : 1;
      Shard shard = getWholeShard(shape);
      for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
        if (i >= tensors) {
          vary(shard, get(operand).getAxes());
          continue;
        }
        SmallVector<int64_t> kept;
        for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
          kept.push_back(isWhole(isUpdate ? op->getOperand(1) : operand, dim) ||
                                 (isUpdate && i == 0 && !getBits(get(operand).dims[dim]))
                             ? dim
                             : -1);
        Shard own = getWholeShard(shape);
        takeDims(own, get(operand), kept);
        shard = combine(std::move(shard), std::move(own));
      }
      return shard;
    }
    if (std::optional<ViewStep> step = frontends.matchView(result);
        step && !step->slices && !step->isReshape()) {
      Shard source = get(step->source), shard = getWholeShard(shape);
      takeDims(shard, source, step->dims);
      return shard;
    }
    StringRef own = name.split('.').second;
    if ((name.starts_with("stablehlo.") || name.starts_with("chlo.")) && isElementwise(own) &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return getShape(operand) == shape || getShape(operand).empty();
        })) {
      Shard shard = getWholeShard(shape);
      for (Value operand : op->getOperands()) {
        if (getShape(operand) == shape)
          shard = combine(std::move(shard), get(operand));
        else
          vary(shard, get(operand).getAxes());
      }
      return shard;
    }
    Shard shard = getVarying(op, result);
    // What asks where it is, or brings values from elsewhere.
    static const StringRef sources = " partition_id replica_id infeed recv collective_permute "
                                     "all_to_all rng custom_call collective_broadcast ";
    bool isKnown = name.starts_with("stablehlo.") || name.starts_with("chlo.") ||
                   name.starts_with("sdy.sharding_constraint");
    if (!isKnown || sources.contains((" " + own + " ").str()))
      shard.varying |= getAllAxes();
    return shard;
  }

  bool set(Value value, Shard shard) {
    auto [known, isNew] = shards.try_emplace(value, shard);
    if (isNew || known->second == shard)
      return isNew;
    known->second = std::move(shard);
    return true;
  }

  /// Lets a value of a loop or branch be what it was or this; at first it may be whole, as zeros
  /// are.
  bool merge(Value value, Shard shard) {
    auto known = shards.find(value);
    if (known != shards.end())
      shard = combine(known->second, std::move(shard));
    return set(value, std::move(shard));
  }

  void record(Operation *op) {
    std::optional<ContractionView> view = frontends.matchContraction(op);
    if (!view)
      return;
    ContractionShards here{mesh, {}, problem};
    if (problem.empty())
      for (unsigned side : {0, 1})
        here.operands[side] = get(view->getOperand(side));
    // Of several trips, the last one has what any of them has.
    found[{op, calls}] = std::move(here);
  }

  /// A contraction has one place for all calls of its function.
  void finish() {
    for (auto &[key, here] : found) {
      auto [known, isNew] = places.contractions.try_emplace(key.first, here);
      if (isNew)
        continue;
      ContractionShards &other = known->second;
      if (other.mesh != here.mesh)
        other.problem = "its function is called in manual computations over several meshes";
      else if (other.problem.empty())
        other.problem = here.problem;
      if (other.problem.empty())
        for (unsigned side : {0, 1})
          other.operands[side] = join(other.operands[side], std::move(here.operands[side]));
    }
  }

  void walk(Block &block) {
    for (Operation &op : block)
      walk(&op);
  }

  void walk(Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (std::optional<SmallVector<FlowEdge>> edges = frontends.matchFlow(op)) {
      if (isManual(op)) {
        std::string outer = std::exchange(problem, "manual computations are nested");
        walk(op->getRegion(0).front());
        problem = std::move(outer);
        for (Value result : op->getResults()) {
          Shard shard = getVarying(op, result);
          shard.varying |= getAllAxes();
          set(result, std::move(shard));
        }
        return;
      }
      // What is chosen can differ wherever the choice does: an operand that is no carried value.
      uint64_t choice = 0;
      if (name != "stablehlo.while")
        for (Value operand : op->getOperands())
          choice |= get(operand).getAxes();
      for (FlowEdge &edge : *edges)
        if (name == "stablehlo.while")
          merge(edge.target, get(edge.sources.front()));
      for (bool changed = true; changed;) {
        changed = false;
        for (Region &region : op->getRegions())
          walk(region.front());
        if (name == "stablehlo.while" && !op->getRegion(0).front().empty())
          for (Value condition : op->getRegion(0).front().getTerminator()->getOperands())
            choice |= get(condition).getAxes();
        for (FlowEdge &edge : *edges)
          for (Value source : edge.sources) {
            Shard shard = get(source);
            vary(shard, choice);
            changed |= merge(edge.target, std::move(shard));
          }
        if (name != "stablehlo.while")
          break;
      }
      return;
    }
    if (func::FuncOp callee = getCallee(op, frontends, symbols)) {
      // Recursion is no model's.
      if (!llvm::is_contained(calls, op) && callee.getNumArguments() == op->getNumOperands()) {
        // Each call is followed by itself.
        SmallVector<Shard> arguments;
        for (Value operand : op->getOperands())
          arguments.push_back(get(operand));
        callee.walk([&](Operation *inner) {
          for (Value result : inner->getResults())
            shards.erase(result);
          for (Region &region : inner->getRegions())
            for (Value argument : region.getArguments())
              shards.erase(argument);
        });
        for (auto [argument, shard] : llvm::zip_equal(callee.getArguments(), arguments))
          set(argument, std::move(shard));
        calls.push_back(op);
        walk(callee.getBody().front());
        calls.pop_back();
        Operation *terminator = callee.getBody().front().getTerminator();
        for (auto [result, value] : llvm::zip_equal(op->getResults(), terminator->getOperands()))
          set(result, get(value));
        return;
      }
    }
    record(op);
    for (OpResult result : op->getResults())
      set(result, visit(op, result));
  }
};

ShardPlaces::ShardPlaces(ModuleOp module, const Frontends &frontends) {
  SymbolTableCollection symbols;
  llvm::StringMap<const Mesh *> known;
  module.walk([&](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>("sym_name");
    if (op->getName().getStringRef() != "sdy.mesh" || !name)
      return;
    if (std::optional<Mesh> mesh = parseMesh(getText(op, "mesh")))
      known[name.getValue()] = meshes.emplace_back(std::make_unique<Mesh>(*mesh)).get();
  });
  static const Mesh none;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isManual(op) || !frontends.matchFlow(op))
      return WalkResult::advance();
    StringRef text = getText(op, "in_shardings");
    StringRef meshName = text.split('@').second.take_until([](char c) { return c == ','; });
    auto found = known.find(meshName);
    Walk walk(frontends, symbols, *this, found == known.end() ? &none : found->second);
    auto shardings = parseShardings(text);
    Block &body = op->getRegion(0).front();
    SmallVector<StringRef> manual = getQuoted(getText(op, "manual_axes"));
    if (found == known.end())
      walk.problem = "its mesh is not a list of axes";
    else if (manual.size() != walk.mesh->axes.size())
      walk.problem = "some axes of the mesh are not manual";
    else if (!shardings || shardings->size() != body.getNumArguments())
      walk.problem = "the shardings of its arguments are not lists of axes";
    else
      for (auto [argument, dims] : llvm::zip_equal(body.getArguments(), *shardings)) {
        ArrayRef<int64_t> shape = Walk::getShape(argument);
        Shard shard = getWholeShard(shape);
        if (dims.size() != shape.size()) {
          shard.varying = walk.getAllAxes();
          walk.set(argument, std::move(shard));
          continue;
        }
        for (auto [i, dim] : llvm::enumerate(dims)) {
          Digit digit{shape[i], {}};
          for (StringRef axisName : getQuoted(dim)) {
            auto *axis = llvm::find_if(
                walk.mesh->axes, [&](const Mesh::Axis &axis) { return axis.name == axisName; });
            // Along an axis of one device nothing is split.
            if (axis != walk.mesh->axes.end() && axis->size != 1)
              digit.axes.push_back(axis - walk.mesh->axes.begin());
          }
          // A part of an axis is no axis.
          if (dim.contains(':'))
            walk.problem = "an argument is split over a part of an axis";
          shard.dims[i].clear();
          prepend(shard.dims[i], std::move(digit));
        }
        walk.set(argument, std::move(shard));
      }
    walk.walk(body);
    walk.finish();
    return WalkResult::skip();
  });

  // What is called outside of manual computations too sees whole tensors there.
  SetVector<Operation *> outside;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      outside.insert(function);
  auto isInside = [](Operation *op) {
    while ((op = op->getParentOp()))
      if (isManual(op))
        return true;
    return false;
  };
  for (size_t i = 0; i < outside.size(); ++i)
    outside[i]->walk([&](Operation *op) {
      func::FuncOp callee = getCallee(op, frontends, symbols);
      if (callee && !isInside(op))
        outside.insert(callee);
    });
  for (auto &[op, shards] : contractions)
    if (!isInside(op) && outside.contains(op->getParentOfType<func::FuncOp>()))
      shards.problem = "its function is called outside of a manual computation too";
}

ShardPlaces::~ShardPlaces() = default;

const ContractionShards *ShardPlaces::find(Operation *contraction) const {
  auto found = contractions.find(contraction);
  return found == contractions.end() ? nullptr : &found->second;
}
