//===- Rewrite.cpp - From the device's module to one of the host -----------===//

#include "Rewrite.h"
#include "AMDOperations.h"
#include "InlineAsm.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace ufp4::emulator {

Error makeFault(FaultKind kind, std::string message, const Origin &origin) {
  auto fault = std::make_unique<EmulatorFault>();
  fault->kind = kind;
  fault->message = std::move(message);
  fault->kernel = origin.function;
  fault->location = origin.location;
  fault->instruction = origin.instruction;
  return Error(std::move(fault));
}

//===----------------------------------------------------------------------===//
// What the module is
//===----------------------------------------------------------------------===//

void Rewriter::recordOrigins(Function &function) {
  ModuleSlotTracker slots(&module, false);
  slots.incorporateFunction(function);
  for (Instruction &instruction : instructions(function)) {
    if (!instruction.mayReadOrWriteMemory() && !isa<CallInst>(instruction))
      continue;
    Origin origin;
    raw_string_ostream os(origin.instruction);
    instruction.print(os, slots);
    StringRef text = StringRef(origin.instruction).trim();
    origin.instruction = text.substr(0, text.find(", !")).str();
    origin.function = function.getName().str();
    if (const DILocation *location = instruction.getDebugLoc())
      origin.location = formatv("{0}:{1}:{2}", location->getFilename(), location->getLine(),
                                location->getColumn());
    if (const MDNode *mark = instruction.getMetadata("ufp4.e0m3"))
      for (const MDOperand &operand : mark->operands())
        if (auto *name = dyn_cast_or_null<MDString>(operand)) {
          origin.codes.a |= name->getString() == "A";
          origin.codes.b |= name->getString() == "B";
        }
    origins[&instruction] = std::move(origin);
  }
}

static bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL ||
         function.hasFnAttribute("nvvm.kernel");
}

static bool readDimensions(const Function &function, StringRef name, Dim3 &result) {
  if (!function.hasFnAttribute(name))
    return false;
  SmallVector<StringRef, 3> parts;
  function.getFnAttribute(name).getValueAsString().split(parts, ',');
  unsigned *values[] = {&result.x, &result.y, &result.z};
  result = Dim3();
  for (auto [part, value] : zip(parts, values))
    if (part.trim().getAsInteger(10, *value))
      return false;
  return true;
}

void Rewriter::recordKernel(Function &function) {
  KernelInfo info;
  const DataLayout &layout = module.getDataLayout();
  for (Argument &argument : function.args()) {
    KernelParameter parameter;
    if (Type *type = argument.getParamByValType()) {
      parameter.byValueSize = layout.getTypeAllocSize(type);
      parameter.byValueAlignment =
          argument.getParamAlign().value_or(layout.getABITypeAlign(type)).value();
    }
    parameter.isPointer = argument.getType()->isPointerTy();
    parameter.size = layout.getTypeStoreSize(argument.getType());
    info.parameters.push_back(parameter);
  }
  readDimensions(function, "nvvm.reqntid", info.requiredBlock);
  readDimensions(function, "nvvm.cluster_dim", info.requiredCluster);
  Dim3 most{0, 0, 0};
  if (readDimensions(function, "nvvm.maxntid", most))
    info.maximumThreads = most.volume();
  if (const MDNode *sizes = function.getMetadata("reqd_work_group_size")) {
    unsigned *values[] = {&info.requiredBlock.x, &info.requiredBlock.y, &info.requiredBlock.z};
    for (auto [operand, value] : zip(sizes->operands(), values))
      *value = mdconst::extract<ConstantInt>(operand)->getZExtValue();
  }
  if (Dim3 range; readDimensions(function, "amdgpu-flat-work-group-size", range))
    info.maximumThreads = range.y;
  program.kernels[function.getName()] = std::move(info);
  kernels.push_back(&function);
}

Error Rewriter::checkFunction(const Function &function) {
  Origin origin;
  origin.function = function.getName().str();
  for (StringRef name : {"denormal-fp-math-f32", "denormal-fp-math"})
    if (function.getFnAttribute(name).getValueAsString().contains("preserve-sign"))
      return makeFault(FaultKind::Unsupported,
                       "the function flushes subnormals (" + name.str() +
                           "), which its arithmetic is not emulated with",
                       origin);
  return Error::success();
}

/// Registers that tensor memory is loaded to hold nothing before a wait, and the chip does not know
/// who uses them: every use needs one between.
Error Rewriter::checkTensorLoads(Function &function) {
  std::vector<Instruction *> loads, waits;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
      StringRef name = assembly                    ? assembly->getAsmString()
                       : call->getCalledFunction() ? call->getCalledFunction()->getName()
                                                   : "";
      if (name.contains("tcgen05.ld."))
        loads.push_back(call);
      else if (name.contains("tcgen05.wait.ld") || name.contains("tcgen05.wait::ld"))
        waits.push_back(call);
    }
  if (loads.empty())
    return Error::success();
  DominatorTree tree(function);
  for (Instruction *load : loads) {
    std::vector<Instruction *> registers{load};
    for (size_t i = 0; i < registers.size(); ++i)
      for (const Use &use : registers[i]->uses())
        if (auto *part = dyn_cast<ExtractValueInst>(use.getUser()))
          registers.push_back(part);
        else if (none_of(waits, [&](Instruction *wait) {
                   return tree.dominates(load, wait) && tree.dominates(wait, use);
                 }))
          return makeFault(FaultKind::AsyncNotWaited,
                           "what is loaded from tensor memory is used without a wait between",
                           originOf(load));
  }
  return Error::success();
}

void Rewriter::countBlocks() {
  // Instructions are counted as the module has them, before anything is rewritten.
  std::vector<BasicBlock *> all;
  for (Function &function : module)
    for (BasicBlock &block : function) {
      MapVector<const char *, unsigned> counts;
      for (Instruction &instruction : block)
        if (!isa<DbgInfoIntrinsic>(instruction))
          ++counts[instruction.getOpcodeName()];
      program.blocks.push_back(Histogram(counts.begin(), counts.end()));
      all.push_back(&block);
    }
  program.blockExecutions.assign(program.blocks.size(), 0);
  auto *counter = Type::getInt64Ty(module.getContext());
  auto *table = new GlobalVariable(module, ArrayType::get(counter, all.size()), false,
                                   GlobalValue::ExternalLinkage, nullptr, kBlocks);
  for (size_t i = 0; i < all.size(); ++i) {
    IRBuilder<> b(&*all[i]->getFirstNonPHIOrDbgOrAlloca());
    b.SetCurrentDebugLocation(DebugLoc());
    Value *place = b.CreateConstInBoundsGEP2_64(table->getValueType(), table, 0, i);
    LoadInst *old = b.CreateLoad(counter, place);
    StoreInst *store = b.CreateStore(b.CreateAdd(old, b.getInt64(1)), place);
    old->setMetadata("ufp4.own", MDNode::get(module.getContext(), {}));
    store->setMetadata("ufp4.own", MDNode::get(module.getContext(), {}));
  }
}

Error Rewriter::placeSharedVariables() {
  const DataLayout &layout = module.getDataLayout();
  uint64_t offset = 0, dynamicAlignment = 16;
  std::vector<std::pair<GlobalVariable *, uint64_t>> placed;
  std::vector<GlobalVariable *> dynamic;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != 3)
      continue;
    uint64_t size = layout.getTypeAllocSize(variable.getValueType());
    uint64_t alignment =
        layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType()).value();
    if (size == 0 || variable.isDeclaration()) {
      dynamic.push_back(&variable);
      dynamicAlignment = std::max(dynamicAlignment, alignment);
      continue;
    }
    offset = alignTo(offset, alignment);
    placed.emplace_back(&variable, offset);
    offset += size;
  }
  if (!dynamic.empty())
    offset = alignTo(offset, dynamicAlignment);
  for (GlobalVariable *variable : dynamic)
    placed.emplace_back(variable, offset);
  // Every function asks once where its block's are.
  SmallVector<Constant *> variables;
  for (auto [variable, at] : placed)
    variables.push_back(variable);
  convertUsersOfConstantsToInstructions(variables);
  DenseMap<Function *, Value *> bases;
  for (auto [variable, at] : placed) {
    DenseMap<Function *, Value *> addresses;
    for (Use &use : make_early_inc_range(variable->uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        return makeFault(FaultKind::Unsupported,
                         formatv("the address of '{0}' in a constant", variable->getName()),
                         Origin());
      Function *function = user->getFunction();
      Value *&base = bases[function], *&address = addresses[function];
      if (!address) {
        BasicBlock &entry = function->getEntryBlock();
        IRBuilder<> b(&entry, base ? std::next(cast<Instruction>(base)->getIterator())
                                   : entry.getFirstInsertionPt());
        b.SetCurrentDebugLocation(DebugLoc());
        if (!base)
          base = b.CreateZExt(emitSpecial(b, Special::SharedBase, b.getInt32Ty()), b.getInt64Ty());
        address = b.CreateIntToPtr(b.CreateAdd(base, b.getInt64(at)), variable->getType());
      }
      use.set(address);
    }
    variable->eraseFromParent();
  }
  if (offset > SharedMemory::windowBytes)
    return makeFault(FaultKind::Unsupported, "more shared memory than any chip has", Origin());
  program.staticSharedBytes = offset;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Calls of the runtime
//===----------------------------------------------------------------------===//

Value *Rewriter::coerce(IRBuilder<> &b, Value *value, Type *type) {
  const DataLayout &layout = module.getDataLayout();
  if (value->getType() == type)
    return value;
  Type *from = value->getType();
  if (from->isPointerTy())
    value = b.CreatePtrToInt(value, layout.getIntPtrType(from));
  else if (!from->isIntegerTy())
    value = b.CreateBitCast(value, b.getIntNTy(layout.getTypeSizeInBits(from)));
  unsigned bits = layout.getTypeSizeInBits(type);
  value = b.CreateZExtOrTrunc(value, b.getIntNTy(bits));
  if (type->isPointerTy())
    return b.CreateIntToPtr(value, type);
  return b.CreateBitCast(value, type);
}

static void flattenTypes(Type *type, SmallVectorImpl<Type *> &result) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    for (Type *element : structure->elements())
      flattenTypes(element, result);
    return;
  }
  if (!type->isVoidTy())
    result.push_back(type);
}

static unsigned wordsOf(const DataLayout &layout, Type *type) {
  return (layout.getTypeSizeInBits(type) + 31) / 32;
}

Expected<unsigned> Rewriter::addSite(StringRef name, const Origin &origin) {
  std::string key = name.str() + (origin.codes.a ? " A" : "") + (origin.codes.b ? " B" : "");
  auto &operation = operations[key];
  if (!operation) {
    std::string reason;
    StringRef own = name;
    auto found = program.isAMD && own.consume_front("amdgcn.")
                     ? findAMDOperation(own, program.target.chip)
                     : findOperation(name, origin.codes, reason);
    if (!found)
      return makeFault(
          FaultKind::Unsupported,
          formatv("the emulator does not know '{0}'{1}", name, reason.empty() ? "" : ": " + reason),
          origin);
    operation = std::make_shared<const Operation>(std::move(*found));
  }
  if (!program.isAMD &&
      (program.chip < operation->minimumChip || (operation->needsFamily && !program.familyChip)))
    return makeFault(FaultKind::Unsupported,
                     formatv("'{0}' needs sm_{1}{2} or later, the target is {3}", name,
                             operation->minimumChip, operation->needsFamily ? "a" : "",
                             program.target.chip),
                     origin);
  if (!program.isAMD && program.chip > operation->maximumChip)
    return makeFault(FaultKind::Unsupported,
                     formatv("'{0}' is no longer on {1}", name, program.target.chip), origin);
  program.usesAsyncProxy |= operation->usesAsyncProxy;
  Site site;
  site.instruction = origin.instruction;
  site.location = origin.location;
  site.operation = operation;
  program.sites.push_back(std::move(site));
  return program.sites.size() - 1;
}

Value *Rewriter::buffer(IRBuilder<> &b, bool isInput, unsigned words) {
  unsigned &most = isInput ? inputWords : outputWords;
  most = std::max(most, std::max(words, 1u));
  AllocaInst *&buffer = isInput ? inputs : outputs;
  if (!buffer) {
    BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> at(&entry, entry.begin());
    buffer = at.CreateAlloca(at.getInt32Ty(), 0, at.getInt32(1));
    buffer->setAlignment(Align(16));
  }
  // The size is set once the function is done.
  return buffer;
}

Expected<Value *> Rewriter::emit(IRBuilder<> &b, StringRef name, ArrayRef<Value *> arguments,
                                 Type *result, const Origin &origin) {
  auto site = addSite(name, origin);
  if (!site)
    return site.takeError();
  const DataLayout &layout = module.getDataLayout();
  Type *word = b.getInt32Ty();
  auto mark = [&](Instruction *instruction) {
    instruction->setMetadata("ufp4.own", MDNode::get(module.getContext(), {}));
  };
  SmallVector<Value *, 20> words;
  for (Value *argument : arguments) {
    if (auto *vector = dyn_cast<FixedVectorType>(argument->getType());
        vector && wordsOf(layout, vector) > 2) {
      unsigned count = wordsOf(layout, vector);
      Value *joined = b.CreateBitCast(argument, FixedVectorType::get(word, count));
      for (unsigned i = 0; i < count; ++i)
        words.push_back(b.CreateExtractElement(joined, i));
      continue;
    }
    // Shared pointers count two words, as all others do.
    unsigned count = argument->getType()->isPointerTy() ? 2 : wordsOf(layout, argument->getType());
    Value *bits = coerce(b, argument, b.getIntNTy(32 * count));
    for (unsigned i = 0; i < count; ++i)
      words.push_back(b.CreateTrunc(count == 1 ? bits : b.CreateLShr(bits, 32 * i), word));
  }
  SmallVector<Type *, 8> results;
  flattenTypes(result, results);
  unsigned resultWords = 0;
  for (Type *type : results)
    resultWords += wordsOf(layout, type);
  Value *in = buffer(b, true, words.size()), *out = buffer(b, false, resultWords);
  for (auto [i, value] : enumerate(words))
    mark(b.CreateStore(value, b.CreateConstInBoundsGEP1_32(word, in, i)));
  FunctionCallee callee = module.getOrInsertFunction(
      kOperation, FunctionType::get(b.getVoidTy(), {word, b.getPtrTy(), b.getPtrTy()}, false));
  CallInst *call = b.CreateCall(callee, {b.getInt32(*site), in, out});
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  if (results.empty())
    return nullptr;
  unsigned next = 0;
  SmallVector<Value *, 8> values;
  for (Type *type : results) {
    unsigned count = wordsOf(layout, type);
    bool isVector = isa<FixedVectorType>(type) && count > 2;
    Value *joined = isVector ? PoisonValue::get(FixedVectorType::get(word, count)) : nullptr;
    Value *bits = isVector ? nullptr : b.getIntN(32 * count, 0);
    for (unsigned i = 0; i < count; ++i) {
      LoadInst *load = b.CreateLoad(word, b.CreateConstInBoundsGEP1_32(word, out, next++));
      mark(load);
      if (isVector) {
        joined = b.CreateInsertElement(joined, load, i);
        continue;
      }
      bits = count == 1
                 ? static_cast<Value *>(load)
                 : b.CreateOr(bits, b.CreateShl(b.CreateZExt(load, bits->getType()), 32 * i));
    }
    values.push_back(isVector ? b.CreateBitCast(joined, type) : coerce(b, bits, type));
  }
  if (!result->isStructTy())
    return values.front();
  Value *aggregate = PoisonValue::get(result);
  for (auto [i, value] : enumerate(values))
    aggregate = b.CreateInsertValue(aggregate, value, i);
  return aggregate;
}

Value *Rewriter::emitSpecial(IRBuilder<> &b, Special special, Type *type) {
  FunctionCallee callee = module.getOrInsertFunction(
      kSpecial, FunctionType::get(b.getInt32Ty(), {b.getInt32Ty()}, false));
  CallInst *call = b.CreateCall(callee, {b.getInt32(uint32_t(special))});
  // Constant within one thread, and a function's activation belongs to one.
  call->setDoesNotAccessMemory();
  call->addFnAttr(Attribute::NoUnwind);
  call->addFnAttr(Attribute::WillReturn);
  return coerce(b, call, type);
}

void Rewriter::emitAccess(IRBuilder<> &b, Value *pointer, Value *bytes, Site site) {
  FunctionCallee callee = module.getOrInsertFunction(
      kAccess,
      FunctionType::get(b.getVoidTy(), {b.getInt32Ty(), b.getPtrTy(), b.getInt64Ty()}, false));
  unsigned number = program.sites.size();
  program.sites.push_back(std::move(site));
  // Generic pointers, and those to shared::cluster.
  unsigned space = pointer->getType()->getPointerAddressSpace();
  program.sites.back().reachesCluster = space == 0 || space == 7;
  Value *flat = b.CreateAddrSpaceCast(pointer, b.getPtrTy());
  CallInst *call = b.CreateCall(callee, {b.getInt32(number), flat, bytes});
  call->addFnAttr(Attribute::NoUnwind);
  call->addFnAttr(Attribute::Convergent);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Accesses to a variable of the thread itself need no check.
static bool isOwnVariable(const Value *pointer) {
  return isa<AllocaInst>(pointer->stripPointerCasts());
}

void Rewriter::instrument(Instruction &instruction) {
  if (instruction.hasMetadata("ufp4.own"))
    return;
  const DataLayout &layout = module.getDataLayout();
  const Origin &origin = originOf(&instruction);
  Site site;
  site.instruction = origin.instruction;
  site.location = origin.location;
  IRBuilder<> b(&instruction);
  auto check = [&](Value *pointer, uint64_t size, Align alignment) {
    if (isOwnVariable(pointer))
      return;
    site.alignment = alignment.value();
    emitAccess(b, pointer, b.getInt64(size), site);
  };
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    site.reads = true;
    site.yields = load->isVolatile() || load->isAtomic();
    site.atomic = load->isAtomic();
    check(load->getPointerOperand(), layout.getTypeStoreSize(load->getType()), load->getAlign());
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    site.writes = true;
    site.atomic = store->isAtomic();
    site.yields = store->isVolatile() || store->isAtomic();
    check(store->getPointerOperand(), layout.getTypeStoreSize(store->getValueOperand()->getType()),
          store->getAlign());
  } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction)) {
    site.reads = site.writes = site.atomic = site.yields = true;
    check(rmw->getPointerOperand(), layout.getTypeStoreSize(rmw->getType()), rmw->getAlign());
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    site.reads = site.writes = site.atomic = site.yields = true;
    check(exchange->getPointerOperand(),
          layout.getTypeStoreSize(exchange->getNewValOperand()->getType()), exchange->getAlign());
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
    Value *bytes = b.CreateZExtOrTrunc(memory->getLength(), b.getInt64Ty());
    site.isRequest = false;
    if (!isOwnVariable(memory->getDest())) {
      Site write = site;
      write.writes = true;
      write.alignment = memory->getDestAlign().valueOrOne().value();
      emitAccess(b, memory->getDest(), bytes, write);
    }
    if (auto *transfer = dyn_cast<MemTransferInst>(memory);
        transfer && !isOwnVariable(transfer->getSource())) {
      Site read = site;
      read.reads = true;
      read.alignment = transfer->getSourceAlign().valueOrOne().value();
      emitAccess(b, transfer->getSource(), bytes, read);
    }
  }
}

void Rewriter::moveAlloca(AllocaInst &alloca) {
  if (alloca.getAddressSpace() == 0)
    return;
  IRBuilder<> b(&alloca);
  AllocaInst *flat = b.CreateAlloca(alloca.getAllocatedType(), 0, alloca.getArraySize());
  flat->setAlignment(alloca.getAlign());
  alloca.replaceAllUsesWith(b.CreateAddrSpaceCast(flat, alloca.getType()));
  alloca.eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Calls of the module
//===----------------------------------------------------------------------===//

/// LLVM's own intrinsics that the host computes as the chip does.
static bool isHostIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::abs:
  case Intrinsic::assume:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::canonicalize:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::expect:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::is_fpclass:
  case Intrinsic::maximum:
  case Intrinsic::maximumnum:
  case Intrinsic::maxnum:
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::minimum:
  case Intrinsic::minimumnum:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::roundeven:
  case Intrinsic::sadd_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::sqrt:
  case Intrinsic::ssub_sat:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::trunc:
  case Intrinsic::uadd_sat:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::usub_sat:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_xor:
    return true;
  default:
    return false;
  }
}

/// Where a scalar operation of LLVM's has another name among ours, for vectors by element.
static std::string elementwiseName(Intrinsic::ID id, Type *element) {
  if (id == Intrinsic::exp2 && element->isFloatTy())
    return "ex2.approx.f32";
  if (id == Intrinsic::log2 && element->isFloatTy())
    return "lg2.approx.f32";
  if (id == Intrinsic::sin && element->isFloatTy())
    return "sin.approx.f32";
  if (id == Intrinsic::cos && element->isFloatTy())
    return "cos.approx.f32";
  // The host may take either zero, and keeps the bits of NaNs.
  const char *suffix = element->isFloatTy()    ? "f"
                       : element->isHalfTy()   ? "f16"
                       : element->isBFloatTy() ? "bf16"
                                               : nullptr;
  if (suffix && (id == Intrinsic::maxnum || id == Intrinsic::maximumnum))
    return std::string("fmax.") + suffix;
  if (suffix && (id == Intrinsic::minnum || id == Intrinsic::minimumnum))
    return std::string("fmin.") + suffix;
  if (suffix && id == Intrinsic::maximum)
    return std::string("fmax.nan.") + suffix;
  if (suffix && id == Intrinsic::minimum)
    return std::string("fmin.nan.") + suffix;
  // The host would round a 16-bit fma twice.
  if ((id == Intrinsic::fma || id == Intrinsic::fmuladd) && element->isBFloatTy())
    return "fma.rn.bf16";
  if ((id == Intrinsic::fma || id == Intrinsic::fmuladd) && element->isHalfTy())
    return "fma.rn.f16";
  return "";
}

Error Rewriter::rewriteIntrinsic(CallInst &call) {
  Function &callee = *call.getCalledFunction();
  const Origin origin = originOf(&call);
  Intrinsic::ID id = callee.getIntrinsicID();
  IRBuilder<> b(&call);
  auto replace = [&](Value *value) {
    if (value)
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return Error::success();
  };
  StringRef name = callee.getName();
  if (name.consume_front("llvm.nvvm.")) {
    if (StringRef rest = name; rest.consume_front("read.ptx.sreg.")) {
      if (auto special = findSpecial(rest))
        return replace(emitSpecial(b, *special, call.getType()));
      return makeFault(FaultKind::Unsupported,
                       formatv("the emulator does not know the special register '{0}'", rest),
                       origin);
    }
    if (name.starts_with("move."))
      return replace(call.getArgOperand(0));
    SmallVector<Value *, 16> arguments(call.args());
    auto value = emit(b, name, arguments, call.getType(), origin);
    if (!value)
      return value.takeError();
    return replace(*value);
  }
  if (name.starts_with("llvm.amdgcn.")) {
    name = name.drop_front(StringRef("llvm.").size());
    if (auto special = findAMDSpecial(name))
      return replace(emitSpecial(b, *special, call.getType()));
    SmallVector<Value *, 16> arguments(call.args());
    auto value = emit(b, name, arguments, call.getType(), origin);
    if (!value)
      return value.takeError();
    return replace(*value);
  }
  if (id == Intrinsic::trap || id == Intrinsic::debugtrap || id == Intrinsic::ubsantrap) {
    auto value = emit(b, "trap", {}, b.getVoidTy(), origin);
    if (!value)
      return value.takeError();
    return replace(nullptr);
  }
  if (isa<DbgInfoIntrinsic, LifetimeIntrinsic>(call))
    return replace(nullptr);

  Type *element = call.getType()->getScalarType();
  if (std::string own = elementwiseName(id, element); !own.empty()) {
    auto apply = [&](ArrayRef<Value *> arguments) {
      return emit(b, own, arguments, element, origin);
    };
    auto *vector = dyn_cast<FixedVectorType>(call.getType());
    if (!vector) {
      auto value = apply(SmallVector<Value *, 3>(call.args()));
      if (!value)
        return value.takeError();
      return replace(*value);
    }
    Value *result = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      SmallVector<Value *, 3> arguments;
      for (Value *argument : call.args())
        arguments.push_back(b.CreateExtractElement(argument, i));
      auto value = apply(arguments);
      if (!value)
        return value.takeError();
      result = b.CreateInsertElement(result, *value, i);
    }
    return replace(result);
  }
  // The backend contracts it.
  if (id == Intrinsic::fmuladd)
    return replace(
        b.CreateIntrinsic(Intrinsic::fma, {call.getType()}, SmallVector<Value *, 3>(call.args())));
  if (isHostIntrinsic(id))
    return Error::success();
  return makeFault(FaultKind::Unsupported,
                   formatv("the emulator does not know '{0}'", callee.getName()), origin);
}

Error Rewriter::rewriteCall(CallInst &call) {
  if (call.isInlineAsm()) {
    // One without a text or a result is for the register allocator.
    auto *text = cast<InlineAsm>(call.getCalledOperand());
    if (!text->getAsmString().empty() || !call.getType()->isVoidTy())
      return expandInlineAsm(call, *this);
    call.eraseFromParent();
    return Error::success();
  }
  const Origin &origin = originOf(&call);
  Function *callee = call.getCalledFunction();
  if (!callee)
    return makeFault(FaultKind::Unsupported, "a call through a pointer", origin);
  if (callee->isIntrinsic())
    return rewriteIntrinsic(call);
  if (callee->getName() == "__assertfail") {
    IRBuilder<> b(&call);
    auto value = emit(b, "assertfail", {}, b.getVoidTy(), origin);
    if (!value)
      return value.takeError();
    call.eraseFromParent();
    return Error::success();
  }
  if (callee->getName() == kSpecial)
    return Error::success();
  if (callee->isDeclaration())
    return makeFault(FaultKind::Unsupported,
                     formatv("the module calls '{0}', which it does not define", callee->getName()),
                     origin);
  call.setCallingConv(CallingConv::C);
  return Error::success();
}

Error Rewriter::rewriteFence(FenceInst &fence) {
  const char *name = "amdgcn.fence.acq_rel";
  if (fence.getOrdering() == AtomicOrdering::Release)
    name = "amdgcn.fence.release";
  else if (fence.getOrdering() == AtomicOrdering::Acquire)
    name = "amdgcn.fence.acquire";
  IRBuilder<> b(&fence);
  auto value = emit(b, name, {}, b.getVoidTy(), originOf(&fence));
  if (!value)
    return value.takeError();
  fence.eraseFromParent();
  return Error::success();
}

/// A value that an instruction moves to or from memory and whose size there the host changes.
static Value *shortPointer(Instruction &instruction) {
  Value *value = isa<LoadInst>(instruction) ? &instruction : nullptr;
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    value = store->getValueOperand();
  if (!value || !value->getType()->isPtrOrPtrVectorTy())
    return nullptr;
  const DataLayout &layout = instruction.getModule()->getDataLayout();
  return layout.getPointerTypeSize(value->getType()) == 8 ? nullptr : value;
}

Error Rewriter::rewriteFunction(Function &function) {
  inputs = outputs = nullptr;
  inputWords = outputWords = 0;
  std::vector<Instruction *> list;
  for (Instruction &instruction : instructions(function))
    list.push_back(&instruction);
  for (Instruction *instruction : list) {
    if (auto *call = dyn_cast<CallInst>(instruction)) {
      if (Error error = rewriteCall(*call))
        return error;
    } else if (isa<InvokeInst, CallBrInst, IndirectBrInst>(instruction)) {
      return makeFault(FaultKind::Unsupported, "a terminator that no GPU code has",
                       originOf(instruction));
    } else if (isa<UnreachableInst>(instruction)) {
      IRBuilder<> b(instruction);
      if (auto trap = emit(b, "trap", {}, b.getVoidTy(), originOf(instruction)); !trap)
        return trap.takeError();
    } else if (auto *fence = dyn_cast<FenceInst>(instruction); fence && program.isAMD) {
      if (Error error = rewriteFence(*fence))
        return error;
    } else if (auto *alloca = dyn_cast<AllocaInst>(instruction)) {
      moveAlloca(*alloca);
    } else if (instruction->getOpcode() == Instruction::FRem) {
      Origin origin;
      origin.function = function.getName().str();
      return makeFault(FaultKind::Unsupported,
                       "frem, which the backend computes otherwise than the host", origin);
    } else if (Value *pointer = shortPointer(*instruction)) {
      return makeFault(FaultKind::Unsupported,
                       formatv("a pointer of {0} bytes in memory: the host's have 8",
                               module.getDataLayout().getTypeStoreSize(pointer->getType())),
                       originOf(instruction));
    }
  }
  list.clear();
  for (Instruction &instruction : instructions(function))
    list.push_back(&instruction);
  for (Instruction *instruction : list)
    instrument(*instruction);
  if (inputs) {
    Type *word = Type::getInt32Ty(module.getContext());
    inputs->setOperand(0, ConstantInt::get(word, inputWords));
    outputs->setOperand(0, ConstantInt::get(word, outputWords));
  }
  // Fast-math flags would let the host compute something else; metadata may promise what the
  // inserted calls break.
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    // The host has one address space, and no fast selection of such casts.
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
      IRBuilder<> b(cast);
      Value *address = b.CreatePtrToInt(cast->getPointerOperand(), b.getInt64Ty());
      cast->replaceAllUsesWith(b.CreateIntToPtr(address, cast->getType()));
      cast->eraseFromParent();
      continue;
    }
    if (isa<FPMathOperator>(instruction))
      instruction.setFastMathFlags(FastMathFlags());
    instruction.dropUnknownNonDebugMetadata();
    instruction.setDebugLoc(DebugLoc());
    instruction.dropDbgRecords();
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

void Rewriter::stripAttributes(Function &function) {
  function.setCallingConv(CallingConv::C);
  function.setAttributes(AttributeList());
  function.setSubprogram(nullptr);
  function.setComdat(nullptr);
  function.clearGC();
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setDSOLocal(false);
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      Function *callee = call->getCalledFunction();
      if (callee && (callee->isIntrinsic() || callee->getName().starts_with("ufp4.emulator.")))
        continue;
      call->setAttributes(AttributeList());
      call->setTailCallKind(CallInst::TCK_None);
    }
}

void Rewriter::addEntry(Function &kernel) {
  LLVMContext &context = module.getContext();
  IRBuilder<> b(context);
  auto *entry = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                                 GlobalValue::ExternalLinkage, entryName(kernel.getName()), module);
  b.SetInsertPoint(BasicBlock::Create(context, "", entry));
  SmallVector<Value *, 16> arguments;
  const KernelInfo &info = program.kernels[kernel.getName()];
  for (auto [i, argument] : enumerate(kernel.args())) {
    Value *place =
        b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getPtrTy(), entry->getArg(0), i));
    if (info.parameters[i].byValueSize)
      arguments.push_back(b.CreateAddrSpaceCast(place, argument.getType()));
    else
      arguments.push_back(b.CreateAlignedLoad(argument.getType(), place, Align(1)));
  }
  b.CreateCall(&kernel, arguments);
  b.CreateRetVoid();
}

Error Rewriter::run() {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (Error error = checkFunction(function))
      return error;
    recordOrigins(function);
    if (Error error = checkTensorLoads(function))
      return error;
  }
  // Kernels are found before attributes go.
  SmallPtrSet<Function *, 4> annotated;
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    for (MDNode *node : annotations->operands()) {
      if (node->getNumOperands() < 2)
        continue;
      auto *function = mdconst::dyn_extract_or_null<Function>(node->getOperand(0));
      for (unsigned i = 1; function && i + 1 < node->getNumOperands(); i += 2)
        if (auto *key = dyn_cast<MDString>(node->getOperand(i));
            key && key->getString() == "kernel")
          annotated.insert(function);
    }
  for (Function &function : module)
    if (!function.isDeclaration() && (isKernel(function) || annotated.contains(&function)))
      recordKernel(function);
  countBlocks();
  if (Error error = placeSharedVariables())
    return error;

  std::vector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions) {
    if (Error error = rewriteFunction(*function))
      return error;
    stripAttributes(*function);
    if (!is_contained(kernels, function))
      function->setLinkage(GlobalValue::InternalLinkage);
  }
  for (Function *kernel : kernels)
    addEntry(*kernel);

  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (variable.getName() == kBlocks)
      continue;
    if (variable.getName().starts_with("llvm.")) {
      variable.eraseFromParent();
      continue;
    }
    if (variable.isDeclaration()) {
      if (variable.use_empty()) {
        variable.eraseFromParent();
        continue;
      }
      Origin origin;
      origin.instruction = variable.getName().str();
      return makeFault(
          FaultKind::Unsupported,
          formatv("the module uses '{0}', which it does not define", variable.getName()), origin);
    }
    ModuleVariable info;
    info.name = variable.getName().str();
    info.symbol = formatv("ufp4.emulator.variable.{0}", program.variables.size());
    info.size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    info.constant = variable.isConstant();
    variable.setName(info.symbol);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    variable.setDSOLocal(false);
    variable.setComdat(nullptr);
    variable.setSection("");
    program.variables.push_back(std::move(info));
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    annotations->eraseFromParent();
  StripDebugInfo(module);
  return Error::success();
}

} // namespace ufp4::emulator
