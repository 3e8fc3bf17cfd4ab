//===- AnnotateRoles.cpp - writes what each matmul is ---------------------===//

#include "ufp4/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "ufp4/Analysis/TrainingRoles.h"
#include "ufp4/Frontends/Frontends.h"

namespace ufp4 {
#define GEN_PASS_DEF_ANNOTATEROLES
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {
struct AnnotateRoles : ufp4::impl::AnnotateRolesBase<AnnotateRoles> {
  using AnnotateRolesBase::AnnotateRolesBase;

  void runOnOperation() override {
    SmallVector<std::string> names(params.begin(), params.end());
    auto gemms = analyzeTraining(getOperation(), createAllFrontends(), names);
    if (failed(gemms))
      return signalPassFailure();
    Builder builder(&getContext());
    for (const GemmInfo &info : *gemms) {
      ++numMatmuls;
      numLinear += info.role != Role::None;
      NamedAttrList attrs;
      if (!info.layer.empty())
        attrs.append("layer", builder.getStringAttr(info.layer));
      attrs.append("role", builder.getStringAttr(stringifyRole(info.role)));
      attrs.append("stream", builder.getI64IntegerAttr(2 * info.streamIndex));
      info.view.op->setAttr(kGemmAttr, attrs.getDictionary(&getContext()));
    }
  }
};
} // namespace
