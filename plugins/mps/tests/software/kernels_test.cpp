// Kernels give what Metal's rules say, in every order of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/sources.hpp"
#include "test_device.hpp"

namespace mps::software::test {
namespace {

class InOrder : public testing::TestWithParam<Order> {
 protected:
  InOrder() {
    Settings wanted = settings();
    wanted.order = GetParam();
    device_ = open(wanted);
  }
  seam::Ref<seam::Device> device_;
};

INSTANTIATE_TEST_SUITE_P(Orders, InOrder,
                         testing::Values(Order::forward, Order::reverse, Order::shuffled));

constexpr const char* elementwise = R"(
template <typename T>
kernel void twice(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                  constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i < count) y[i] = x[i] + x[i];
}
#define INSTANCE(name, T) template [[host_name(name)]] kernel decltype(twice<T>) twice<T>;
INSTANCE("twice_float", float)
INSTANCE("twice_half", half)
INSTANCE("twice_int", int)
)";

TEST_P(InOrder, EveryThreadOfTheGridRunsOnce) {
  std::vector<float> x(1000);
  std::iota(x.begin(), x.end(), 0.0f);
  const auto from = buffer_of(*device_, x);
  const auto to = buffer_of(*device_, std::vector<float>(1000, -1.0f));
  const auto pipeline = pipeline_of(*device_, elementwise, "twice_float");
  const uint32_t count = 999;
  const seam::Argument arguments[] = {{0, from}, {1, to}, {2, nullptr, 0, bytes_of(count)}};
  ASSERT_EQ(run(*device_, {pipeline.get(), arguments, {}, {1000, 1, 1}, {64, 1, 1}}).message, "");
  const auto y = values_of<float>(*to);
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(y[i], 2.0f * x[i]) << i;
  EXPECT_EQ(y[999], -1.0f);
}

constexpr const char* sum_of_rows = R"(
kernel void sum_of_rows(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                        constant uint& columns [[buffer(2)]],
                        threadgroup float* shared [[threadgroup(0)]],
                        uint row [[threadgroup_position_in_grid]],
                        uint thread_index [[thread_position_in_threadgroup]],
                        uint threads [[threads_per_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simdgroup [[simdgroup_index_in_threadgroup]],
                        uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float total;
  float sum = 0;
  for (uint i = thread_index; i < columns; i += threads) sum += x[row * columns + i];
  sum = simd_sum(sum);
  if (lane == 0) shared[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_index == 0) {
    total = 0;
    for (uint i = 0; i < simdgroups; ++i) total += shared[i];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_index == threads - 1) y[row] = total;
}
)";

TEST_P(InOrder, BarriersAndSimdGroupsOrderAThreadgroup) {
  const uint32_t rows = 7, columns = 300;
  std::vector<float> x(rows * columns);
  std::iota(x.begin(), x.end(), 0.0f);
  const auto from = buffer_of(*device_, x);
  const auto to = buffer_of(*device_, std::vector<float>(rows));
  const auto pipeline = pipeline_of(*device_, sum_of_rows, "sum_of_rows");
  const seam::Argument arguments[] = {{0, from}, {1, to}, {2, nullptr, 0, bytes_of(columns)}};
  const uint32_t group_bytes[] = {32};
  ASSERT_EQ(run(*device_, {pipeline.get(), arguments, group_bytes, {rows * 160, 1, 1}, {160, 1, 1}})
                .message,
            "");
  for (uint32_t row = 0; row < rows; ++row) {
    const auto begin = x.begin() + row * columns;
    EXPECT_NEAR(values_of<float>(*to)[row], std::accumulate(begin, begin + columns, 0.0), 1.0);
  }
}

constexpr const char* simd_functions = R"(
kernel void simd_functions(device const int* x [[buffer(0)]], device int* y [[buffer(1)]],
                           uint i [[thread_position_in_grid]],
                           ushort lane [[thread_index_in_simdgroup]]) {
  const int v = x[i];
  device int* mine = y + i * 10;
  mine[0] = simd_prefix_inclusive_sum(v);
  mine[1] = simd_prefix_exclusive_sum(v);
  mine[2] = simd_shuffle_xor(v, 1);
  mine[3] = simd_max(v); mine[4] = simd_min(v);
  mine[5] = lane & 1 ? simd_sum(v) : simd_sum(-v);
  mine[6] = simd_any(v == 5) + 2 * simd_all(v >= 0);
  mine[7] = simd_broadcast(v, 3);
  mine[8] = simd_shuffle_down(v, 2);
  mine[9] = int(ulong(simd_ballot(v % 2 == 0)) & 0xff);
}
)";

TEST_P(InOrder, SimdFunctionsSeeTheActiveLanes) {
  std::vector<int32_t> x(32);
  std::iota(x.begin(), x.end(), 0);
  const auto from = buffer_of(*device_, x);
  const auto to = buffer_of(*device_, std::vector<int32_t>(320));
  const auto pipeline = pipeline_of(*device_, simd_functions, "simd_functions");
  const seam::Argument arguments[] = {{0, from}, {1, to}};
  ASSERT_EQ(run(*device_, {pipeline.get(), arguments, {}, {32, 1, 1}, {32, 1, 1}}).message, "");
  const auto y = values_of<int32_t>(*to);
  for (int i = 0; i < 30; ++i) {
    const std::vector<int32_t> mine(y.begin() + i * 10, y.begin() + i * 10 + 10);
    const int odd = 256, even = -240;
    const std::vector<int32_t> expected{
        i * (i + 1) / 2, i * (i - 1) / 2, i ^ 1, 31, 0, i % 2 ? odd : even, 3, 3, i + 2, 0x55};
    EXPECT_EQ(mine, expected) << "lane " << i;
  }
}

constexpr const char* matrix_product = R"(
kernel void matrix_product(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                           device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                           uint2 group [[threadgroup_position_in_grid]]) {
  simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < n; k += 8) {
    simdgroup_float8x8 x, y;
    simdgroup_load(x, a + group.y * 8 * n + k, n);
    simdgroup_load(y, b + k * n + group.x * 8, n);
    simdgroup_multiply_accumulate(sum, x, y, sum);
  }
  simdgroup_store(sum, c + group.y * 8 * n + group.x * 8, n);
}
)";

TEST_P(InOrder, SimdGroupMatricesMultiply) {
  const uint32_t n = 24;
  std::vector<float> a(n * n), b(n * n);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = float(i % 7) - 3;
    b[i] = float(i % 5) - 2;
  }
  const auto product = buffer_of(*device_, std::vector<float>(n * n));
  const auto pipeline = pipeline_of(*device_, matrix_product, "matrix_product");
  const auto left = buffer_of(*device_, a);
  const auto right = buffer_of(*device_, b);
  const seam::Argument arguments[] = {
      {0, left}, {1, right}, {2, product}, {3, nullptr, 0, bytes_of(n)}};
  ASSERT_EQ(run(*device_, {pipeline.get(), arguments, {}, {96, 3, 1}, {32, 1, 1}}).message, "");
  const auto c = values_of<float>(*product);
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t j = 0; j < n; ++j) {
      float expected = 0;
      for (uint32_t k = 0; k < n; ++k) expected += a[i * n + k] * b[k * n + j];
      ASSERT_EQ(c[i * n + j], expected) << i << ", " << j;
    }
  }
}

TEST(Shuffled, FindsAMissingBarrier) {
  Settings wanted = settings();
  bool found = false;
  for (uint64_t seed = 1; seed <= 8 && !found; ++seed) {
    wanted.seed = seed;
    const auto device = open(wanted);
    const auto pipeline = pipeline_of(*device, R"(
kernel void reverse(device int* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup int shared[64];
  shared[i] = int(i);
  simdgroup_barrier(mem_flags::mem_threadgroup);  // enough only within a SIMD group
  y[i] = shared[63 - i];
}
)",
                                      "reverse");
    const auto to = buffer_of(*device, std::vector<int32_t>(64));
    const seam::Argument arguments[] = {{0, to}};
    ASSERT_EQ(run(*device, {pipeline.get(), arguments, {}, {64, 1, 1}, {64, 1, 1}}).message, "");
    const auto y = values_of<int32_t>(*to);
    for (int i = 0; i < 64; ++i) found = found || y[static_cast<size_t>(i)] != 63 - i;
  }
  EXPECT_TRUE(found);
}

TEST(Literals, AreFloatsWithoutASuffix) {
  const auto device = open();
  const auto pipeline = pipeline_of(*device, R"(
kernel void literals(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[0] = 16777217.0 - 16777216.0;
  y[1] = sizeof(1.0);
  y[2] = sizeof(1.0h);
  y[3] = float(as_type<int>(1.0));
}
)",
                                    "literals");
  const auto to = buffer_of(*device, std::vector<float>(4));
  const seam::Argument arguments[] = {{0, to}};
  ASSERT_EQ(run(*device, {pipeline.get(), arguments}).message, "");
  EXPECT_EQ(values_of<float>(*to), (std::vector<float>{0, 4, 2, float(0x3f800000)}));
}

TEST(CompiledIn, EachKernelFileIsThereWithoutACompiler) {
  Settings wanted = settings();
  wanted.compiler = "/bin/false";
  const auto device = open(wanted);
  ASSERT_FALSE(kernel_sources().empty());
  for (const KernelSource& source : kernel_sources()) {
    const auto library = device->library(source);
    // What is read from the text, without compiling it.
    EXPECT_THAT(library->functions(), testing::UnorderedElementsAreArray(source.functions))
        << source.name;
    EXPECT_FALSE(source.functions.empty()) << source.name;
    for (const std::string& function : library->functions()) {
      // Those of kernels/elements.h; other kernels read none.
      EXPECT_NE(library->pipeline(function, {{0, true}, {1, 1u}, {2, 0u}}), nullptr) << function;
    }
  }
}

}  // namespace
}  // namespace mps::software::test
