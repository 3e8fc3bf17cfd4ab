/* What a library of disagree.mlir says of extents; see disagreeing-extents.test. */

#include "lib.h"

#include <stdio.h>
#include <stdlib.h>

static int problems;
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("not so: " #condition "\n");                                                          \
      ++problems;                                                                                  \
    }                                                                                              \
  } while (0)

static float numbers[4096];
static uint16_t halves[4096];

static int callMain(int64_t rows, int64_t columns, int64_t cRows, int64_t cColumns) {
  struct lib_main_arguments arguments = {0};
  struct lib_main_results results = {0};
  arguments.arg0 = halves;
  arguments.arg0_shape[0] = rows;
  arguments.arg0_shape[1] = 32;
  arguments.w = halves;
  arguments.w_shape[0] = 32;
  arguments.w_shape[1] = columns;
  arguments.arg2 = numbers;
  arguments.arg2_shape[0] = cRows;
  arguments.arg2_shape[1] = cColumns;
  int status = lib_main(&arguments, &results);
  if (!status)
    lib_free(results.out0);
  return status;
}

static int callProduct(int64_t m, int64_t k, int64_t otherK, int64_t n) {
  struct lib_calls_arguments arguments = {0};
  struct lib_calls_results results = {0};
  arguments.arg0 = arguments.arg1 = arguments.arg2 = numbers;
  arguments.arg0_shape[0] = arguments.arg2_shape[0] = m;
  arguments.arg0_shape[1] = k;
  arguments.arg1_shape[0] = otherK;
  arguments.arg1_shape[1] = arguments.arg2_shape[1] = n;
  int status = lib_calls(&arguments, &results);
  if (!status)
    lib_free(results.out0);
  return status;
}

static int callFree(int64_t a, int64_t b, uint8_t condition) {
  struct lib_free_2_arguments arguments = {0};
  struct lib_free_2_results results = {0};
  arguments.arg0 = arguments.arg1 = numbers;
  arguments.arg0_shape[0] = a;
  arguments.arg1_shape[0] = b;
  arguments.arg2 = &condition;
  int status = lib_free_2(&arguments, &results);
  if (!status)
    lib_free(results.out0);
  return status;
}

static int is(int status, int code, int field) {
  return LIB_CODE(status) == code && LIB_FIELD(status) == field;
}

int main(void) {
  const int64_t half = INT64_C(1) << 62;
  CHECK(callMain(6, 5, 6, 5) == LIB_OK);
  CHECK(is(callMain(6, 5, 4, 5), LIB_WRONG_SHAPE, 3));
  CHECK(is(callMain(6, 5, 6, 7), LIB_WRONG_SHAPE, 3));
  CHECK(callProduct(3, 8, 8, 5) == LIB_OK);
  CHECK(is(callProduct(3, 8, 7, 5), LIB_WRONG_SHAPE, 2));
  /* Nothing has to agree where the branch is not taken. */
  CHECK(callFree(3, 4, 0) == LIB_OK);
  /* 4 x 2^62 elements wrap to none, 2^62 x 2^62 too, and 2^61 floats to as many bytes. */
  CHECK(is(callProduct(4, half, half, 1), LIB_WRONG_SHAPE, 1));
  CHECK(is(callProduct(half, half, half, half), LIB_WRONG_SHAPE, 1));
  CHECK(is(callFree(half / 2, 1, 0), LIB_WRONG_SHAPE, 1));
  CHECK(is(callFree(1, half, 0), LIB_WRONG_SHAPE, 2));
  CHECK(is(callProduct(0, half, half, 4), LIB_WRONG_SHAPE, 1));
  CHECK(callProduct(0, 8, 8, 0) == LIB_OK);
  printf("%d problems\n", problems);
  return problems != 0;
}
