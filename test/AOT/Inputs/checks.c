/* What a library of Inputs/entries.mlir promises beside its results: statuses instead of crashes,
 * nothing allocated left behind, the caller's floating-point environment neither used nor changed,
 * any number of threads. Prints what is not so. */
#include "lib.h"

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/* Of the C library, under which the functions below count. */
void *__libc_malloc(size_t size);
void __libc_free(void *memory);

static long living, calls, failing;
static __thread int counting;

void *malloc(size_t size) {
  if (counting && ++calls == failing)
    return NULL;
  living += counting;
  return __libc_malloc(size);
}

void free(void *memory) {
  living -= counting && memory;
  __libc_free(memory);
}

static int problems;
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("line %d: not so: %s\n", __LINE__, #condition);                                       \
      ++problems;                                                                                  \
    }                                                                                              \
  } while (0)

static float x[3 * 4], w[4 * 8], v[4 * 8];

static struct lib_up_1_arguments good(void) {
  struct lib_up_1_arguments arguments = {x, {3, 4}, w};
  return arguments;
}

/* The last call's results, whatever memory they came in. */
static float y[3 * 8];

static int call(struct lib_up_1_arguments arguments) {
  struct lib_up_1_results results = {0};
  int status;
  results.out1 = v;
  status = lib_up_1(&arguments, &results);
  if (status != LIB_OK) {
    CHECK(!results.y_a);
    return status;
  }
  CHECK(results.y_a_shape[0] == arguments.x_shape[0] && results.y_a_shape[1] == 8);
  memcpy(y, results.y_a, arguments.x_shape[0] * 8 * sizeof(float));
  lib_free(results.y_a);
  return status;
}

static int is(int status, int code, int field) {
  return LIB_CODE(status) == code && LIB_FIELD(status) == field;
}

static void check_statuses(void) {
  struct lib_up_1_arguments arguments = good();
  struct lib_up_1_results results = {0};
  CHECK(call(arguments) == LIB_OK);
  CHECK(is(lib_up_1(NULL, &results), LIB_NULL_POINTER, 0));
  CHECK(is(lib_up_1(&arguments, NULL), LIB_NULL_POINTER, 0));
  CHECK(is(lib_up_1(&arguments, &results), LIB_NULL_POINTER, 4));
  results.out1 = w;
  CHECK(is(lib_up_1(&arguments, &results), LIB_OVERLAP, 4));
  results.out1 = w + 31;
  CHECK(is(lib_up_1(&arguments, &results), LIB_OVERLAP, 4));
  arguments.x = NULL;
  CHECK(is(call(arguments), LIB_NULL_POINTER, 1));
  arguments = good();
  arguments.x = (const float *)((const char *)x + 2);
  CHECK(is(call(arguments), LIB_MISALIGNED, 1));
  arguments = good();
  arguments.x_shape[0] = -1;
  CHECK(is(call(arguments), LIB_WRONG_SHAPE, 1));
  arguments.x_shape[0] = 3;
  arguments.x_shape[1] = 5;
  CHECK(is(call(arguments), LIB_WRONG_SHAPE, 1));
  arguments = good();
  arguments.class_ = NULL;
  CHECK(is(call(arguments), LIB_NULL_POINTER, 2));
  /* No rows are fine, and then there is nothing to point to. */
  arguments = good();
  arguments.x = NULL;
  arguments.x_shape[0] = 0;
  CHECK(call(arguments) == LIB_OK);
}

static void check_results_apart(void) {
  float a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, sum[4];
  int32_t words[3];
  int64_t seed = 9, copy;
  struct lib_up_1_2_arguments arguments = {a, b, 0x100000002, 3, &seed};
  struct lib_up_1_2_results results = {sum, words, &copy, sum + 1};
  CHECK(is(lib_up_1_2(&arguments, &results), LIB_OVERLAP, 8));
  results.out3 = a;
  CHECK(is(lib_up_1_2(&arguments, &results), LIB_OVERLAP, 8));
}

static void check_memory(void) {
  double data[5] = {1, 2, 3, 4, 5};
  int8_t bytes[6] = {1, 2, 3, 4, 5, 6};
  struct lib_same_arguments arguments = {data, {5}, bytes, {2, 3}};
  struct lib_same_results results = {0};
  long most;
  counting = 1;
  for (int i = 0; i < 10; ++i) {
    CHECK(call(good()) == LIB_OK);
    calls = 0;
    CHECK(lib_same(&arguments, &results) == LIB_OK);
    most = calls;
    lib_free(results.out0);
    lib_free(results.out1);
    lib_free(results.out2);
    lib_free(results.out3);
    CHECK(living == 0);
  }
  /* The last allocation is a result's; without it none of the others stays. */
  memset(&results, 0, sizeof results);
  calls = 0;
  failing = most;
  CHECK(is(lib_same(&arguments, &results), LIB_OUT_OF_MEMORY, 0));
  CHECK(!results.out0 && living == 0);
  counting = 0;
}

static void check_environment(void) {
  float halves[4 * 8], products[3 * 8];
  int before;
  /* A half of 0x3p-148 is denormal; sums of these products depend on the rounding. */
  for (int i = 0; i < 12; ++i)
    x[i] = 0.1f * i;
  for (int i = 0; i < 32; ++i)
    w[i] = i % 2 ? 0x3p-148f : i / 3.0f;
  CHECK(call(good()) == LIB_OK);
  CHECK(v[1] > 0);
  memcpy(halves, v, sizeof v);
  memcpy(products, y, sizeof y);
  fesetround(FE_UPWARD);
#ifdef __SSE2__
  _mm_setcsr(_mm_getcsr() | 0x8040);
  before = _mm_getcsr();
#else
  before = fegetround();
#endif
  CHECK(call(good()) == LIB_OK);
#ifdef __SSE2__
  CHECK((int)_mm_getcsr() == before);
  _mm_setcsr(0x1F80);
#else
  CHECK(fegetround() == before);
#endif
  fesetround(FE_TONEAREST);
  CHECK(!memcmp(halves, v, sizeof v));
  CHECK(!memcmp(products, y, sizeof y));
}

static void *work(void *failed) {
  for (int i = 0; i < 200; ++i) {
    struct lib_up_1_arguments arguments = good();
    float own[4 * 8];
    struct lib_up_1_results results = {0};
    results.out1 = own;
    if (lib_up_1(&arguments, &results) || memcmp(own, v, sizeof v) ||
        memcmp(results.y_a, y, sizeof y))
      *(int *)failed = 1;
    lib_free(results.y_a);
  }
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[4];
  int failed[4] = {0};
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, &failed[i]);
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(!failed[i]);
  }
}

int main(void) {
  check_statuses();
  check_results_apart();
  check_memory();
  check_environment();
  check_threads();
  printf("%d problems\n", problems);
  return problems != 0;
}
