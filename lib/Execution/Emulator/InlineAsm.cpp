//===- InlineAsm.cpp - PTX in inline assembly ------------------------------===//

#include "InlineAsm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ufp4::emulator {

namespace {

struct AsmOperand {
  enum Kind { Register, Special, Immediate, Group, Address, Sink } kind = Sink;
  /// The register's name; "$3" for the third operand of the call.
  std::string name;
  bool negated = false;
  uint64_t bits = 0;
  /// Members of a group, or the base of an address.
  std::vector<AsmOperand> members;
  /// The predicate of `a|p`.
  std::string second;
};

struct AsmStatement {
  std::string text, opcode, guard;
  bool guardNegated = false;
  std::vector<AsmOperand> operands;
};

/// Splits the text into statements.
class AsmParser {
public:
  explicit AsmParser(StringRef text) : rest(text) {}

  bool parse(std::vector<AsmStatement> &statements,
             std::vector<std::pair<std::string, std::string>> &declarations) {
    while (skipSpace()) {
      if (rest.consume_front("}") || rest.consume_front("{") || rest.consume_front(";"))
        continue;
      StringRef text = rest.take_until([](char c) { return c == ';'; });
      statement = text.trim();
      if (rest.consume_front(".reg")) {
        skipSpace();
        if (!rest.consume_front("."))
          return false;
        std::string type = takeWord();
        do {
          skipSpace();
          std::string name = takeWord();
          unsigned count;
          if (rest.consume_front("<")) {
            if (rest.consumeInteger(10, count) || !rest.consume_front(">"))
              return false;
            for (unsigned i = 0; i < count; ++i)
              declarations.emplace_back(name + std::to_string(i), type);
          } else if (name.empty()) {
            return false;
          } else {
            declarations.emplace_back(name, type);
          }
          skipSpace();
        } while (rest.consume_front(","));
        if (!finish())
          return false;
        continue;
      }
      AsmStatement result;
      result.text = statement.str();
      if (rest.consume_front("@")) {
        result.guardNegated = rest.consume_front("!");
        result.guard = takeWord();
        skipSpace();
      }
      result.opcode = takeOpcode();
      if (result.opcode.empty())
        return false;
      if (StringRef(result.opcode).ends_with(":")) {
        statements.push_back(std::move(result));
        continue;
      }
      skipSpace();
      while (!rest.empty() && rest.front() != ';') {
        AsmOperand operand;
        if (!parseOperand(operand))
          return false;
        result.operands.push_back(std::move(operand));
        skipSpace();
        if (!rest.consume_front(","))
          break;
      }
      statements.push_back(std::move(result));
      if (!finish())
        return false;
    }
    return true;
  }

  StringRef current() const { return statement; }

private:
  bool finish() {
    skipSpace();
    return rest.empty() || rest.consume_front(";") || rest.front() == '}';
  }

  bool skipSpace() {
    while (true) {
      rest = rest.ltrim();
      if (rest.consume_front("//")) {
        rest = rest.drop_until([](char c) { return c == '\n'; });
      } else if (rest.starts_with("/*")) {
        size_t end = rest.find("*/");
        rest = end == StringRef::npos ? StringRef() : rest.drop_front(end + 2);
      } else {
        return !rest.empty();
      }
    }
  }

  std::string takeWord() {
    StringRef word =
        rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == '$' || c == '%'; });
    rest = rest.drop_front(word.size());
    return word.str();
  }

  std::string takeOpcode() {
    StringRef word =
        rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == '.' || c == ':'; });
    rest = rest.drop_front(word.size());
    return word.str();
  }

  bool parseOperand(AsmOperand &operand) {
    skipSpace();
    if (rest.empty())
      return false;
    if (rest.consume_front("{")) {
      operand.kind = AsmOperand::Group;
      do {
        operand.members.emplace_back();
        if (!parseOperand(operand.members.back()))
          return false;
        skipSpace();
      } while (rest.consume_front(","));
      return rest.consume_front("}");
    }
    if (rest.consume_front("[")) {
      operand.kind = AsmOperand::Address;
      operand.members.emplace_back();
      if (!parseOperand(operand.members.back()))
        return false;
      skipSpace();
      while (!rest.consume_front("]")) {
        if (rest.consume_front(",")) {
          // The coordinates in a tensor map.
          operand.members.emplace_back();
          if (!parseOperand(operand.members.back()))
            return false;
          skipSpace();
          continue;
        }
        bool minus = rest.consume_front("-");
        if (!minus && !rest.consume_front("+"))
          return false;
        AsmOperand offset;
        skipSpace();
        if (!parseOperand(offset) || offset.kind != AsmOperand::Immediate)
          return false;
        operand.bits += minus ? -offset.bits : offset.bits;
        skipSpace();
      }
      return true;
    }
    operand.negated = rest.consume_front("!");
    bool minus = rest.consume_front("-");
    if (rest.consume_front("0f") || rest.consume_front("0F")) {
      operand.kind = AsmOperand::Immediate;
      StringRef digits = rest.take_while(isHexDigit);
      rest = rest.drop_front(digits.size());
      return !minus && !digits.getAsInteger(16, operand.bits);
    }
    if (isDigit(rest.front())) {
      operand.kind = AsmOperand::Immediate;
      if (rest.starts_with("0x") || rest.starts_with("0X")) {
        rest = rest.drop_front(2);
        if (rest.consumeInteger(16, operand.bits))
          return false;
      } else {
        StringRef digits = rest.take_while(isDigit);
        rest = rest.drop_front(digits.size());
        if (digits.getAsInteger(10, operand.bits))
          return false;
        // A fraction is only known as the whole of a cache policy.
        if (rest.consume_front("."))
          rest = rest.drop_while(isDigit);
      }
      rest.consume_front("U");
      if (minus)
        operand.bits = -operand.bits;
      return true;
    }
    if (minus)
      return false;
    if (rest.starts_with("%")) {
      rest = rest.drop_front();
      operand.kind = AsmOperand::Special;
      StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == '.'; });
      rest = rest.drop_front(word.size());
      operand.name = word.str();
      return !word.empty();
    }
    operand.name = takeWord();
    operand.kind = operand.name == "_" ? AsmOperand::Sink : AsmOperand::Register;
    skipSpace();
    if (rest.consume_front("|")) {
      skipSpace();
      operand.second = takeWord();
    }
    return !operand.name.empty();
  }

  static bool isHexDigit(char c) { return llvm::isHexDigit(c); }
  static bool isDigit(char c) { return llvm::isDigit(c); }

  StringRef rest, statement;
};

/// Translates the statements of one call.
class AsmTranslator {
public:
  AsmTranslator(CallInst &call, Rewriter &rewriter)
      : call(call), rewriter(rewriter), origin(rewriter.originOf(&call)), b(&call) {}

  Error run();

private:
  struct Cell {
    Type *type = nullptr;
    Value *value = nullptr;
  };

  Error unknown(StringRef why) {
    Origin where = origin;
    return makeFault(FaultKind::Unsupported,
                     formatv("assembly that the emulator does not know ({0}): {1}", why, text),
                     where);
  }
  Error bindOperands();
  Type *typeOfRegister(StringRef type);
  Error translate(const AsmStatement &statement);
  Error execute(const AsmStatement &statement);
  void beginLoop(StringRef label);
  Error branch(const AsmStatement &statement);
  Error executeMemory(StringRef base, ArrayRef<StringRef> parts,
                      const std::vector<AsmOperand> &operands);
  Error executeAtomic(StringRef base, ArrayRef<StringRef> parts,
                      const std::vector<AsmOperand> &operands);
  Error executeCopy(StringRef opcode, const std::vector<AsmOperand> &operands);
  Error executeMBarrier(StringRef opcode, const std::vector<AsmOperand> &operands);
  Error executeTensor(StringRef opcode, ArrayRef<StringRef> parts,
                      const std::vector<AsmOperand> &operands);
  Error executeMatrix(StringRef opcode, const std::vector<AsmOperand> &operands);
  Error executeCollective(StringRef opcode, ArrayRef<StringRef> parts,
                          const std::vector<AsmOperand> &operands);
  Error executeMove(const std::vector<AsmOperand> &operands, StringRef type);
  Error executeConversion(ArrayRef<StringRef> parts, const std::vector<AsmOperand> &operands);
  Error executeFloat(StringRef base, ArrayRef<StringRef> parts,
                     const std::vector<AsmOperand> &operands);
  Error executeInteger(StringRef base, ArrayRef<StringRef> parts,
                       const std::vector<AsmOperand> &operands);

  /// Null if the operand cannot be read so.
  Value *read(const AsmOperand &operand, Type *type);
  Value *readInteger(const AsmOperand &operand, unsigned bits) {
    return read(operand, b.getIntNTy(bits));
  }
  Value *address(const AsmOperand &operand, unsigned space);
  bool write(const AsmOperand &operand, Value *value);
  bool writePredicate(const std::string &name, Value *value);
  Error emitTo(const AsmOperand &target, StringRef name, ArrayRef<Value *> arguments,
               Type *result) {
    if (is_contained(arguments, nullptr))
      return unknown("an operand");
    auto value = rewriter.emit(b, name, arguments, result, origin);
    if (!value)
      return value.takeError();
    if (!result->isVoidTy() && !write(target, *value))
      return unknown("the target");
    return Error::success();
  }
  Error writeTo(const AsmOperand &target, Value *value) {
    return value && write(target, value) ? Error::success() : unknown("an operand");
  }

  CallInst &call;
  Rewriter &rewriter;
  Origin origin;
  IRBuilder<> b;
  std::string text;
  StringMap<Cell> cells;
  std::vector<std::string> outputs;
  /// Where a label stands, and what registers are there.
  struct Label {
    BasicBlock *block;
    std::vector<std::pair<std::string, PHINode *>> registers;
  };
  StringMap<Label> labels;
};

} // namespace

Type *AsmTranslator::typeOfRegister(StringRef type) {
  if (type == "pred")
    return b.getInt1Ty();
  unsigned bits;
  if (type.drop_front().getAsInteger(10, bits))
    return nullptr;
  return b.getIntNTy(bits);
}

Error AsmTranslator::bindOperands() {
  auto &assembly = *cast<InlineAsm>(call.getCalledOperand());
  SmallVector<Type *, 8> results;
  if (auto *structure = dyn_cast<StructType>(call.getType()))
    results.append(structure->element_begin(), structure->element_end());
  else if (!call.getType()->isVoidTy())
    results.push_back(call.getType());
  unsigned index = 0, nextResult = 0, nextArgument = 0;
  for (const InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber)
      continue;
    std::string name = "$" + std::to_string(index++);
    if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel)
      return unknown("an indirect operand");
    if (constraint.Type == InlineAsm::isOutput) {
      if (nextResult == results.size())
        return unknown("the constraints");
      cells[name] = {results[nextResult++], nullptr};
      outputs.push_back(name);
      continue;
    }
    Value *value = call.getArgOperand(nextArgument++);
    cells[name] = {value->getType(), value};
    // A tied input is the output's first value.
    unsigned tied;
    if (constraint.Codes.size() == 1 && !StringRef(constraint.Codes[0]).getAsInteger(10, tied)) {
      Cell &output = cells["$" + std::to_string(tied)];
      output.value = rewriter.coerce(b, value, output.type);
    }
  }
  return Error::success();
}

Value *AsmTranslator::read(const AsmOperand &operand, Type *type) {
  switch (operand.kind) {
  case AsmOperand::Immediate:
    return rewriter.coerce(b, b.getInt64(operand.bits), type);
  case AsmOperand::Special: {
    auto special = findSpecial(operand.name);
    return special ? rewriter.emitSpecial(b, *special, type) : nullptr;
  }
  case AsmOperand::Register: {
    auto found = cells.find(operand.name);
    if (found == cells.end() || !found->second.value)
      return nullptr;
    Value *value = found->second.value;
    if (operand.negated)
      value = b.CreateNot(value);
    return rewriter.coerce(b, value, type);
  }
  case AsmOperand::Group: {
    // Packing: the first member lies lowest.
    unsigned total = call.getModule()->getDataLayout().getTypeSizeInBits(type);
    unsigned each = total / operand.members.size();
    Value *packed = b.getIntN(total, 0);
    for (auto [i, member] : enumerate(operand.members)) {
      Value *value = readInteger(member, each);
      if (!value)
        return nullptr;
      packed = b.CreateOr(packed, b.CreateShl(b.CreateZExt(value, packed->getType()), each * i));
    }
    return rewriter.coerce(b, packed, type);
  }
  default:
    return nullptr;
  }
}

bool AsmTranslator::write(const AsmOperand &operand, Value *value) {
  if (operand.kind == AsmOperand::Sink && operand.second.empty())
    return true;
  if (auto *structure = dyn_cast<StructType>(value->getType())) {
    if (!operand.second.empty()) {
      Value *first = b.CreateExtractValue(value, 0), *second = b.CreateExtractValue(value, 1);
      AsmOperand plain = operand;
      plain.second.clear();
      return write(plain, first) && writePredicate(operand.second, second);
    }
    if (operand.kind != AsmOperand::Group || operand.members.size() != structure->getNumElements())
      return false;
    for (auto [i, member] : enumerate(operand.members))
      if (!write(member, b.CreateExtractValue(value, i)))
        return false;
    return true;
  }
  if (operand.kind == AsmOperand::Group) {
    unsigned total = call.getModule()->getDataLayout().getTypeSizeInBits(value->getType());
    unsigned each = total / operand.members.size();
    Value *bits = rewriter.coerce(b, value, b.getIntNTy(total));
    for (auto [i, member] : enumerate(operand.members))
      if (!write(member, b.CreateTrunc(b.CreateLShr(bits, each * i), b.getIntNTy(each))))
        return false;
    return true;
  }
  if (operand.kind != AsmOperand::Register)
    return false;
  auto found = cells.find(operand.name);
  if (found == cells.end())
    return false;
  found->second.value = rewriter.coerce(b, value, found->second.type);
  return true;
}

bool AsmTranslator::writePredicate(const std::string &name, Value *value) {
  auto found = cells.find(name);
  if (found == cells.end())
    return false;
  found->second.value = rewriter.coerce(b, value, found->second.type);
  return true;
}

Value *AsmTranslator::address(const AsmOperand &operand, unsigned space) {
  if (operand.kind != AsmOperand::Address)
    return nullptr;
  Value *base = readInteger(operand.members.front(), 64);
  if (!base)
    return nullptr;
  if (operand.bits)
    base = b.CreateAdd(base, b.getInt64(operand.bits));
  return b.CreateIntToPtr(base, b.getPtrTy(space));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static std::optional<unsigned> widthOfType(StringRef type) {
  if (type == "f16x2" || type == "bf16x2")
    return 32;
  if (type == "f32x2")
    return 64;
  if (type == "bf16")
    return 16;
  unsigned bits;
  if (type.size() < 2 || !StringRef("bsuf").contains(type.front()) ||
      type.drop_front().getAsInteger(10, bits))
    return std::nullopt;
  return bits;
}

static std::optional<unsigned> parseSpace(StringRef part) {
  return StringSwitch<std::optional<unsigned>>(part)
      .Case("global", 1)
      .Case("shared", 3)
      .Case("shared::cta", 3)
      .Case("shared::cluster", 7)
      .Case("const", 4)
      .Case("local", 5)
      .Default(std::nullopt);
}

/// Modifiers of caching, order and scope, which a single thread's run does not show.
static bool isMemoryModifier(StringRef part) {
  return part.starts_with("L1::") || part.starts_with("L2::") ||
         is_contained({"nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "weak", "gpu", "cta", "sys",
                       "relaxed", "acquire", "release", "acq_rel", "volatile", "noftz"},
                      part);
}

static bool isOrdered(StringRef part) {
  return is_contained({"relaxed", "acquire", "release", "acq_rel", "volatile"}, part);
}

Error AsmTranslator::executeMemory(StringRef base, ArrayRef<StringRef> parts,
                                   const std::vector<AsmOperand> &operands) {
  unsigned space = 0, count = 1;
  bool ordered = false;
  auto width = widthOfType(parts.back());
  if (!width || operands.size() < 2)
    return unknown("its type");
  for (StringRef part : parts.drop_front().drop_back()) {
    if (auto found = parseSpace(part))
      space = *found;
    else if (part == "v2" || part == "v4" || part == "v8")
      count = part[1] - '0';
    else if (!isMemoryModifier(part))
      return unknown(part);
    ordered |= isOrdered(part);
  }
  bool isLoad = base == "ld";
  const AsmOperand &registers = operands[isLoad ? 0 : 1];
  Value *pointer = address(operands[isLoad ? 1 : 0], space);
  if (!pointer)
    return unknown("its address");
  const AsmOperand *elements = &registers;
  if (registers.kind == AsmOperand::Group) {
    if (registers.members.size() != count)
      return unknown("its vector");
    elements = registers.members.data();
  } else if (count != 1) {
    return unknown("its vector");
  }
  Type *element = b.getIntNTy(*width);
  Type *type = count == 1 ? element : FixedVectorType::get(element, count);
  Align alignment(*width / 8 * count);
  if (isLoad) {
    LoadInst *load = b.CreateAlignedLoad(type, pointer, alignment, ordered);
    rewriter.setOrigin(load, origin);
    for (unsigned i = 0; i < count; ++i) {
      Value *value = count == 1 ? static_cast<Value *>(load) : b.CreateExtractElement(load, i);
      if (parts.back().front() == 's' && *width < 32)
        value = b.CreateSExt(value, b.getInt32Ty());
      if (!write(elements[i], value))
        return unknown("its target");
    }
    return Error::success();
  }
  Value *value = PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    Value *one = read(elements[i], element);
    if (!one)
      return unknown("its source");
    value = count == 1 ? one : b.CreateInsertElement(value, one, i);
  }
  rewriter.setOrigin(b.CreateAlignedStore(value, pointer, alignment, ordered), origin);
  return Error::success();
}

Error AsmTranslator::executeAtomic(StringRef base, ArrayRef<StringRef> parts,
                                   const std::vector<AsmOperand> &operands) {
  unsigned space = 0;
  StringRef kind;
  for (StringRef part : parts.drop_front().drop_back()) {
    if (auto found = parseSpace(part))
      space = *found;
    else if (is_contained({"add", "min", "max", "and", "or", "xor", "exch", "cas"}, part))
      kind = part;
    else if (!isMemoryModifier(part))
      return unknown(part);
  }
  StringRef typeName = parts.back();
  auto width = widthOfType(typeName);
  bool returns = base == "atom";
  unsigned first = returns ? 1 : 0;
  if (!width || kind.empty() || operands.size() < first + (kind == "cas" ? 3 : 2))
    return unknown("its form");
  Type *type = StringSwitch<Type *>(typeName)
                   .Case("f32", b.getFloatTy())
                   .Case("f64", b.getDoubleTy())
                   .Case("f16", b.getHalfTy())
                   .Case("bf16", b.getBFloatTy())
                   .Case("f16x2", FixedVectorType::get(b.getHalfTy(), 2))
                   .Case("bf16x2", FixedVectorType::get(b.getBFloatTy(), 2))
                   .Default(b.getIntNTy(*width));
  bool isFloat = type->isFPOrFPVectorTy(), isSigned = typeName.front() == 's';
  Value *pointer = address(operands[first], space), *value = read(operands[first + 1], type);
  if (!pointer || !value)
    return unknown("an operand");
  Align alignment(*width / 8);
  Value *old;
  if (kind == "cas") {
    Value *replacement = read(operands[first + 2], type);
    if (!replacement || isFloat)
      return unknown("an operand");
    auto *exchange = b.CreateAtomicCmpXchg(pointer, value, replacement, alignment,
                                           AtomicOrdering::SequentiallyConsistent,
                                           AtomicOrdering::SequentiallyConsistent);
    rewriter.setOrigin(exchange, origin);
    old = b.CreateExtractValue(exchange, 0);
  } else {
    auto operation = StringSwitch<AtomicRMWInst::BinOp>(kind)
                         .Case("add", isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                         .Case("min", isFloat    ? AtomicRMWInst::FMin
                                      : isSigned ? AtomicRMWInst::Min
                                                 : AtomicRMWInst::UMin)
                         .Case("max", isFloat    ? AtomicRMWInst::FMax
                                      : isSigned ? AtomicRMWInst::Max
                                                 : AtomicRMWInst::UMax)
                         .Case("and", AtomicRMWInst::And)
                         .Case("or", AtomicRMWInst::Or)
                         .Case("xor", AtomicRMWInst::Xor)
                         .Default(AtomicRMWInst::Xchg);
    old = b.CreateAtomicRMW(operation, pointer, value, alignment,
                            AtomicOrdering::SequentiallyConsistent);
    rewriter.setOrigin(cast<Instruction>(old), origin);
  }
  return returns ? writeTo(operands[0], old) : Error::success();
}

Error AsmTranslator::executeCopy(StringRef opcode, const std::vector<AsmOperand> &operands) {
  Type *none = b.getVoidTy();
  AsmOperand nothing;
  if (opcode == "cp.async.commit_group")
    return emitTo(nothing, "cp.async.commit.group", {}, none);
  if (opcode == "cp.async.wait_all")
    return emitTo(nothing, "cp.async.wait.all", {}, none);
  if (opcode == "cp.async.wait_group") {
    if (operands.size() != 1)
      return unknown("its operands");
    return emitTo(nothing, "cp.async.wait.group", {readInteger(operands[0], 32)}, none);
  }
  if (opcode == "cp.async.bulk.commit_group")
    return emitTo(nothing, "cp.async.bulk.commit.group", {}, none);
  if (StringRef rest = opcode; rest.consume_front("cp.async.bulk.wait_group")) {
    if (operands.size() != 1 || (rest != "" && rest != ".read"))
      return unknown("its form");
    return emitTo(nothing, ("cp.async.bulk.wait.group" + rest).str(),
                  {readInteger(operands[0], 32)}, none);
  }
  if (StringRef rest = opcode; rest.consume_front("cp.async.bulk.tensor.2d.")) {
    // (target, [map, {x, y}], mbarrier)
    if ((!rest.consume_front("shared::cluster.global.") &&
         !rest.consume_front("shared::cta.global.")) ||
        (rest != "mbarrier::complete_tx::bytes" && rest != "tile.mbarrier::complete_tx::bytes") ||
        operands.size() != 3 || operands[1].members.size() != 2 ||
        operands[1].members[1].members.size() != 2)
      return unknown("its form");
    const auto &place = operands[1].members[1].members;
    return emitTo(nothing, "cp.async.bulk.tensor.g2s.cta.tile.2d",
                  {address(operands[0], 3), address(operands[2], 3), address(operands[1], 0),
                   readInteger(place[0], 32), readInteger(place[1], 32)},
                  none);
  }
  SmallVector<StringRef, 8> parts;
  opcode.split(parts, '.');
  if (parts.size() < 5 || (parts[2] != "ca" && parts[2] != "cg") ||
      (parts[3] != "shared" && parts[3] != "shared::cta") || parts[4] != "global")
    return unknown("its form");
  bool hinted = false;
  for (StringRef part : drop_begin(parts, 5)) {
    if (!part.starts_with("L2::"))
      return unknown(part);
    hinted |= part == "L2::cache_hint";
  }
  unsigned count = operands.size() - hinted;
  if (count < 3 || count > 4 || operands[2].kind == AsmOperand::Group)
    return unknown("its operands");
  uint64_t size = operands[2].bits;
  if (operands[2].kind == AsmOperand::Register) {
    auto *constant = dyn_cast_or_null<ConstantInt>(readInteger(operands[2], 32));
    if (!constant)
      return unknown("its size");
    size = constant->getZExtValue();
  }
  Value *to = address(operands[0], 3), *from = address(operands[1], 1);
  std::string name = formatv("cp.async.{0}.shared.global.{1}", parts[2], size);
  if (count == 3)
    return emitTo(nothing, name, {to, from}, none);
  return emitTo(nothing, name + ".s", {to, from, readInteger(operands[3], 32)}, none);
}

/// mbarrier.OP[.order.scope][.shared::cta].b64: as intrinsics of shared memory spell it.
Error AsmTranslator::executeMBarrier(StringRef opcode, const std::vector<AsmOperand> &operands) {
  StringRef rest = opcode;
  AsmOperand nothing;
  rest.consume_front("mbarrier.");
  if (!rest.consume_back(".b64"))
    return unknown("its type");
  bool isRemote = rest.consume_back(".shared::cluster");
  if (!isRemote && !rest.consume_back(".shared::cta"))
    rest.consume_back(".shared");
  for (StringRef order : {".acquire.cta", ".release.cta", ".acquire.cluster", ".release.cluster"})
    if (rest.consume_back(order))
      break;
  Type *predicate = b.getInt1Ty(), *none = b.getVoidTy(), *state = b.getInt64Ty();
  auto has = [&](size_t count) { return operands.size() == count; };
  auto word = [&](unsigned i) { return readInteger(operands[i], 32); };
  if (isRemote && rest == "arrive.expect_tx" && has(3))
    return emitTo(nothing, "mbarrier.arrive.expect.tx.scope.cluster.space.cluster",
                  {address(operands[1], 7), word(2)}, none);
  if (isRemote && rest == "arrive" && (has(2) || has(3)))
    return emitTo(nothing, "mbarrier.arrive.scope.cluster.space.cluster",
                  {address(operands[1], 7), has(3) ? word(2) : b.getInt32(1)}, none);
  if (isRemote)
    return unknown("its form");
  if (rest == "init" && has(2))
    return emitTo(nothing, "mbarrier.init.shared", {address(operands[0], 3), word(1)}, none);
  if (rest == "inval" && has(1))
    return emitTo(nothing, "mbarrier.inval.shared", {address(operands[0], 3)}, none);
  if (rest == "arrive.expect_tx" && has(3))
    return emitTo(operands[0], "mbarrier.arrive.expect.tx.scope.cta.space.cta",
                  {address(operands[1], 3), word(2)}, state);
  if (rest == "expect_tx" && has(2))
    return emitTo(nothing, "mbarrier.expect.tx.scope.cta.space.cta",
                  {address(operands[0], 3), word(1)}, none);
  if (rest == "arrive" && (has(2) || has(3)))
    return emitTo(operands[0], "mbarrier.arrive.scope.cta.space.cta",
                  {address(operands[1], 3), has(3) ? word(2) : b.getInt32(1)}, state);
  if ((rest == "try_wait.parity" || rest == "test_wait.parity") && (has(3) || has(4)))
    return emitTo(operands[0],
                  rest.starts_with("try") ? "mbarrier.try.wait.parity.scope.cta.space.cta"
                                          : "mbarrier.test.wait.parity.scope.cta.space.cta",
                  {address(operands[1], 3), word(2)}, predicate);
  return unknown("its form");
}

/// tcgen05, to the names of its intrinsics.
Error AsmTranslator::executeTensor(StringRef opcode, ArrayRef<StringRef> parts,
                                   const std::vector<AsmOperand> &operands) {
  Type *word = b.getInt32Ty(), *none = b.getVoidTy();
  AsmOperand nothing;
  StringRef action = parts[1];
  std::string group;
  SmallVector<StringRef, 8> rest;
  for (StringRef part : parts.drop_front(2))
    if (StringRef number = part; number.consume_front("cta_group::"))
      group = ("cg" + number).str();
    else if (part != "sync" && part != "aligned" && part != "b32" && part != "b64")
      rest.push_back(part);
  auto is = [&](std::initializer_list<StringRef> expected) {
    return ArrayRef<StringRef>(rest) == ArrayRef<StringRef>(expected);
  };
  auto has = [&](size_t count) { return operands.size() == count; };
  // Tensor memory's addresses are words that intrinsics hold as pointers.
  auto place = [&](const AsmOperand &operand) -> Value * {
    if (operand.kind == AsmOperand::Address)
      return address(operand, 0);
    return readInteger(operand, 64);
  };
  if (action == "alloc" && is({"shared::cta"}) && has(2))
    return emitTo(nothing, "tcgen05.alloc.shared." + group,
                  {address(operands[0], 3), readInteger(operands[1], 32)}, none);
  if (action == "dealloc" && is({}) && has(2))
    return emitTo(nothing, "tcgen05.dealloc." + group,
                  {place(operands[0]), readInteger(operands[1], 32)}, none);
  if (action == "relinquish_alloc_permit" && is({}) && has(0))
    return emitTo(nothing, "tcgen05.relinq.alloc.permit." + group, {}, none);
  if (action == "wait::ld" || action == "wait::st")
    return emitTo(nothing, ("tcgen05.wait." + action.take_back(2)).str(), {}, none);
  if (action == "fence::before_thread_sync" || action == "fence::after_thread_sync")
    return emitTo(nothing,
                  action.contains("before") ? "tcgen05.fence.before.thread.sync"
                                            : "tcgen05.fence.after.thread.sync",
                  {}, none);
  if (action == "ld" && rest.size() == 2 && has(2)) {
    size_t count = operands[0].kind == AsmOperand::Group ? operands[0].members.size() : 1;
    return emitTo(operands[0], formatv("tcgen05.ld.{0}.{1}", rest[0], rest[1]).str(),
                  {place(operands[1])},
                  StructType::get(b.getContext(), SmallVector<Type *, 8>(count, word)));
  }
  if (action == "st" && rest.size() == 2 && has(2)) {
    SmallVector<Value *, 32> arguments{place(operands[0])};
    for (const AsmOperand &member : operands[1].members)
      arguments.push_back(readInteger(member, 32));
    if (operands[1].kind != AsmOperand::Group)
      arguments.push_back(readInteger(operands[1], 32));
    return emitTo(nothing, formatv("tcgen05.st.{0}.{1}", rest[0], rest[1]).str(), arguments, none);
  }
  if (action == "cp" && is({"32x128b", "warpx4"}) && has(2))
    return emitTo(nothing, "tcgen05.cp.32x128b_warpx4." + group,
                  {place(operands[0]), readInteger(operands[1], 64)}, none);
  if (action == "commit" && has(1) &&
      (is({"mbarrier::arrive::one"}) || is({"mbarrier::arrive::one", "shared::cluster"})))
    return emitTo(nothing, "tcgen05.commit.shared." + group, {address(operands[0], 3)}, none);
  if (action == "commit" && has(2) &&
      is({"mbarrier::arrive::one", "shared::cluster", "multicast::cluster"}))
    return emitTo(nothing, "tcgen05.commit.mc.shared." + group,
                  {address(operands[0], 3), readInteger(operands[1], 32)}, none);
  if (action != "mma" || rest.empty())
    return unknown("its form");
  unsigned blocks = group == "cg2" ? 2 : 1;
  auto operand = [&](unsigned i, unsigned bits) -> Value * {
    return readInteger(operands[i], bits);
  };
  if (rest.size() == 1 && has(5)) {
    // D, A, B, the instruction descriptor, whether to add.
    auto kind = StringSwitch<int>(rest[0]).Case("kind::f16", 0).Default(-1);
    if (kind < 0)
      return unknown(rest[0]);
    return emitTo(nothing, "tcgen05.mma.shared",
                  {place(operands[0]), operand(1, 64), operand(2, 64), operand(3, 32),
                   operand(4, 1), b.getInt32(kind), b.getInt32(blocks)},
                  none);
  }
  // … and the scales of A and B before it.
  StringRef kind = rest[0];
  if (!has(7) || !kind.consume_front("kind::"))
    return unknown("its form");
  std::string name = ("tcgen05.mma.shared." + kind).str();
  for (StringRef part : drop_begin(rest))
    name += ("." + part).str();
  return emitTo(nothing, name,
                {place(operands[0]), operand(1, 64), operand(2, 64), operand(3, 32), operand(6, 1),
                 place(operands[4]), place(operands[5]), b.getInt32(blocks)},
                none);
}

//===----------------------------------------------------------------------===//
// Matrices and lanes
//===----------------------------------------------------------------------===//

Error AsmTranslator::executeMatrix(StringRef opcode, const std::vector<AsmOperand> &operands) {
  Type *word = b.getInt32Ty();
  auto structOf = [&](size_t count) -> Type * {
    return StructType::get(b.getContext(), SmallVector<Type *, 4>(count, word));
  };
  AsmOperand nothing;
  if (operands.size() < 2)
    return unknown("its operands");
  if (opcode.starts_with("ldmatrix.")) {
    if (operands[0].kind != AsmOperand::Group)
      return unknown("its target");
    return emitTo(operands[0], opcode, {address(operands[1], 3)},
                  structOf(operands[0].members.size()));
  }
  SmallVector<Value *, 20> arguments;
  auto append = [&](const AsmOperand &operand) {
    if (operand.kind != AsmOperand::Group)
      arguments.push_back(readInteger(operand, 32));
    for (const AsmOperand &member : operand.members)
      arguments.push_back(readInteger(member, 32));
  };
  if (opcode.starts_with("stmatrix.")) {
    arguments.push_back(address(operands[0], 3));
    append(operands[1]);
    return emitTo(nothing, opcode, arguments, b.getVoidTy());
  }
  // mma: D, A, B, C and for block scales {scale}, {byte-id, thread-id} of A and B.
  if (operands.size() != 4 && operands.size() != 8)
    return unknown("its operands");
  for (const AsmOperand &operand : drop_begin(operands))
    append(operand);
  if (operands[0].kind != AsmOperand::Group)
    return unknown("its target");
  return emitTo(operands[0], opcode, arguments, structOf(operands[0].members.size()));
}

Error AsmTranslator::executeCollective(StringRef opcode, ArrayRef<StringRef> parts,
                                       const std::vector<AsmOperand> &operands) {
  Type *word = b.getInt32Ty(), *predicate = b.getInt1Ty(), *none = b.getVoidTy();
  Type *withPredicate = StructType::get(b.getContext(), {word, predicate});
  AsmOperand nothing;
  StringRef base = parts[0];
  auto has = [&](size_t count) { return operands.size() == count; };
  if (base == "shfl" && parts.size() == 4 && parts[1] == "sync" && parts[3] == "b32" && has(5)) {
    bool paired = !operands[0].second.empty();
    return emitTo(operands[0], formatv("shfl.sync.{0}.i32{1}", parts[2], paired ? "p" : "").str(),
                  {readInteger(operands[4], 32), readInteger(operands[1], 32),
                   readInteger(operands[2], 32), readInteger(operands[3], 32)},
                  paired ? withPredicate : word);
  }
  if (base == "vote" && parts.size() == 4 && parts[1] == "sync" && has(3))
    return emitTo(operands[0], formatv("vote.{0}.sync", parts[2]).str(),
                  {readInteger(operands[2], 32), read(operands[1], predicate)},
                  parts[2] == "ballot" ? word : predicate);
  if (base == "match" && parts.size() == 4 && parts[2] == "sync" && has(3)) {
    auto width = widthOfType(parts[3]);
    if (!width)
      return unknown("its type");
    bool all = parts[1] == "all";
    std::string name = formatv("match.{0}.sync.i{1}{2}", parts[1], *width, all ? "p" : "");
    Type *result = all ? withPredicate : word;
    AsmOperand target = operands[0];
    if (all && target.second.empty())
      target.second = "_";
    if (target.second == "_")
      cells["_"] = {predicate, nullptr};
    return emitTo(target, name, {readInteger(operands[2], 32), readInteger(operands[1], *width)},
                  result);
  }
  if (base == "redux" && parts.size() >= 4 && parts[1] == "sync" && has(3)) {
    std::string kind = parts[2].str();
    if (parts.back() == "u32" && (kind == "min" || kind == "max"))
      kind = "u" + kind;
    if (parts.back() == "f32") {
      kind = "f" + kind;
      for (StringRef part : parts.drop_front(3).drop_back())
        kind += ("." + part).str();
    } else if (parts.size() != 4) {
      return unknown("its form");
    }
    return emitTo(operands[0], "redux.sync." + kind,
                  {readInteger(operands[1], 32), readInteger(operands[2], 32)}, word);
  }
  if (opcode == "elect.sync" && has(2)) {
    AsmOperand target = operands[0];
    return emitTo(target, "elect.sync", {readInteger(operands[1], 32)}, withPredicate);
  }
  if (opcode == "bar.warp.sync" && has(1))
    return emitTo(nothing, "bar.warp.sync", {readInteger(operands[0], 32)}, none);
  StringRef rest = opcode;
  if (rest.consume_front("barrier.cluster.") && has(0)) {
    rest.consume_back(".aligned");
    rest.consume_back(rest.starts_with("arrive") ? ".release" : ".acquire");
    return emitTo(nothing, ("barrier.cluster." + rest).str(), {}, none);
  }
  if (!rest.consume_front("barrier.cta.") && !rest.consume_front("barrier.") &&
      !rest.consume_front("bar.cta.") && !rest.consume_front("bar."))
    return unknown("its form");
  // bar means aligned.
  bool aligned = rest.consume_back(".aligned") || base == "bar";
  if ((rest != "sync" && rest != "arrive") || operands.empty() || operands.size() > 2)
    return unknown("its form");
  std::string name =
      ("barrier.cta." + rest).str() + (aligned ? ".aligned" : "") + (has(1) ? ".all" : ".count");
  SmallVector<Value *, 2> arguments;
  for (const AsmOperand &operand : operands)
    arguments.push_back(readInteger(operand, 32));
  return emitTo(nothing, name, arguments, none);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Error AsmTranslator::executeMove(const std::vector<AsmOperand> &operands, StringRef type) {
  auto width = type == "pred" ? std::optional<unsigned>(1) : widthOfType(type);
  if (!width || operands.size() != 2)
    return unknown("its form");
  return writeTo(operands[0], readInteger(operands[1], *width));
}

Error AsmTranslator::executeConversion(ArrayRef<StringRef> parts,
                                       const std::vector<AsmOperand> &operands) {
  if (parts.size() < 3 || operands.size() < 2)
    return unknown("its form");
  StringRef to = parts[parts.size() - 2], from = parts.back();
  std::string modifiers;
  for (StringRef part : parts.drop_front().drop_back(2))
    modifiers += ("." + part).str();
  auto isPair = [](StringRef type) { return type.ends_with("x2"); };
  auto isHalf = [](StringRef type) { return type == "f16" || type == "bf16"; };
  Type *word = b.getInt32Ty(), *half = b.getInt16Ty();
  if (isPair(to) && from == "f32" && operands.size() == 3) {
    bool wide = to == "f16x2" || to == "bf16x2";
    std::string name = wide ? "ff2" + to.str() + modifiers : "ff.to." + to.str() + modifiers;
    return emitTo(operands[0], name, {readInteger(operands[1], 32), readInteger(operands[2], 32)},
                  wide ? word : half);
  }
  if (operands.size() != 2)
    return unknown("its form");
  if (isPair(to) && isPair(from)) {
    bool wide = to == "f16x2" || to == "bf16x2";
    return emitTo(operands[0], from.str() + ".to." + to.str() + modifiers,
                  {readInteger(operands[1], wide ? 16 : 32)}, wide ? word : half);
  }
  if (from == "f32" && (isHalf(to) || to == "tf32"))
    return emitTo(operands[0], "f2" + to.str() + modifiers, {readInteger(operands[1], 32)},
                  isHalf(to) ? half : word);
  if (to == "f32" && isHalf(from) && modifiers.empty()) {
    Value *value = read(operands[1], from == "f16" ? b.getHalfTy() : b.getBFloatTy());
    return writeTo(operands[0], value ? b.CreateFPExt(value, b.getFloatTy()) : nullptr);
  }
  auto isInteger = [](StringRef type) {
    return (type.front() == 's' || type.front() == 'u') && widthOfType(type);
  };
  if (isInteger(to) && isInteger(from) && modifiers.empty()) {
    Value *value = readInteger(operands[1], *widthOfType(from));
    if (!value)
      return unknown("its operand");
    Type *type = b.getIntNTy(std::max(*widthOfType(to), 32u));
    return writeTo(operands[0], b.CreateTrunc(b.CreateIntCast(value, type, from.front() == 's'),
                                              b.getIntNTy(*widthOfType(to))));
  }
  auto shortName = [](StringRef type) {
    return StringSwitch<StringRef>(type)
        .Case("s32", "i")
        .Case("u32", "ui")
        .Case("s64", "ll")
        .Case("u64", "ull")
        .Default("");
  };
  if (from == "f32" && !shortName(to).empty()) {
    StringRef rest = modifiers;
    std::string rounding = StringSwitch<std::string>(rest)
                               .Case(".rni", ".rn")
                               .Case(".rzi", ".rz")
                               .Case(".rmi", ".rm")
                               .Case(".rpi", ".rp")
                               .Default("");
    if (rounding.empty())
      return unknown("its rounding");
    return emitTo(operands[0], "f2" + shortName(to).str() + rounding,
                  {readInteger(operands[1], 32)}, b.getIntNTy(*widthOfType(to)));
  }
  if (to == "f32" && !shortName(from).empty())
    return emitTo(operands[0], shortName(from).str() + "2f" + modifiers,
                  {readInteger(operands[1], *widthOfType(from))}, word);
  return unknown("its types");
}

Error AsmTranslator::executeFloat(StringRef base, ArrayRef<StringRef> parts,
                                  const std::vector<AsmOperand> &operands) {
  StringRef type = parts.back();
  Type *word = b.getInt32Ty();
  SmallVector<StringRef, 4> modifiers(parts.drop_front().drop_back());
  auto has = [&](StringRef modifier) { return is_contained(modifiers, modifier); };

  // add.rn.f32.bf16 d, half, f32
  if ((base == "add" || base == "sub") && (type == "bf16" || type == "f16") &&
      modifiers == ArrayRef<StringRef>{"rn", "f32"}) {
    if (operands.size() != 3)
      return unknown("its operands");
    Value *right = read(operands[2], b.getFloatTy());
    if (right && base == "sub")
      right = b.CreateFNeg(right);
    return emitTo(operands[0], "add.mixed." + type.str(), {readInteger(operands[1], 16), right},
                  b.getFloatTy());
  }

  bool isPair = type == "f16x2" || type == "bf16x2", isHalf = type == "f16" || type == "bf16";
  if (base == "neg" || base == "abs") {
    if (!modifiers.empty() || operands.size() != 2)
      return unknown("its form");
    unsigned width = isHalf ? 16 : 32;
    uint64_t signs = isHalf ? 0x8000 : isPair ? 0x80008000u : 0x80000000u;
    Value *value = readInteger(operands[1], width);
    if (!value)
      return unknown("its operand");
    return writeTo(operands[0], base == "neg" ? b.CreateXor(value, b.getIntN(width, signs))
                                              : b.CreateAnd(value, b.getIntN(width, ~signs)));
  }

  std::vector<Value *> arguments;
  unsigned width = type == "f32x2" ? 64 : isHalf ? 16 : 32;
  for (const AsmOperand &operand : drop_begin(operands)) {
    arguments.push_back(readInteger(operand, width));
    if (!arguments.back())
      return unknown("an operand");
  }

  if (base == "min" || base == "max") {
    std::string name = "f" + base.str();
    if (has("ftz"))
      name += ".ftz";
    if (has("NaN"))
      name += ".nan";
    if (has("xorsign"))
      name += ".xorsign.abs";
    for (StringRef modifier : modifiers)
      if (!is_contained({"ftz", "NaN", "xorsign", "abs"}, modifier))
        return unknown(modifier);
    if (arguments.size() != 2)
      return unknown("its operands");
    return emitTo(operands[0], name + "." + (type == "f32" ? "f" : type.str()), arguments,
                  b.getIntNTy(width));
  }

  if (isPair || isHalf) {
    // Sums and products of 16-bit numbers are fmas with 1 and -0.
    for (StringRef modifier : modifiers)
      if (modifier != "rn" && modifier != "relu")
        return unknown(modifier);
    bool bf16 = type.starts_with("b");
    uint64_t one = bf16 ? 0x3F80 : 0x3C00, minusZero = 0x8000,
             signs = isPair ? 0x80008000u : 0x8000;
    auto constant = [&](uint64_t value) {
      return b.getIntN(width, isPair ? value << 16 | value : value);
    };
    if (base != "fma" && arguments.size() != 2)
      return unknown("its operands");
    if (base == "add")
      arguments.insert(arguments.begin() + 1, constant(one));
    else if (base == "sub")
      arguments = {b.CreateXor(arguments[1], b.getIntN(width, signs)), constant(one), arguments[0]};
    else if (base == "mul")
      arguments.push_back(constant(minusZero));
    else if (base != "fma" || arguments.size() != 3)
      return unknown("its form");
    return emitTo(operands[0], std::string("fma.rn.") + (has("relu") ? "relu." : "") + type.str(),
                  arguments, b.getIntNTy(width));
  }

  std::string name = base.str();
  if (base == "mad")
    name = "fma";
  bool rounded = false;
  for (StringRef modifier : modifiers) {
    if (!is_contained({"rn", "rz", "rm", "rp", "ftz", "sat", "approx", "full"}, modifier))
      return unknown(modifier);
    rounded |= modifier.size() == 2 || modifier == "approx" || modifier == "full";
    name += ("." + modifier).str();
  }
  // Sums and products without a rounding round to nearest.
  if (!rounded && is_contained({"add", "sub", "mul"}, base))
    name = (base + ".rn" + StringRef(name).drop_front(base.size())).str();
  name += ".f";
  if (type == "f32")
    return emitTo(operands[0], name, arguments, word);
  if (type != "f32x2")
    return unknown("its type");
  Value *halves[2];
  for (unsigned i = 0; i < 2; ++i) {
    SmallVector<Value *, 3> part;
    for (Value *argument : arguments)
      part.push_back(b.CreateTrunc(b.CreateLShr(argument, 32 * i), word));
    auto value = rewriter.emit(b, name, part, word, origin);
    if (!value)
      return value.takeError();
    halves[i] = b.CreateZExt(*value, b.getInt64Ty());
  }
  return writeTo(operands[0], b.CreateOr(halves[0], b.CreateShl(halves[1], 32)));
}

Error AsmTranslator::executeInteger(StringRef base, ArrayRef<StringRef> parts,
                                    const std::vector<AsmOperand> &operands) {
  StringRef type = parts.back();
  auto width = type == "pred" ? std::optional<unsigned>(1) : widthOfType(type);
  if (!width || operands.empty())
    return unknown("its type");
  bool isSigned = type.front() == 's';
  SmallVector<StringRef, 3> modifiers(parts.drop_front().drop_back());
  Type *integer = b.getIntNTy(*width), *word = b.getInt32Ty();
  auto source = [&](unsigned i) {
    return i < operands.size() ? read(operands[i], integer) : nullptr;
  };
  auto modified = [&](StringRef modifier) {
    return modifiers.size() == 1 && modifiers[0] == modifier;
  };
  Value *x = source(1), *y = nullptr, *z = nullptr;
  if (!x)
    return unknown("an operand");
  if (base == "shl" || base == "shr") {
    y = operands.size() == 3 ? readInteger(operands[2], 32) : nullptr;
    if (!y || !modifiers.empty())
      return unknown("its form");
    // Amounts beyond the width shift everything out.
    Value *beyond = b.CreateICmpUGE(y, b.getInt32(*width));
    Value *amount = b.CreateZExtOrTrunc(b.CreateSelect(beyond, b.getInt32(0), y), integer);
    Value *filled = ConstantInt::get(integer, 0);
    Value *shifted = base == "shl" ? b.CreateShl(x, amount)
                     : isSigned    ? b.CreateAShr(x, amount)
                                   : b.CreateLShr(x, amount);
    if (base == "shr" && isSigned)
      filled = b.CreateAShr(x, ConstantInt::get(integer, *width - 1));
    return writeTo(operands[0], b.CreateSelect(beyond, filled, shifted));
  }
  if (base == "popc" || base == "clz" || base == "brev" || base == "not" || base == "neg" ||
      base == "abs") {
    if (operands.size() != 2 || !modifiers.empty())
      return unknown("its form");
    Value *result;
    if (base == "popc")
      result = b.CreateZExtOrTrunc(b.CreateUnaryIntrinsic(Intrinsic::ctpop, x), word);
    else if (base == "clz")
      result = b.CreateZExtOrTrunc(b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b.getFalse()), word);
    else if (base == "brev")
      result = b.CreateUnaryIntrinsic(Intrinsic::bitreverse, x);
    else if (base == "not")
      result = b.CreateNot(x);
    else if (base == "neg")
      result = b.CreateNeg(x);
    else
      result = b.CreateBinaryIntrinsic(Intrinsic::abs, x, b.getFalse());
    return writeTo(operands[0], result);
  }
  if (base == "bfind" && modifiers.empty() && *width == 32)
    return emitTo(operands[0], ("bfind." + type).str(), {x}, word);
  if (base == "selp") {
    y = source(2);
    Value *condition = operands.size() == 4 ? read(operands[3], b.getInt1Ty()) : nullptr;
    if (!y || !condition || !modifiers.empty())
      return unknown("its form");
    return writeTo(operands[0], b.CreateSelect(condition, x, y));
  }
  y = source(2);
  if (!y)
    return unknown("an operand");
  if (base == "setp") {
    auto predicate =
        StringSwitch<std::optional<CmpInst::Predicate>>(modifiers.size() == 1 ? modifiers[0] : "")
            .Case("eq", CmpInst::ICMP_EQ)
            .Case("ne", CmpInst::ICMP_NE)
            .Cases({"lt", "lo"}, isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
            .Cases({"le", "ls"}, isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
            .Cases({"gt", "hi"}, isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
            .Cases({"ge", "hs"}, isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
            .Default(std::nullopt);
    if (!predicate || type.front() == 'f')
      return unknown("its comparison");
    return writeTo(operands[0], b.CreateICmp(*predicate, x, y));
  }
  if (base == "mul" && modified("wide")) {
    Type *wide = b.getIntNTy(2 * *width);
    return writeTo(operands[0], b.CreateMul(b.CreateIntCast(x, wide, isSigned),
                                            b.CreateIntCast(y, wide, isSigned)));
  }
  if (base == "mul" && modified("hi")) {
    Type *wide = b.getIntNTy(2 * *width);
    Value *product =
        b.CreateMul(b.CreateIntCast(x, wide, isSigned), b.CreateIntCast(y, wide, isSigned));
    return writeTo(operands[0], b.CreateTrunc(b.CreateLShr(product, *width), integer));
  }
  if (base == "mul" && modified("lo"))
    return writeTo(operands[0], b.CreateMul(x, y));
  if (base == "prmt" && modifiers.empty())
    return emitTo(operands[0], "prmt", {x, y, source(3)}, word);
  if (base == "mad" && modified("lo")) {
    z = source(3);
    return writeTo(operands[0], z ? b.CreateAdd(b.CreateMul(x, y), z) : nullptr);
  }
  if (base == "lop3" && modifiers.empty())
    return emitTo(operands[0], "lop3", {x, y, source(3), source(4)}, word);
  if (base == "bfe" && modifiers.empty() && *width == 32)
    return emitTo(operands[0], ("bfe." + type).str(), {x, y, source(3)}, word);
  if (base == "bfi" && modifiers.empty() && *width == 32)
    return emitTo(operands[0], "bfi", {x, y, source(3), source(4)}, word);
  if (base == "shf" && modifiers.size() == 2) {
    z = source(3);
    bool left = modifiers[0] == "l", wrap = modifiers[1] == "wrap";
    if (!z || *width != 32 || (!wrap && modifiers[1] != "clamp"))
      return unknown("its form");
    Value *amount =
        wrap ? b.CreateAnd(z, 31) : b.CreateBinaryIntrinsic(Intrinsic::umin, z, b.getInt32(32));
    Type *wide = b.getInt64Ty();
    Value *both = b.CreateOr(b.CreateZExt(x, wide), b.CreateShl(b.CreateZExt(y, wide), 32));
    Value *steps = b.CreateZExt(amount, wide);
    Value *shifted = left ? b.CreateLShr(b.CreateShl(both, steps), 32) : b.CreateLShr(both, steps);
    return writeTo(operands[0], b.CreateTrunc(shifted, word));
  }
  if (!modifiers.empty())
    return unknown(modifiers[0]);
  if (base == "add")
    return writeTo(operands[0], b.CreateAdd(x, y));
  if (base == "sub")
    return writeTo(operands[0], b.CreateSub(x, y));
  if (base == "and")
    return writeTo(operands[0], b.CreateAnd(x, y));
  if (base == "or")
    return writeTo(operands[0], b.CreateOr(x, y));
  if (base == "xor")
    return writeTo(operands[0], b.CreateXor(x, y));
  if (base == "min")
    return writeTo(operands[0],
                   b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, x, y));
  if (base == "max")
    return writeTo(operands[0],
                   b.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, x, y));
  return unknown(base);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// As intrinsics spell it.
static std::string fenceName(StringRef opcode) {
  return StringSwitch<StringRef>(opcode)
      .Case("fence.proxy.async.shared::cta", "fence.proxy.async.shared_cta")
      .Case("fence.proxy.async.shared::cluster", "fence.proxy.async.shared_cluster")
      .Case("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
            "fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster")
      .Case("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
            "fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster")
      .Default(opcode)
      .str();
}

Error AsmTranslator::execute(const AsmStatement &statement) {
  StringRef opcode = statement.opcode;
  const auto &operands = statement.operands;
  SmallVector<StringRef, 12> parts;
  opcode.split(parts, '.');
  StringRef base = parts[0];
  AsmOperand nothing;
  if (parts.size() >= 2 && (base == "mov" || base == "cvta"))
    return executeMove(operands, parts.back());
  if (base == "ld" || base == "st")
    return executeMemory(base, parts, operands);
  if (base == "atom" || base == "red")
    return executeAtomic(base, parts, operands);
  if (opcode.starts_with("cp.async."))
    return executeCopy(opcode, operands);
  if (base == "mbarrier")
    return executeMBarrier(opcode, operands);
  if (base == "tcgen05" && parts.size() >= 2)
    return executeTensor(opcode, parts, operands);
  if (base == "mma" || base == "ldmatrix" || base == "stmatrix")
    return executeMatrix(opcode, operands);
  if (base == "cvt")
    return executeConversion(parts, operands);
  if (base == "shfl" || base == "vote" || base == "match" || base == "redux" || base == "elect" ||
      base == "bar" || base == "barrier")
    return executeCollective(opcode, parts, operands);
  if (base == "membar" || base == "fence" || base == "prefetch" || base == "griddepcontrol" ||
      base == "prefetchu" || base == "nanosleep") {
    std::string name = base == "nanosleep"                            ? "nanosleep"
                       : base == "fence"                              ? fenceName(opcode)
                       : base == "membar" || base == "griddepcontrol" ? opcode.str()
                                                                      : "prefetch";
    return emitTo(nothing, name, {}, b.getVoidTy());
  }
  if (opcode == "mapa.shared::cluster.u32" && operands.size() == 3)
    return emitTo(operands[0], "mapa.shared.cluster",
                  {readInteger(operands[1], 64), readInteger(operands[2], 32)}, b.getInt32Ty());
  if (base == "createpolicy" && !operands.empty())
    return writeTo(operands[0], b.getInt64(0));
  if (base == "trap")
    return emitTo(nothing, "trap", {}, b.getVoidTy());
  if (base == "dp4a" && parts.size() == 3 && operands.size() == 4)
    return emitTo(
        operands[0], formatv("idp4a.{0}.{1}", parts[1].front(), parts[2].front()).str(),
        {readInteger(operands[1], 32), readInteger(operands[2], 32), readInteger(operands[3], 32)},
        b.getInt32Ty());
  if (parts.size() < 2)
    return unknown("its opcode");
  StringRef type = parts.back();
  bool isFloat = type.front() == 'f' || type.starts_with("bf");
  if (isFloat && is_contained({"add", "sub", "mul", "fma", "mad", "div", "min", "max", "neg", "abs",
                               "rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos", "tanh"},
                              base))
    return executeFloat(base, parts, operands);
  if (!isFloat || base == "selp")
    return executeInteger(base, parts, operands);
  return unknown("its opcode");
}

/// A label that only what follows it branches to.
void AsmTranslator::beginLoop(StringRef label) {
  BasicBlock *head = call.getParent();
  Label &found = labels[label];
  found.block = head->splitBasicBlock(call.getIterator());
  b.SetInsertPoint(&*found.block->begin());
  for (auto &entry : cells)
    if (Cell &cell = entry.second; cell.value) {
      PHINode *phi = b.CreatePHI(cell.type, 2);
      phi->addIncoming(cell.value, head);
      cell.value = phi;
      found.registers.push_back({entry.first().str(), phi});
    }
  b.SetInsertPoint(&call);
}

Error AsmTranslator::branch(const AsmStatement &statement) {
  auto condition = cells.find(statement.guard);
  auto label =
      statement.operands.size() == 1 ? labels.find(statement.operands[0].name + ":") : labels.end();
  if (label == labels.end() || condition == cells.end() || !condition->second.value)
    return unknown("only a loop with a condition at its end is known");
  Value *again = rewriter.coerce(b, condition->second.value, b.getInt1Ty());
  if (statement.guardNegated)
    again = b.CreateNot(again);
  BasicBlock *end = call.getParent(), *next = end->splitBasicBlock(call.getIterator());
  end->getTerminator()->eraseFromParent();
  b.SetInsertPoint(end);
  for (auto &[name, phi] : label->second.registers)
    phi->addIncoming(rewriter.coerce(b, cells[name].value, phi->getType()), end);
  b.CreateCondBr(again, label->second.block, next);
  b.SetInsertPoint(&call);
  return Error::success();
}

Error AsmTranslator::translate(const AsmStatement &statement) {
  text = statement.text;
  origin.instruction = statement.text;
  if (StringRef(statement.opcode).ends_with(":")) {
    beginLoop(statement.opcode);
    return Error::success();
  }
  if (statement.opcode == "bra" || statement.opcode == "bra.uni")
    return branch(statement);
  if (statement.guard.empty())
    return execute(statement);

  auto found = cells.find(statement.guard);
  if (found == cells.end() || !found->second.value)
    return unknown("its predicate");
  Value *condition = rewriter.coerce(b, found->second.value, b.getInt1Ty());
  if (statement.guardNegated)
    condition = b.CreateNot(condition);
  BasicBlock *head = call.getParent();
  Instruction *end = SplitBlockAndInsertIfThen(condition, call.getIterator(), false);
  StringMap<Cell> before = cells;
  b.SetInsertPoint(end);
  if (Error error = execute(statement))
    return error;
  BasicBlock *then = end->getParent();
  b.SetInsertPoint(&*call.getParent()->begin());
  for (auto &entry : cells) {
    Cell &cell = entry.second;
    Value *old = before.lookup(entry.first()).value;
    if (old == cell.value || !cell.value)
      continue;
    // A register that nothing wrote shows as a NaN.
    if (!old) {
      unsigned bits = call.getModule()->getDataLayout().getTypeSizeInBits(cell.type);
      old = rewriter.coerce(b, ConstantInt::getAllOnesValue(b.getIntNTy(bits)), cell.type);
    }
    PHINode *phi = b.CreatePHI(cell.type, 2);
    phi->addIncoming(cell.value, then);
    phi->addIncoming(old, head);
    cell.value = phi;
  }
  b.SetInsertPoint(&call);
  return Error::success();
}

Error AsmTranslator::run() {
  auto &assembly = *cast<InlineAsm>(call.getCalledOperand());
  text = assembly.getAsmString().str();
  std::string instruction = origin.instruction;
  if (Error error = bindOperands())
    return error;
  std::vector<AsmStatement> statements;
  std::vector<std::pair<std::string, std::string>> declarations;
  AsmParser parser(text);
  if (!parser.parse(statements, declarations)) {
    text = parser.current().str();
    return unknown("it cannot be parsed");
  }
  for (auto &[name, type] : declarations) {
    Type *registerType = typeOfRegister(type);
    if (!registerType) {
      text = "." + type;
      return unknown("a register's type");
    }
    cells[name] = {registerType, nullptr};
  }
  for (const AsmStatement &statement : statements)
    if (Error error = translate(statement))
      return error;

  Value *result = nullptr;
  for (auto [i, name] : enumerate(outputs)) {
    Cell &cell = cells[name];
    if (!cell.value)
      return unknown("an output that nothing writes");
    if (!call.getType()->isStructTy())
      result = cell.value;
    else
      result =
          b.CreateInsertValue(result ? result : PoisonValue::get(call.getType()), cell.value, i);
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return Error::success();
}

Error expandInlineAsm(CallInst &call, Rewriter &rewriter) {
  return AsmTranslator(call, rewriter).run();
}

} // namespace ufp4::emulator
