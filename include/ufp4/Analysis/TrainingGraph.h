//===- TrainingGraph.h - what a training step computes from what -*- C++ -*-===//
//
// A value graph of one public function, and of the backward functions that belong to it, with calls
// followed into, equal pure computations merged and barriers and identity casts seen through. Roles
// (TrainingRoles.h) are read off it.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_ANALYSIS_TRAININGGRAPH_H
#define UFP4_ANALYSIS_TRAININGGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "ufp4/Analysis/BackwardLinks.h"
#include "ufp4/Analysis/OperandLayout.h"

namespace ufp4 {

/// A value; equal ids are equal values.
using NodeId = unsigned;

class TrainingGraph {
public:
  struct Node {
    /// The value in the IR that first computed it.
    mlir::Value value;
    /// What it is computed from: its operation's operands, then captured values; for a value that
    /// a loop or branch chooses, the choices.
    llvm::SmallVector<NodeId, 3> operands;
    /// A value that a loop or branch chooses among its operands.
    bool isChoice = false;
    /// The entry function's argument with this number; -1: none.
    int argument = -1;
  };

  /// One execution site of a contraction: an operation under a path of calls.
  struct Site {
    mlir::Operation *op;
    llvm::SmallVector<mlir::Operation *, 2> calls;
    NodeId lhs, rhs, result;
  };

  /// The graph of `entry` and of every backward that `links` ties to it.
  TrainingGraph(mlir::func::FuncOp entry, llvm::ArrayRef<BackwardLink> links,
                const Frontends &frontends, mlir::SymbolTableCollection &symbols);

  const Node &getNode(NodeId id) const { return nodes[id]; }
  size_t size() const { return nodes.size(); }
  llvm::ArrayRef<Site> getSites() const { return sites; }
  /// The nodes that the functions return, but for what the entry only saves for a backward.
  llvm::ArrayRef<NodeId> getResults() const { return results; }
  mlir::func::FuncOp getEntry() const { return entry; }

  /// A choice of one value is that value.
  NodeId resolve(NodeId id) const;
  /// The node's value as a view of another node, where it is one.
  std::optional<std::pair<ViewStep, NodeId>> getView(NodeId id) const;
  /// Where the node is a choice that a loop fills by updates of slices: the update and its value.
  std::optional<std::pair<UpdateStep, NodeId>> getSliceUpdate(NodeId id) const;
  /// Whether `user` is computed from `source`.
  bool dependsOn(NodeId user, NodeId source) const;

private:
  using Env = llvm::DenseMap<mlir::Value, NodeId>;

  NodeId addNode(mlir::Value value, llvm::ArrayRef<NodeId> operands, bool isChoice = false);
  NodeId lookup(Env &env, mlir::Value value);
  /// Walks a function's body; gives what it returns.
  llvm::SmallVector<NodeId> walkFunction(mlir::func::FuncOp function, Env &env);
  void walkBlock(mlir::Block &block, Env &env);
  void walkOp(mlir::Operation *op, Env &env);
  void walkFlow(mlir::Operation *op, llvm::ArrayRef<FlowEdge> edges, Env &env);
  bool walkCall(mlir::Operation *call, mlir::FlatSymbolRefAttr symbol, Env &env);
  bool holdsContraction(mlir::Operation *op) const;
  bool areEqual(mlir::Operation *op, llvm::ArrayRef<NodeId> operands, NodeId other) const;

  mlir::func::FuncOp entry;
  const Frontends &frontends;
  mlir::SymbolTableCollection &symbols;
  std::vector<Node> nodes;
  std::vector<Site> sites;
  llvm::SmallVector<NodeId> results;
  llvm::SmallVector<mlir::Operation *, 2> calls;
  /// First results of pure operations by the hash of what they compute.
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<NodeId, 1>> computed;
};

} // namespace ufp4

#endif // UFP4_ANALYSIS_TRAININGGRAPH_H
