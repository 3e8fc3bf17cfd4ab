//===- FloatEnvironment.h - The environment every bit assumes ---*- C++ -*-===//
//
// Results of UFP4 never depend on the floating-point state a caller happens to
// run in (XLA:CPU, for one, calls with denormals flushed). Whoever computes
// holds one of these guards; docs/spec.md, section Q, states what it sets.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_FLOATENVIRONMENT_H
#define UFP4_NUMERICS_FLOATENVIRONMENT_H

#include <cfenv>

namespace ufp4::numerics {

/// For its lifetime the calling thread rounds to nearest even, keeps denormals
/// (FTZ and DAZ off) and masks floating-point traps; the destructor puts back
/// the caller's whole state, exception flags included.
///
/// The state belongs to one thread: a worker thread needs a guard of its own.
/// Compilers may move arithmetic across the guard, so put what it protects in
/// a function that is not inlined (`UFP4_NOINLINE`) and works through pointers.
class FloatEnvironment {
public:
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
  std::fenv_t saved;
};

} // namespace ufp4::numerics

#if defined(__GNUC__) && !defined(__clang__)
#define UFP4_NOINLINE __attribute__((noipa))
#elif defined(__GNUC__)
#define UFP4_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define UFP4_NOINLINE __declspec(noinline)
#else
#define UFP4_NOINLINE
#endif

#endif // UFP4_NUMERICS_FLOATENVIRONMENT_H
