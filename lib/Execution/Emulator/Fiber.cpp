//===- Fiber.cpp - Stacks that take turns on one host thread ---------------===//

#include "Fiber.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/asan_interface.h>
#endif
#if LLVM_THREAD_SANITIZER_BUILD
#include <sanitizer/tsan_interface.h>
#endif

namespace ufp4::emulator {

namespace {
/// Mapped stacks of one size that no fiber of this host thread has: a stack takes longer to map
/// than most blocks' threads run on it.
struct IdleStacks {
  ~IdleStacks() {
    for (char *stack : stacks)
      munmap(stack, bytes);
  }
  std::vector<char *> stacks;
  size_t bytes = 0;
  static constexpr size_t most = 1024;
};
} // namespace
static thread_local IdleStacks idleStacks;

Fiber::~Fiber() {
  if (!mapping)
    return;
  forgetFrames();
  if (idleStacks.stacks.empty())
    idleStacks.bytes = mappingBytes;
  if (idleStacks.bytes == mappingBytes && idleStacks.stacks.size() < IdleStacks::most)
    idleStacks.stacks.push_back(mapping);
  else
    munmap(mapping, mappingBytes);
}

#if LLVM_ADDRESS_SANITIZER_BUILD
extern "C" void __asan_set_shadow_00(uintptr_t shadow, size_t bytes);
#endif

void Fiber::forgetFrames() {
#if LLVM_ADDRESS_SANITIZER_BUILD
  // Frames that never return leave their marks behind. Unpoisoning in the documented way is
  // switched off with all poisoning that is not of the compiler's making.
  size_t scale, offset;
  __asan_get_shadow_mapping(&scale, &offset);
  __asan_set_shadow_00((reinterpret_cast<uintptr_t>(mapping) >> scale) + offset,
                       mappingBytes >> scale);
#endif
#if LLVM_THREAD_SANITIZER_BUILD
  if (tracked)
    __tsan_destroy_fiber(tracked);
  tracked = nullptr;
#endif
}

void Fiber::resume() {
#if LLVM_THREAD_SANITIZER_BUILD
  if (!tracked)
    tracked = __tsan_create_fiber(0);
  trackedCaller = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(tracked, 0);
#endif
  enter();
}

void Fiber::suspend() {
#if LLVM_THREAD_SANITIZER_BUILD
  __tsan_switch_to_fiber(trackedCaller, 0);
#endif
  leave();
}

bool Fiber::allocate(size_t stackBytes) {
  guardBytes = size_t(sysconf(_SC_PAGESIZE));
  mappingBytes = (stackBytes + guardBytes - 1) / guardBytes * guardBytes + guardBytes;
  if (idleStacks.bytes == mappingBytes && !idleStacks.stacks.empty()) {
    mapping = idleStacks.stacks.back();
    idleStacks.stacks.pop_back();
    return true;
  }
  void *memory = mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  mapping = static_cast<char *>(memory);
  return mprotect(mapping, guardBytes, PROT_NONE) == 0;
}

bool Fiber::contains(const void *address) const {
  auto *byte = static_cast<const char *>(address);
  return byte >= mapping + guardBytes && byte < mapping + mappingBytes;
}

void Fiber::run(Fiber *fiber) {
  fiber->entry(fiber->argument);
  llvm_unreachable("a fiber's entry returned");
}

#if UFP4_FIBER_SWITCH

// Saves the callee-saved registers and the stack pointer, and takes up those of the other stack;
// the third argument is what a new stack's code is called with.
extern "C" void ufp4EmulatorSwitch(void **saved, void *next, void *argument);
asm(R"(
  .text
  .type ufp4EmulatorSwitch, @function
ufp4EmulatorSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  movq %rdx, %rdi
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size ufp4EmulatorSwitch, .-ufp4EmulatorSwitch
)");

void Fiber::start(void (*newEntry)(void *), void *newArgument) {
  forgetFrames();
  entry = newEntry;
  argument = newArgument;
  auto *top = reinterpret_cast<uint64_t *>(mapping + mappingBytes);
  // At a function's first instruction the stack is 8 bytes off a multiple of 16.
  *--top = 0;
  *--top = reinterpret_cast<uint64_t>(&Fiber::run);
  for (int i = 0; i < 6; ++i)
    *--top = 0;
  stackPointer = top;
}

void Fiber::enter() { ufp4EmulatorSwitch(&callerStackPointer, stackPointer, this); }
void Fiber::leave() { ufp4EmulatorSwitch(&stackPointer, callerStackPointer, nullptr); }

#else

/// The fiber that the host thread is on or about to enter.
static thread_local Fiber *running;

void Fiber::start(void (*newEntry)(void *), void *newArgument) {
  forgetFrames();
  entry = newEntry;
  argument = newArgument;
  getcontext(&context);
  context.uc_stack.ss_sp = mapping + guardBytes;
  context.uc_stack.ss_size = mappingBytes - guardBytes;
  context.uc_link = nullptr;
  makecontext(&context, &Fiber::runCurrent, 0);
}

void Fiber::runCurrent() { run(running); }

void Fiber::enter() {
  running = this;
  swapcontext(&caller, &context);
}

void Fiber::leave() { swapcontext(&context, &caller); }

#endif

} // namespace ufp4::emulator
