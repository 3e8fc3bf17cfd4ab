//===- TrainingRoles.cpp - which GEMM is which ----------------------------===//

#include "ufp4/Analysis/TrainingRoles.h"

#include "ufp4/Analysis/LayerNames.h"
#include "ufp4/Analysis/TrainingGraph.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <set>

using namespace mlir;
using namespace ufp4;

#include "ufp4/Analysis/AnalysisEnums.cpp.inc"

namespace {

/// An interned description of which elements of a root a group of dimensions runs over.
using ModesId = unsigned;

/// Identifies a use of a value: the value and what each group of dimensions is of it.
struct Use {
  NodeId value = 0;
  ModesId batch = 0, free = 0, contracted = 0;

  /// The use that contracts what this one keeps, and keeps what this one contracts.
  Use getDual() const { return {value, batch, contracted, free}; }
  bool operator<(const Use &other) const {
    return std::tie(value, batch, free, contracted) <
           std::tie(other.value, other.batch, other.free, other.contracted);
  }
};

/// How far views are followed to tell whether two operands are one value: to the first slice, so
/// that parts of one tensor are told apart, or through it, since a loop slices anew what an earlier
/// loop sliced.
enum Depth { ToSlice, ThroughSlices };

/// One side of a site.
struct Side {
  Use uses[2];
  /// What slices were followed to is the entry function's argument or a constant.
  bool isLeaf = false;
  /// An argument that the operand is a view of, through a reshape that cannot be followed.
  int blockedArgument = -1;

  NodeId getRoot() const { return uses[ThroughSlices].value; }
};

/// Finds the roles of one public function's sites.
class RoleFinder {
public:
  RoleFinder(const TrainingGraph &graph, const Frontends &frontends,
             const llvm::DenseMap<Operation *, unsigned> &indices, ArrayRef<GemmInfo> gemms,
             const llvm::SmallBitVector &named);

  /// What was found of one site.
  struct Finding {
    Role role = Role::None;
    Reason reason = Reason::NoParameter;
    std::string message;
    Member members[2] = {Member::None, Member::None};
    int parameter = -1;
  };
  ArrayRef<Finding> getFindings() const { return findings; }

private:
  /// A site that pairs a value with a parameter, and the side that is the value.
  using Pair = std::pair<unsigned, unsigned>;
  /// GEMMs that share the members x, dy and a parameter.
  struct Triangle {
    unsigned wgrad;
    /// The side of the wgrad that is x.
    unsigned xSide;
    NodeId parameter;
    SmallVector<Pair, 2> fprops, dgrads;
  };

  const ContractionView &getView(unsigned site) const {
    return gemms[indices.lookup(graph.getSites()[site].op)].view;
  }
  /// The layouts of an operand's two uses.
  using Layouts = std::array<OperandLayout, 2>;

  Side findSide(unsigned site, unsigned side, Layouts &layouts);
  void findModes(unsigned site, ArrayRef<Layouts> layouts);
  bool isConstantTensor(NodeId id) const;
  void findVariables();
  void findReach();
  void findUpdates();
  void findReturned();
  bool isGradientOf(unsigned site, NodeId parameter) const;
  bool reachesGradientOf(unsigned site, NodeId parameter) const;
  NodeId getParameter(Pair pair) const { return sides[pair.first][1 - pair.second].getRoot(); }
  bool isFprop(unsigned wgrad, unsigned side, unsigned site) const;
  void findClosed(Depth depth, Depth parameterDepth);
  void findOpen(Depth depth);
  void assign();
  void setAmbiguous(Finding &finding, NodeId parameter, NodeId rival) const;
  void assignRecomputed();
  void explainRest();
  std::string getName(NodeId parameter) const;

  const TrainingGraph &graph;
  const Frontends &frontends;
  const llvm::DenseMap<Operation *, unsigned> &indices;
  ArrayRef<GemmInfo> gemms;
  const llvm::SmallBitVector &named;
  std::vector<std::array<Side, 2>> sides;
  std::vector<Triangle> triangles;
  /// Sites that are a wgrad, and sites that are paired with one.
  llvm::BitVector isWgrad, isPaired;
  /// Nodes that may differ from run to run.
  llvm::BitVector isVariable;
  /// Sites whose parameter nothing tells from another, and the rivals.
  llvm::MapVector<unsigned, std::pair<NodeId, NodeId>> undecided;
  /// (wgrad, parameter) where a result is computed from both, element by element.
  llvm::DenseSet<std::pair<unsigned, NodeId>> updates;
  /// For each node of which results are mere views, the element counts of these.
  llvm::DenseMap<NodeId, SmallVector<int64_t, 1>> returned;
  std::vector<Finding> findings;
  std::map<SmallVector<int64_t>, ModesId> modes;
  /// For each node, the interned set of element counts of the results it reaches.
  std::vector<unsigned> reach;
  std::vector<llvm::BitVector> reachSets;
  llvm::DenseMap<int64_t, unsigned> countClasses;
};

/// The number of elements of a value; -1 where it is not known.
int64_t getCount(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : -1;
}

RoleFinder::RoleFinder(const TrainingGraph &graph, const Frontends &frontends,
                       const llvm::DenseMap<Operation *, unsigned> &indices,
                       ArrayRef<GemmInfo> gemms, const llvm::SmallBitVector &named)
    : graph(graph), frontends(frontends), indices(indices), gemms(gemms), named(named) {
  size_t count = graph.getSites().size();
  sides.resize(count);
  findings.resize(count);
  isWgrad.resize(count);
  isPaired.resize(count);
  for (unsigned site = 0; site < count; ++site) {
    Layouts layouts[2];
    for (unsigned side : {0, 1})
      sides[site][side] = findSide(site, side, layouts[side]);
    findModes(site, layouts);
  }
  findVariables();
  findReach();
  findUpdates();
  findReturned();
  // What leaves no doubt comes first.
  findClosed(ToSlice, ToSlice);
  findClosed(ToSlice, ThroughSlices);
  findClosed(ThroughSlices, ThroughSlices);
  findOpen(ToSlice);
  findOpen(ThroughSlices);
  assign();
  assignRecomputed();
  explainRest();
}

/// Follows an operand to its root, through slices and broadcasts and to the one before the first.
Side RoleFinder::findSide(unsigned site, unsigned side, Layouts &layouts) {
  const ContractionView &view = getView(site);
  const TrainingGraph::Site &place = graph.getSites()[site];
  NodeId id = graph.resolve(side ? place.rhs : place.lhs);
  OperandLayout layout = getLayout(view, side);
  std::optional<std::pair<NodeId, OperandLayout>> beforeSlice;
  auto getShape = [&](NodeId node) {
    return cast<RankedTensorType>(graph.getNode(node).value.getType()).getShape();
  };
  Side result;
  while (true) {
    if (auto step = graph.getView(id)) {
      auto next = followStep(view, step->first, layout, getShape(step->second), getShape(id),
                             /*acrossGroups=*/true);
      if (!next) {
        NodeId above = step->second;
        while (auto further = graph.getView(above))
          above = further->second;
        result.blockedArgument = graph.getNode(above).argument;
        break;
      }
      if ((step->first.slices || step->first.broadcasts) && !beforeSlice)
        beforeSlice = {id, layout};
      layout = std::move(*next);
      id = step->second;
      continue;
    }
    if (auto update = graph.getSliceUpdate(id); update && beforeSlice) {
      OperandLayout next;
      for (int64_t dim : update->first.dims)
        next.dims.push_back(layout.dims[dim]);
      layout = std::move(next);
      id = update->second;
      beforeSlice.reset();
      continue;
    }
    break;
  }
  const TrainingGraph::Node &node = graph.getNode(id);
  result.isLeaf = node.argument >= 0 || isConstantTensor(id);
  if (!beforeSlice)
    beforeSlice = {id, layout};
  result.uses[ToSlice].value = beforeSlice->first;
  result.uses[ThroughSlices].value = id;
  layouts = {std::move(beforeSlice->second), std::move(layout)};
  return result;
}

/// A weight that is written into the program.
bool RoleFinder::isConstantTensor(NodeId id) const {
  Operation *op = graph.getNode(id).value.getDefiningOp();
  auto value = op && op->getNumOperands() == 0 && frontends.isPure(op)
                   ? dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"))
                   : DenseElementsAttr();
  return value && !value.isSplat();
}

/// Marks what is computed from an argument, or may be.
void RoleFinder::findVariables() {
  isVariable.resize(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    const TrainingGraph::Node &node = graph.getNode(id);
    // A block argument that nothing fills is a loop's counter, a choice a loop's state.
    if (node.argument >= 0 || node.isChoice || isa<BlockArgument>(node.value) ||
        llvm::any_of(node.operands, [&](NodeId operand) { return isVariable.test(operand); }))
      isVariable.set(id);
  }
}

void RoleFinder::findModes(unsigned site, ArrayRef<Layouts> layouts) {
  const ContractionView &view = getView(site);
  for (unsigned side : {0, 1}) {
    // A batch dimension along which the other operand only repeats is a free one.
    llvm::SmallBitVector shared(view.dims.size());
    for (const Factors &factors : layouts[1 - side][ThroughSlices].dims)
      for (const Factor &factor : factors)
        shared.set(factor.dim);
    for (auto [use, layout] : llvm::zip_equal(sides[site][side].uses, layouts[side])) {
      // Triples (dimension, stride in it, extent), neighbours joined.
      SmallVector<int64_t> groups[3];
      for (auto [dim, factors] : llvm::enumerate(layout.dims)) {
        int64_t stride = 1;
        SmallVector<std::tuple<unsigned, int64_t, int64_t>> parts;
        for (const Factor &factor : llvm::reverse(factors)) {
          DimGroup group = view.dims[factor.dim].group;
          bool isShared =
              group == DimGroup::Expert || (group == DimGroup::Batch && shared.test(factor.dim));
          unsigned kind = group == DimGroup::Contracted ? 2 : isShared ? 0 : 1;
          bool isDynamic = ShapedType::isDynamic(factor.extent);
          if (!parts.empty() && std::get<0>(parts.back()) == kind && !isDynamic)
            std::get<2>(parts.back()) *= factor.extent;
          else
            parts.push_back({kind, stride, factor.extent});
          stride *= isDynamic ? 1 : factor.extent;
        }
        for (auto [kind, partStride, extent] : parts)
          llvm::append_range(groups[kind],
                             ArrayRef<int64_t>{static_cast<int64_t>(dim), partStride, extent});
      }
      auto intern = [&](SmallVector<int64_t> &group) {
        return modes.try_emplace(std::move(group), modes.size()).first->second;
      };
      use.batch = intern(groups[0]);
      use.free = intern(groups[1]);
      use.contracted = intern(groups[2]);
    }
  }
}

/// Spreads from the results, against the flow of values, how many elements the results have.
void RoleFinder::findReach() {
  // Only counts that an argument has can be asked for.
  for (unsigned i = 0; i < graph.getEntry().getNumArguments(); ++i)
    countClasses.try_emplace(getCount(graph.getEntry().getArgument(i)), countClasses.size());
  reachSets.emplace_back(countClasses.size());
  std::map<std::vector<unsigned>, unsigned> interned{{{}, 0}};
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> unions;
  auto intern = [&](const llvm::BitVector &set) {
    std::vector<unsigned> key(set.set_bits_begin(), set.set_bits_end());
    auto [it, inserted] = interned.try_emplace(std::move(key), reachSets.size());
    if (inserted)
      reachSets.push_back(set);
    return it->second;
  };
  auto unite = [&](unsigned a, unsigned b) {
    if (a == b || !b)
      return a;
    auto [it, inserted] = unions.try_emplace({a, b}, 0);
    if (inserted) {
      llvm::BitVector set = reachSets[a];
      set |= reachSets[b];
      unsigned id = intern(set);
      unions[{a, b}] = id;
      return id;
    }
    return it->second;
  };
  reach.assign(graph.size(), 0);
  for (NodeId result : graph.getResults()) {
    auto it = countClasses.find(getCount(graph.getNode(result).value));
    if (it == countClasses.end())
      continue;
    llvm::BitVector set(countClasses.size());
    set.set(it->second);
    reach[result] = unite(reach[result], intern(set));
  }
  // Against the order of computation one pass is enough but for what loops carry back.
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId id = graph.size(); id-- > 0;)
      for (NodeId operand : graph.getNode(id).operands) {
        unsigned united = unite(reach[operand], reach[id]);
        changed |= united != reach[operand] && operand >= id;
        reach[operand] = united;
      }
  }
}

/// Finds the results that combine a GEMM's result with an argument element by element: an
/// optimizer's update of the argument by its gradient.
void RoleFinder::findUpdates() {
  llvm::DenseMap<NodeId, unsigned> siteOf;
  for (auto [i, site] : llvm::enumerate(graph.getSites()))
    siteOf[site.result] = i;
  for (NodeId result : graph.getResults()) {
    int64_t count = getCount(graph.getNode(result).value);
    SmallVector<NodeId> worklist{result};
    llvm::DenseSet<NodeId> seen{result};
    SmallVector<unsigned> gradients;
    SmallVector<NodeId> arguments;
    while (!worklist.empty()) {
      NodeId id = worklist.pop_back_val();
      if (auto it = siteOf.find(id); it != siteOf.end()) {
        gradients.push_back(it->second);
        continue;
      }
      if (graph.getNode(id).argument >= 0)
        arguments.push_back(id);
      for (NodeId operand : graph.getNode(id).operands)
        if (getCount(graph.getNode(operand).value) == count && seen.insert(operand).second)
          worklist.push_back(operand);
    }
    if (arguments.size() == 1)
      for (unsigned site : gradients)
        updates.insert({site, arguments.front()});
  }
}

/// Follows the results up through views and casts.
void RoleFinder::findReturned() {
  for (NodeId result : graph.getResults()) {
    int64_t count = getCount(graph.getNode(result).value);
    NodeId id = graph.resolve(result);
    returned[id].push_back(count);
    while (auto step = graph.getView(id)) {
      id = step->second;
      returned[id].push_back(count);
    }
  }
}

/// Whether the GEMM's result is returned as the parameter's gradient, or updates the parameter.
bool RoleFinder::isGradientOf(unsigned site, NodeId parameter) const {
  if (updates.contains({site, parameter}))
    return true;
  auto it = returned.find(graph.resolve(graph.getSites()[site].result));
  return it != returned.end() &&
         llvm::is_contained(it->second, getCount(graph.getNode(parameter).value));
}

bool RoleFinder::reachesGradientOf(unsigned site, NodeId parameter) const {
  int argument = graph.getNode(parameter).argument;
  if (named.test(argument))
    return true;
  auto it = countClasses.find(getCount(graph.getNode(parameter).value));
  return reachSets[reach[graph.getSites()[site].result]].test(it->second);
}

std::string RoleFinder::getName(NodeId parameter) const {
  int argument = graph.getNode(parameter).argument;
  func::FuncOp entry = graph.getEntry();
  return argument < 0 ? "a constant" : getArgumentName(entry, argument);
}

/// Whether the GEMM that pairs one side of a wgrad with the parameter is the fprop: then the other
/// side, dy, is computed from its result, or is a constant.
bool RoleFinder::isFprop(unsigned wgrad, unsigned side, unsigned site) const {
  NodeId other = sides[wgrad][1 - side].uses[ToSlice].value;
  return !isVariable.test(other) || graph.dependsOn(other, graph.getSites()[site].result);
}

/// Triangles of all three GEMMs: the third names the parameter.
void RoleFinder::findClosed(Depth depth, Depth parameterDepth) {
  std::map<Use, SmallVector<Pair, 1>> byValue;
  std::map<std::pair<Use, Use>, SmallVector<Pair, 1>> byBoth;
  for (unsigned site = 0; site < sides.size(); ++site)
    for (unsigned side : {0, 1}) {
      const Side &parameter = sides[site][1 - side];
      if (isPaired.test(site) || !parameter.isLeaf ||
          graph.getNode(parameter.getRoot()).argument < 0)
        continue;
      const Use &use = sides[site][side].uses[depth];
      byValue[use].push_back({site, side});
      byBoth[{use, parameter.uses[parameterDepth]}].push_back({site, side});
    }
  auto find = [](auto &map, const auto &key) -> ArrayRef<Pair> {
    auto it = map.find(key);
    return it == map.end() ? ArrayRef<Pair>() : ArrayRef<Pair>(it->second);
  };
  SmallVector<unsigned> paired;
  for (unsigned site = 0; site < sides.size(); ++site) {
    if (isWgrad.test(site))
      continue;
    Use duals[2] = {sides[site][0].uses[depth].getDual(), sides[site][1].uses[depth].getDual()};
    bool swap = find(byValue, duals[0]).size() > find(byValue, duals[1]).size();
    std::set<Use> tried;
    for (auto [other, otherSide] : find(byValue, duals[swap])) {
      const Use &parameter = sides[other][1 - otherSide].uses[parameterDepth];
      NodeId root = sides[other][1 - otherSide].getRoot();
      // The third GEMM contracts of the parameter what this one keeps.
      ArrayRef<Pair> third = find(byBoth, std::make_pair(duals[!swap], parameter.getDual()));
      if (third.empty() || other == site || !reachesGradientOf(site, root) ||
          !tried.insert(parameter).second)
        continue;
      ArrayRef<Pair> same = find(byBoth, std::make_pair(duals[swap], parameter));
      auto first = [&](ArrayRef<Pair> list) { return graph.getSites()[list.front().first].result; };
      bool sameIsFprop = first(same) < first(third);
      ArrayRef<Pair> fprops = sameIsFprop ? same : third, dgrads = sameIsFprop ? third : same;
      Triangle triangle{site, sameIsFprop ? swap : !swap, root, {}, {}};
      triangle.fprops.assign(fprops.begin(), fprops.end());
      triangle.dgrads.assign(dgrads.begin(), dgrads.end());
      triangles.push_back(std::move(triangle));
      isWgrad.set(site);
      for (ArrayRef<Pair> list : {same, third})
        for (Pair pair : list)
          paired.push_back(pair.first);
    }
  }
  // Only now: parameters that rival for one GEMM must both be seen.
  for (unsigned site : paired)
    isPaired.set(site);
}

/// A layer without dgrad (its input has no gradient) or without fprop (another function has it):
/// the wgrad and one GEMM that shares a side with it.
void RoleFinder::findOpen(Depth depth) {
  std::map<Use, SmallVector<Pair, 1>> byValue;
  for (unsigned site = 0; site < sides.size(); ++site)
    for (unsigned side : {0, 1}) {
      const Side &parameter = sides[site][1 - side];
      if (!isPaired.test(site) && !isWgrad.test(site) && parameter.isLeaf &&
          graph.getNode(parameter.getRoot()).argument >= 0)
        byValue[sides[site][side].uses[depth]].push_back({site, side});
    }
  // Candidate wgrads that share the value they share with the parameter and the parameter's extent.
  struct Group {
    SmallVector<Pair> wgrads, pairs;
  };
  std::map<std::pair<Use, int64_t>, Group> groups;
  for (unsigned site = 0; site < sides.size(); ++site)
    for (unsigned side : {0, 1}) {
      if (isWgrad.test(site))
        continue;
      auto candidates = byValue.find(sides[site][side].uses[depth].getDual());
      if (candidates == byValue.end())
        continue;
      // What the other side keeps is what the parameter keeps.
      int64_t extent = getView(site).getExtent(side ? DimGroup::LhsFree : DimGroup::RhsFree);
      auto [it, inserted] = groups.try_emplace({candidates->first, extent});
      if (inserted)
        for (Pair pair : candidates->second)
          if (getView(pair.first).getExtent(pair.second ? DimGroup::LhsFree : DimGroup::RhsFree) ==
              extent)
            it->second.pairs.push_back(pair);
      it->second.wgrads.push_back({site, side});
    }
  for (auto &entry : groups) {
    Group &group = entry.second;
    auto match = [&](Pair wgrad, auto &&accept) {
      unsigned site = wgrad.first, side = wgrad.second;
      if (isWgrad.test(site) || isPaired.test(site))
        return;
      // Layers that share an input are differentiated in the reverse of their order; dy is computed
      // from its own layer's result.
      std::optional<Pair> chosen;
      bool fprop = false;
      for (Pair pair : llvm::reverse(group.pairs)) {
        if (pair.first == site || isPaired.test(pair.first) ||
            !reachesGradientOf(site, getParameter(pair)) || !accept(site, pair))
          continue;
        fprop = isFprop(site, side, pair.first);
        if (!chosen || fprop)
          chosen = pair;
        if (fprop)
          break;
      }
      if (!chosen)
        return;
      // Without an fprop the reading in which x is the parameter may be as good as this one.
      NodeId parameter = getParameter(*chosen), rival = sides[site][1 - side].getRoot();
      if (!fprop && sides[site][1 - side].isLeaf && graph.getNode(rival).argument >= 0 &&
          reachesGradientOf(chosen->first, rival)) {
        bool isNamed = named.test(graph.getNode(parameter).argument);
        bool isClear = isNamed != named.test(graph.getNode(rival).argument);
        bool isBetter = isNamed;
        if (!isClear) {
          isBetter = isGradientOf(site, parameter);
          isClear = isBetter != isGradientOf(chosen->first, rival);
        }
        if (!isClear)
          for (unsigned open : {site, chosen->first})
            undecided[open] = {parameter, rival};
        if (!isClear || !isBetter)
          return;
      }
      Triangle triangle{site, fprop ? side : 1 - side, parameter, {}, {}};
      // The same pair computed again, as rematerialisation does, goes with it.
      const Use &use = sides[chosen->first][1 - chosen->second].uses[ToSlice];
      for (Pair pair : group.pairs) {
        const Use &other = sides[pair.first][1 - pair.second].uses[ToSlice];
        bool isSame = !(other < use) && !(use < other) &&
                      graph.getSites()[pair.first].result == graph.getSites()[chosen->first].result;
        if (pair != *chosen && !isSame)
          continue;
        (fprop ? triangle.fprops : triangle.dgrads).push_back(pair);
        isPaired.set(pair.first);
      }
      isWgrad.set(site);
      triangles.push_back(std::move(triangle));
    };
    for (Pair wgrad : group.wgrads)
      match(wgrad, [&](unsigned site, Pair pair) {
        return updates.contains({site, getParameter(pair)});
      });
    // With more parameters than gradients left, nothing tells which one has none.
    llvm::SetVector<NodeId> parameters;
    unsigned wgrads = 0;
    for (Pair pair : group.pairs)
      if (!isPaired.test(pair.first))
        parameters.insert(getParameter(pair));
    for (Pair wgrad : group.wgrads)
      wgrads += !isWgrad.test(wgrad.first) && !isPaired.test(wgrad.first) &&
                llvm::any_of(parameters, [&](NodeId parameter) {
                  return reachesGradientOf(wgrad.first, parameter);
                });
    SmallVector<NodeId> namedOnes;
    for (NodeId parameter : parameters)
      if (named.test(graph.getNode(parameter).argument))
        namedOnes.push_back(parameter);
    bool isClear = parameters.size() <= wgrads || namedOnes.size() == wgrads;
    if (!isClear && wgrads) {
      for (Pair pair : group.pairs)
        if (!isPaired.test(pair.first))
          undecided[pair.first] = {parameters[0], parameters[1]};
      for (Pair wgrad : group.wgrads)
        if (!isWgrad.test(wgrad.first) && !isPaired.test(wgrad.first))
          undecided[wgrad.first] = {parameters[0], parameters[1]};
      continue;
    }
    for (Pair wgrad : group.wgrads)
      match(wgrad, [&](unsigned, Pair pair) {
        return parameters.size() <= wgrads || llvm::is_contained(namedOnes, getParameter(pair));
      });
  }
}

void RoleFinder::assign() {
  // A site in triangles of different parameters is ambiguous, unless the user named one of them.
  std::vector<SmallVector<unsigned, 1>> bySite(sides.size());
  auto forEachSite = [](const Triangle &triangle, auto &&visit) {
    visit(triangle.wgrad);
    for (Pair pair : triangle.fprops)
      visit(pair.first);
    for (Pair pair : triangle.dgrads)
      visit(pair.first);
  };
  for (auto [i, triangle] : llvm::enumerate(triangles))
    forEachSite(triangle, [&, i = i](unsigned site) { bySite[site].push_back(i); });
  auto isNamed = [&](const Triangle &triangle) {
    return named.test(graph.getNode(triangle.parameter).argument);
  };
  for (const Triangle &triangle : triangles) {
    std::optional<NodeId> rival;
    bool loses = false;
    forEachSite(triangle, [&](unsigned site) {
      for (unsigned other : bySite[site]) {
        if (triangles[other].parameter == triangle.parameter)
          continue;
        if (isNamed(triangles[other]) && !isNamed(triangle))
          loses = true;
        else if (isNamed(triangles[other]) == isNamed(triangle))
          rival = triangles[other].parameter;
      }
    });
    if (loses)
      continue;
    auto set = [&](unsigned site, Role role, unsigned side, Member member, Member other) {
      Finding &finding = findings[site];
      if (rival)
        return setAmbiguous(finding, triangle.parameter, *rival);
      finding.role = role;
      finding.reason = Reason::None;
      finding.message.clear();
      finding.members[side] = member;
      finding.members[1 - side] = other;
      finding.parameter = graph.getNode(triangle.parameter).argument;
    };
    set(triangle.wgrad, Role::Wgrad, triangle.xSide, Member::X, Member::DY);
    for (Pair pair : triangle.fprops)
      set(pair.first, Role::Fprop, pair.second, Member::X, Member::W);
    for (Pair pair : triangle.dgrads)
      set(pair.first, Role::Dgrad, pair.second, Member::DY, Member::W);
  }
  for (auto &[site, rivals] : undecided)
    if (findings[site].role == Role::None)
      setAmbiguous(findings[site], rivals.first, rivals.second);
}

void RoleFinder::setAmbiguous(Finding &finding, NodeId parameter, NodeId rival) const {
  finding.reason = Reason::AmbiguousParameter;
  std::string a = getName(parameter), b = getName(rival);
  if (b < a)
    std::swap(a, b);
  finding.message = "both " + a + " and " + b +
                    " may have their gradient here; name the parameter: "
                    "params=" +
                    a + " or params=" + b;
}

/// Sites outside every triangle that use a triangle's parameter as its fprop or dgrad does: the
/// wgrad reads what a later loop computes again, as rematerialisation does in a scan over layers.
void RoleFinder::assignRecomputed() {
  // What a parameter's fprop contracts, and its dgrad keeps.
  std::map<Use, Role> known;
  for (const Triangle &triangle : triangles)
    for (ArrayRef<Pair> pairs : {ArrayRef<Pair>(triangle.fprops), ArrayRef<Pair>(triangle.dgrads)})
      for (Pair pair : pairs) {
        Role role = findings[pair.first].role;
        if (role == Role::None || findings[pair.first].members[1 - pair.second] != Member::W)
          continue;
        const Use &use = sides[pair.first][1 - pair.second].uses[ThroughSlices];
        known.try_emplace(use, role);
        known.try_emplace(use.getDual(), role == Role::Fprop ? Role::Dgrad : Role::Fprop);
      }
  for (unsigned site = 0; site < sides.size(); ++site) {
    Finding &finding = findings[site];
    auto find = [&](unsigned side) { return known.find(sides[site][side].uses[ThroughSlices]); };
    bool isLhs = find(0) != known.end(), w = find(1) != known.end();
    if (finding.role != Role::None || finding.reason == Reason::AmbiguousParameter || isLhs == w)
      continue;
    auto it = find(w);
    finding.role = it->second;
    finding.reason = Reason::None;
    finding.message.clear();
    finding.members[w] = Member::W;
    finding.members[1 - w] = it->second == Role::Fprop ? Member::X : Member::DY;
    finding.parameter = graph.getNode(sides[site][w].getRoot()).argument;
  }
}

/// Sites outside every triangle: named parameters have a role all the same, the rest a reason.
void RoleFinder::explainRest() {
  // What a parameter's first use contracts is what its fprop contracts.
  llvm::DenseMap<NodeId, ModesId> fpropContracts;
  for (unsigned site = 0; site < sides.size(); ++site)
    for (unsigned side : {0, 1})
      if (sides[site][side].isLeaf && findings[site].role != Role::Dgrad)
        fpropContracts.try_emplace(sides[site][side].getRoot(),
                                   sides[site][side].uses[ThroughSlices].contracted);
  for (unsigned site = 0; site < sides.size(); ++site) {
    Finding &finding = findings[site];
    if (finding.role != Role::None || finding.reason == Reason::AmbiguousParameter)
      continue;
    SmallVector<unsigned, 2> namedSides, leafSides;
    for (unsigned side : {0, 1}) {
      const Side &value = sides[site][side];
      if (!value.isLeaf)
        continue;
      leafSides.push_back(side);
      int argument = graph.getNode(value.getRoot()).argument;
      if (argument >= 0 && named.test(argument))
        namedSides.push_back(side);
    }
    if (namedSides.size() == 1) {
      unsigned w = namedSides.front();
      bool isFprop = fpropContracts.lookup(sides[site][w].getRoot()) ==
                     sides[site][w].uses[ThroughSlices].contracted;
      finding.role = isFprop ? Role::Fprop : Role::Dgrad;
      finding.reason = Reason::None;
      finding.members[w] = Member::W;
      finding.members[1 - w] = isFprop ? Member::X : Member::DY;
      finding.parameter = graph.getNode(sides[site][w].getRoot()).argument;
      continue;
    }
    if (namedSides.size() == 2) {
      finding.reason = Reason::AmbiguousParameter;
      finding.message = "both operands are named as parameters";
      continue;
    }
    for (unsigned side : {0, 1})
      if (int argument = sides[site][side].blockedArgument; argument >= 0 && leafSides.empty()) {
        func::FuncOp entry = graph.getEntry();
        finding.reason = Reason::Shape;
        finding.message = "a reshape of " + getArgumentName(entry, argument) +
                          " cuts its dimensions where the contraction does not";
      }
    if (leafSides.empty()) {
      if (finding.reason == Reason::NoParameter)
        finding.message = "neither operand is a view of an argument";
      continue;
    }
    finding.reason = Reason::NoGradient;
    std::string name = getName(sides[site][leafSides.back()].getRoot());
    finding.message = "no result is the gradient of " + name;
    if (graph.getNode(sides[site][leafSides.back()].getRoot()).argument >= 0)
      finding.message += "; if it is a parameter, name it: params=" + name;
    if (returned.contains(graph.resolve(graph.getSites()[site].result)))
      finding.message += "; if the function is a backward, name its forward: " + kForwardAttr.str();
  }
}

/// The arguments of a public function that the user names, as a set.
llvm::SmallBitVector findNamed(func::FuncOp entry, ArrayRef<std::string> params,
                               llvm::SmallBitVector &known) {
  llvm::SmallBitVector named(entry.getNumArguments());
  for (auto [i, param] : llvm::enumerate(params)) {
    unsigned number;
    bool isNumber = !StringRef(param).getAsInteger(10, number);
    for (unsigned arg = 0; arg < entry.getNumArguments(); ++arg)
      if (isNumber ? number == arg : getArgumentName(entry, arg) == param) {
        named.set(arg);
        known.set(i);
      }
  }
  return named;
}

/// Reads a user's annotation, which wins over what was found.
LogicalResult applyAnnotation(GemmInfo &info) {
  Operation *op = info.view.op;
  Attribute attr = op->getAttr(kGemmAttr);
  if (!attr)
    return success();
  auto dict = dyn_cast<DictionaryAttr>(attr);
  if (!dict)
    return op->emitError() << "'" << kGemmAttr
                           << "' is a dictionary of role, layer and stream, found " << attr;
  for (NamedAttribute entry : dict)
    if (entry.getName() != "role" && entry.getName() != "layer" && entry.getName() != "stream")
      return op->emitError() << "'" << kGemmAttr << "' has no key '" << entry.getName().getValue()
                             << "': known are role, layer, stream";
  auto expect = [&](StringRef key, StringRef what) {
    return op->emitError() << "'" << kGemmAttr << "': expected " << key << " to be " << what
                           << ", found " << dict.get(key);
  };
  if (Attribute layer = dict.get("layer")) {
    if (!isa<StringAttr>(layer))
      return expect("layer", "a string");
    info.layer = cast<StringAttr>(layer).str();
  }
  if (Attribute stream = dict.get("stream")) {
    auto value = dyn_cast<IntegerAttr>(stream);
    if (!value || value.getValue().getActiveBits() > 32 || value.getValue()[0])
      return expect("stream", "an even integer of 32 bits: the lhs's, the rhs's is one more");
    info.streamIndex = value.getValue().getZExtValue() / 2;
  }
  Attribute roleAttr = dict.get("role");
  if (!roleAttr)
    return success();
  std::optional<Role> role;
  if (auto name = dyn_cast<StringAttr>(roleAttr))
    role = symbolizeRole(name.getValue());
  if (!role)
    return expect("role", "none, fprop, dgrad or wgrad");
  if (*role == Role::None) {
    info.reason = Reason::Excluded;
    info.message = "the annotation says so";
    info.members[0] = info.members[1] = Member::None;
  } else if (*role != info.role) {
    // In the order of the role's name, fprop (x, w), dgrad (dy, w), wgrad (x, dy), unless the lhs
    // is known to be the parameter.
    info.reason = Reason::None;
    info.message.clear();
    bool swap = *role != Role::Wgrad && info.members[0] == Member::W;
    info.members[swap] = *role == Role::Dgrad ? Member::DY : Member::X;
    info.members[!swap] = *role == Role::Wgrad ? Member::DY : Member::W;
  }
  info.role = *role;
  return success();
}

/// Equal keys are equal computations.
using SiteKey = std::tuple<NodeId, NodeId, SmallVector<int64_t>>;

SiteKey getSiteKey(const TrainingGraph::Site &site, const ContractionView &view) {
  SmallVector<int64_t> dims;
  for (const ContractionDim &dim : view.dims)
    llvm::append_range(dims, ArrayRef<int64_t>{dim.lhs, dim.rhs, dim.result});
  return {site.lhs, site.rhs, std::move(dims)};
}

} // namespace

StringRef ufp4::stringifyMember(Member member) {
  switch (member) {
  case Member::X:
    return "x";
  case Member::W:
    return "w";
  case Member::DY:
    return "dy";
  case Member::None:
    return "none";
  }
  llvm_unreachable("closed set");
}

FailureOr<std::vector<GemmInfo>> ufp4::analyzeTraining(ModuleOp module, const Frontends &frontends,
                                                       ArrayRef<std::string> params) {
  std::vector<GemmInfo> gemms;
  llvm::DenseMap<Operation *, unsigned> indices;
  // What a grouped dot is made of elsewhere does not count again.
  llvm::DenseSet<Attribute> decompositions;
  module.walk([&](Operation *op) {
    if (FlatSymbolRefAttr symbol = frontends.getDecomposition(op))
      decompositions.insert(symbol.getAttr());
  });
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op);
        function && decompositions.contains(function.getSymNameAttr()))
      return WalkResult::skip();
    std::optional<ContractionView> view = frontends.matchContraction(op);
    if (!view)
      return WalkResult::advance();
    GemmInfo &info = gemms.emplace_back();
    info.view = std::move(*view);
    info.index = info.streamIndex = gemms.size() - 1;
    info.reason = Reason::NoParameter;
    info.message = "no public function calls this";
    indices[op] = info.index;
    return WalkResult::advance();
  });

  SymbolTableCollection symbols;
  llvm::SmallBitVector known(params.size()), visited(gemms.size());
  SmallVector<std::string> names;
  SmallVector<func::FuncOp> entries;
  module.walk([&](func::FuncOp function) {
    if (function.isPublic() && !function.isExternal())
      entries.push_back(function);
  });
  FailureOr<SmallVector<BackwardLink, 1>> links = findBackwardLinks(module);
  if (failed(links))
    return failure();
  for (func::FuncOp entry : entries) {
    // A backward is walked with its forward.
    if (llvm::any_of(*links, [&](const BackwardLink &link) { return link.backward == entry; }))
      continue;
    llvm::SmallBitVector named = findNamed(entry, params, known);
    for (unsigned arg = 0; arg < entry.getNumArguments(); ++arg)
      names.push_back(getArgumentName(entry, arg));
    TrainingGraph graph(entry, *links, frontends, symbols);
    RoleFinder finder(graph, frontends, indices, gemms, named);
    std::map<SiteKey, unsigned> computed;
    for (auto [site, finding] : llvm::zip_equal(graph.getSites(), finder.getFindings())) {
      GemmInfo &info = gemms[indices[site.op]];
      unsigned original =
          computed.try_emplace(getSiteKey(site, info.view), info.index).first->second;
      if (!visited.test(info.index)) {
        visited.set(info.index);
        info.streamIndex = std::min(info.streamIndex, original);
        info.role = finding.role;
        info.reason = finding.reason;
        info.message = finding.message;
        std::copy(std::begin(finding.members), std::end(finding.members), info.members);
        info.parameter = finding.parameter;
        if (info.parameter >= 0)
          info.parameterName = getArgumentName(entry, info.parameter);
        info.layer = getLayerName(site.op->getLoc(), site.calls);
        if (info.layer.empty())
          info.layer = info.parameterName;
        continue;
      }
      // An operation that several calls reach has one role, or none.
      if (info.role != finding.role ||
          !std::equal(std::begin(info.members), std::end(info.members), finding.members)) {
        info.role = Role::None;
        info.reason = Reason::AmbiguousParameter;
        info.message = "its callers use it in different roles";
        info.members[0] = info.members[1] = Member::None;
      }
    }
  }
  for (auto [i, param] : llvm::enumerate(params))
    if (!known.test(i)) {
      InFlightDiagnostic diag = emitError(module.getLoc())
                                << "unknown parameter '" << param << "': known are ";
      llvm::interleaveComma(names, diag);
      return diag;
    }
  for (GemmInfo &info : gemms)
    if (failed(applyAnnotation(info)))
      return failure();
  return gemms;
}
