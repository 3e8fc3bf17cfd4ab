//===- WarpOperations.cpp - Exchange between lanes, barriers, copies -------===//

#include "Formats.h"
#include "Launch.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using llvm::formatv;

namespace ufp4::emulator {

template <typename Function> static void forLanes(const WarpCall &call, Function function) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.mask >> lane & 1)
      function(lane);
}

//===----------------------------------------------------------------------===//
// Shuffles, votes, matches, reductions
//===----------------------------------------------------------------------===//

enum class ShuffleMode { Up, Down, Butterfly, Index };

/// (mask, value, b, c): the value of the lane that b names within the segment that c describes, and
/// whether b named one, where the form has that result. Outside, a lane keeps its own.
static void shuffle(WarpCall &call, ShuffleMode mode, bool hasPredicate) {
  forLanes(call, [&](unsigned lane) {
    int b = call.in[lane][2] & 31;
    int clamp = call.in[lane][3] & 31, segment = call.in[lane][3] >> 8 & 31;
    int highest = (int(lane) & segment) | (clamp & ~segment), lowest = int(lane) & segment;
    int from = 0;
    bool inside = false;
    switch (mode) {
    case ShuffleMode::Up:
      from = int(lane) - b;
      inside = from >= highest;
      break;
    case ShuffleMode::Down:
      from = int(lane) + b;
      inside = from <= highest;
      break;
    case ShuffleMode::Butterfly:
      from = int(lane) ^ b;
      inside = from <= highest;
      break;
    case ShuffleMode::Index:
      from = lowest | (b & ~segment);
      inside = from <= highest;
      break;
    }
    if (!inside)
      from = int(lane);
    if (!(call.mask >> from & 1))
      return call.launch.fail(FaultKind::IllegalOperand,
                              formatv("lane {0} reads lane {1}, which is not in the mask {2:x8}",
                                      lane, from, call.mask),
                              call.warp.threads[lane]);
    call.out[lane][0] = call.in[from][1];
    if (hasPredicate)
      call.out[lane][1] = inside;
  });
}

static uint32_t gatherPredicates(const WarpCall &call) {
  uint32_t set = 0;
  forLanes(call, [&](unsigned lane) { set |= uint32_t((call.in[lane][1] & 1) != 0) << lane; });
  return set;
}

template <typename Function> static void broadcast(WarpCall &call, Function function) {
  uint32_t set = gatherPredicates(call), value = function(set);
  forLanes(call, [&](unsigned lane) { call.out[lane][0] = value; });
}

static uint64_t matchValue(const WarpCall &call, unsigned lane, bool wide) {
  return call.in[lane][1] | (wide ? uint64_t(call.in[lane][2]) << 32 : 0);
}

static std::function<void(WarpCall &)> matchAny(bool wide) {
  return [=](WarpCall &call) {
    forLanes(call, [&](unsigned lane) {
      uint32_t same = 0;
      forLanes(call, [&](unsigned other) {
        same |= uint32_t(matchValue(call, lane, wide) == matchValue(call, other, wide)) << other;
      });
      call.out[lane][0] = same;
    });
  };
}

static std::function<void(WarpCall &)> matchAll(bool wide) {
  return [=](WarpCall &call) {
    uint64_t first = matchValue(call, llvm::countr_zero(call.mask), wide);
    bool all = true;
    forLanes(call, [&](unsigned lane) { all &= matchValue(call, lane, wide) == first; });
    forLanes(call, [&](unsigned lane) {
      call.out[lane][0] = all ? call.mask : 0;
      call.out[lane][1] = all;
    });
  };
}

template <typename Function> static std::function<void(WarpCall &)> reduce(Function combine) {
  return [=](WarpCall &call) {
    uint32_t result = 0;
    bool first = true;
    forLanes(call, [&](unsigned lane) {
      result = first ? call.in[lane][0] : combine(result, call.in[lane][0]);
      first = false;
    });
    forLanes(call, [&](unsigned lane) { call.out[lane][0] = result; });
  };
}

static std::function<void(WarpCall &)> reduceFloat(bool isMax, bool absolute, bool keepNaN) {
  return [=](WarpCall &call) {
    float result = 0;
    bool first = true, sawNaN = false;
    forLanes(call, [&](unsigned lane) {
      float value = asFloat(call.in[lane][0]);
      if (absolute)
        value = std::fabs(value);
      if (std::isnan(value)) {
        sawNaN = true;
        return;
      }
      bool less = value < result || (value == result && std::signbit(value));
      if (first || less != isMax)
        result = value;
      first = false;
    });
    uint32_t bits = first || (sawNaN && keepNaN) ? 0x7FFFFFFFu : asBits(result);
    forLanes(call, [&](unsigned lane) { call.out[lane][0] = bits; });
  };
}

static std::function<void(WarpCall &)> findReduction(llvm::StringRef kind) {
  using U = uint32_t;
  if (kind == "add")
    return reduce([](U a, U b) { return a + b; });
  if (kind == "min")
    return reduce([](U a, U b) { return U(std::min(int32_t(a), int32_t(b))); });
  if (kind == "max")
    return reduce([](U a, U b) { return U(std::max(int32_t(a), int32_t(b))); });
  if (kind == "umin")
    return reduce([](U a, U b) { return std::min(a, b); });
  if (kind == "umax")
    return reduce([](U a, U b) { return std::max(a, b); });
  if (kind == "and")
    return reduce([](U a, U b) { return a & b; });
  if (kind == "or")
    return reduce([](U a, U b) { return a | b; });
  if (kind == "xor")
    return reduce([](U a, U b) { return a ^ b; });
  bool isMax = kind.consume_front("fmax");
  if (!isMax && !kind.consume_front("fmin"))
    return nullptr;
  bool absolute = kind.consume_front(".abs"), keepNaN = kind.consume_front(".NaN");
  return kind.empty() ? reduceFloat(isMax, absolute, keepNaN) : nullptr;
}

//===----------------------------------------------------------------------===//
// Barriers, asynchronous copies, errors
//===----------------------------------------------------------------------===//

static std::function<void(LaneCall &)> findCustom(llvm::StringRef name) {
  if (llvm::StringRef rest = name; rest.consume_front("barrier.cta.")) {
    bool arrive = rest.consume_front("arrive");
    if (!arrive && !rest.consume_front("sync") && !rest.consume_front("red.and") &&
        !rest.consume_front("red.or") && !rest.consume_front("red.popc"))
      return nullptr;
    rest.consume_front(".aligned");
    if (rest == ".all" && !arrive)
      return [](LaneCall &c) { c.launch.waitAtBarrier(c.thread, c.in[0], true, 0); };
    if (rest == ".count" && arrive)
      return [](LaneCall &c) { c.launch.arriveAtBarrier(c.thread, c.in[0], c.in[1]); };
    if (rest == ".count")
      return [](LaneCall &c) { c.launch.waitAtBarrier(c.thread, c.in[0], false, c.in[1]); };
    return nullptr;
  }
  if (name == "cp.async.commit.group")
    return [](LaneCall &c) {
      c.thread.groups.push_back(std::move(c.thread.uncommitted));
      c.thread.uncommitted.clear();
    };
  if (name == "cp.async.wait.group")
    return [](LaneCall &c) { c.launch.landCopies(c.thread, c.in[0], false); };
  if (name == "cp.async.wait.all")
    return [](LaneCall &c) { c.launch.landCopies(c.thread, 0, true); };
  if (llvm::StringRef rest = name; rest.consume_front("cp.async.")) {
    bool all = rest.consume_front("ca.");
    if (!all && !rest.consume_front("cg."))
      return nullptr;
    if (!rest.consume_front("shared.global."))
      return nullptr;
    bool sized = rest.consume_back(".s");
    unsigned size;
    if (rest.getAsInteger(10, size) || !(size == 16 || (all && (size == 4 || size == 8))))
      return nullptr;
    return [=](LaneCall &c) {
      uint64_t to = uint64_t(c.in[1]) << 32 | c.in[0], from = uint64_t(c.in[3]) << 32 | c.in[2];
      c.launch.copyAsync(c.thread, to, from, size, sized ? c.in[4] : size);
    };
  }
  if (name == "nanosleep")
    return [](LaneCall &c) { c.launch.yield(c.thread); };
  if (name == "trap")
    return [](LaneCall &c) {
      c.launch.fail(FaultKind::Trap,
                    "the thread reached a trap or what the module calls unreachable");
    };
  if (name == "assertfail")
    return [](LaneCall &c) { c.launch.fail(FaultKind::Trap, "an assertion of the kernel failed"); };
  return nullptr;
}

std::optional<Operation> findWarpOperation(llvm::StringRef name) {
  Operation operation;
  operation.name = name.str();
  if (name.starts_with("membar.") || name.starts_with("fence.") || name.starts_with("prefetch") ||
      name.starts_with("griddepcontrol.")) {
    operation.isNoOp = true;
    if (name.starts_with("griddepcontrol."))
      operation.minimumChip = 90;
    return operation;
  }
  if (auto lane = findCustom(name)) {
    operation.lane = std::move(lane);
    if (name.starts_with("cp.async"))
      operation.minimumChip = 80;
    return operation;
  }
  operation.meeting = Meeting::Mask;
  if (llvm::StringRef rest = name; rest.consume_front("shfl.sync.")) {
    auto [mode, type] = rest.split('.');
    auto shuffleMode = llvm::StringSwitch<std::optional<ShuffleMode>>(mode)
                           .Case("up", ShuffleMode::Up)
                           .Case("down", ShuffleMode::Down)
                           .Case("bfly", ShuffleMode::Butterfly)
                           .Case("idx", ShuffleMode::Index)
                           .Default(std::nullopt);
    if (!shuffleMode || (type != "i32" && type != "i32p" && type != "f32" && type != "f32p"))
      return std::nullopt;
    operation.warp = [mode = *shuffleMode, hasPredicate = type.ends_with("p")](WarpCall &call) {
      shuffle(call, mode, hasPredicate);
    };
    return operation;
  }
  if (llvm::StringRef rest = name; rest.consume_front("redux.sync.")) {
    operation.maskWord = 1;
    operation.needsFamily = rest.starts_with("f");
    operation.minimumChip = operation.needsFamily ? 100 : 80;
    operation.warp = findReduction(rest);
    return operation.warp ? std::optional<Operation>(operation) : std::nullopt;
  }
  if (name == "bar.warp.sync")
    operation.warp = [](WarpCall &call) { call.launch.synchronize(call.warp, call.mask); };
  else if (name == "vote.all.sync")
    operation.warp = [](WarpCall &call) {
      broadcast(call, [&](uint32_t set) { return uint32_t(set == call.mask); });
    };
  else if (name == "vote.any.sync")
    operation.warp = [](WarpCall &call) {
      broadcast(call, [](uint32_t set) { return uint32_t(set != 0); });
    };
  else if (name == "vote.uni.sync")
    operation.warp = [](WarpCall &call) {
      broadcast(call, [&](uint32_t set) { return uint32_t(set == 0 || set == call.mask); });
    };
  else if (name == "vote.ballot.sync")
    operation.warp = [](WarpCall &call) { broadcast(call, [](uint32_t set) { return set; }); };
  else if (name == "match.any.sync.i32" || name == "match.any.sync.i64")
    operation.warp = matchAny(name.ends_with("i64"));
  else if (name == "match.all.sync.i32p" || name == "match.all.sync.i64p")
    operation.warp = matchAll(name.ends_with("i64p"));
  else if (name == "elect.sync") {
    operation.minimumChip = 90;
    operation.warp = [](WarpCall &call) {
      unsigned leader = llvm::countr_zero(call.mask);
      forLanes(call, [&](unsigned lane) {
        call.out[lane][0] = leader;
        call.out[lane][1] = lane == leader;
      });
    };
  } else {
    return std::nullopt;
  }
  return operation;
}

} // namespace ufp4::emulator
