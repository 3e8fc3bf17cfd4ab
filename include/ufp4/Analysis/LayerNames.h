//===- LayerNames.h - names of parameters and layers ------------*- C++ -*-===//

#ifndef UFP4_ANALYSIS_LAYERNAMES_H
#define UFP4_ANALYSIS_LAYERNAMES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ufp4 {

/// The attribute that names an argument.
inline constexpr llvm::StringLiteral kNameAttr = "ufp4.name";

/// A path as JAX prints it, made plain: `p['blocks'][0]['wd']` is `p.blocks.0.wd`.
std::string getPlainPath(llvm::StringRef path);

/// An argument's `ufp4.name`, else its location's name made plain, else `arg<N>`.
std::string getArgumentName(mlir::FunctionOpInterface function, unsigned argument);

/// The name stack of a location without transformations and the primitive's own name:
/// `jit(step)/transpose(jvp(layer1))/ffn/down/dot_general` is `layer1/ffn/down`. Stacks of the
/// calls around it come first. Empty where there is none.
std::string getLayerName(mlir::Location location, llvm::ArrayRef<mlir::Operation *> calls);

} // namespace ufp4

#endif // UFP4_ANALYSIS_LAYERNAMES_H
