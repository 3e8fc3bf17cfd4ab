//===- HotPath.cpp - Instructions that a kernel issues as a rule ----------===//

#include "HotPath.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

#include <set>

using namespace ufp4;
using namespace ufp4::testing;

namespace {
enum Opcode : unsigned {
  Nop = 0x918,
  Branch = 0x947,
  UniformBranch = 0x547,
  Exit = 0x94d,
  Return = 0x950
};

class Graph {
public:
  Graph(llvm::ArrayRef<char> code, unsigned architecture) {
    unsigned count = code.size() / 16;
    std::set<unsigned> leaders = {0};
    std::map<unsigned, std::pair<std::optional<unsigned>, bool>> ends;
    std::vector<bool> isNop(count);
    for (unsigned i = 0; i < count; ++i) {
      uint64_t low = llvm::support::endian::read64le(code.data() + i * 16);
      uint64_t high = llvm::support::endian::read64le(code.data() + i * 16 + 8);
      unsigned opcode = low & 0xfff;
      // Always, by the guard and, of a branch, by its second predicate.
      bool isAlways = (low >> 12 & 15) == 7;
      isNop[i] = opcode == Nop;
      if (opcode == Branch || opcode == UniformBranch) {
        int64_t distance = int64_t(low) >> 34;
        distance = architecture < 90 ? distance * 4 : (distance << 8 | (low >> 16 & 0xff)) * 4;
        unsigned target = unsigned((int64_t(i + 1) * 16 + distance) / 16);
        EXPECT_LT(target, count);
        ends[i] = {target, opcode == Branch && isAlways && (high >> 23 & 15) == 7};
        leaders.insert(target);
      } else if (opcode == Exit || opcode == Return) {
        ends[i] = {std::nullopt, isAlways};
      } else {
        continue;
      }
      if (i + 1 < count)
        leaders.insert(i + 1);
    }
    std::vector<unsigned> firsts(leaders.begin(), leaders.end());
    auto blockAt = [&](unsigned word) {
      return unsigned(llvm::lower_bound(firsts, word) - firsts.begin());
    };
    successors.resize(firsts.size());
    for (unsigned block = 0; block < firsts.size(); ++block) {
      unsigned end = block + 1 < firsts.size() ? firsts[block + 1] : count;
      sizes.push_back(unsigned(std::count(isNop.begin() + firsts[block], isNop.begin() + end, 0)));
      auto found = ends.find(end - 1);
      if (found != ends.end() && found->second.first)
        successors[block].push_back(blockAt(*found->second.first));
      if ((found == ends.end() || !found->second.second) && end < count)
        successors[block].push_back(block + 1);
    }
    findLoops();
  }

  HotPath longest() const {
    HotPath path;
    for (unsigned size : sizes)
      path.total += size;
    llvm::BitVector rare(sizes.size());
    const Loop *around = nullptr;
    for (const Loop &loop : loops) {
      bool isInnermost = llvm::none_of(loops, [&](const Loop &other) {
        return &other != &loop && loop.blocks.test(other.header);
      });
      if (isInnermost)
        rare |= loop.blocks;
      else if (!around || loop.blocks.count() > around->blocks.count())
        around = &loop;
    }
    llvm::BitVector allowed(sizes.size(), true);
    unsigned start = 0;
    if (around) {
      allowed = around->blocks;
      start = around->header;
      path.isLoop = true;
    }
    allowed.reset(rare);
    std::map<unsigned, unsigned> memo;
    path.instructions = measure(start, start, allowed, memo);
    return path;
  }

private:
  struct Loop {
    unsigned header;
    llvm::BitVector blocks;
  };

  unsigned measure(unsigned block, unsigned start, const llvm::BitVector &allowed,
                   std::map<unsigned, unsigned> &memo) const {
    auto [found, isNew] = memo.try_emplace(block, 0);
    if (!isNew)
      return found->second;
    unsigned best = 0;
    for (unsigned next : successors[block])
      if (allowed.test(next) && next != start)
        best = std::max(best, measure(next, start, allowed, memo));
    return memo[block] = sizes[block] + best;
  }

  /// Natural loops, by dominators.
  void findLoops() {
    unsigned count = sizes.size();
    std::vector<std::vector<unsigned>> predecessors(count);
    for (unsigned block = 0; block < count; ++block)
      for (unsigned next : successors[block])
        predecessors[next].push_back(block);
    std::vector<llvm::BitVector> dominators(count, llvm::BitVector(count, true));
    dominators[0].reset();
    dominators[0].set(0);
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (unsigned block = 1; block < count; ++block) {
        llvm::BitVector meet(count, true);
        for (unsigned before : predecessors[block])
          meet &= dominators[before];
        meet.set(block);
        if (meet == dominators[block])
          continue;
        dominators[block] = meet;
        isChanged = true;
      }
    }
    // Calls are no edges here, so functions that are called are not reached, and dominated by all.
    llvm::BitVector isReached(count);
    for (std::vector<unsigned> left = {0}; !left.empty();) {
      unsigned block = left.back();
      left.pop_back();
      if (isReached.test(block))
        continue;
      isReached.set(block);
      llvm::append_range(left, successors[block]);
    }
    std::map<unsigned, llvm::BitVector> bodies;
    for (unsigned block = 0; block < count; ++block)
      for (unsigned header : successors[block]) {
        if (!dominators[block].test(header) || !isReached.test(block))
          continue;
        llvm::BitVector &body = bodies.try_emplace(header, count).first->second;
        body.set(header);
        std::vector<unsigned> left = {block};
        while (!left.empty()) {
          unsigned at = left.back();
          left.pop_back();
          if (body.test(at) || !isReached.test(at))
            continue;
          body.set(at);
          llvm::append_range(left, predecessors[at]);
        }
      }
    for (auto &[header, body] : bodies)
      loops.push_back({header, body});
  }

  std::vector<unsigned> sizes;
  std::vector<std::vector<unsigned>> successors;
  std::vector<Loop> loops;
};
} // namespace

HotPath ufp4::testing::findHotPath(const target::Cubin &cubin, llvm::StringRef kernel) {
  auto summary = target::readCubin(cubin.bytes);
  if (!summary) {
    ADD_FAILURE() << llvm::toString(summary.takeError());
    return {};
  }
  const target::CubinFunction *function = summary->find(kernel);
  if (!function) {
    ADD_FAILURE() << "no kernel " << kernel.str();
    return {};
  }
  return Graph(llvm::ArrayRef(cubin.bytes).slice(function->offset, function->size),
               summary->architecture)
      .longest();
}
