//===- GroupReport.h - Sizes of groups that do not fit ----------*- C++ -*-===//

#ifndef UFP4_EXECUTION_GROUPREPORT_H
#define UFP4_EXECUTION_GROUPREPORT_H

#include <cstdint>

namespace ufp4 {

/// What compiled code calls as `ufp4ReportGroups` (Support/Runtime.h): a warning on standard error,
/// once for each way in which sizes do not fit.
void reportGroups(int64_t sum, int64_t rows, int64_t negative);

} // namespace ufp4

#endif // UFP4_EXECUTION_GROUPREPORT_H
