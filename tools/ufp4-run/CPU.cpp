//===- CPU.cpp - The CPU as a target of ufp4-run --------------------------===//

#include "CPU.h"

#include "ufp4/Conversion/CPU/Gemm.h"
#include "ufp4/Driver/Driver.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using llvm::Expected;

namespace ufp4::run {

namespace {

/// The GEMM of dynamic sizes on dequantized operands, compiled once.
class GemmKernel {
public:
  static Expected<std::shared_ptr<GemmKernel>> create(MLIRContext &context) {
    auto kernel = std::make_shared<GemmKernel>();
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
    int64_t any = ShapedType::kDynamic;
    auto type = RankedTensorType::get({any, any, any}, b.getF32Type());
    context.loadDialect<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                        tensor::TensorDialect, vector::VectorDialect>();
    auto function = func::FuncOp::create(b, loc, "gemm", b.getFunctionType({type, type}, {type}));
    b.setInsertionPointToStart(function.addEntryBlock());
    Value result = emitGemm(b, loc, function.getArgument(0), function.getArgument(1), nullptr);
    func::ReturnOp::create(b, loc, result);
    Expected<EntrySignature> signature = readSignature(function);
    if (!signature)
      return signature.takeError();
    kernel->signature = std::move(*signature);
    Expected<std::unique_ptr<JitModule>> jit = compileForCPU(*module);
    if (!jit)
      return jit.takeError();
    kernel->jit = std::move(*jit);
    return kernel;
  }

  Expected<std::vector<float>> run(const QuantizeRecord &lhs, const QuantizeRecord &rhs) {
    std::vector<Array> operands{dequantize(lhs), dequantize(rhs)};
    Expected<std::vector<Array>> results = jit->call(signature, operands);
    if (!results)
      return results.takeError();
    const Array &c = results->front();
    return std::vector<float>(c.as<float>(), c.as<float>() + c.size());
  }

private:
  static Array dequantize(const QuantizeRecord &record) {
    numerics::ViewShape view = record.viewShape();
    int64_t kp = numerics::paddedK(record.site.scheme, view.k);
    Array values = Array::zeros(ElementType::F32, {view.g, view.r, kp});
    numerics::dequantizePaddedInto(record.codes.as<uint8_t>(), record.scales.data.data(),
                                   record.global.value_or(0), view, record.site.scheme,
                                   numerics::Element::F32, values.data.data());
    return values;
  }

  EntrySignature signature;
  std::unique_ptr<JitModule> jit;
};

} // namespace

ReplayKernels cpuReplayKernels(MLIRContext &context) {
  ReplayKernels kernels;
  kernels.quantize = quantizeByDefinition;
  kernels.gemm = [&context, kernel = std::shared_ptr<GemmKernel>()](
                     const QuantizeRecord &lhs,
                     const QuantizeRecord &rhs) mutable -> Expected<std::vector<float>> {
    if (!kernel) {
      Expected<std::shared_ptr<GemmKernel>> created = GemmKernel::create(context);
      if (!created)
        return created.takeError();
      kernel = std::move(*created);
    }
    return kernel->run(lhs, rhs);
  };
  return kernels;
}

} // namespace ufp4::run
