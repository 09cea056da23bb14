// The cache of compiled graphs: what is one graph, what is let go, and that memory stays flat.
#include "runtime/executable_cache.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "node.hpp"
#include "short_tests.hpp"
#include "software_device.hpp"

namespace mps::runtime_tests {
namespace {

using seam::ElementType;
using seam::Graph;
using seam::Operation;

// x [1, size] + constant, padded by a number.
Graph graph_of(int64_t size, float constant = 1, double padding = 0) {
  seam::Node number{Operation::constant, {ElementType::float32, {}}, {}, {}, {}};
  number.data.resize(sizeof(constant));
  std::memcpy(number.data.data(), &constant, sizeof(constant));
  const seam::TensorType row{ElementType::float32, {1, size}};
  const seam::TensorType padded{ElementType::float32, {1, size + 1}};
  Graph graph;
  graph.nodes = {{Operation::input, row, {}, {}, {}},
                 number,
                 {Operation::add, row, {0, 1}, {}, {}},
                 {Operation::pad,
                  padded,
                  {2},
                  seam::Padding{{0, 0}, {0, 1}, seam::PaddingMode::constant, padding},
                  {}}};
  graph.inputs = {0};
  graph.outputs = {3};
  return graph;
}

class ExecutableCacheTest : public testing::Test {
 protected:
  static constexpr size_t plenty = 64 * mebi;
  const seam::Ref<seam::Device> device_ = open_software();
};

TEST_F(ExecutableCacheTest, CompilesAGraphOnce) {
  ExecutableCache cache(*device_, plenty);
  const auto first = cache.find_or_compile(graph_of(3));
  EXPECT_EQ(cache.find_or_compile(graph_of(3)), first);
  EXPECT_EQ(cache.statistics().compilations, 1u);
  EXPECT_EQ(cache.statistics().hits, 1u);
  EXPECT_EQ(cache.statistics().entries, 1u);
}

// Shapes, types, constants, attributes, outputs: each alone makes another graph.
TEST_F(ExecutableCacheTest, ComparesGraphsInFull) {
  ExecutableCache cache(*device_, plenty);
  std::vector<Graph> graphs = {graph_of(3), graph_of(4), graph_of(3, 2), graph_of(3, 1, 5),
                               graph_of(3, 1, -0.0)};
  graphs.push_back(graph_of(3));
  graphs.back().nodes[2].operation = Operation::multiply;
  graphs.push_back(graph_of(3));
  graphs.back().outputs = {2};
  graphs.push_back(graph_of(3));
  graphs.back().nodes[2].operands = {1, 0};
  std::vector<seam::Ref<seam::Executable>> made;
  for (const Graph& graph : graphs) made.push_back(cache.find_or_compile(graph));
  EXPECT_EQ(cache.statistics().compilations, graphs.size());
  for (size_t i = 0; i < graphs.size(); ++i) {
    EXPECT_EQ(cache.find_or_compile(graphs[i]), made[i]) << i;
  }
  EXPECT_EQ(cache.statistics().compilations, graphs.size());
}

TEST_F(ExecutableCacheTest, LetsGoOfWhatWasUsedLongestAgo) {
  ExecutableCache probe(*device_, plenty);
  probe.find_or_compile(graph_of(1));
  const size_t each = probe.statistics().bytes;
  ExecutableCache cache(*device_, 3 * each);
  for (int64_t size = 1; size <= 3; ++size) cache.find_or_compile(graph_of(size));
  cache.find_or_compile(graph_of(1));  // now 2 is the oldest
  cache.find_or_compile(graph_of(4));
  EXPECT_EQ(cache.statistics().evictions, 1u);
  EXPECT_EQ(cache.statistics().bytes, 3 * each);
  for (const int64_t size : {1, 3, 4}) cache.find_or_compile(graph_of(size));
  EXPECT_EQ(cache.statistics().compilations, 4u);
  cache.find_or_compile(graph_of(2));
  EXPECT_EQ(cache.statistics().compilations, 5u);
}

TEST_F(ExecutableCacheTest, CountsConstants) {
  ExecutableCache cache(*device_, plenty);
  cache.find_or_compile(graph_of(1));
  const size_t small = cache.statistics().bytes;
  Graph large = graph_of(mebi);
  large.nodes[1].type.shape = {1, mebi};
  large.nodes[1].data.resize(mebi * 4);
  cache.find_or_compile(large);
  EXPECT_GE(cache.statistics().bytes, small + 4 * mebi);
}

TEST_F(ExecutableCacheTest, WhatIsHeldOutlivesItsEntry) {
  ExecutableCache cache(*device_, 1);
  const auto held = cache.find_or_compile(graph_of(3));
  cache.find_or_compile(graph_of(4));
  EXPECT_EQ(cache.statistics().entries, 1u);
  const auto input = device_->buffer(12, seam::StorageMode::shared);
  const auto output = device_->buffer(16, seam::StorageMode::shared);
  const float numbers[] = {1, 2, 3};
  std::memcpy(input->host(), numbers, sizeof(numbers));
  const auto commands = device_->queue("test")->command_buffer();
  commands->run(held, {&input, 1}, {&output, 1});
  commands->commit();
  EXPECT_EQ(commands->wait_until_done(), seam::State::completed);
  float results[4];
  std::memcpy(results, output->host(), sizeof(results));
  EXPECT_EQ(results[2], 4);
  EXPECT_EQ(results[3], 0);
}

TEST_F(ExecutableCacheTest, ClearForgetsAll) {
  ExecutableCache cache(*device_, plenty);
  cache.find_or_compile(graph_of(3));
  cache.clear();
  EXPECT_EQ(cache.statistics().entries, 0u);
  EXPECT_EQ(cache.statistics().bytes, 0u);
  cache.find_or_compile(graph_of(3));
  EXPECT_EQ(cache.statistics().compilations, 2u);
}

TEST_F(ExecutableCacheTest, AGraphThatDoesNotCompileLeavesNothing) {
  ExecutableCache cache(*device_, plenty);
  Graph wrong = graph_of(3);
  wrong.outputs.clear();
  for (int i = 0; i < 2; ++i) EXPECT_THROW(cache.find_or_compile(wrong), seam::Failure);
  EXPECT_EQ(cache.statistics().entries, 0u);
}

TEST_F(ExecutableCacheTest, StaysFlatOverTenThousandShapes) {
  constexpr size_t limit = 4 * mebi;
  ExecutableCache cache(*device_, limit);
  std::vector<std::weak_ptr<seam::Executable>> all;
  for (int64_t size = 1; size <= 10'000; ++size) {
    all.push_back(cache.find_or_compile(graph_of(size)));
    ASSERT_LE(cache.statistics().bytes, limit);
  }
  size_t living = 0;
  for (const auto& each : all) living += each.expired() ? 0 : 1;
  const ExecutableCacheStatistics statistics = cache.statistics();
  EXPECT_EQ(living, statistics.entries);
  EXPECT_LT(statistics.entries, 100u);
  EXPECT_EQ(statistics.compilations, 10'000u);
  EXPECT_EQ(statistics.evictions + statistics.entries, 10'000u);
}

// ---- through the plugin's table

// The number before `word` in a report.
size_t number_before(const std::string& report, const std::string& word) {
  const size_t end = report.find(" " + word);
  if (end == std::string::npos) return 0;
  const size_t begin = report.find_last_not_of("0123456789", end - 1) + 1;
  return std::stoul(report.substr(begin, end - begin));
}

TEST(PrepareTest, StaysFlatOverManyShapes) {
  const OpenDevice device({{"graph_cache_megabytes", nullptr, 4}});
  const OpenStream stream(device);
  constexpr int64_t rows = 20;  // more than our own kernel takes
  const int64_t most = switchyard::are_tests_short() ? 2'000 : 10'000;
  const std::vector<float> ones(static_cast<size_t>(rows * most), 1.0f);
  Node product(device, "MatMul", 13);
  const auto try_shape = [&](int64_t size) {
    const std::vector<Input> inputs = {{SY_FLOAT32, contiguous({rows, size}), {}, false},
                                       {SY_FLOAT32, contiguous({size, rows}), {}, false}};
    product.prepare(inputs, SY_FLOAT32, {rows, rows});
    if (size % 100 != 0) return;
    const std::vector<float> some(ones.begin(), ones.begin() + rows * size);
    const auto result = product.run<float>(
        stream, {input(contiguous({rows, size}), some), input(contiguous({size, rows}), some)},
        contiguous({rows, rows}));
    ASSERT_EQ(result, std::vector<float>(rows * rows, static_cast<float>(size)));
    ASSERT_EQ(device.statistics().used_bytes, 0u);
  };
  for (int64_t size = 1; size <= most; ++size) ASSERT_NO_FATAL_FAILURE(try_shape(size));
  // Once all have been there, none of them needs more.
  const uint64_t cached = device.statistics().cached_bytes;
  for (int64_t size = 100; size <= most; size += 100) ASSERT_NO_FATAL_FAILURE(try_shape(size));
  EXPECT_LE(device.statistics().cached_bytes, cached);
  const std::string report = device.report();
  EXPECT_LT(number_before(report, "compiled"), 100u) << report;
  EXPECT_GT(number_before(report, "compiled"), 10u) << report;
  EXPECT_GT(number_before(report, "let go"), static_cast<size_t>(most) - 100) << report;
}

}  // namespace
}  // namespace mps::runtime_tests
