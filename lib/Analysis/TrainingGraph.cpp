//===- TrainingGraph.cpp - what a training step computes from what --------===//

#include "ufp4/Analysis/TrainingGraph.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ufp4;

TrainingGraph::TrainingGraph(func::FuncOp entry, ArrayRef<BackwardLink> links,
                             const Frontends &frontends, SymbolTableCollection &symbols)
    : entry(entry), frontends(frontends), symbols(symbols) {
  Env env;
  for (BlockArgument arg : entry.getArguments()) {
    env[arg] = addNode(arg, {});
    nodes.back().argument = arg.getArgNumber();
  }
  SmallVector<NodeId> returned = walkFunction(entry, env);
  llvm::BitVector saved(returned.size());
  SmallVector<NodeId> gradients;
  for (const BackwardLink &link : links) {
    if (link.forward != entry)
      continue;
    func::FuncOp backward = link.backward;
    Env inner;
    for (auto [arg, source, tangent] :
         llvm::zip_equal(backward.getArguments(), link.saved, link.tangents)) {
      if (source >= 0) {
        inner[arg] = returned[source];
        saved.set(source);
      } else {
        // A gradient comes after the result that it is the gradient of, whatever lies between.
        inner[arg] = addNode(arg, tangent >= 0 ? ArrayRef<NodeId>(returned[tangent]) : returned);
      }
    }
    llvm::append_range(gradients, walkFunction(backward, inner));
  }
  for (auto [i, node] : llvm::enumerate(returned))
    if (!saved.test(i))
      results.push_back(node);
  llvm::append_range(results, gradients);
}

SmallVector<NodeId> TrainingGraph::walkFunction(func::FuncOp function, Env &env) {
  for (Block &block : function.getBody())
    walkBlock(block, env);
  SmallVector<NodeId> returned;
  for (Block &block : function.getBody())
    if (auto ret = dyn_cast<func::ReturnOp>(block.getTerminator()))
      for (Value value : ret.getOperands())
        returned.push_back(lookup(env, value));
  return returned;
}

NodeId TrainingGraph::addNode(Value value, ArrayRef<NodeId> operands, bool isChoice) {
  Node &node = nodes.emplace_back();
  node.value = value;
  node.operands.assign(operands.begin(), operands.end());
  node.isChoice = isChoice;
  return nodes.size() - 1;
}

NodeId TrainingGraph::lookup(Env &env, Value value) {
  auto it = env.find(value);
  // Block arguments that no edge fills (induction variables, unstructured control flow).
  return it != env.end() ? it->second : env[value] = addNode(value, {});
}

void TrainingGraph::walkBlock(Block &block, Env &env) {
  for (Operation &op : block)
    walkOp(&op, env);
}

void TrainingGraph::walkOp(Operation *op, Env &env) {
  if (op->hasTrait<OpTrait::IsTerminator>() && op->getNumResults() == 0)
    return;
  if (FlatSymbolRefAttr callee = frontends.getCallee(op))
    if (walkCall(op, callee, env))
      return;
  if (auto edges = frontends.matchFlow(op))
    return walkFlow(op, *edges, env);

  SmallVector<NodeId> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(env, operand));
  if (op->getNumRegions()) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      operands.push_back(lookup(env, value));
  }
  std::optional<ContractionView> contraction = frontends.matchContraction(op);
  bool pure = frontends.isPure(op);
  // Contractions below an operation whose flow is unknown are still seen.
  if (!contraction && holdsContraction(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        walkBlock(block, env);

  llvm::hash_code hash;
  std::optional<NodeId> first;
  if (pure && op->getNumResults()) {
    hash = llvm::hash_combine(
        OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                          OperationEquivalence::ignoreHashValue,
                                          OperationEquivalence::IgnoreLocations),
        llvm::hash_combine_range(operands.begin(), operands.end()));
    for (NodeId other : computed[hash])
      if (areEqual(op, operands, other)) {
        first = other;
        break;
      }
  }
  if (!first && op->getNumResults()) {
    first = nodes.size();
    for (Value result : op->getResults())
      addNode(result, operands);
    if (pure)
      computed[hash].push_back(*first);
  }
  for (OpResult result : op->getResults()) {
    NodeId id = *first + result.getResultNumber();
    if (std::optional<ViewStep> step = frontends.matchView(result); step && step->identity)
      id = lookup(env, step->source);
    env[result] = id;
  }
  if (contraction)
    sites.push_back({op, calls, lookup(env, contraction->lhs), lookup(env, contraction->rhs),
                     env[op->getResult(0)]});
}

bool TrainingGraph::holdsContraction(Operation *op) const {
  return op->getNumRegions() && op->walk([&](Operation *inner) {
                                    return inner != op && frontends.matchContraction(inner)
                                               ? WalkResult::interrupt()
                                               : WalkResult::advance();
                                  }).wasInterrupted();
}

bool TrainingGraph::areEqual(Operation *op, ArrayRef<NodeId> operands, NodeId other) const {
  Operation *otherOp = nodes[other].value.getDefiningOp();
  if (nodes[other].operands != operands || cast<OpResult>(nodes[other].value).getResultNumber())
    return false;
  // Operands are equal as nodes; what a region captures is known by its place among them.
  auto index = [](Operation *owner) {
    llvm::DenseMap<Value, NodeId> places;
    unsigned next = owner->getNumOperands();
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(owner->getRegions(), captured);
    for (Value value : captured)
      places[value] = next++;
    return places;
  };
  if (!op->getNumRegions())
    return OperationEquivalence::isEquivalentTo(op, otherOp,
                                                OperationEquivalence::ignoreValueEquivalence,
                                                nullptr, OperationEquivalence::IgnoreLocations);
  llvm::DenseMap<Value, NodeId> places = index(op), otherPlaces = index(otherOp);
  llvm::DenseMap<Value, Value> defined;
  auto check = [&](Value a, Value b) {
    auto it = defined.find(a);
    if (it != defined.end())
      return success(it->second == b);
    auto pa = places.find(a), pb = otherPlaces.find(b);
    if (pa == places.end() || pb == otherPlaces.end())
      // An operand of the operation itself: compared above.
      return success(pa == places.end() && pb == otherPlaces.end());
    return success(pa->second == pb->second);
  };
  auto mark = [&](Value a, Value b) { defined[a] = b; };
  return OperationEquivalence::isEquivalentTo(op, otherOp, check, mark,
                                              OperationEquivalence::IgnoreLocations);
}

void TrainingGraph::walkFlow(Operation *op, ArrayRef<FlowEdge> edges, Env &env) {
  struct Choice {
    SmallVector<Value> targets, sources;
    NodeId node;
  };
  // Targets with the same sources are one value: a loop's argument and its result.
  SmallVector<Choice> choices;
  llvm::DenseMap<std::pair<Value, Value>, SmallVector<size_t, 1>> bySources;
  for (const FlowEdge &edge : edges) {
    if (edge.sources.empty())
      continue;
    auto &known = bySources[{edge.sources.front(), edge.sources.back()}];
    auto it = llvm::find_if(known, [&](size_t i) { return choices[i].sources == edge.sources; });
    if (it == known.end()) {
      known.push_back(choices.size());
      choices.push_back({{edge.target}, edge.sources, 0});
    } else {
      choices[*it].targets.push_back(edge.target);
    }
  }
  for (Choice &choice : choices) {
    // What a loop carries round unchanged is what it was given.
    llvm::erase_if(choice.sources, [&](Value source) {
      return choice.sources.size() > 1 && llvm::is_contained(choice.targets, source);
    });
    auto given = env.find(choice.sources.front());
    choice.node = choice.sources.size() == 1 && given != env.end()
                      ? given->second
                      : addNode(choice.targets.back(), {}, /*isChoice=*/true);
    for (Value target : choice.targets)
      env[target] = choice.node;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      walkBlock(block, env);
  for (Choice &choice : choices)
    if (nodes[choice.node].isChoice && nodes[choice.node].operands.empty())
      for (Value source : choice.sources) {
        NodeId id = lookup(env, source);
        nodes[choice.node].operands.push_back(id);
      }
}

bool TrainingGraph::walkCall(Operation *call, FlatSymbolRefAttr symbol, Env &env) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, symbol);
  bool recursive =
      llvm::any_of(calls, [&](Operation *outer) { return frontends.getCallee(outer) == symbol; });
  if (!callee || callee.isExternal() || recursive ||
      TypeRange(callee.getArgumentTypes()) != TypeRange(call->getOperandTypes()) ||
      TypeRange(callee.getResultTypes()) != TypeRange(call->getResultTypes()))
    return false;
  Env inner;
  for (auto [arg, operand] : llvm::zip_equal(callee.getArguments(), call->getOperands()))
    inner[arg] = lookup(env, operand);
  calls.push_back(call);
  for (Block &block : callee.getBody())
    walkBlock(block, inner);
  calls.pop_back();
  for (OpResult result : call->getResults()) {
    SmallVector<NodeId> returned;
    for (Block &block : callee.getBody())
      if (auto ret = dyn_cast<func::ReturnOp>(block.getTerminator()))
        returned.push_back(lookup(inner, ret.getOperand(result.getResultNumber())));
    env[result] =
        returned.size() == 1 ? returned.front() : addNode(result, returned, /*isChoice=*/true);
  }
  return true;
}

NodeId TrainingGraph::resolve(NodeId id) const {
  while (nodes[id].isChoice && nodes[id].operands.size() == 1)
    id = nodes[id].operands.front();
  return id;
}

std::optional<std::pair<ViewStep, NodeId>> TrainingGraph::getView(NodeId id) const {
  const Node &node = nodes[id];
  if (node.isChoice)
    return std::nullopt;
  std::optional<ViewStep> step = frontends.matchView(node.value);
  if (!step)
    return std::nullopt;
  Operation *op = node.value.getDefiningOp();
  for (auto [operand, source] : llvm::zip(op->getOperands(), node.operands))
    if (operand == step->source)
      return std::make_pair(*step, resolve(source));
  return std::nullopt;
}

std::optional<std::pair<UpdateStep, NodeId>> TrainingGraph::getSliceUpdate(NodeId id) const {
  if (!nodes[id].isChoice)
    return std::nullopt;
  for (NodeId source : nodes[id].operands) {
    source = resolve(source);
    Operation *op = nodes[source].value.getDefiningOp();
    std::optional<UpdateStep> update =
        op && !nodes[source].isChoice ? frontends.matchUpdate(op) : std::nullopt;
    if (!update)
      continue;
    std::optional<NodeId> destination, value;
    for (auto [operand, node] : llvm::zip(op->getOperands(), nodes[source].operands)) {
      if (operand == update->destination)
        destination = resolve(node);
      if (operand == update->update)
        value = resolve(node);
    }
    if (destination == id && value)
      return std::make_pair(*update, *value);
  }
  return std::nullopt;
}

bool TrainingGraph::dependsOn(NodeId user, NodeId source) const {
  SmallVector<NodeId> worklist{user};
  llvm::DenseSet<NodeId> seen{user};
  while (!worklist.empty()) {
    NodeId id = worklist.pop_back_val();
    if (id == source)
      return true;
    for (NodeId operand : nodes[id].operands)
      // Only a choice is older than what it is computed from.
      if ((operand >= source || nodes[operand].isChoice) && seen.insert(operand).second)
        worklist.push_back(operand);
  }
  return false;
}
