//===- Fiber.h - Stacks that take turns on one host thread ------*- C++ -*-===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_FIBER_H
#define UFP4_LIB_EXECUTION_EMULATOR_FIBER_H

#include <cstddef>

// A switch of our own takes nanoseconds; ucontext's asks the kernel for the signal mask.
#ifndef UFP4_FIBER_SWITCH
#if defined(__x86_64__) && defined(__linux__)
#define UFP4_FIBER_SWITCH 1
#else
#define UFP4_FIBER_SWITCH 0
#endif
#endif
#if !UFP4_FIBER_SWITCH
#include <ucontext.h>
#endif

namespace ufp4::emulator {

/// A stack with a guard page below it and the point at which its code stopped.
class Fiber {
public:
  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Allocates the stack; false if there is no memory.
  bool allocate(size_t stackBytes);
  /// Makes the next resume() call `entry(argument)` on an empty stack; what was on it is dropped.
  /// `entry` must not return.
  void start(void (*entry)(void *), void *argument);
  /// Runs the fiber until it suspends; not to be called from a fiber.
  void resume();
  /// Goes back to the caller of resume(); to be called on the fiber itself.
  void suspend();

  bool contains(const void *address) const;

private:
  void forgetFrames();
  /// Enters or leaves the fiber.
  void enter();
  void leave();
  /// What ThreadSanitizer knows the stack by, and the one that resumed it.
  void *tracked = nullptr, *trackedCaller = nullptr;
  char *mapping = nullptr;
  size_t mappingBytes = 0, guardBytes = 0;
#if UFP4_FIBER_SWITCH
  void *stackPointer = nullptr, *callerStackPointer = nullptr;
#else
  ucontext_t context, caller;
  static void runCurrent();
#endif
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  static void run(Fiber *fiber);
};

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_FIBER_H
