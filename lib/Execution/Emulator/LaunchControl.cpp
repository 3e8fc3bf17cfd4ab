//===- LaunchControl.cpp - Blocks that others compute ----------------------===//
//
// PTX ISA, "clusterlaunchcontrol". A block asks for another that has not begun; the answer, 16
// opaque bytes, comes to shared memory as a bulk copy does, as late as its mbarrier allows; or to
// that of every block of the cluster. Here it is a number of the answers that the cluster was
// given. Which blocks are given away is for LaunchOptions to say; they are not run.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace ufp4::emulator {

namespace {
struct EncodedAnswer {
  static constexpr uint64_t kMagic = 0x6B636F6C62207478;
  uint64_t magic, number;
};
} // namespace

Dim3 Launch::firstBlockOf(uint64_t number) const {
  uint64_t x = grid.x / cluster.x, y = grid.y / cluster.y;
  return {unsigned(number % x * cluster.x), unsigned(number / x % y * cluster.y),
          unsigned(number / x / y * cluster.z)};
}

std::optional<uint64_t> Launch::takeCluster() {
  // The running cluster and those before it have begun.
  std::vector<uint64_t> waiting;
  for (uint64_t number = runningCluster + 1; number < clusterCount(); ++number)
    if (!takenClusters.count(number))
      waiting.push_back(number);
  if (waiting.empty() || options.takeover == Takeover::None)
    return std::nullopt;
  if (options.takeover == Takeover::All)
    return waiting.front();
  uint64_t choice = takeovers() % (2 * waiting.size());
  return choice < waiting.size() ? std::optional(waiting[choice]) : std::nullopt;
}

void Launch::askForBlock(Thread &thread, uint64_t to, uint64_t barrier, bool isMulticast) {
  if (to % sizeof(EncodedAnswer) != 0)
    return fail(FaultKind::Misaligned, formatv("an answer of 16 bytes to ...{0:x4}", to & 0xFFFF));
  if (sawRefusal)
    return fail(FaultKind::IllegalOperand,
                "a block is asked for after the block has seen that there is none");
  const uint32_t ranks = isMulticast ? (1u << blocks.size()) - 1 : 0;
  for (uint64_t place : placesIn(thread, to, ranks))
    if (auto complaint = shared.checkReads(place, sizeof(EncodedAnswer), thread.acquired))
      return fail(complaint->kind, std::move(complaint->message));
  std::optional<uint64_t> taken = takeCluster();
  if (taken)
    takenClusters.insert(*taken);
  EncodedAnswer answer{EncodedAnswer::kMagic, answers.size()};
  answers.push_back(taken);
  const char *bytes = reinterpret_cast<const char *>(&answer);
  beginBulkCopies(thread, to, barrier, {bytes, bytes + sizeof(answer)}, ranks, /*isPair=*/false);
}

/// What an answer says.
const std::optional<uint64_t> *Launch::findAnswer(const uint32_t *words) {
  EncodedAnswer answer;
  std::memcpy(&answer, words, sizeof(answer));
  if (answer.magic == EncodedAnswer::kMagic && answer.number < answers.size())
    return &answers[answer.number];
  fail(FaultKind::IllegalOperand, "the 16 bytes are no answer of clusterlaunchcontrol.try_cancel");
  return nullptr;
}

bool Launch::wasGiven(const uint32_t *words) {
  const std::optional<uint64_t> *answer = findAnswer(words);
  if (!answer)
    return false;
  sawRefusal |= !answer->has_value();
  return answer->has_value();
}

Dim3 Launch::givenBlock(const uint32_t *words) {
  const std::optional<uint64_t> *answer = findAnswer(words);
  if (answer && *answer)
    return firstBlockOf(**answer);
  fail(FaultKind::IllegalOperand, "no block was given whose number could be asked for");
  return {0, 0, 0};
}

std::optional<Operation> findLaunchControl(llvm::StringRef name) {
  Operation operation;
  operation.name = name.str();
  operation.minimumChip = 100;
  if (!name.consume_front("clusterlaunchcontrol."))
    return std::nullopt;
  operation.usesAsyncProxy = name.starts_with("try_cancel");
  if (name == "try_cancel.async.shared" || name == "try_cancel.async.multicast.shared")
    operation.lane = [isMulticast = name.contains("multicast")](LaneCall &c) {
      auto wide = [&](unsigned i) { return uint64_t(c.in[i + 1]) << 32 | c.in[i]; };
      c.launch.askForBlock(c.thread, wide(0), wide(2), isMulticast);
    };
  else if (name == "query_cancel.is_canceled")
    operation.lane = [](LaneCall &c) { c.out[0] = c.launch.wasGiven(c.in); };
  else if (name.consume_front("query_cancel.get_first_ctaid."))
    operation.lane = [axis = name.front()](LaneCall &c) {
      Dim3 block = c.launch.givenBlock(c.in);
      c.out[0] = axis == 'x' ? block.x : axis == 'y' ? block.y : block.z;
    };
  if (!operation.lane)
    return std::nullopt;
  return operation;
}

} // namespace ufp4::emulator
