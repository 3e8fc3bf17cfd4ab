//===- Tables.h - what the compiler knows, printed --------------*- C++ -*-===//

#ifndef UFP4_PIPELINES_TABLES_H
#define UFP4_PIPELINES_TABLES_H

namespace ufp4 {
/// Prints the tables that a command line asks for (`--print-recipes`, `--print-formats`,
/// `--print-capabilities`), from the data that the compiler itself uses; whether it asked for one.
bool printRequestedTables(int argc, char **argv);
} // namespace ufp4

#endif // UFP4_PIPELINES_TABLES_H
