//===- HotPath.cpp - Instructions that a kernel issues as a rule ----------===//

#include "HotPath.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
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
  /// Where blocks of code begin, and what ends them: a target, and whether nothing follows.
  struct Code {
    std::set<unsigned> leaders = {0};
    std::map<unsigned, std::pair<std::optional<unsigned>, bool>> ends;
    /// Of each instruction.
    std::vector<bool> isCounted;
    std::vector<std::string> text;
  };

  explicit Graph(const Code &code) {
    unsigned count = code.isCounted.size();
    std::vector<unsigned> firsts(code.leaders.begin(), code.leaders.end());
    auto blockAt = [&](unsigned word) {
      return unsigned(llvm::lower_bound(firsts, word) - firsts.begin());
    };
    successors.resize(firsts.size());
    for (unsigned block = 0; block < firsts.size(); ++block) {
      unsigned end = block + 1 < firsts.size() ? firsts[block + 1] : count;
      sizes.push_back(unsigned(
          std::count(code.isCounted.begin() + firsts[block], code.isCounted.begin() + end, true)));
      auto found = code.ends.find(end - 1);
      isEnd.push_back(found != code.ends.end() && !found->second.first);
      if (found != code.ends.end() && found->second.first)
        successors[block].push_back(blockAt(*found->second.first));
      if ((found == code.ends.end() || !found->second.second) && end < count)
        successors[block].push_back(block + 1);
    }
    findLoops();
  }

  static Code readSASS(llvm::ArrayRef<char> code, unsigned architecture) {
    Code read;
    unsigned count = code.size() / 16;
    read.isCounted.resize(count);
    for (unsigned i = 0; i < count; ++i) {
      uint64_t low = llvm::support::endian::read64le(code.data() + i * 16);
      uint64_t high = llvm::support::endian::read64le(code.data() + i * 16 + 8);
      unsigned opcode = low & 0xfff;
      // Always, by the guard and, of a branch, by its second predicate.
      bool isAlways = (low >> 12 & 15) == 7;
      read.isCounted[i] = opcode != Nop;
      if (opcode == Branch || opcode == UniformBranch) {
        int64_t distance = int64_t(low) >> 34;
        distance =
            architecture < 90 ? distance * 4 : (distance * 256 + int64_t(low >> 16 & 0xff)) * 4;
        unsigned target = unsigned((int64_t(i + 1) * 16 + distance) / 16);
        EXPECT_LT(target, count);
        read.ends[i] = {target, opcode == Branch && isAlways && (high >> 23 & 15) == 7};
        read.leaders.insert(target);
      } else if (opcode == Exit || opcode == Return) {
        read.ends[i] = {std::nullopt, isAlways};
      } else {
        continue;
      }
      if (i + 1 < count)
        read.leaders.insert(i + 1);
    }
    return read;
  }

  /// Vector instructions alone are counted.
  static Code readAMDGCN(llvm::StringRef assembly) {
    Code read;
    llvm::StringMap<unsigned> labels;
    llvm::SmallVector<llvm::StringRef, 0> lines;
    assembly.split(lines, '\n');
    // Labels first: branches go forward, too.
    for (bool isFirst : {true, false}) {
      unsigned number = 0;
      for (llvm::StringRef line : lines) {
        line = line.split(';').first.rtrim();
        if (isFirst && line.starts_with(".LBB"))
          labels[line.split(':').first] = number;
        if (!line.consume_front("\t") || line.starts_with("."))
          continue;
        auto [mnemonic, target] = line.split(' ');
        ++number;
        if (isFirst)
          continue;
        read.text.push_back(line.trim().str());
        read.isCounted.push_back(mnemonic.starts_with("v_") && mnemonic != "v_nop");
        bool isBranch = mnemonic.starts_with("s_branch") || mnemonic.starts_with("s_cbranch");
        if (!isBranch && mnemonic != "s_endpgm")
          continue;
        std::optional<unsigned> to;
        if (isBranch) {
          to = labels.at(target.trim());
          read.leaders.insert(*to);
        }
        read.ends[number - 1] = {to, !mnemonic.starts_with("s_cbranch")};
        read.leaders.insert(number);
      }
      // What is behind the last instruction is no block.
      if (!isFirst)
        read.leaders.erase(number);
    }
    return read;
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
    std::map<unsigned, std::optional<unsigned>> memo;
    path.instructions = measure(start, start, allowed, memo).value_or(0);
    EXPECT_GT(path.instructions, 0u) << "no way leads through the kernel";
    return path;
  }

  /// Instructions of the smallest loop that has one of which `isWanted` holds.
  std::vector<std::string> loopWith(const Code &code,
                                    llvm::function_ref<bool(llvm::StringRef)> isWanted) const {
    std::vector<unsigned> firsts(code.leaders.begin(), code.leaders.end());
    firsts.push_back(code.text.size());
    std::vector<std::string> smallest;
    for (const Loop &loop : loops) {
      std::vector<std::string> body;
      for (unsigned block : loop.blocks.set_bits())
        body.insert(body.end(), code.text.begin() + firsts[block],
                    code.text.begin() + firsts[block + 1]);
      if (llvm::any_of(body, isWanted) && (smallest.empty() || body.size() < smallest.size()))
        smallest = std::move(body);
    }
    return smallest;
  }

private:
  struct Loop {
    unsigned header;
    llvm::BitVector blocks;
  };

  /// Of the longest way on that comes back to `start` or to an end; a way into what is not allowed
  /// is none.
  std::optional<unsigned> measure(unsigned block, unsigned start, const llvm::BitVector &allowed,
                                  std::map<unsigned, std::optional<unsigned>> &memo) const {
    auto [found, isNew] = memo.try_emplace(block, std::nullopt);
    if (!isNew)
      return found->second;
    std::optional<unsigned> best;
    if (isEnd[block])
      best = 0;
    for (unsigned next : successors[block]) {
      if (next == start)
        best = std::max(best, std::optional(0u));
      else if (allowed.test(next))
        best = std::max(best, measure(next, start, allowed, memo));
    }
    if (best)
      *best += sizes[block];
    return memo[block] = best;
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
  /// Of blocks after which the kernel may be at its end.
  std::vector<bool> isEnd;
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
  return Graph(Graph::readSASS(llvm::ArrayRef(cubin.bytes).slice(function->offset, function->size),
                               summary->architecture))
      .longest();
}

static llvm::StringRef findText(const target::Assembly &assembly, llvm::StringRef kernel) {
  llvm::StringRef text(assembly.text);
  size_t begin = text.find(("\n" + kernel + ":").str());
  if (begin == llvm::StringRef::npos)
    ADD_FAILURE() << "no kernel " << kernel.str();
  return text.substr(begin + 1).split(".Lfunc_end").first;
}

HotPath ufp4::testing::findHotPath(const target::Assembly &assembly, llvm::StringRef kernel) {
  return Graph(Graph::readAMDGCN(findText(assembly, kernel))).longest();
}

std::vector<std::string> ufp4::testing::findMatrixLoop(const target::Assembly &assembly,
                                                       llvm::StringRef kernel) {
  Graph::Code code = Graph::readAMDGCN(findText(assembly, kernel));
  return Graph(code).loopWith(code, [](llvm::StringRef line) {
    return line.starts_with("v_mfma") || line.starts_with("v_wmma");
  });
}
