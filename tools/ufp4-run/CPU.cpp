//===- CPU.cpp - The CPU as a target of ufp4-run --------------------------===//

#include "CPU.h"

#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Driver/Driver.h"
#include "ufp4/Support/Error.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using llvm::Expected;

namespace ufp4::run {

namespace {

/// The GEMMs of dynamic extents on codes, each compiled once.
class GemmKernels {
public:
  explicit GemmKernels(MLIRContext &context) : context(context) {}

  Expected<std::vector<float>> run(const QuantizeRecord &lhs, const QuantizeRecord &rhs) {
    Type types[] = {getType(lhs), getType(rhs)};
    std::string key;
    llvm::raw_string_ostream(key) << types[0] << types[1];
    auto [found, isNew] = compiled.try_emplace(key);
    Kernel &kernel = found->second;
    if (isNew)
      if (llvm::Error error = compile(kernel, types)) {
        compiled.erase(found);
        return std::move(error);
      }
    std::vector<Array> parts;
    appendParts(lhs, parts);
    appendParts(rhs, parts);
    Expected<std::vector<Array>> results = kernel.jit->call(kernel.signature, parts);
    if (!results)
      return results.takeError();
    const Array &c = results->front();
    return std::vector<float>(c.as<float>(), c.as<float>() + c.size());
  }

private:
  struct Kernel {
    EntrySignature signature;
    std::unique_ptr<JitModule> jit;
  };

  /// [G, R, K] of any G and R.
  Type getType(const QuantizeRecord &record) {
    int64_t any = ShapedType::kDynamic;
    return QuantizedTensorType::get(&context, {any, any, record.viewShape().k},
                                    SchemeAttr::get(&context, record.site.scheme), /*along=*/2);
  }

  llvm::Error compile(Kernel &kernel, ArrayRef<Type> types) {
    loadDriverDialects(context);
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
    int64_t any = ShapedType::kDynamic;
    auto result = RankedTensorType::get({any, any, any}, b.getF32Type());
    auto function = func::FuncOp::create(b, loc, "gemm", b.getFunctionType(types, result));
    b.setInsertionPointToStart(function.addEntryBlock());
    Value product =
        MatmulOp::create(b, loc, result, function.getArgument(0), function.getArgument(1), Value(),
                         ArrayRef<int64_t>{0}, ArrayRef<int64_t>{0});
    func::ReturnOp::create(b, loc, product);
    if (failed(lowerQuantizes(*module)))
      return fail("a GEMM cannot be lowered");
    Expected<EntrySignature> signature = readSignature(*module->getOps<func::FuncOp>().begin());
    if (!signature)
      return signature.takeError();
    kernel.signature = std::move(*signature);
    Expected<std::unique_ptr<JitModule>> jit = compileForCPU(*module);
    if (!jit)
      return jit.takeError();
    kernel.jit = std::move(*jit);
    return llvm::Error::success();
  }

  static void appendParts(const QuantizeRecord &record, std::vector<Array> &parts) {
    for (const Array *array : {&record.codes, &record.scales}) {
      parts.push_back(*array);
      // A view without a batch has one of 1.
      if (parts.back().shape.size() == 2)
        parts.back().shape.insert(parts.back().shape.begin(), 1);
    }
    if (record.global) {
      parts.push_back(Array::zeros(ElementType::F32, {}));
      std::memcpy(parts.back().data.data(), &*record.global, sizeof(float));
    }
  }

  MLIRContext &context;
  llvm::StringMap<Kernel> compiled;
};

} // namespace

ReplayKernels cpuReplayKernels(MLIRContext &context) {
  ReplayKernels kernels;
  kernels.quantize = quantizeByDefinition;
  kernels.gemm = [gemms = std::make_shared<GemmKernels>(context)](const QuantizeRecord &lhs,
                                                                  const QuantizeRecord &rhs) {
    return gemms->run(lhs, rhs);
  };
  return kernels;
}

} // namespace ufp4::run
