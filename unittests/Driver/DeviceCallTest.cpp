//===- DeviceCallTest.cpp - Custom calls on a device ----------------------===//
//
// The device is the emulator behind a driver's functions. Each call is compared with the same one
// on the CPU.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Driver/DeviceCall.h"
#include "ufp4-c/Launcher.h"
#include "ufp4/Driver/CustomCall.h"
#include "ufp4/Numerics/Elements.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace ufp4;

namespace {

using Extents = std::vector<int64_t>;

struct Side {
  Extents shape, view, groups;
};

constexpr const char *kExact = "#ufp4.scheme<e1m2, block = 32, scale = ue8m0, rotation = <size = "
                               "32, signs = 0xD7E8D7E8>>";
constexpr const char *kUniform = "#ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = "
                                 "16, signs = 0xD7E8>>";
constexpr const char *kTwoLevel = "#ufp4.scheme<e2m1, block = 16, scale = ue4m3>";

/// Memory of the device, freed at the end.
class DeviceArray {
public:
  DeviceArray(UFP4Device *device, llvm::ArrayRef<char> bytes) : device(device) {
    EXPECT_EQ(ufp4DeviceAllocate(device, std::max<size_t>(bytes.size(), 1), &address), UFP4_SUCCESS)
        << ufp4LastError();
    EXPECT_EQ(ufp4DeviceFromHost(device, address, bytes.data(), bytes.size(), nullptr),
              UFP4_SUCCESS);
  }
  ~DeviceArray() { ufp4DeviceFree(device, address); }
  DeviceArray(const DeviceArray &) = delete;

  UFP4Device *device;
  void *address = nullptr;
};

template <typename T> llvm::ArrayRef<char> bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

int64_t product(const Extents &extents) {
  int64_t all = 1;
  for (int64_t extent : extents)
    all *= extent;
  return all;
}

std::vector<char> makeArray(ElementType type, int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<char> bytes(count * byteWidth(type));
  for (int64_t i = 0; i < count; ++i) {
    float value = normal(random);
    uint16_t narrow = numerics::f32ToBF16(value);
    if (type == ElementType::BF16)
      memcpy(&bytes[2 * i], &narrow, 2);
    else
      memcpy(&bytes[4 * i], &value, 4);
  }
  return bytes;
}

std::vector<double> toNumbers(llvm::ArrayRef<char> bytes, ElementType type) {
  std::vector<double> numbers;
  for (size_t at = 0; at < bytes.size(); at += byteWidth(type)) {
    uint32_t bits = 0;
    memcpy(&bits, &bytes[at], byteWidth(type));
    numbers.push_back(type == ElementType::BF16 ? numerics::bf16ToF32(bits)
                                                : numerics::floatOf(bits));
  }
  return numbers;
}

/// What a test asks for; whatever it refers to lives in it.
struct Request {
  Side sides[2];
  const char *scheme = kExact;
  bool stochastic[2] = {false, false};
  ElementType type = ElementType::BF16, result = ElementType::F32;
  std::optional<float> amax[2];
  Extents of[2], at[2];
  /// Of groups, where there are some.
  std::vector<int32_t> sizes;
  bool cutsContraction = false;
  /// Which rows of how many the lhs is, where it is gathered.
  std::vector<int32_t> rows;
  int64_t sourceRows = 0;

  int64_t countOf(unsigned side) const {
    int64_t count = product(sides[side].shape);
    return side == 0 && sourceRows ? count / sides[0].shape[0] * sourceRows : count;
  }
};

class DeviceCallTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("device-calls", folder));
    setenv("UFP4_CUDA_DRIVER", UFP4_STANDIN_DRIVER, 1);
    setenv("UFP4_STANDIN_LOG", (folder + "/log").str().c_str(), 1);
  }
  static void TearDownTestSuite() { llvm::sys::fs::remove_directories(folder); }

  /// A device that runs assembly of an earlier chip, so that no assembler is waited for.
  void SetUp() override { open("11.9"); }
  void TearDown() override {
    ufp4DeviceClose(device);
    ufp4DriverClose(driver);
  }

  void open(const char *capability) {
    ufp4DeviceClose(device);
    ufp4DriverClose(driver);
    setenv("UFP4_STANDIN_CAPABILITY", capability, 1);
    // Folders are called after a kernel, and kernels of two chips may be called alike.
    std::string code = (folder + "/" + capability).str();
    setenv("UFP4_DUMP_KERNELS", code.c_str(), 1);
    setenv("UFP4_STANDIN_CODE", code.c_str(), 1);
    ASSERT_EQ(ufp4DriverOpen(UFP4_NVIDIA, nullptr, &driver), UFP4_SUCCESS) << ufp4LastError();
    ASSERT_EQ(ufp4DeviceOpen(driver, 0, &device), UFP4_SUCCESS) << ufp4LastError();
    // Tests on one device share its kernels.
    static std::map<std::string, std::unique_ptr<DeviceCalls>> all;
    std::unique_ptr<DeviceCalls> &known = all[capability];
    if (!known)
      known = std::make_unique<DeviceCalls>(target::Vendor::NVIDIA);
    calls = known.get();
  }

  size_t countInLog(llvm::StringRef words) {
    auto buffer = llvm::MemoryBuffer::getFile(folder + "/log");
    return buffer ? (*buffer)->getBuffer().count(words) : 0;
  }

  GemmCall describe(const Request &request, const void *const *amaxes, const int64_t *const *places,
                    const void *sizes, const void *first, const void *rows) {
    GemmCall call{};
    for (unsigned side : {0, 1}) {
      GemmCallOperand &operand = call.operands[side];
      const Side &given = request.sides[side];
      operand.type = request.type;
      operand.shape = given.shape;
      operand.view = given.view;
      operand.groups = given.groups;
      operand.scheme = request.scheme;
      operand.rounding = request.stochastic[side] ? "stochastic" : "nearest";
      operand.bits = request.stochastic[side] ? 16 : 0;
      operand.stream = request.stochastic[side] ? 7 + side : 0;
      operand.of = request.of[side].empty() ? operand.shape : llvm::ArrayRef(request.of[side]);
      if (operand.isPart())
        operand.at = {places[side], request.at[side].size()};
      operand.amax = static_cast<const float *>(amaxes[side]);
      if (side == 0 && request.sourceRows) {
        operand.rows = static_cast<const int32_t *>(rows);
        operand.sourceRows = request.sourceRows;
      }
    }
    call.resultType = request.result;
    // G and M of the lhs, N of the rhs.
    call.resultCount = 1;
    if (!request.sizes.empty()) {
      const Side &lhs = request.sides[0], &rhs = request.sides[1];
      call.groups = {{static_cast<const int32_t *>(sizes), request.sizes.size()},
                     request.cutsContraction,
                     static_cast<const int64_t *>(first)};
      call.resultCount = request.cutsContraction ? int64_t(request.sizes.size()) : 1;
      call.resultCount *= lhs.shape[lhs.view[lhs.groups[0]]] * rhs.shape[rhs.view[rhs.groups[0]]];
      return call;
    }
    for (auto [side, first] : {std::pair{0, 0}, {1, 1}}) {
      const Side &given = request.sides[side];
      int64_t begin = first ? given.groups[0] : 0, end = given.groups[0] + given.groups[1];
      for (int64_t dim = begin; dim < end; ++dim)
        call.resultCount *= given.shape[given.view[dim]];
    }
    return call;
  }

  /// Empty, or the error.
  std::string runOnDevice(const Request &request, std::vector<char> &result) {
    std::vector<std::unique_ptr<DeviceArray>> memory;
    auto give = [&](llvm::ArrayRef<char> bytes) {
      memory.push_back(std::make_unique<DeviceArray>(device, bytes));
      return memory.back()->address;
    };
    const void *amaxes[2] = {}, *operands[2];
    const int64_t *places[2] = {};
    for (unsigned side : {0, 1}) {
      if (request.amax[side])
        amaxes[side] = give(bytesOf(std::vector<float>{*request.amax[side]}));
      places[side] = static_cast<const int64_t *>(give(bytesOf(request.at[side])));
      operands[side] = give(makeArray(request.type, request.countOf(side), side));
    }
    GemmCall call =
        describe(request, amaxes, places, give(bytesOf(request.sizes)),
                 give(bytesOf(std::vector<int64_t>{kFirstGroup})), give(bytesOf(request.rows)));
    void *rng = give(bytesOf(words));
    result.assign(call.resultCount * byteWidth(call.resultType), char(0xFF));
    void *output = give(result);
    auto allocate = [&](size_t bytes) { return give(std::vector<char>(bytes, char(0xFF))); };
    DeviceStream where{0, nullptr, allocate};
    bool draws = request.stochastic[0] || request.stochastic[1];
    llvm::Error error =
        calls->run(call, operands[0], operands[1], draws ? rng : nullptr, output, where);
    if (error)
      return llvm::toString(std::move(error));
    EXPECT_EQ(ufp4DeviceToHost(device, result.data(), output, result.size(), nullptr),
              UFP4_SUCCESS);
    return "";
  }

  /// The lhs's rows.
  static std::vector<char> gather(const Request &request, const std::vector<char> &source) {
    size_t bytes = source.size() / request.sourceRows;
    std::vector<char> rows;
    for (int64_t row : request.rows) {
      row = std::clamp<int64_t>(row, 0, request.sourceRows - 1);
      rows.insert(rows.end(), source.begin() + row * bytes, source.begin() + (row + 1) * bytes);
    }
    return rows;
  }

  /// `gatherFirst`: what is gathered is given as rows that lie in their order.
  std::vector<char> runOnHost(const Request &request, bool gatherFirst = false) {
    const void *amaxes[2] = {};
    const int64_t *places[2] = {};
    std::vector<char> operands[2];
    for (unsigned side : {0, 1}) {
      if (request.amax[side])
        amaxes[side] = &*request.amax[side];
      places[side] = request.at[side].data();
      operands[side] = makeArray(request.type, request.countOf(side), side);
      if (side == 0 && request.sourceRows && gatherFirst)
        operands[side] = gather(request, operands[side]);
    }
    GemmCall call =
        describe(request, amaxes, places, request.sizes.data(), &kFirstGroup, request.rows.data());
    if (gatherFirst)
      call.operands[0].rows = nullptr;
    std::vector<char> result(call.resultCount * byteWidth(call.resultType));
    llvm::Error error =
        hostCalls().run(call, operands[0].data(), operands[1].data(), words.data(), result.data());
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return result;
  }

  /// Sums are exact where scales are powers of two, unless they are of as many tokens as a group
  /// has, and close elsewhere.
  void expectHosts(const Request &request) {
    std::vector<char> found;
    std::string problem = runOnDevice(request, found);
    ASSERT_EQ(problem, "");
    std::vector<char> expected = runOnHost(request);
    if (request.scheme == kExact && !request.cutsContraction) {
      EXPECT_TRUE(found == expected);
      return;
    }
    std::vector<double> x = toNumbers(found, request.result),
                        y = toNumbers(expected, request.result);
    double most = 0;
    for (double value : y)
      most = std::max(most, std::abs(value));
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_NEAR(x[i], y[i], most * (request.result == ElementType::F32 ? 1e-5 : 1e-2)) << i;
  }

  static GemmCalls &hostCalls() {
    static auto *all = new GemmCalls;
    return *all;
  }

  static constexpr int64_t kFirstGroup = 9;
  static llvm::SmallString<128> folder;
  const std::vector<uint32_t> words = {5, 0x80000006, 7};
  UFP4Driver *driver = nullptr;
  UFP4Device *device = nullptr;
  DeviceCalls *calls = nullptr;
};

llvm::SmallString<128> DeviceCallTest::folder;

Request make(Side lhs, Side rhs) {
  Request request;
  request.sides[0] = std::move(lhs);
  request.sides[1] = std::move(rhs);
  return request;
}

const Side kRows{{24, 64}, {0, 1}, {0, 1, 1}}, kColumns{{64, 40}, {1, 0}, {0, 1, 1}};

TEST_F(DeviceCallTest, EveryRoleAndMemoryOrderHasTheHostsBits) {
  const Request requests[] = {
      // fprop, dgrad and wgrad of [B, S, D].
      make({{2, 12, 64}, {0, 1, 2}, {0, 2, 1}}, kColumns),
      make({{2, 12, 40}, {0, 1, 2}, {0, 2, 1}}, {{64, 40}, {0, 1}, {0, 1, 1}}),
      make({{2, 24, 64}, {2, 0, 1}, {0, 1, 2}}, {{2, 24, 40}, {2, 0, 1}, {0, 1, 2}}),
      // Batches, first in memory and not.
      make({{3, 8, 32}, {0, 1, 2}, {1, 1, 1}}, {{3, 32, 5}, {0, 2, 1}, {1, 1, 1}}),
      make({{8, 3, 32}, {1, 0, 2}, {1, 1, 1}}, {{32, 3, 5}, {1, 2, 0}, {1, 1, 1}}),
      // A row, a column, units.
      make({{40}, {0}, {0, 0, 1}}, {{40, 7}, {1, 0}, {0, 1, 1}}),
      make({{1, 5, 40}, {0, 1, 2}, {1, 1, 1}}, {{7, 40}, {0, 1}, {0, 1, 1}}),
  };
  for (const Request &request : requests) {
    SCOPED_TRACE(testing::PrintToString(request.sides[0].shape));
    expectHosts(request);
  }
}

TEST_F(DeviceCallTest, StochasticWordsAreTheHosts) {
  Request request = make(kRows, kColumns);
  request.stochastic[0] = request.stochastic[1] = true;
  expectHosts(request);
}

TEST_F(DeviceCallTest, SchemesAndTypes) {
  Request request = make(kRows, kColumns);
  request.scheme = kUniform;
  request.stochastic[0] = true;
  request.result = ElementType::BF16;
  expectHosts(request);
  request = make(kRows, kColumns);
  request.scheme = kTwoLevel;
  request.type = ElementType::F32;
  expectHosts(request);
  // The maximum of a whole tensor of which the lhs is a part.
  request.amax[0] = 9.5f;
  expectHosts(request);
}

TEST_F(DeviceCallTest, NativeKernelsFromABinary) {
  open("12.0");
  Request request = make(kRows, kColumns);
  request.scheme = "#ufp4.scheme<e2m1, block = 32, scale = ue8m0>";
  expectHosts(request);
}

// Where there is an assembler, by the chip's own instruction once the canary has passed.
TEST_F(DeviceCallTest, UniformGridByItsInstruction) {
  open("12.0");
  Request request = make(kRows, kColumns);
  request.scheme = "#ufp4.scheme<e1m2, block = 16, scale = ue4m3>";
  expectHosts(request);
  size_t launches = countInLog("launch ufp4_gemm_b16_mma_m16n8k64_e0m3_ue4m3");
  EXPECT_EQ(launches, target::hasPtxas("") ? 2u : 0u);
  // A second kernel, with a canary and a fallback of its own.
  request.result = ElementType::BF16;
  expectHosts(request);
  EXPECT_EQ(countInLog("launch ufp4_gemm_b16_mma_m16n8k64_e0m3_ue4m3"), 2 * launches);
}

// The canary is one product: a kernel of groups needs another for it.
TEST_F(DeviceCallTest, GroupsByTheUniformGridsInstruction) {
  open("12.0");
  Request request = make({{150, 48}, {0, 1}, {0, 1, 1}}, {{4, 48, 40}, {0, 2, 1}, {1, 1, 1}});
  request.sizes = {17, 0, 129, 4};
  request.scheme = "#ufp4.scheme<e1m2, block = 16, scale = ue4m3>";
  auto launches = [&] {
    llvm::SmallVector<llvm::StringRef> lines;
    auto buffer = llvm::MemoryBuffer::getFile(folder + "/log");
    (*buffer)->getBuffer().split(lines, '\n');
    return llvm::count_if(lines, [](llvm::StringRef line) {
      return line.starts_with("launch ufp4_gemm_b16_mma_m16n8k64_e0m3_ue4m3") &&
             line.contains("_rows");
    });
  };
  auto before = launches();
  expectHosts(request);
  EXPECT_EQ(launches() - before, target::hasPtxas("") ? 1 : 0);
}

TEST_F(DeviceCallTest, CallsShareKernels) {
  Request small = make(kRows, kColumns),
          large = make({{200, 96}, {0, 1}, {0, 1, 1}}, {{96, 136}, {1, 0}, {0, 1, 1}});
  expectHosts(small);
  size_t loads = countInLog("load ");
  expectHosts(large);
  expectHosts(small);
  EXPECT_EQ(countInLog("load "), loads);
}

TEST_F(DeviceCallTest, AmaxIsTheHosts) {
  const Side sides[] = {kRows, kColumns, {{8, 3, 32}, {1, 0, 2}, {1, 1, 1}}};
  for (const Side &side : sides) {
    GemmCallOperand operand{};
    operand.type = ElementType::BF16;
    operand.shape = operand.of = side.shape;
    operand.view = side.view;
    operand.groups = side.groups;
    operand.scheme = kTwoLevel;
    std::vector<char> input = makeArray(operand.type, product(side.shape), 3);
    float expected = 0, found = 0;
    ASSERT_FALSE(bool(hostCalls().runAmax(operand, input.data(), &expected)));
    DeviceArray array(device, input), output(device, bytesOf(std::vector<float>{-1}));
    llvm::Error error = calls->runAmax(operand, array.address, static_cast<float *>(output.address),
                                       {0, nullptr, [](size_t) { return nullptr; }});
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    ASSERT_EQ(ufp4DeviceToHost(device, &found, output.address, 4, nullptr), UFP4_SUCCESS);
    EXPECT_EQ(found, expected);
    EXPECT_GT(found, 0);
  }
}

// fprop, dgrad and wgrad of experts, sizes read on the device, each group drawing by its own seed.
TEST_F(DeviceCallTest, GroupsHaveTheHostsBits) {
  const Side tokens{{150, 48}, {0, 1}, {0, 1, 1}}, gradient{{150, 40}, {0, 1}, {0, 1, 1}};
  const Side experts{{4, 48, 40}, {0, 2, 1}, {1, 1, 1}}, back{{4, 48, 40}, {0, 1, 2}, {1, 1, 1}};
  const Side ofTokens{{150, 48}, {1, 0}, {0, 1, 1}}, ofGradient{{150, 40}, {1, 0}, {0, 1, 1}};
  std::vector<Request> requests = {make(tokens, experts), make(gradient, back),
                                   make(ofTokens, ofGradient)};
  requests[1].stochastic[0] = requests[2].stochastic[1] = true;
  requests[2].cutsContraction = true;
  for (Request &request : requests)
    for (const std::vector<int32_t> &sizes :
         {std::vector<int32_t>{17, 0, 129, 4}, {60, 1, 20, 31}}) {
      request.sizes = sizes;
      request.scheme = kExact;
      expectHosts(request);
      request.scheme = kUniform;
      expectHosts(request);
      request.scheme = kTwoLevel;
      request.result = ElementType::BF16;
      expectHosts(request);
      request.result = ElementType::F32;
    }
}

// Tokens that are not sorted, read by their order: what sorted ones give, on the host bit for bit.
TEST_F(DeviceCallTest, GatheredTokensAreSortedOnes) {
  Request forward = make({{150, 48}, {0, 1}, {0, 1, 1}}, {{4, 48, 40}, {0, 2, 1}, {1, 1, 1}});
  Request backward = make({{150, 48}, {1, 0}, {0, 1, 1}}, {{150, 40}, {1, 0}, {0, 1, 1}});
  backward.cutsContraction = true;
  for (Request request : {forward, backward}) {
    request.sizes = {17, 0, 129, 4};
    request.sourceRows = 70;
    for (int i = 0; i < 150; ++i)
      request.rows.push_back(i * 37 % 90 - 10);
    request.stochastic[0] = true;
    for (const char *scheme : {kExact, kTwoLevel}) {
      request.scheme = scheme;
      EXPECT_TRUE(runOnHost(request) == runOnHost(request, /*gatherFirst=*/true));
      expectHosts(request);
    }
  }
  // Operands of other calls are not gathered.
  std::vector<char> result;
  forward.sourceRows = 70;
  forward.rows.assign(150, 0);
  EXPECT_EQ(runOnDevice(forward, result), "ufp4.gemm: only tokens of groups are gathered");
}

TEST_F(DeviceCallTest, SumsOfNothing) {
  std::vector<char> result;
  ASSERT_EQ(runOnDevice(make({{4, 0}, {0, 1}, {0, 1, 1}}, {{3, 0}, {0, 1}, {0, 1, 1}}), result),
            "");
  EXPECT_EQ(result, std::vector<char>(48, 0));
  EXPECT_EQ(runOnDevice(make({{0, 16}, {0, 1}, {0, 1, 1}}, {{3, 16}, {0, 1}, {0, 1, 1}}), result),
            "");
}

TEST_F(DeviceCallTest, WhatHasNoKernelIsNamed) {
  std::vector<char> result;
  Request heads = make({{2, 4, 8, 16}, {0, 2, 1, 3}, {0, 2, 2}}, {{64, 40}, {1, 0}, {0, 1, 1}});
  EXPECT_EQ(
      runOnDevice(heads, result),
      "ufp4.gemm: the lhs, [2, 4, 8, 16] viewed by [0, 2, 1, 3] in groups [0, 2, 2], does not "
      "lie as kernels read it, each group at one distance and rows or depth one behind the "
      "other: end its transpose by jax.lax.optimization_barrier, which makes a copy");
  Request part = make(kRows, kColumns);
  part.stochastic[0] = true;
  part.of[0] = {48, 64};
  part.at[0] = {24, 0};
  EXPECT_EQ(runOnDevice(part, result),
            "ufp4.gemm: the lhs is a part of a tensor (Q8), which no kernel quantizes");
  part.at[0] = {25, 0};
  EXPECT_NE(runOnDevice(part, result).find("[24, 64] at [25, 0] is not inside [48, 64]"),
            std::string::npos);
  Request narrow = make(kRows, kColumns);
  narrow.result = ElementType::F16;
  EXPECT_EQ(runOnDevice(narrow, result),
            "ufp4.gemm: kernels store f32 and bf16, and the result is f16");

  DeviceCalls amd(target::Vendor::AMD);
  calls = &amd;
  EXPECT_NE(runOnDevice(make(kRows, kColumns), result)
                .find("ufp4.gemm: there are no kernels for AMD's chips yet"),
            std::string::npos);
  open("7.5");
  EXPECT_EQ(runOnDevice(make(kRows, kColumns), result),
            "ufp4.gemm: there are no kernels for a device of compute capability 7.5");
}

TEST_F(DeviceCallTest, DriversAreLookedForAtTheFirstCall) {
  DeviceCalls fresh(target::Vendor::NVIDIA);
  calls = &fresh;
  std::vector<char> result;
  setenv("UFP4_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  std::string problem = runOnDevice(make(kRows, kColumns), result);
  setenv("UFP4_CUDA_DRIVER", UFP4_STANDIN_DRIVER, 1);
  EXPECT_EQ(problem.find("ufp4.gemm: no driver: /nowhere/libcuda.so.1"), 0u) << problem;
  EXPECT_EQ(runOnDevice(make(kRows, kColumns), result), "");
}

} // namespace
