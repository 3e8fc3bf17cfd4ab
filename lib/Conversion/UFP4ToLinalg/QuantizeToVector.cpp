#include "Patterns.h"
using namespace mlir;
using namespace ufp4;
void ufp4::populateQuantizeToVectorPatterns(RewritePatternSet &patterns,
                                            const PartsTypeConverter &converter, int64_t lanes) {}
