# What pip does not say: which LLVM and which compiler. Included before project().

# Other packages of the environment may hold an MLIR of another ABI (xtc-mlir), which CMake would find
# first; so Debian's is looked for by its path alone. -DMLIR_DIR=… names another.
if(NOT MLIR_DIR)
  find_path(MLIR_DIR MLIRConfig.cmake PATHS /usr/lib/llvm-22/lib/cmake/mlir NO_DEFAULT_PATH)
  if(NOT MLIR_DIR)
    unset(MLIR_DIR CACHE)
  endif()
endif()

# LLVM's own compiler builds this in half the time. scikit-build-core names Python's own compiler in the
# environment where the user names none; -DCMAKE_CXX_COMPILER=… asks for another.
if(MLIR_DIR AND NOT CMAKE_CXX_COMPILER AND "$ENV{CXX}" MATCHES "^(([^ ]*-)?[gc][+][+])?$")
  get_filename_component(ufp4_llvm_bin "${MLIR_DIR}/../../../bin" ABSOLUTE)
  if(EXISTS "${ufp4_llvm_bin}/clang++")
    set(CMAKE_C_COMPILER "${ufp4_llvm_bin}/clang" CACHE FILEPATH "C compiler")
    set(CMAKE_CXX_COMPILER "${ufp4_llvm_bin}/clang++" CACHE FILEPATH "C++ compiler")
    if(EXISTS "${ufp4_llvm_bin}/ld.lld")
      set(CMAKE_MODULE_LINKER_FLAGS "-fuse-ld=lld" CACHE STRING "Flags for modules")
    endif()
  endif()
endif()
