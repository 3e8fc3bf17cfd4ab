//===- CInterface.cpp - Compiled entries as functions of C ----------------===//

#include "ufp4/Driver/CInterface.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Support/Runtime.h"
#include "ufp4/Support/Version.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using llvm::Value;
using mlir::ShapedType;

namespace ufp4 {

//===----------------------------------------------------------------------===//
// Statuses
//===----------------------------------------------------------------------===//

namespace {
enum class Status { OK, NullPointer, Misaligned, WrongShape, Overlap, OutOfMemory };

struct StatusInfo {
  StringRef name, meaning;
};
} // namespace

static constexpr StatusInfo kStatuses[] = {
    {"OK", "the results are written"},
    {"NULL_POINTER", "a structure or a field is a null pointer"},
    {"MISALIGNED", "an address is no multiple of its element's size"},
    {"WRONG_SHAPE", "extents that are negative, too great, or not those that the function wants"},
    {"OVERLAP", "a result shares memory with an argument or an earlier result"},
    {"OUT_OF_MEMORY", "no memory for a result"}};

/// A status holds its code in the low bits and the number of a field, from 1 on, above.
static constexpr unsigned kFieldShift = 8;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Words of C23 and C++23, and what common compilers and headers define as macros.
static bool isReserved(StringRef word) {
  static constexpr StringRef text =
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char "
      "char16_t char32_t char8_t class co_await co_return co_yield compl concept const "
      "const_cast consteval constexpr constinit continue decltype default delete do double "
      "dynamic_cast else enum explicit export extern false float for friend goto if inline "
      "int linux long mutable namespace new noexcept not not_eq nullptr operator or or_eq "
      "private protected public register reinterpret_cast requires restrict return short "
      "signed sizeof static static_assert static_cast struct switch template this "
      "thread_local throw true try typedef typeid typename typeof typeof_unqual union unix "
      "unsigned using virtual void volatile wchar_t while xor xor_eq errno I complex i386 "
      "imaginary noreturn stderr stdin stdout";
  static const llvm::StringSet<> words = [] {
    llvm::SmallVector<StringRef, 128> list;
    text.split(list, ' ');
    llvm::StringSet<> set;
    for (StringRef word : list)
      set.insert(word);
    return set;
  }();
  // C keeps these for words and macros to come, `_Bool` and `__LINE__` among them.
  bool isKept =
      word.starts_with("__") || (word.size() > 1 && word[0] == '_' && llvm::isUpper(word[1]));
  return isKept || words.contains(word);
}

/// Whether a header may have made the word a type's name or, as most of their names are without
/// small letters, a macro.
static bool isHeaders(StringRef word) {
  return word.ends_with("_t") || (word.size() > 1 && llvm::none_of(word, llvm::isLower) &&
                                  llvm::any_of(word, llvm::isUpper));
}

static bool isIdentifierCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

bool isCIdentifier(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, isIdentifierCharacter) && !isReserved(text);
}

/// What may stand in an identifier, after `prefix`; with a `_` behind where it would be C's.
static std::string makeIdentifier(StringRef name, const std::string &prefix = "") {
  std::string text;
  for (char c : name)
    text += isIdentifierCharacter(c) ? c : '_';
  if (text.empty() || llvm::isDigit(text.front()))
    text.insert(text.begin(), '_');
  text.insert(0, prefix);
  return isReserved(text) || isHeaders(text) ? text + "_" : text;
}

namespace {
/// The names of one scope, each given once.
class Names {
public:
  std::string claim(const std::string &name) {
    std::string free = name;
    for (unsigned i = 2; !taken.insert(free).second; ++i)
      free = name + "_" + std::to_string(i);
    return free;
  }

private:
  llvm::StringSet<> taken;
};
} // namespace

static bool isDynamic(const TensorSignature &tensor) {
  return ShapedType::isDynamicShape(tensor.shape);
}

static std::vector<CField> nameFields(llvm::ArrayRef<TensorSignature> tensors,
                                      std::optional<unsigned> rng) {
  Names names;
  std::vector<CField> fields;
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    if (rng == i) {
      std::string seed = names.claim("seed");
      fields.push_back({std::move(seed), names.claim("step")});
      continue;
    }
    std::string field = names.claim(makeIdentifier(tensor.name));
    fields.push_back({field, isDynamic(tensor) ? names.claim(field + "_shape") : ""});
  }
  return fields;
}

CInterface::CInterface(std::string name, std::vector<EntrySignature> signatures)
    : library(std::move(name)) {
  Names names;
  names.claim(library + "_free");
  for (StringRef macro : {"_H", "_CODE", "_FIELD"})
    names.claim(StringRef(library).upper() + macro.str());
  for (const StatusInfo &status : kStatuses)
    names.claim(StringRef(library).upper() + "_" + status.name.str());
  for (EntrySignature &signature : signatures) {
    CFunction &function = entries.emplace_back();
    function.name = names.claim(makeIdentifier(signature.name, library + "_"));
    function.arguments = nameFields(signature.arguments, signature.rng);
    function.results = nameFields(signature.results, std::nullopt);
    function.signature = std::move(signature);
  }
}

bool CInterface::allocates() const {
  return llvm::any_of(entries, [](const CFunction &function) {
    return llvm::any_of(function.signature.results, isDynamic);
  });
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static StringRef cType(ElementType type) {
  switch (type) {
  case ElementType::Bool:
  case ElementType::UInt8:
    return "uint8_t";
  case ElementType::Int8:
    return "int8_t";
  case ElementType::Int16:
    return "int16_t";
  case ElementType::UInt16:
  case ElementType::BF16:
  case ElementType::F16:
    return "uint16_t";
  case ElementType::Int32:
    return "int32_t";
  case ElementType::UInt32:
    return "uint32_t";
  case ElementType::Int64:
    return "int64_t";
  case ElementType::UInt64:
    return "uint64_t";
  case ElementType::F32:
    return "float";
  case ElementType::F64:
    return "double";
  }
  llvm_unreachable("every element type has one of C");
}

/// `p.w1: bf16 [64][128]`, fit for a comment.
static std::string describeField(const TensorSignature &tensor) {
  std::string text = tensor.name + ": ";
  for (size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
    text[at + 1] = '_';
  text += name(tensor.type);
  if (tensor.type == ElementType::Bool)
    text += ", 0 or 1,";
  text += ' ';
  for (int64_t extent : tensor.shape)
    text += "[" + (ShapedType::isDynamic(extent) ? std::string("?") : std::to_string(extent)) + "]";
  return text + (tensor.shape.empty() ? "one element" : "");
}

static void printStructure(llvm::raw_ostream &os, const Twine &name,
                           llvm::ArrayRef<TensorSignature> tensors, llvm::ArrayRef<CField> fields,
                           std::optional<unsigned> rng, bool written) {
  os << "struct " << name << " {\n";
  for (auto [i, tensor, field] : llvm::enumerate(tensors, fields)) {
    if (rng == i) {
      os << "  uint64_t " << field.name << "; /* of the random words */\n";
      os << "  uint32_t " << field.second << ";\n";
      continue;
    }
    os << "  " << (written ? "" : "const ") << cType(tensor.type) << " *" << field.name << "; /* "
       << describeField(tensor) << " */\n";
    if (!field.second.empty())
      os << "  int64_t " << field.second << '[' << tensor.shape.size() << "];\n";
  }
  // C has no empty structures.
  if (tensors.empty())
    os << "  void *unused;\n";
  os << "};\n";
}

std::string CInterface::header() const {
  std::string text, upper = StringRef(library).upper();
  llvm::raw_string_ostream os(text);
  os << "/* Made by ufp4-compile " << kVersion
     << ". Arrays are dense, in C order; bf16 and f16 are bit patterns.\n"
        " * Functions may run in any number of threads at once. */\n"
     << "#ifndef " << upper << "_H\n#define " << upper << "_H\n\n#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  os << "/* " << upper << "_CODE of what a function returns. " << upper
     << "_FIELD is the number of the field that it is about,\n"
        " * those of the arguments from 1 on and then the results; 0: a structure. */\n"
     << "enum {\n";
  for (auto [i, status] : llvm::enumerate(kStatuses))
    os << "  " << upper << '_' << status.name << " = " << i << ", /* " << status.meaning << " */\n";
  os << "};\n#define " << upper << "_CODE(status) ((status) & " << (1 << kFieldShift) - 1
     << ")\n#define " << upper << "_FIELD(status) ((status) >> " << kFieldShift << ")\n";
  for (const CFunction &function : entries) {
    const EntrySignature &signature = function.signature;
    bool fills = llvm::any_of(signature.results, isDynamic);
    os << '\n';
    printStructure(os, function.name + "_arguments", signature.arguments, function.arguments,
                   signature.rng, /*written=*/false);
    printStructure(os, function.name + "_results", signature.results, function.results,
                   std::nullopt, /*written=*/true);
    if (fills)
      os << "/* Results with [?] are pointed to memory that " << library << "_free frees. */\n";
    os << "int " << function.name << "(const struct " << function.name << "_arguments *arguments, "
       << (fills ? "" : "const ") << "struct " << function.name << "_results *results);\n";
  }
  if (allocates())
    os << "\nvoid " << library << "_free(void *memory);\n";
  os << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return text;
}

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

static llvm::json::Object fieldToJSON(const TensorSignature &tensor, const CField &field) {
  llvm::json::Array shape;
  for (int64_t extent : tensor.shape)
    shape.push_back(ShapedType::isDynamic(extent) ? llvm::json::Value(nullptr)
                                                  : llvm::json::Value(extent));
  llvm::json::Value shapeField = nullptr;
  if (isDynamic(tensor))
    shapeField = field.second;
  return llvm::json::Object{{"name", tensor.name},
                            {"field", field.name},
                            {"shape_field", std::move(shapeField)},
                            {"element", name(tensor.type)},
                            {"shape", std::move(shape)},
                            {"layout", "row_major"}};
}

llvm::json::Array CInterface::entriesToJSON() const {
  llvm::json::Array array;
  for (const CFunction &function : entries) {
    const EntrySignature &signature = function.signature;
    llvm::json::Array arguments, results;
    for (auto [i, tensor, field] : llvm::enumerate(signature.arguments, function.arguments)) {
      if (signature.rng == i) {
        arguments.push_back(llvm::json::Object{
            {"kind", "rng"},
            {"seed_field", field.name},
            {"step_field", field.second},
            {"meaning", "the 64-bit seed and the 32-bit step of every random word: equal ones give "
                        "equal bits, so a step of training takes its own number"}});
        continue;
      }
      llvm::json::Object object = fieldToJSON(tensor, field);
      object["kind"] = "input";
      arguments.push_back(std::move(object));
    }
    for (auto [tensor, field] : llvm::zip_equal(signature.results, function.results)) {
      llvm::json::Object object = fieldToJSON(tensor, field);
      object["memory"] = isDynamic(tensor) ? library + "_free" : "caller";
      results.push_back(std::move(object));
    }
    array.push_back(llvm::json::Object{{"name", signature.name},
                                       {"function", function.name},
                                       {"arguments", std::move(arguments)},
                                       {"results", std::move(results)}});
  }
  return array;
}

llvm::json::Object CInterface::statusesToJSON() const {
  llvm::json::Object object;
  for (auto [i, status] : llvm::enumerate(kStatuses))
    object[StringRef(library).upper() + "_" + status.name.str()] = int64_t(i);
  return object;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

static constexpr StringRef kOverlap = "ufp4.overlap", kContains = "ufp4.contains";

/// `i64 ufp4.overlap(ptr ranges, i64 first, i64 count)`: the first of the ranges [begin, end) from
/// `first` on that shares a byte with one before it, else -1.
static void addOverlap(llvm::Module &module) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *word = b.getInt64Ty();
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(word, {b.getPtrTy(), word, word}, false),
                             llvm::GlobalValue::InternalLinkage, kOverlap, module);
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(module.getContext(), name, function);
  };
  llvm::BasicBlock *entry = block("entry"), *outer = block("outer"), *inner = block("inner"),
                   *pair = block("pair"), *next = block("next"), *done = block("done");
  Value *ranges = function->getArg(0), *first = function->getArg(1), *count = function->getArg(2);
  b.SetInsertPoint(entry);
  b.CreateBr(outer);

  b.SetInsertPoint(outer);
  llvm::PHINode *i = b.CreatePHI(word, 2);
  i->addIncoming(first, entry);
  b.CreateCondBr(b.CreateICmpSLT(i, count), inner, done);

  b.SetInsertPoint(inner);
  llvm::PHINode *j = b.CreatePHI(word, 2);
  j->addIncoming(b.getInt64(0), outer);
  b.CreateCondBr(b.CreateICmpSLT(j, i), pair, next);

  b.SetInsertPoint(pair);
  auto load = [&](Value *range, unsigned end) {
    Value *index = b.CreateAdd(b.CreateMul(range, b.getInt64(2)), b.getInt64(end));
    return b.CreateLoad(word, b.CreateGEP(word, ranges, index));
  };
  Value *beginI = load(i, 0), *endI = load(i, 1), *beginJ = load(j, 0), *endJ = load(j, 1);
  // Not of empty ranges: the greater begin lies before the lesser end.
  Value *begin = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, beginI, beginJ);
  Value *end = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, endI, endJ);
  j->addIncoming(b.CreateAdd(j, b.getInt64(1)), pair);
  b.CreateCondBr(b.CreateICmpULT(begin, end), done, inner);

  b.SetInsertPoint(next);
  i->addIncoming(b.CreateAdd(i, b.getInt64(1)), next);
  b.CreateBr(outer);

  b.SetInsertPoint(done);
  llvm::PHINode *found = b.CreatePHI(word, 2);
  found->addIncoming(b.getInt64(-1), outer);
  found->addIncoming(i, pair);
  b.CreateRet(found);
}

/// `i1 ufp4.contains(ptr words, i64 count, i64 word)`.
static void addContains(llvm::Module &module) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *word = b.getInt64Ty();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(b.getInt1Ty(), {b.getPtrTy(), word, word}, false),
      llvm::GlobalValue::InternalLinkage, kContains, module);
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(module.getContext(), name, function);
  };
  llvm::BasicBlock *entry = block("entry"), *loop = block("loop"), *compare = block("compare"),
                   *done = block("done");
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *i = b.CreatePHI(word, 2);
  i->addIncoming(b.getInt64(0), entry);
  b.CreateCondBr(b.CreateICmpSLT(i, function->getArg(1)), compare, done);
  b.SetInsertPoint(compare);
  Value *found = b.CreateLoad(word, b.CreateGEP(word, function->getArg(0), i));
  i->addIncoming(b.CreateAdd(i, b.getInt64(1)), compare);
  b.CreateCondBr(b.CreateICmpEQ(found, function->getArg(2)), done, loop);
  b.SetInsertPoint(done);
  llvm::PHINode *result = b.CreatePHI(b.getInt1Ty(), 2);
  result->addIncoming(b.getFalse(), loop);
  result->addIncoming(b.getTrue(), compare);
  b.CreateRet(result);
}

/// A function that the library exports. Error: the C library has one of that name, which the
/// library's own code and the program that loads it would no longer reach.
static Expected<llvm::Function *> addExported(llvm::Module &module, llvm::FunctionType *type,
                                              StringRef name) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  if (module.getNamedValue(name) || llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()))
    return fail("the function '" + name +
                "' would hide one that the C library or the compiled "
                "code has; give another --name=NAME");
  llvm::Function *function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  return function;
}

static size_t descriptorWords(const TensorSignature &tensor) { return 3 + 2 * tensor.shape.size(); }

namespace {
/// Writes one function: checks, descriptors for the entry's C interface, the call, and what becomes
/// of the results that the entry returns.
class FunctionWriter {
public:
  FunctionWriter(llvm::Module &module, const CFunction &function, bool outParams)
      : module(module), function(function), signature(function.signature), outParams(outParams),
        b(module.getContext()) {}

  Error write();

private:
  void takeArguments();
  void takeResults();
  void checkOverlap();
  Value *giveReturned();
  void freeReturned();

  /// A buffer that the caller passes as field `number`: not null unless it is empty, aligned, and
  /// noted among the ranges.
  void takeBuffer(const TensorSignature &tensor, Value *data, llvm::ArrayRef<Value *> extents,
                  unsigned number);
  /// Passes a descriptor to the entry.
  void describe(Value *data, llvm::ArrayRef<Value *> extents);
  void noteRange(unsigned number, Value *begin, Value *end);

  /// Returns a status where `condition` is false, and goes on where it is true.
  void require(Value *condition, Value *status);
  void require(Value *condition, Status status, unsigned number) {
    require(condition, getStatus(status, number));
  }
  Value *getStatus(Status status, unsigned number = 0) {
    return b.getInt32(unsigned(status) | number << kFieldShift);
  }

  /// The address of the 64-bit word `index` of a structure, a descriptor or an array.
  Value *at(Value *base, size_t index) {
    return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), base, index);
  }
  Value *loadWord(Value *base, size_t index) {
    return b.CreateLoad(b.getInt64Ty(), at(base, index));
  }
  Value *loadPointer(Value *base, size_t index) {
    return b.CreateLoad(b.getPtrTy(), at(base, index));
  }
  Value *countBytes(const TensorSignature &tensor, llvm::ArrayRef<Value *> extents) {
    Value *bytes = b.getInt64(byteWidth(tensor.type));
    for (Value *extent : extents)
      bytes = b.CreateMul(bytes, extent);
    return bytes;
  }
  /// Requires extents of which none is negative to come to bytes that an i64 counts, those of an
  /// empty array too, since strides are products as well.
  void requireCountable(const TensorSignature &tensor, llvm::ArrayRef<Value *> extents,
                        unsigned number) {
    Value *bytes = b.getInt64(byteWidth(tensor.type)), *fits = b.getTrue();
    for (Value *extent : extents) {
      Value *atLeastOne = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, extent, b.getInt64(1));
      Value *product =
          b.CreateBinaryIntrinsic(llvm::Intrinsic::smul_with_overflow, bytes, atLeastOne);
      bytes = b.CreateExtractValue(product, 0);
      fits = b.CreateAnd(fits, b.CreateNot(b.CreateExtractValue(product, 1)));
    }
    require(fits, Status::WrongShape, number);
  }
  Value *allocateWords(size_t count) {
    return b.CreateAlloca(b.getInt64Ty(), b.getInt64(std::max<size_t>(count, 1)));
  }
  llvm::BasicBlock *addBlock(const char *name = "") {
    return llvm::BasicBlock::Create(module.getContext(), name, code);
  }

  llvm::Module &module;
  const CFunction &function;
  const EntrySignature &signature;
  bool outParams;
  llvm::IRBuilder<> b;
  llvm::Function *code = nullptr;
  Value *ranges = nullptr, *frame = nullptr, *returned = nullptr, *rng = nullptr;
  size_t nextWord = 0;
  /// Where the arguments' elements are, and what the entry's C interface takes.
  std::vector<Value *> argumentData, passed;
};

/// A result as an entry returned it.
struct Returned {
  Value *data, *bytes;
  llvm::SmallVector<Value *> extents;
};
} // namespace

void FunctionWriter::require(Value *condition, Value *status) {
  llvm::BasicBlock *go = addBlock(), *stop = addBlock();
  b.CreateCondBr(condition, go, stop);
  b.SetInsertPoint(stop);
  b.CreateRet(status);
  b.SetInsertPoint(go);
}

void FunctionWriter::noteRange(unsigned number, Value *begin, Value *end) {
  b.CreateStore(begin, at(ranges, 2 * (number - 1)));
  b.CreateStore(end, at(ranges, 2 * (number - 1) + 1));
}

void FunctionWriter::describe(Value *data, llvm::ArrayRef<Value *> extents) {
  Value *descriptor = at(frame, nextWord);
  nextWord += 3 + 2 * extents.size();
  b.CreateStore(data, at(descriptor, 0));
  b.CreateStore(data, at(descriptor, 1));
  b.CreateStore(b.getInt64(0), at(descriptor, 2));
  Value *stride = b.getInt64(1);
  for (size_t i = extents.size(); i-- > 0;) {
    b.CreateStore(extents[i], at(descriptor, 3 + i));
    b.CreateStore(stride, at(descriptor, 3 + extents.size() + i));
    stride = b.CreateMul(stride, extents[i]);
  }
  passed.push_back(descriptor);
}

void FunctionWriter::takeBuffer(const TensorSignature &tensor, Value *data,
                                llvm::ArrayRef<Value *> extents, unsigned number) {
  Value *bytes = countBytes(tensor, extents);
  Value *empty = b.CreateICmpEQ(bytes, b.getInt64(0));
  require(b.CreateOr(empty, b.CreateIsNotNull(data)), Status::NullPointer, number);
  Value *begin = b.CreatePtrToInt(data, b.getInt64Ty());
  Value *low = b.CreateAnd(begin, b.getInt64(byteWidth(tensor.type) - 1));
  require(b.CreateICmpEQ(low, b.getInt64(0)), Status::Misaligned, number);
  noteRange(number, begin, b.CreateAdd(begin, bytes));
}

void FunctionWriter::takeArguments() {
  Value *structure = code->getArg(0);
  size_t word = 0;
  std::vector<llvm::SmallVector<Value *>> given(signature.arguments.size());
  for (auto [i, tensor] : llvm::enumerate(signature.arguments)) {
    unsigned number = i + 1;
    if (signature.rng == i) {
      Value *seed = loadWord(structure, word++);
      Value *step = b.CreateLoad(b.getInt32Ty(), at(structure, word++));
      Value *low = b.CreateTrunc(seed, b.getInt32Ty());
      Value *high = b.CreateTrunc(b.CreateLShr(seed, 32), b.getInt32Ty());
      Value *values[] = {low, high, step};
      for (auto [j, value] : llvm::enumerate(values))
        b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), rng, j));
      noteRange(number, b.getInt64(0), b.getInt64(0));
      argumentData.push_back(rng);
      describe(rng, {b.getInt64(3)});
      continue;
    }
    Value *data = loadPointer(structure, word++);
    llvm::SmallVector<Value *> extents;
    for (int64_t extent : tensor.shape) {
      Value *fixed = b.getInt64(extent);
      if (!isDynamic(tensor)) {
        extents.push_back(fixed);
        continue;
      }
      Value *given = loadWord(structure, word++);
      extents.push_back(given);
      require(ShapedType::isDynamic(extent) ? b.CreateICmpSGE(given, b.getInt64(0))
                                            : b.CreateICmpEQ(given, fixed),
              Status::WrongShape, number);
    }
    if (isDynamic(tensor))
      requireCountable(tensor, extents, number);
    takeBuffer(tensor, data, extents, number);
    argumentData.push_back(data);
    given[i] = extents;
    describe(data, extents);
  }
  for (const ExtentRule &rule : signature.extentRules) {
    Value *expected =
        rule.value ? b.getInt64(*rule.value) : given[rule.otherArgument][rule.otherDim];
    require(b.CreateICmpEQ(given[rule.argument][rule.dim], expected), Status::WrongShape,
            rule.argument + 1);
  }
}

void FunctionWriter::takeResults() {
  Value *structure = code->getArg(1);
  size_t word = 0;
  for (auto [i, tensor] : llvm::enumerate(signature.results)) {
    unsigned number = signature.arguments.size() + i + 1;
    if (isDynamic(tensor)) {
      word += 1 + tensor.shape.size();
      noteRange(number, b.getInt64(0), b.getInt64(0));
      continue;
    }
    llvm::SmallVector<Value *> extents;
    for (int64_t extent : tensor.shape)
      extents.push_back(b.getInt64(extent));
    Value *data = loadPointer(structure, word++);
    takeBuffer(tensor, data, extents, number);
    if (outParams)
      describe(data, extents);
  }
}

void FunctionWriter::checkOverlap() {
  size_t arguments = signature.arguments.size(), fields = arguments + signature.results.size();
  Value *shared = b.CreateCall(module.getFunction(kOverlap),
                               {ranges, b.getInt64(arguments), b.getInt64(fields)});
  Value *number = b.CreateAdd(b.CreateTrunc(shared, b.getInt32Ty()), b.getInt32(1));
  require(b.CreateICmpSLT(shared, b.getInt64(0)),
          b.CreateOr(b.CreateShl(number, kFieldShift), unsigned(Status::Overlap)));
}

/// Copies what the entry returned to where the caller wants it; the status. The entry may return
/// one buffer twice, or an argument's, and buffers that begin before their elements, so that no
/// caller could free them.
Value *FunctionWriter::giveReturned() {
  llvm::FunctionCallee allocate =
      module.getOrInsertFunction("malloc", b.getPtrTy(), b.getInt64Ty());
  llvm::FunctionCallee release = module.getOrInsertFunction("free", b.getVoidTy(), b.getPtrTy());
  std::vector<Returned> results;
  Value *descriptor = returned, *good = b.getTrue();
  std::vector<Value *> copies;
  for (const TensorSignature &tensor : signature.results) {
    Returned &result = results.emplace_back();
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      result.extents.push_back(loadWord(descriptor, 3 + i));
    result.bytes = countBytes(tensor, result.extents);
    Value *offset = b.CreateMul(loadWord(descriptor, 2), b.getInt64(byteWidth(tensor.type)));
    result.data = b.CreateGEP(b.getInt8Ty(), loadPointer(descriptor, 1), offset);
    descriptor = at(descriptor, descriptorWords(tensor));
    if (!isDynamic(tensor))
      continue;
    Value *copy = b.CreateCall(
        allocate, {b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, result.bytes, b.getInt64(1))});
    copies.push_back(copy);
    good = b.CreateAnd(good, b.CreateIsNotNull(copy));
  }
  llvm::BasicBlock *give = addBlock("give"), *drop = addBlock("drop"), *done = addBlock("done");
  b.CreateCondBr(good, give, drop);

  b.SetInsertPoint(drop);
  for (Value *copy : copies)
    b.CreateCall(release, {copy});
  b.CreateBr(done);

  b.SetInsertPoint(give);
  Value *structure = code->getArg(1);
  size_t word = 0, next = 0;
  for (auto [tensor, result] : llvm::zip_equal(signature.results, results)) {
    Value *target = isDynamic(tensor) ? copies[next++] : loadPointer(structure, word);
    b.CreateMemCpy(target, llvm::MaybeAlign(1), result.data, llvm::MaybeAlign(1), result.bytes);
    if (!isDynamic(tensor)) {
      ++word;
      continue;
    }
    b.CreateStore(target, at(structure, word++));
    for (Value *extent : result.extents)
      b.CreateStore(extent, at(structure, word++));
  }
  b.CreateBr(done);

  b.SetInsertPoint(done);
  llvm::PHINode *status = b.CreatePHI(b.getInt32Ty(), 2);
  status->addIncoming(getStatus(Status::OK), give);
  status->addIncoming(getStatus(Status::OutOfMemory), drop);
  return status;
}

/// Frees each buffer that the entry returned, other than arguments, once.
void FunctionWriter::freeReturned() {
  llvm::FunctionCallee release = module.getOrInsertFunction("free", b.getVoidTy(), b.getPtrTy());
  size_t known = argumentData.size();
  Value *owners = allocateWords(known + signature.results.size());
  for (auto [i, data] : llvm::enumerate(argumentData))
    b.CreateStore(data, at(owners, i));
  Value *descriptor = returned;
  for (const TensorSignature &tensor : signature.results) {
    Value *owner = loadPointer(descriptor, 0);
    Value *keep = b.CreateCall(module.getFunction(kContains),
                               {owners, b.getInt64(known), loadWord(descriptor, 0)});
    Value *null = llvm::ConstantPointerNull::get(b.getPtrTy());
    b.CreateCall(release, {b.CreateSelect(keep, null, owner)});
    b.CreateStore(owner, at(owners, known++));
    descriptor = at(descriptor, descriptorWords(tensor));
  }
}

Error FunctionWriter::write() {
  llvm::Function *entry =
      module.getFunction(("_mlir_ciface_" + kModelPrefix + signature.name).str());
  if (!entry || entry->isDeclaration())
    return fail("the compiled module has no entry '" + signature.name + "'");
  auto *type = llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy()}, false);
  Expected<llvm::Function *> exported = addExported(module, type, function.name);
  if (!exported)
    return exported.takeError();
  code = *exported;
  b.SetInsertPoint(addBlock());

  size_t words = 0, resultWords = 0;
  for (const TensorSignature &argument : signature.arguments)
    words += descriptorWords(argument);
  for (const TensorSignature &result : signature.results)
    resultWords += descriptorWords(result);
  ranges = allocateWords(2 * (signature.arguments.size() + signature.results.size()));
  frame = allocateWords(words + resultWords);
  rng = allocateWords(2);
  if (!outParams && resultWords) {
    returned = allocateWords(resultWords);
    passed.push_back(returned);
  }
  if (!signature.arguments.empty())
    require(b.CreateIsNotNull(code->getArg(0)), Status::NullPointer, 0);
  if (!signature.results.empty())
    require(b.CreateIsNotNull(code->getArg(1)), Status::NullPointer, 0);
  takeArguments();
  takeResults();
  checkOverlap();
  if (passed.size() != entry->arg_size())
    return fail("'" + signature.name + "' was expected to compile to a function of " +
                Twine(passed.size()) + " buffers, found " + Twine(entry->arg_size()));
  b.CreateCall(entry, passed);
  Value *status = getStatus(Status::OK);
  if (returned) {
    status = giveReturned();
    freeReturned();
  }
  b.CreateRet(status);
  return Error::success();
}

Error CInterface::addFunctions(llvm::Module &module, bool outParams) const {
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
  addOverlap(module);
  addContains(module);
  for (const CFunction &function : entries)
    if (Error error = FunctionWriter(module, function, outParams).write())
      return error;
  if (!allocates())
    return Error::success();
  llvm::IRBuilder<> b(module.getContext());
  llvm::FunctionCallee release = module.getOrInsertFunction("free", b.getVoidTy(), b.getPtrTy());
  Expected<llvm::Function *> function = addExported(
      module, llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false), library + "_free");
  if (!function)
    return function.takeError();
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", *function));
  b.CreateCall(release, {(*function)->getArg(0)});
  b.CreateRetVoid();
  return Error::success();
}

} // namespace ufp4
