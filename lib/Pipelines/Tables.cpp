//===- Tables.cpp - what the compiler knows, printed ----------------------===//

#include "ufp4/Pipelines/Tables.h"

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Transforms/Recipe.h"
#include "llvm/Support/Format.h"

using namespace ufp4;

static void printFormats(llvm::raw_ostream &os) {
  os << "formats: the magnitudes of codes 0 to 7; code 8 + m is their negative\n";
  for (numerics::Format format : {numerics::Format::E1M2, numerics::Format::E2M1}) {
    os << "  " << stringify(format) << ':';
    for (unsigned m = 0; m < numerics::levelCount; ++m)
      os << ' ' << llvm::format("%g", numerics::level(format, m));
    os << '\n';
  }
  os << "scales\n"
        "  f32: one f32 a block\n"
        "  ue4m3: one E4M3 byte a block, one f32 a tensor\n"
        "  ue8m0: a power of two in a byte a block\n";
  auto printLegal = [&](llvm::StringRef what, auto &&make) {
    os << what << ':';
    for (unsigned size = 1; size <= 256; ++size) {
      numerics::Scheme scheme = make(size);
      if (!numerics::verifyScheme(scheme))
        os << ' ' << size;
    }
    os << '\n';
  };
  printLegal("blocks", [](unsigned size) {
    numerics::Scheme scheme;
    scheme.block = size;
    return scheme;
  });
  printLegal("rotations", [](unsigned size) {
    numerics::Scheme scheme;
    scheme.rotation.size = size;
    return scheme;
  });
}

bool ufp4::printRequestedTables(int argc, char **argv) {
  bool printed = false;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef arg(argv[i]);
    bool recipes = arg == "--print-recipes", formats = arg == "--print-formats",
         capabilities = arg == "--print-capabilities";
    if (recipes)
      printRecipes(llvm::outs());
    if (formats)
      printFormats(llvm::outs());
    if (capabilities)
      target::printCapabilities(llvm::outs());
    printed |= recipes || formats || capabilities;
  }
  return printed;
}
