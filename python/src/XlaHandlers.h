//===- XlaHandlers.h - Custom calls of XLA ----------------------*- C++ -*-===//

#ifndef UFP4_PYTHON_XLAHANDLERS_H
#define UFP4_PYTHON_XLAHANDLERS_H

#include <vector>

namespace ufp4::python {

struct XlaHandler {
  /// As JAX spells it: cpu, CUDA, ROCM.
  const char *platform, *target;
  void *function;
};

/// Handlers of XLA's typed FFI (api_version 4). Those for devices load no driver before a call.
std::vector<XlaHandler> xlaHandlers();

} // namespace ufp4::python

#endif // UFP4_PYTHON_XLAHANDLERS_H
