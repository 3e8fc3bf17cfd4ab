//===- TrainingRoles.cpp - which GEMM is which ----------------------------===//

#include "ufp4/Analysis/TrainingRoles.h"

#include "ufp4/Analysis/LayerNames.h"
#include "ufp4/Analysis/TrainingGraph.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace ufp4;

#include "ufp4/Analysis/AnalysisEnums.cpp.inc"

namespace {

/// An interned description of which elements of a root a group of dimensions runs over.
using ModesId = unsigned;

/// One side of a site: the value it is a view of, and what each group is of that value.
struct Side {
  NodeId root = 0;
  /// The root is the entry function's argument or a constant.
  bool isLeaf = false;
  ModesId batch = 0, free = 0, contracted = 0;
};

/// Identifies a side by its root and the use made of it.
using SideKey = std::tuple<NodeId, ModesId, ModesId, ModesId>;

SideKey getKey(const Side &side) {
  return {side.root, side.batch, side.free, side.contracted};
}
/// The key of a side that contracts what this one keeps, and keeps what it contracts.
SideKey getDualKey(const Side &side) {
  return {side.root, side.batch, side.contracted, side.free};
}

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
  /// GEMMs that share the members x, dy and a parameter; `pairs` are the sites (u, w) and (v, w).
  struct Triangle {
    unsigned wgrad;
    /// The side of the wgrad that is x.
    unsigned xSide;
    NodeId parameter;
    SmallVector<std::pair<unsigned, unsigned>, 2> fprops, dgrads;
  };
  /// A site and the side of it that is not the parameter.
  using Use = std::pair<unsigned, unsigned>;

  const ContractionView &getView(unsigned site) const {
    return gemms[indices.lookup(graph.getSites()[site].op)].view;
  }
  Side findSide(unsigned site, unsigned side, OperandLayout &layout);
  void findModes(unsigned site, ArrayRef<OperandLayout> layouts);
  void findReach();
  bool reachesGradientOf(unsigned site, NodeId parameter) const;
  bool isCandidate(NodeId root) const;
  void findTriangles();
  void assign();
  void explainRest();
  std::string getName(NodeId parameter) const;

  const TrainingGraph &graph;
  const Frontends &frontends;
  const llvm::DenseMap<Operation *, unsigned> &indices;
  ArrayRef<GemmInfo> gemms;
  const llvm::SmallBitVector &named;
  std::vector<std::array<Side, 2>> sides;
  std::vector<Triangle> triangles;
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
  for (unsigned site = 0; site < count; ++site) {
    OperandLayout layouts[2];
    for (unsigned side : {0, 1})
      sides[site][side] = findSide(site, side, layouts[side]);
    findModes(site, layouts);
  }
  findReach();
  findTriangles();
  assign();
  explainRest();
}

/// Follows an operand to its root. Slices and broadcasts are followed where they end in an
/// argument, a constant or what a loop stacked; else the root is the value before the first.
Side RoleFinder::findSide(unsigned site, unsigned side, OperandLayout &layout) {
  const ContractionView &view = getView(site);
  const TrainingGraph::Site &place = graph.getSites()[site];
  NodeId id = graph.resolve(side ? place.rhs : place.lhs);
  layout = getLayout(view, side);
  std::optional<std::pair<NodeId, OperandLayout>> fallback;
  auto getShape = [&](NodeId node) {
    return cast<RankedTensorType>(graph.getNode(node).value.getType()).getShape();
  };
  while (true) {
    if (auto step = graph.getView(id)) {
      auto next = followStep(view, step->first, layout, getShape(step->second), getShape(id),
                             /*acrossGroups=*/true);
      if (!next)
        break;
      if ((step->first.slices || step->first.broadcasts) && !fallback)
        fallback = {id, layout};
      layout = std::move(*next);
      id = step->second;
      continue;
    }
    if (auto update = graph.getSliceUpdate(id); update && fallback) {
      OperandLayout next;
      for (int64_t dim : update->first.dims)
        next.dims.push_back(layout.dims[dim]);
      layout = std::move(next);
      id = update->second;
      fallback.reset();
      continue;
    }
    break;
  }
  const TrainingGraph::Node &node = graph.getNode(id);
  Operation *op = node.value.getDefiningOp();
  bool isConstant = op && op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
                    frontends.isPure(op) && isa_and_nonnull<DenseElementsAttr>(op->getAttr("value")) &&
                    !cast<DenseElementsAttr>(op->getAttr("value")).isSplat();
  Side result;
  result.isLeaf = node.argument >= 0 || isConstant;
  if (!result.isLeaf && fallback) {
    id = fallback->first;
    layout = std::move(fallback->second);
  }
  result.root = id;
  return result;
}

void RoleFinder::findModes(unsigned site, ArrayRef<OperandLayout> layouts) {
  const ContractionView &view = getView(site);
  for (unsigned side : {0, 1}) {
    // A batch dimension along which the other operand only repeats is a free one.
    llvm::SmallBitVector shared(view.dims.size());
    for (const Factors &factors : layouts[1 - side].dims)
      for (const Factor &factor : factors)
        shared.set(factor.dim);
    // Triples (root dimension, stride in it, extent), neighbours joined.
    SmallVector<int64_t> groups[3];
    for (auto [dim, factors] : llvm::enumerate(layouts[side].dims)) {
      int64_t stride = 1;
      SmallVector<std::tuple<unsigned, int64_t, int64_t>> parts;
      for (const Factor &factor : llvm::reverse(factors)) {
        DimGroup group = view.dims[factor.dim].group;
        unsigned kind = group == DimGroup::Contracted ? 2
                        : group == DimGroup::Batch && shared.test(factor.dim) ? 0
                                                                              : 1;
        if (!parts.empty() && std::get<0>(parts.back()) == kind &&
            !ShapedType::isDynamic(factor.extent))
          std::get<2>(parts.back()) *= factor.extent;
        else
          parts.push_back({kind, stride, factor.extent});
        if (!ShapedType::isDynamic(factor.extent))
          stride *= factor.extent;
      }
      for (auto [kind, partStride, extent] : parts)
        llvm::append_range(groups[kind],
                           ArrayRef<int64_t>{static_cast<int64_t>(dim), partStride, extent});
    }
    auto intern = [&](SmallVector<int64_t> &group) {
      return modes.try_emplace(std::move(group), modes.size()).first->second;
    };
    Side &result = sides[site][side];
    result.batch = intern(groups[0]);
    result.free = intern(groups[1]);
    result.contracted = intern(groups[2]);
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

bool RoleFinder::isCandidate(NodeId root) const { return graph.getNode(root).argument >= 0; }

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

void RoleFinder::findTriangles() {
  // Uses of a value against a parameter, by what is used and, where known, by which parameter.
  std::map<SideKey, SmallVector<Use, 1>> uses;
  std::map<std::pair<SideKey, SideKey>, SmallVector<Use, 1>> usesOf;
  for (unsigned site = 0; site < sides.size(); ++site)
    for (unsigned side : {0, 1}) {
      const Side &parameter = sides[site][1 - side];
      if (!parameter.isLeaf || !isCandidate(parameter.root))
        continue;
      uses[getKey(sides[site][side])].push_back({site, side});
      usesOf[{getKey(sides[site][side]), getKey(parameter)}].push_back({site, side});
    }
  auto getUses = [&](const Side &side) -> ArrayRef<Use> {
    auto it = uses.find(getDualKey(side));
    return it == uses.end() ? ArrayRef<Use>() : ArrayRef<Use>(it->second);
  };

  // Closed triangles first: they leave no doubt about the parameter.
  llvm::DenseSet<std::pair<unsigned, NodeId>> closed;
  llvm::DenseSet<NodeId> claimed;
  std::vector<unsigned> open;
  for (unsigned site = 0; site < sides.size(); ++site) {
    ArrayRef<Use> u = getUses(sides[site][0]), v = getUses(sides[site][1]);
    if (u.empty() && v.empty())
      continue;
    bool swap = u.size() > v.size();
    bool found = false;
    for (auto [other, otherSide] : swap ? v : u) {
      const Side &parameter = sides[other][1 - otherSide];
      // The third GEMM contracts of the parameter what this one keeps.
      auto third = usesOf.find(
          {getDualKey(sides[site][swap ? 0 : 1]), getDualKey(parameter)});
      if (third == usesOf.end() || other == site || !reachesGradientOf(site, parameter.root) ||
          !closed.insert({site, parameter.root}).second)
        continue;
      auto same = usesOf.find({getDualKey(sides[site][swap ? 1 : 0]), getKey(parameter)});
      Triangle triangle{site, 0, parameter.root, {}, {}};
      auto first = [&](ArrayRef<Use> list) {
        return graph.getSites()[list.front().first].result;
      };
      ArrayRef<Use> a = same->second, b = third->second;
      bool aIsFprop = first(a) < first(b);
      triangle.fprops.assign(aIsFprop ? a.begin() : b.begin(), aIsFprop ? a.end() : b.end());
      triangle.dgrads.assign(aIsFprop ? b.begin() : a.begin(), aIsFprop ? b.end() : a.end());
      // `a` pairs the parameter with side `swap` of this site.
      triangle.xSide = aIsFprop ? swap : !swap;
      triangles.push_back(std::move(triangle));
      claimed.insert(parameter.root);
      found = true;
    }
    if (!found)
      open.push_back(site);
  }

  // A layer without dgrad (its input has no gradient) or without fprop (another function has it).
  std::map<std::pair<SideKey, int64_t>, SmallVector<Use>> unclaimed;
  for (unsigned site : open) {
    for (unsigned side : {0, 1}) {
      ArrayRef<Use> candidates = getUses(sides[site][side]);
      if (candidates.empty())
        continue;
      // What the other side keeps is what the parameter keeps.
      DimGroup otherFree = side ? DimGroup::LhsFree : DimGroup::RhsFree;
      int64_t extent = getView(site).getExtent(otherFree);
      auto [it, inserted] = unclaimed.try_emplace({getDualKey(sides[site][side]), extent});
      if (inserted)
        for (Use use : candidates) {
          DimGroup free = use.second ? DimGroup::LhsFree : DimGroup::RhsFree;
          NodeId parameter = sides[use.first][1 - use.second].root;
          if (getView(use.first).getExtent(free) == extent && !claimed.contains(parameter))
            it->second.push_back(use);
        }
      // Layers that share an input are differentiated in the reverse of their order.
      SmallVector<Use> &left = it->second;
      auto match = llvm::find_if(llvm::reverse(left), [&](Use use) {
        return use.first != site &&
               reachesGradientOf(site, sides[use.first][1 - use.second].root);
      });
      if (match == left.rend())
        continue;
      Use use = *match;
      NodeId parameter = sides[use.first][1 - use.second].root;
      Triangle triangle{site, 0, parameter, {}, {}};
      NodeId result = graph.getSites()[use.first].result;
      NodeId other = sides[site][1 - side].root;
      bool isFprop = graph.dependsOn(other, result);
      for (Use same : left)
        if (sides[same.first][1 - same.second].root == parameter)
          (isFprop ? triangle.fprops : triangle.dgrads).push_back(same);
      llvm::erase_if(left, [&](Use same) {
        return sides[same.first][1 - same.second].root == parameter;
      });
      triangle.xSide = isFprop ? side : 1 - side;
      triangles.push_back(std::move(triangle));
      break;
    }
  }
}

void RoleFinder::assign() {
  // A site in triangles of different parameters is ambiguous, unless the user named one of them.
  std::vector<SmallVector<unsigned, 1>> bySite(sides.size());
  auto forEachSite = [](const Triangle &triangle, auto &&visit) {
    visit(triangle.wgrad);
    for (Use use : triangle.fprops)
      visit(use.first);
    for (Use use : triangle.dgrads)
      visit(use.first);
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
      if (rival) {
        finding.reason = Reason::AmbiguousParameter;
        std::string a = getName(triangle.parameter), b = getName(*rival);
        if (b < a)
          std::swap(a, b);
        finding.message = "both " + a + " and " + b +
                          " have a gradient here; name the parameter: params=" + a +
                          " or params=" + b;
        return;
      }
      finding.role = role;
      finding.reason = Reason::None;
      finding.message.clear();
      finding.members[side] = member;
      finding.members[1 - side] = other;
      finding.parameter = graph.getNode(triangle.parameter).argument;
    };
    set(triangle.wgrad, Role::Wgrad, triangle.xSide, Member::X, Member::DY);
    for (Use use : triangle.fprops)
      set(use.first, Role::Fprop, use.second, Member::X, Member::W);
    for (Use use : triangle.dgrads)
      set(use.first, Role::Dgrad, use.second, Member::DY, Member::W);
  }
}

/// Sites outside every triangle: named parameters have a role all the same, the rest a reason.
void RoleFinder::explainRest() {
  // What a parameter's first use contracts is what its fprop contracts.
  llvm::DenseMap<NodeId, ModesId> fpropContracts;
  for (unsigned site = 0; site < sides.size(); ++site)
    for (unsigned side : {0, 1})
      if (sides[site][side].isLeaf && findings[site].role != Role::Dgrad)
        fpropContracts.try_emplace(sides[site][side].root, sides[site][side].contracted);
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
      int argument = graph.getNode(value.root).argument;
      if (argument >= 0 && named.test(argument))
        namedSides.push_back(side);
    }
    if (namedSides.size() == 1) {
      unsigned w = namedSides.front();
      bool isFprop = fpropContracts.lookup(sides[site][w].root) == sides[site][w].contracted;
      finding.role = isFprop ? Role::Fprop : Role::Dgrad;
      finding.reason = Reason::None;
      finding.members[w] = Member::W;
      finding.members[1 - w] = isFprop ? Member::X : Member::DY;
      finding.parameter = graph.getNode(sides[site][w].root).argument;
      continue;
    }
    if (namedSides.size() == 2) {
      finding.reason = Reason::AmbiguousParameter;
      finding.message = "both operands are named as parameters";
      continue;
    }
    if (leafSides.empty()) {
      finding.message = "neither operand is a view of an argument";
      continue;
    }
    finding.reason = Reason::NoGradient;
    std::string name = getName(sides[site][leafSides.back()].root);
    finding.message = "no result is the gradient of " + name;
    if (graph.getNode(sides[site][leafSides.back()].root).argument >= 0)
      finding.message += "; if it is a parameter, name it: params=" + name;
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
  if (auto layer = dict.getAs<StringAttr>("layer"))
    info.layer = layer.str();
  if (auto stream = dict.getAs<IntegerAttr>("stream")) {
    if (stream.getInt() < 0 || stream.getInt() % 2 || stream.getInt() > UINT32_MAX)
      return op->emitError() << "a GEMM's stream is even (the lhs's; the rhs's is one more) and "
                                "fits 32 bits, found "
                             << stream.getInt();
    info.streamIndex = stream.getInt() / 2;
  }
  auto roleName = dict.getAs<StringAttr>("role");
  if (!roleName)
    return success();
  std::optional<Role> role = symbolizeRole(roleName.getValue());
  if (!role)
    return op->emitError() << "unknown role '" << roleName.getValue()
                           << "': expected none, fprop, dgrad or wgrad";
  if (*role == Role::None) {
    info.reason = Reason::Excluded;
    info.message = "the annotation says so";
    info.members[0] = info.members[1] = Member::None;
  } else if (*role != info.role) {
    // Operands in the order of the role's name: fprop (x, w), dgrad (dy, w), wgrad (x, dy).
    info.reason = Reason::None;
    info.message.clear();
    info.members[0] = *role == Role::Dgrad ? Member::DY : Member::X;
    info.members[1] = *role == Role::Wgrad ? Member::DY : Member::W;
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
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<ContractionView> view = frontends.matchContraction(op);
    if (!view)
      return;
    GemmInfo &info = gemms.emplace_back();
    info.view = std::move(*view);
    info.index = info.streamIndex = gemms.size() - 1;
    info.reason = Reason::NoParameter;
    info.message = "no public function calls this";
    indices[op] = info.index;
  });

  SymbolTableCollection symbols;
  llvm::SmallBitVector known(params.size()), visited(gemms.size());
  SmallVector<std::string> names;
  for (auto entry : module.getOps<func::FuncOp>()) {
    if (!entry.isPublic() || entry.isExternal())
      continue;
    llvm::SmallBitVector named = findNamed(entry, params, known);
    for (unsigned arg = 0; arg < entry.getNumArguments(); ++arg)
      names.push_back(getArgumentName(entry, arg));
    TrainingGraph graph(entry, frontends, symbols);
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
      if (info.role != finding.role || !std::equal(std::begin(info.members),
                                                   std::end(info.members), finding.members)) {
        info.role = Role::None;
        info.reason = Reason::AmbiguousParameter;
        info.message = "its callers use it in different roles";
        info.members[0] = info.members[1] = Member::None;
      }
    }
  }
  for (auto [i, param] : llvm::enumerate(params))
    if (!known.test(i)) {
      InFlightDiagnostic diag = emitError(module.getLoc()) << "unknown parameter '" << param << "': known are ";
      llvm::interleaveComma(names, diag);
      return diag;
    }
  for (GemmInfo &info : gemms)
    if (failed(applyAnnotation(info)))
      return failure();
  return gemms;
}
