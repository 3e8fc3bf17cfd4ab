/* Computes y = x w in 4 bits on a GPU: a C program that knows of the kernels what the launcher
 * tells.
 *
 *   ufp4-compile step.mlir --recipe=ufp4 --target=CHIP -o kernels
 *   launch_gemm kernels M N K
 *
 * x [M, K] and w [K, N] are bf16. One kernel quantizes x along its rows, one w along its columns,
 * both along K, where scales ask for it after one that finds the array's maximum; another
 * multiplies the codes. The result is compared with the product in f64. */

#include "ufp4-c/Launcher.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(UFP4Status status) {
  if (status == UFP4_SUCCESS)
    return;
  fprintf(stderr, "launch_gemm: error: %s\n", ufp4LastError());
  exit(1);
}

/* A kernel's values: its extents, then the address of each of its buffers. */
typedef struct Call {
  const UFP4Kernel *kernel;
  UFP4Value values[24];
  size_t count;
} Call;

static void addInteger(Call *call, const char *name, int64_t integer) {
  UFP4Value *value = &call->values[call->count++];
  value->name = name;
  value->as.integer = integer;
}

static void addAddress(Call *call, const char *name, void *address) {
  UFP4Value *value = &call->values[call->count++];
  value->name = name;
  value->as.address = address;
}

static void *getAddress(const Call *call, const char *name) {
  for (size_t i = 0; i < call->count; ++i)
    if (!strcmp(call->values[i].name, name))
      return call->values[i].as.address;
  return NULL;
}

/* Adds the address of an operand's part where the kernel takes it: scales may be in the codes, and
 * a tensor may have none of its own. */
static void addPart(Call *call, const char *name, void *address) {
  UFP4Argument argument;
  for (size_t i = 0; ufp4KernelArgument(call->kernel, i, &argument); ++i)
    if (!strcmp(argument.name, name))
      addAddress(call, argument.name, address);
}

/* Allocates every buffer that the call has no address for yet. */
static void addBuffers(Call *call, UFP4Device *device) {
  UFP4Argument argument;
  size_t extents = call->count;
  for (size_t i = 0; ufp4KernelArgument(call->kernel, i, &argument); ++i) {
    size_t bytes;
    void *address;
    if (argument.kind == UFP4_SCALAR || getAddress(call, argument.name))
      continue;
    check(ufp4KernelArgumentBytes(call->kernel, argument.name, call->values, extents, &bytes));
    check(ufp4DeviceAllocate(device, bytes, &address));
    addAddress(call, argument.name, address);
  }
}

/* From number *at on, a kernel of that role for bf16 along `axis`, to nearest, that rotates as
 * `like` says; one for both axes serves too. NULL for none. */
static const UFP4Kernel *nextKernel(const UFP4Artifact *artifact, size_t *at, UFP4Role role,
                                    const char *axis, const UFP4Scheme *like) {
  const UFP4Kernel *kernel;
  while ((kernel = ufp4ArtifactKernel(artifact, (*at)++)) != NULL) {
    UFP4Scheme inner, outer, own;
    UFP4Argument input;
    int isInner = ufp4KernelScheme(kernel, "inner", &inner);
    int isOuter = ufp4KernelScheme(kernel, "outer", &outer);
    int isNearest = !(isInner && inner.randomBits) && !(isOuter && outer.randomBits);
    if (ufp4KernelRole(kernel) == role && ufp4KernelScheme(kernel, axis, &own) &&
        (isNearest || role == UFP4_AMAX) && ufp4KernelArgument(kernel, 0, &input) &&
        !strcmp(input.element, "bf16") &&
        (!like || (own.rotationSize == like->rotationSize &&
                   own.rotationSigns[0] == like->rotationSigns[0] &&
                   own.rotationSigns[1] == like->rotationSigns[1])))
      return kernel;
  }
  return NULL;
}

/* Quantizes an array [outer, inner] along the axes that the kernel has. */
static Call quantize(const UFP4Artifact *artifact, UFP4Device *device, const UFP4Kernel *kernel,
                     int64_t outer, int64_t inner, const uint16_t *array) {
  static const char *const axes[] = {"inner", "outer"};
  Call call = {kernel, {{0}}, 0};
  addInteger(&call, "g", 1);
  addInteger(&call, "outer", outer);
  addInteger(&call, "inner", inner);
  addBuffers(&call, device);
  check(ufp4DeviceFromHost(device, getAddress(&call, "input"), array, (size_t)(2 * outer * inner),
                           NULL));
  for (size_t i = 0; i < 2; ++i) {
    char name[16];
    snprintf(name, sizeof name, "amax_%s", axes[i]);
    if (!getAddress(&call, name))
      continue;
    UFP4Scheme own;
    size_t at = 0;
    ufp4KernelScheme(kernel, axes[i], &own);
    Call maximum = {nextKernel(artifact, &at, UFP4_AMAX, axes[i], &own), {{0}}, 0};
    if (!maximum.kernel) {
      fprintf(stderr, "launch_gemm: error: no kernel finds the maximum of bf16 along %s\n",
              axes[i]);
      exit(1);
    }
    addInteger(&maximum, "g", 1);
    addInteger(&maximum, "outer", outer);
    addInteger(&maximum, "inner", inner);
    addAddress(&maximum, "input", getAddress(&call, "input"));
    addAddress(&maximum, axes[i][0] == 'i' ? "amax_inner" : "amax_outer", getAddress(&call, name));
    check(ufp4DeviceFill(device, getAddress(&call, name), 0, 1, NULL));
    check(ufp4KernelLaunch(maximum.kernel, maximum.values, maximum.count, NULL));
  }
  check(ufp4KernelLaunch(call.kernel, call.values, call.count, NULL));
  return call;
}

static const UFP4Kernel *findGemm(const UFP4Artifact *artifact) {
  const UFP4Kernel *kernel;
  for (size_t i = 0; (kernel = ufp4ArtifactKernel(artifact, i)) != NULL; ++i)
    if (ufp4KernelRole(kernel) == UFP4_GEMM) {
      /* Itself, or its fallback where the device does not understand its encoding. */
      check(ufp4ArtifactFind(artifact, ufp4KernelName(kernel), &kernel));
      return kernel;
    }
  fprintf(stderr, "launch_gemm: error: no kernel multiplies\n");
  exit(1);
}

static float toFloat(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* Numbers between -1 and 1, as bf16. */
static uint16_t *makeArray(size_t count, uint32_t seed) {
  uint16_t *array = malloc(count * sizeof *array);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    float value = (float)(seed >> 8) / 8388608.0f - 1.0f;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    array[i] = (uint16_t)(word >> 16);
  }
  return array;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: launch_gemm FOLDER M N K\n");
    return 2;
  }
  int64_t m = atoll(argv[2]), n = atoll(argv[3]), k = atoll(argv[4]);
  UFP4Driver *driver;
  UFP4Device *device;
  UFP4Artifact *artifact;
  check(ufp4DriverOpen(UFP4_NVIDIA, NULL, &driver));
  check(ufp4DeviceOpen(driver, 0, &device));
  check(ufp4ArtifactLoad(device, argv[1], &artifact));

  uint16_t *hostX = makeArray((size_t)(m * k), 1), *hostW = makeArray((size_t)(k * n), 2);
  /* Operands of a product are rotated alike. */
  const UFP4Kernel *ofX, *ofW = NULL;
  UFP4Scheme scheme;
  size_t at = 0;
  do {
    size_t any = 0;
    ofX = nextKernel(artifact, &at, UFP4_QUANTIZE, "inner", NULL);
    if (ofX && ufp4KernelScheme(ofX, "inner", &scheme))
      ofW = nextKernel(artifact, &any, UFP4_QUANTIZE, "outer", &scheme);
  } while (ofX && !ofW);
  if (!ofW) {
    fprintf(stderr,
            "launch_gemm: error: no two kernels quantize bf16 along inner and outer with one "
            "rotation, to nearest\n");
    return 1;
  }
  Call x = quantize(artifact, device, ofX, m, k, hostX),
       w = quantize(artifact, device, ofW, k, n, hostW);
  Call y = {findGemm(artifact), {{0}}, 0};

  /* The GEMM's depth is padded to whole blocks and whole rotations. */
  int64_t run = scheme.rotationSize > scheme.block ? scheme.rotationSize : scheme.block;
  addInteger(&y, "g", 1);
  addInteger(&y, "m", m);
  addInteger(&y, "n", n);
  addInteger(&y, "k", (k + run - 1) / run * run);
  addPart(&y, "codes_a", getAddress(&x, "codes_inner"));
  addPart(&y, "scales_a", getAddress(&x, "scales_inner"));
  addPart(&y, "global_a", getAddress(&x, "global_inner"));
  addPart(&y, "codes_b", getAddress(&w, "codes_outer"));
  addPart(&y, "scales_b", getAddress(&w, "scales_outer"));
  addPart(&y, "global_b", getAddress(&w, "global_outer"));
  /* What is left is the result. */
  size_t bytes;
  void *result;
  check(ufp4KernelArgumentBytes(y.kernel, "result", y.values, y.count, &bytes));
  check(ufp4DeviceAllocate(device, bytes, &result));
  addAddress(&y, "result", result);
  check(ufp4KernelLaunch(y.kernel, y.values, y.count, NULL));

  unsigned char *host = malloc(bytes);
  check(ufp4DeviceToHost(device, host, result, bytes, NULL));
  int isNarrow = bytes == (size_t)(2 * m * n);
  double error = 0, norm = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double exact = 0;
      for (int64_t l = 0; l < k; ++l)
        exact += (double)toFloat(hostX[i * k + l]) * toFloat(hostW[l * n + j]);
      size_t at = (size_t)(i * n + j);
      float found =
          isNarrow ? toFloat(((uint16_t *)(void *)host)[at]) : ((float *)(void *)host)[at];
      error += (found - exact) * (found - exact);
      norm += exact * exact;
    }
  printf("%s by %s: relative error %.3f\n", scheme.format, ufp4KernelPath(y.kernel),
         sqrt(error / norm));
  ufp4ArtifactClose(artifact);
  ufp4DeviceClose(device);
  ufp4DriverClose(driver);
  return 0;
}
