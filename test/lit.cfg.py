"""Runs the IR tests: each file says how in its RUN lines."""

import os
import platform
import shutil

import lit.formats
from lit.llvm import llvm_config

config.name = "UFP4"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ufp4_obj_root, "test")

config.substitutions.append(("%models", os.path.join(config.ufp4_src_root, "examples", "models")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%standin", os.path.join(config.ufp4_obj_root, "lib", "ufp4_standin_driver.so")))
# What users build with: %cmake -S SOURCES -B BUILD configures as this build was.
config.substitutions.append(("%cmake", f"'{config.cmake}' -G '{config.generator}' -DCMAKE_C_COMPILER='{config.cc}'"
                             f" -DCMAKE_CXX_COMPILER='{config.cxx}' -DCMAKE_EXE_LINKER_FLAGS='{config.link_flags}'"))
config.substitutions.append(("%runcmake", f"'{config.cmake}'"))
config.substitutions.append(("%build", config.ufp4_obj_root))
config.substitutions.append(("%cc", config.cc))
config.substitutions.append(("%cxx", config.cxx))

config.available_features.add(platform.machine())
if config.sanitizers:
    config.available_features.add("sanitized")
config.substitutions.append(("%plugin", os.path.join(config.ufp4_obj_root, "lib", "UFP4Plugin.so")))
config.substitutions.append(("%mlir-opt", os.path.join(config.llvm_tools_dir, "mlir-opt")))

llvm_config.with_environment("PATH", [config.ufp4_tools_dir, config.llvm_tools_dir], append_path=True)
llvm_config.with_environment("LC_ALL", "C")
config.substitutions.append(("%PATH", config.environment["PATH"]))

# NVIDIA's assembler: tests that need it ask with `REQUIRES: ptxas`.
ptxas = os.environ.get("UFP4_PTXAS") or shutil.which(
    "ptxas", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

# JAX: tests that need it ask with `REQUIRES: jax`, and run in the Python that UFP4_JAX_PYTHON names.
jax = os.environ.get("UFP4_JAX_PYTHON")
if jax:
    config.available_features.add("jax")
    config.substitutions.append(("%jax", jax))

# IREE's compiler and runtime, beside the Python that UFP4_IREE_PYTHON names, which has JAX too:
# `REQUIRES: iree`.
iree = os.environ.get("UFP4_IREE_PYTHON")
if iree:
    config.available_features.add("iree")
    config.substitutions.append(("%iree", os.path.dirname(iree)))

# mkdocs: `REQUIRES: mkdocs`, in the Python that UFP4_MKDOCS_PYTHON names.
mkdocs = os.environ.get("UFP4_MKDOCS_PYTHON")
if mkdocs:
    config.available_features.add("mkdocs")
    config.substitutions.append(("%mkdocs", mkdocs))
