//===- XlaHandlers.h - Custom calls of XLA on the CPU -----------*- C++ -*-===//

#ifndef UFP4_PYTHON_XLAHANDLERS_H
#define UFP4_PYTHON_XLAHANDLERS_H

#include <vector>

namespace ufp4::python {

struct XlaHandler {
  const char *target;
  void *function;
};

/// Handlers of XLA's typed FFI (api_version 4), for the platform "cpu".
std::vector<XlaHandler> xlaHandlers();

} // namespace ufp4::python

#endif // UFP4_PYTHON_XLAHANDLERS_H
