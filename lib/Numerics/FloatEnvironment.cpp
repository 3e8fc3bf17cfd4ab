//===- FloatEnvironment.cpp - The environment every bit assumes -----------===//

#include "ufp4/Numerics/FloatEnvironment.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

using namespace ufp4::numerics;

FloatEnvironment::FloatEnvironment() {
  std::fegetenv(&saved);
  // Nearest even, traps masked; on AArch64 this clears FZ as well.
  std::fesetenv(FE_DFL_ENV);
#if defined(__SSE2__)
  // Not every C library resets FTZ and DAZ: this is the state after reset.
  _mm_setcsr(0x1F80);
#endif
}

FloatEnvironment::~FloatEnvironment() { std::fesetenv(&saved); }
