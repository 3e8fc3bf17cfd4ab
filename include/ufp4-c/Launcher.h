/*===- Launcher.h - Launching what ufp4-compile wrote ------------*- C -*-===*\
|*                                                                            *|
|* A C99 interface to kernels and their manifest (docs/spec.md, Files). It    *|
|* needs no compiler and links no driver: the vendor's library is loaded when *|
|* it is asked for. Work is put on the caller's stream, in the device's       *|
|* primary context, which the vendor's run time and most frameworks use.      *|
|*                                                                            *|
|* Every function that can fail returns a status and leaves a sentence for    *|
|* ufp4LastError(). Handles may be used by several threads at a time, but not *|
|* closed while they are; what was opened of a handle outlives its closing.   *|
|* Addresses are of the device's memory, sizes in bytes.                      *|
|*                                                                            *|
|* Source: CUDA driver API 13.0; the HIP run time's driver part has the same  *|
|* functions.                                                                 *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef UFP4_C_LAUNCHER_H
#define UFP4_C_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define UFP4_EXPORTED
#else
#define UFP4_EXPORTED __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Errors                                                                     *|
\*===----------------------------------------------------------------------===*/

typedef enum UFP4Status {
  UFP4_SUCCESS = 0,
  /* The machine has no driver, or no such device. */
  UFP4_NO_DEVICE = 1,
  /* The artifact is for another chip, vendor or release of this library. */
  UFP4_INCOMPATIBLE = 2,
  /* A file or an argument is not what it must be. */
  UFP4_INVALID = 3,
  /* The driver refused; the sentence has its words. */
  UFP4_DRIVER_ERROR = 4
} UFP4Status;

/* What the calling thread's last failure was: where, what was expected and found, and the way out.
 * Valid until the thread's next failure; empty before the first. */
UFP4_EXPORTED const char *ufp4LastError(void);

/*===----------------------------------------------------------------------===*\
|* Drivers and devices                                                        *|
\*===----------------------------------------------------------------------===*/

typedef struct UFP4Driver UFP4Driver;
typedef struct UFP4Device UFP4Device;

typedef enum UFP4Vendor { UFP4_NVIDIA = 0, UFP4_AMD = 1 } UFP4Vendor;

/* Loads a vendor's driver library. `path` is its file; with NULL the environment variable
 * UFP4_CUDA_DRIVER or UFP4_HIP_DRIVER says it, else it is libcuda.so.1 or libamdhip64.so. */
UFP4_EXPORTED UFP4Status ufp4DriverOpen(UFP4Vendor vendor, const char *path, UFP4Driver **driver);
UFP4_EXPORTED void ufp4DriverClose(UFP4Driver *driver);

/* How many devices the driver sees. */
UFP4_EXPORTED UFP4Status ufp4DriverDeviceCount(UFP4Driver *driver, int *count);

/* Retains the primary context of device `ordinal`, from 0. */
UFP4_EXPORTED UFP4Status ufp4DeviceOpen(UFP4Driver *driver, int ordinal, UFP4Device **device);
UFP4_EXPORTED void ufp4DeviceClose(UFP4Device *device);

/* The compute capability of an NVIDIA device: 9 and 0 of an H100. 0 and 0 for AMD. */
UFP4_EXPORTED UFP4Status ufp4DeviceCapability(UFP4Device *device, int *major, int *minor);

/* Memory of a device, for programs that have no other way to it. Copies and fills are in the order
 * of `stream` (NULL: the default one); host memory must live until they are done, and
 * ufp4DeviceToHost waits for all that the stream was given. A fill writes `words` times the 32-bit
 * `word` to an address that is a multiple of 4. */
UFP4_EXPORTED UFP4Status ufp4DeviceAllocate(UFP4Device *device, size_t bytes, void **address);
UFP4_EXPORTED UFP4Status ufp4DeviceFree(UFP4Device *device, void *address);
UFP4_EXPORTED UFP4Status ufp4DeviceFromHost(UFP4Device *device, void *to, const void *from,
                                            size_t bytes, void *stream);
UFP4_EXPORTED UFP4Status ufp4DeviceToHost(UFP4Device *device, void *to, const void *from,
                                          size_t bytes, void *stream);
UFP4_EXPORTED UFP4Status ufp4DeviceCopy(UFP4Device *device, void *to, const void *from,
                                        size_t bytes, void *stream);
UFP4_EXPORTED UFP4Status ufp4DeviceFill(UFP4Device *device, void *to, uint32_t word, size_t words,
                                        void *stream);

/*===----------------------------------------------------------------------===*\
|* Artifacts                                                                  *|
\*===----------------------------------------------------------------------===*/

typedef struct UFP4Artifact UFP4Artifact;
typedef struct UFP4Kernel UFP4Kernel;

/* Loads the kernels of a folder that ufp4-compile wrote: its binary where the device runs it as it
 * is (its own chip, or an earlier one of the same major compute capability), else its assembly, by
 * the driver's compiler; kernels of a chip whose name ends in `a` run on that chip alone. Then the
 * manifest's canaries are launched, which waits for the device; see ufp4ArtifactFind. */
UFP4_EXPORTED UFP4Status ufp4ArtifactLoad(UFP4Device *device, const char *folder,
                                          UFP4Artifact **artifact);

/* The same from memory, which may be freed afterwards: the text of manifest.json, and the bytes of
 * a binary or of assembly, whichever `object` holds, with all kernels of the manifest. */
UFP4_EXPORTED UFP4Status ufp4ArtifactLoadBytes(UFP4Device *device, const char *manifest,
                                               size_t manifestBytes, const void *object,
                                               size_t objectBytes, UFP4Artifact **artifact);
UFP4_EXPORTED void ufp4ArtifactClose(UFP4Artifact *artifact);

/* The recipe that the kernels were compiled for; its name and hash may be empty. */
UFP4_EXPORTED const char *ufp4ArtifactRecipe(const UFP4Artifact *artifact);
UFP4_EXPORTED const char *ufp4ArtifactRecipeHash(const UFP4Artifact *artifact);

/* The kernels in the manifest's order; NULL for an index that is none. They live as long as the
 * artifact. */
UFP4_EXPORTED size_t ufp4ArtifactKernelCount(const UFP4Artifact *artifact);
UFP4_EXPORTED const UFP4Kernel *ufp4ArtifactKernel(const UFP4Artifact *artifact, size_t index);

/* The kernel to launch for this name: itself, or the fallback that the manifest names where its
 * canary did not pass on this device. An error where there is neither. */
UFP4_EXPORTED UFP4Status ufp4ArtifactFind(const UFP4Artifact *artifact, const char *name,
                                          const UFP4Kernel **kernel);

/*===----------------------------------------------------------------------===*\
|* Kernels                                                                    *|
\*===----------------------------------------------------------------------===*/

typedef enum UFP4Role {
  /* result [g, m, n] of operands [g, m, k] and [g, n, k] of codes and scales; k is padded. */
  UFP4_GEMM = 0,
  /* Codes and scales of an array [g, outer, inner], along `inner`, `outer` or both. */
  UFP4_QUANTIZE = 1,
  /* Raises one f32, 0 before, to the maximum that a quantize kernel with ue4m3 scales reads. */
  UFP4_AMAX = 2
} UFP4Role;

/* A scheme (docs/spec.md F1 to F3). The texts are those of the manifest. */
typedef struct UFP4Scheme {
  const char *format;    /* e1m2, e2m1 */
  const char *scale;     /* f32, ue4m3, ue8m0 */
  const char *scaleRule; /* ceil, ocp_floor; NULL where the kernel does not depend on it */
  int32_t block, blockRows;
  int32_t rotationSize; /* 0: none */
  int32_t randomBits;   /* of a word of stochastic rounding; 0: to nearest */
  uint64_t rotationSigns[2];
} UFP4Scheme;

typedef enum UFP4ArgumentKind {
  UFP4_INPUT = 0,
  UFP4_CODES = 1,
  UFP4_SCALES = 2,
  UFP4_GLOBAL = 3,
  UFP4_OUTPUT = 4,
  UFP4_ACCUMULATOR = 5, /* read and written */
  UFP4_SCALAR = 6
} UFP4ArgumentKind;

typedef struct UFP4Argument {
  const char *name;
  UFP4ArgumentKind kind;
  bool isRead, isWritten;
  const char *element; /* u4, u6, u8, bf16, f16, f32, i32, i64 */
  const char *layout;  /* the manifest's; empty for row-major arrays and scalars */
  int64_t alignment;   /* what an address is a multiple of */
  const char *value;   /* which value a scalar holds; empty for buffers */
} UFP4Argument;

UFP4_EXPORTED const char *ufp4KernelName(const UFP4Kernel *kernel);
UFP4_EXPORTED UFP4Role ufp4KernelRole(const UFP4Kernel *kernel);

/* native, container, post or fold of a GEMM; quantize of others. */
UFP4_EXPORTED const char *ufp4KernelPath(const UFP4Kernel *kernel);

/* A scheme of the kernel: `operands` of a GEMM, `inner` or `outer` of others. False where it has
 * none of that name. */
UFP4_EXPORTED bool ufp4KernelScheme(const UFP4Kernel *kernel, const char *of, UFP4Scheme *scheme);

/* The arguments in their order; false for an index that is none. */
UFP4_EXPORTED size_t ufp4KernelArgumentCount(const UFP4Kernel *kernel);
UFP4_EXPORTED bool ufp4KernelArgument(const UFP4Kernel *kernel, size_t index,
                                      UFP4Argument *argument);

/* One named value of a launch. Extents and what else is no address nor `alpha` are integers. */
typedef struct UFP4Value {
  const char *name;
  union {
    int64_t integer;
    float real;
    void *address;
  } as;
} UFP4Value;

/* The bytes that a buffer of a kernel takes for the extents among `values`, padding included and
 * without gaps. */
UFP4_EXPORTED UFP4Status ufp4KernelArgumentBytes(const UFP4Kernel *kernel, const char *argument,
                                                 const UFP4Value *values, size_t count,
                                                 size_t *bytes);

/* The bytes of device memory that a launch needs beside its arguments, 0 where none; they go to it
 * as the address `workspace`. */
UFP4_EXPORTED UFP4Status ufp4KernelWorkspaceBytes(const UFP4Kernel *kernel, const UFP4Value *values,
                                                  size_t count, size_t *bytes);

/* Puts a launch on `stream` (NULL: the default one). `values` are the extents (`g`, `m`, `n`, `k`;
 * `g`, `outer`, `inner`), the address of every buffer and the scalars that extents do not tell, by
 * the names of arguments and of `value`; strides (`stride(input, 0)`) may be left out for an array
 * without gaps. Nothing is launched where an extent is 0 and nothing is to be written. Sizes of
 * buffers are the caller's part: ufp4KernelArgumentBytes. */
UFP4_EXPORTED UFP4Status ufp4KernelLaunch(const UFP4Kernel *kernel, const UFP4Value *values,
                                          size_t count, void *stream);

/* The same as compiled host code has it: blocks along x, y and z, and for each argument in its
 * order the address of its value, of a buffer that a kernel reads by a tensor map too. Nothing is
 * checked but that there is a block. */
UFP4_EXPORTED UFP4Status ufp4KernelLaunchGrid(const UFP4Kernel *kernel, const int64_t grid[3],
                                              void *const *arguments, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* UFP4_C_LAUNCHER_H */
