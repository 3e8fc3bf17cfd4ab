//===- GroupReport.cpp - Sizes of groups that do not fit ------------------===//

#include "ufp4/Execution/GroupReport.h"

#include "llvm/Support/WithColor.h"

#include <mutex>
#include <set>
#include <tuple>

namespace ufp4 {

void reportGroups(int64_t sum, int64_t rows, int64_t negative) {
  static std::mutex mutex;
  static std::set<std::tuple<int64_t, int64_t, bool>> known;
  std::lock_guard<std::mutex> lock(mutex);
  if (!known.insert({sum, rows, negative != 0}).second)
    return;
  llvm::raw_ostream &os = llvm::WithColor::warning();
  os << "the sizes of groups add up to " << sum << ", expected " << rows
     << ", the rows that they divide";
  if (negative)
    os << "; one is negative and counts as 0";
  os << (sum < rows ? ": rows of no group are left out\n" : ": groups end where the rows do\n");
}

} // namespace ufp4
