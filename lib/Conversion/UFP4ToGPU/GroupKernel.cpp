//===- GroupKernel.cpp - Where the groups of a grouped GEMM lie -----------===//
//
// A thread writes one record, and walks over all groups for it: they are few, and every thread
// reads the same size at the same time.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/UFP4ToGPU/GroupKernel.h"

#include "GroupTable.h"
#include "KernelParts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

static constexpr unsigned threadsOfBlock = 128;

StringRef ufp4::stringify(GroupArgument argument) {
  static constexpr StringLiteral names[] = {"sizes", "table", "groups", "records", "extent"};
  return names[unsigned(argument)];
}

GroupRecord ufp4::loadGroupRecord(KernelBuilder &b, Value table, Value index) {
  Value record = b.load(b.vector(groupFields, b.getI32Type()),
                        b.at(table, b.mul(b.widen(index), groupRecordBytes)), groupRecordBytes);
  auto field = [&](GroupField name) { return b.element(record, unsigned(name)); };
  return {field(GroupField::Group), field(GroupField::Begin), field(GroupField::Size),
          field(GroupField::FirstTile)};
}

std::string ufp4::getKernelName(const GroupKernelSpec &spec) {
  return "ufp4_groups_t" + std::to_string(spec.tile);
}

static void emitRecord(KernelBuilder &b, const GroupKernelSpec &spec, ValueRange arguments) {
  Value sizes = arguments[0], table = arguments[1], groups = arguments[2], extent = arguments[4];
  Value thread = toI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value block = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value index = b.add(b.mul(block, threadsOfBlock), thread);
  auto sizeOf = [&](Value group) -> Value {
    Value size = b.load(b.getI32Type(), b.at(sizes, b.mul(b.widen(group), 4)), 4);
    return arith::MaxSIOp::create(b, size, b.i32(0));
  };
  emitIf(b, b.less(index, arguments[3]), [&] {
    Value isGroup = b.less(index, groups), tile = b.sub(index, groups);
    Value last = b.sub(groups, b.i32(1));
    Value own = sizeOf(b.createOrFold<arith::MinUIOp>(index, last));
    // Carried: where the next group begins and its first tile; the record's place among groups, and
    // the record.
    auto loop = scf::ForOp::create(
        b, b.i32(0), groups, b.i32(1),
        ValueRange{b.i32(0), b.i32(0), b.i32(0), groups, b.i32(0), b.i32(0), b.i32(0)});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value group = loop.getInductionVar();
      ValueRange carried = loop.getRegionIterArgs();
      Value begin = carried[0], firstTile = carried[1], rank = carried[2];
      Value wanted = sizeOf(group);
      Value size = b.createOrFold<arith::MinUIOp>(wanted, b.sub(extent, begin));
      Value tiles = b.shr(b.add(size, spec.tile - 1), llvm::Log2_32(spec.tile));
      auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
        return arith::CmpIOp::create(b, predicate, x, y);
      };
      Value isHere = b.select(isGroup, compare(arith::CmpIPredicate::eq, group, index),
                              b.less(b.sub(tile, firstTile), tiles));
      Value isGreater =
          b.select(b.less(group, index), compare(arith::CmpIPredicate::uge, wanted, own),
                   compare(arith::CmpIPredicate::ugt, wanted, own));
      SmallVector<Value> next{
          b.add(begin, size), b.add(firstTile, tiles),
          b.add(rank, arith::ExtUIOp::create(b, b.getI32Type(), isGreater).getResult())};
      for (auto [found, known] :
           llvm::zip_equal(std::array{group, begin, size, firstTile}, carried.drop_front(3)))
        next.push_back(b.select(isHere, found, known));
      scf::YieldOp::create(b, next);
    }
    ValueRange found = loop.getResults();
    // A tile behind all groups is one of those that begin there, of what is in none.
    Value isRest = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, found[3], groups);
    SmallVector<Value> record{found[3], b.select(isRest, found[0], found[4]),
                              b.select(isRest, b.sub(extent, found[0]), found[5]),
                              b.select(isRest, found[1], found[6])};
    Value place = b.select(isGroup, found[2], index);
    b.store(b.join(record), b.at(table, b.mul(b.widen(place), groupRecordBytes)), groupRecordBytes);
  });
}

FailureOr<GroupKernelInfo> ufp4::buildGroupKernel(OpBuilder &builder, Location loc,
                                                  const GroupKernelSpec &spec) {
  assert(spec.chip && llvm::isPowerOf2_32(spec.tile) && "tiles of storages are powers of two");
  KernelBuilder b(loc, builder);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), globalSpace);
  Type i32 = b.getI32Type();
  auto function = gpu::GPUFuncOp::create(b, getKernelName(spec),
                                         b.getFunctionType({pointer, pointer, i32, i32, i32}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSize(ArrayRef<int32_t>{int32_t(threadsOfBlock), 1, 1});
  for (unsigned i : {0, 1}) {
    unsigned alignment = i ? groupRecordBytes : 4;
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(alignment));
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  }
  function.setArgAttr(0, LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
  b.setInsertionPointToStart(&function.getBody().front());
  emitRecord(b, spec, function.getArguments());
  gpu::ReturnOp::create(b);
  return GroupKernelInfo{getKernelName(spec), spec.chip, threadsOfBlock};
}

TileWork ufp4::locateWork(KernelBuilder &b, const GemmKernelSpec &spec,
                          const GemmSchedule &schedule, Value row, Value batch, Value m,
                          Value depthTiles, Value groups, Value groupCount) {
  TileWork work{batch,  b.mul(row, schedule.tileM), m, batch, batch, depthTiles, Value(), Value(),
                Value()};
  if (!spec.grouping)
    return work;
  Value zero = b.i32(0);
  bool isRows = *spec.grouping == numerics::Grouping::Rows;
  GroupRecord record = loadGroupRecord(b, groups, isRows ? b.add(groupCount, row) : batch);
  if (isRows) {
    // Rows of no group are those of a product without depth.
    work.isGroup = b.less(record.group, groupCount);
    work.group = b.createOrFold<arith::MinUIOp>(record.group, b.sub(groupCount, b.i32(1)));
    Value inGroup = b.mul(b.sub(row, record.firstTile), schedule.tileM);
    work.product = work.matrixA = zero;
    work.matrixB = work.group;
    work.firstRow = b.add(record.begin, inGroup);
    work.rowEnd = b.add(record.begin, record.size);
    work.steps = b.select(work.isGroup, depthTiles, zero);
    return work;
  }
  work.product = work.group = record.group;
  work.matrixA = work.matrixB = zero;
  work.firstStep = record.firstTile;
  work.steps = b.shr(b.add(record.size, schedule.tileK - 1), llvm::Log2_32(schedule.tileK));
  return work;
}

Value ufp4::loadGlobal(KernelBuilder &b, Value place, const TileWork &work) {
  if (!place)
    return place;
  if (work.group)
    place = b.at(place, b.mul(b.widen(work.group), 4));
  Value global = b.load(b.getF32Type(), place, 4);
  // A product without depth is 0, whatever some group's S is.
  return work.isGroup ? b.select(work.isGroup, global, b.f32(1)) : global;
}
