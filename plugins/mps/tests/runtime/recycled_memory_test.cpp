// What a run makes does not depend on what its memory held, nor on which memory that is: the same
// bits on fresh storages, on recycled ones and in the middle of a heap.
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "node.hpp"
#include "plain_loops.hpp"

namespace mps::runtime_tests {
namespace {

using Bytes = std::vector<std::byte>;

struct Work {
  const char* name;
  const char* op;
  uint32_t version;
  std::vector<Input> inputs;
  Shape result;
  std::function<void(Node&)> attributes = [](Node&) {};
};

Input floats(const View& view, unsigned seed = 1) {
  return input(view, numbers(view.count(), seed));
}

// Those that have memory of their own between their inputs and their result, products above all.
std::vector<Work> works() {
  const auto axis = [](int64_t number) {
    return [number](Node& node) { node.attribute("axis", number); };
  };
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < 40; ++i) indices.push_back(i * 7 % 20);
  return {
      {"MatMul", "MatMul", 13, {floats(permuted({33, 40})), floats(sliced({40, 21}), 2)}, {33, 21}},
      {"Batches",
       "MatMul",
       13,
       {floats(gapped({3, 12, 9})), floats(permuted({3, 9, 10}), 2)},
       {3, 12, 10}},
      {"SmallMatMul",
       "MatMul",
       13,
       {floats(gapped({2, 70})), floats(permuted({70, 50}), 2)},
       {2, 50}},
      {"Conv",
       "Conv",
       11,
       {floats(sliced({2, 3, 9, 8})), floats(permuted({4, 3, 3, 3}), 2)},
       {2, 4, 9, 8},
       [](Node& node) {
         node.attribute("pads", {1, 1, 1, 1});
       }},
      {"MaxPool",
       "MaxPool",
       12,
       {floats(permuted({2, 3, 8, 8}))},
       {2, 3, 4, 4},
       [](Node& node) {
         node.attribute("kernel_shape", {3, 3})
             .attribute("strides", {2, 2})
             .attribute("pads", {1, 1, 1, 1});
       }},
      {"TopK", "TopK", 11, {floats(permuted({2, 5000})), host_integers({20})}, {2, 20}},
      {"ScatterElements",
       "ScatterElements",
       18,
       {floats(gapped({20, 2})), input(gapped({20, 2}), indices), floats(permuted({20, 2}), 2)},
       {20, 2},
       axis(0)},
      {"ReflectingPad", "Pad", 13, {floats(sliced({6, 7})), host_integers({2, 3, 1, 2})}, {9, 12}},
      {"CumSum", "CumSum", 14, {floats(permuted({3, 700})), host_integers({1})}, {3, 700}},
      {"Softmax", "Softmax", 13, {floats(gapped({5, 300}))}, {5, 300}, axis(1)},
      {"ReduceSum", "ReduceSum", 13, {floats(permuted({4, 500})), host_integers({1})}, {4, 1}},
  };
}

class RecycledMemory : public testing::TestWithParam<const char*> {
 protected:
  const OpenDevice device_{{{"software.memory", GetParam()}}};
  const OpenStream stream_{device_};
};

INSTANTIATE_TEST_SUITE_P(Memory, RecycledMemory, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(RecycledMemory, HoldsNothingThatARunSees) {
  for (const Work& work : works()) {
    SCOPED_TRACE(work.name);
    Node node(device_, work.op, work.version);
    work.attributes(node);
    node.prepare(work.inputs, SY_FLOAT32, work.result);
    device_.trim();
    const Bytes fresh = node.run_bytes(stream_, work.inputs, contiguous(work.result));
    for (const int byte : {0xff, 0x00, 0x7f}) {
      soil(stream_, static_cast<std::byte>(byte));
      // What is still in use pushes the run elsewhere.
      const Storage before(stream_, byte == 0x7f ? 300 : 40'000);
      EXPECT_EQ(node.run_bytes(stream_, work.inputs, gapped(work.result)), fresh) << byte;
      EXPECT_EQ(node.run_bytes(stream_, work.inputs, contiguous(work.result)), fresh) << byte;
    }
  }
}

// The inputs are released while their run is still to come, and their memory is written anew.
TEST_P(RecycledMemory, IsNotWrittenBeforeItWasRead) {
  for (const Work& work : works()) {
    SCOPED_TRACE(work.name);
    Node node(device_, work.op, work.version);
    work.attributes(node);
    node.prepare(work.inputs, SY_FLOAT32, work.result);
    const Bytes expected = node.run_bytes(stream_, work.inputs, contiguous(work.result));
    const Placed result(stream_, SY_FLOAT32, contiguous(work.result));
    {
      std::deque<Placed> placed;
      std::vector<sy_tensor> tensors;
      for (const Input& given : work.inputs) {
        if (given.on_host) {
          tensors.push_back(make_args<sy_tensor>());
          tensors.back().dtype = given.dtype;
          tensors.back().storage = reinterpret_cast<uintptr_t>(given.elements.data());
          tensors.back().shape = given.view.shape.data();
          tensors.back().rank = static_cast<uint32_t>(given.view.shape.size());
          continue;
        }
        placed.emplace_back(stream_, given.dtype, given.view).write(given.elements);
        tensors.push_back(placed.back().tensor());
      }
      node.enqueue(stream_, tensors, result.tensor());
    }
    soil(stream_, std::byte{0xff});
    EXPECT_EQ(result.read(), expected);
  }
}

// One kernel for every shape, or a kernel a shape, in turns.
TEST_P(RecycledMemory, AnotherShapeAndBack) {
  const Shape first{33, 40}, second{7, 90};
  const auto make = [&](const char* op, const Shape& shape) {
    auto node = std::make_unique<Node>(device_, op, 13);
    const std::vector<Input> inputs = {floats(permuted(shape)),
                                       floats(gapped({shape[1], shape[0]}), 2)};
    node->prepare(inputs, SY_FLOAT32, {shape[0], shape[0]});
    return std::pair(std::move(node), inputs);
  };
  const auto [one, one_inputs] = make("MatMul", first);
  const auto [other, other_inputs] = make("MatMul", second);
  const auto product = [](const Shape& shape) {
    return multiplied(numbers(shape[0] * shape[1]), numbers(shape[0] * shape[1], 2), 1, shape[0],
                      shape[1], shape[0]);
  };
  const Bytes expected = one->run_bytes(stream_, one_inputs, contiguous({33, 33}));
  const std::vector<float> right = product(first), back = product(second);
  for (int i = 0; i < 3; ++i) {
    const auto first_result = one->run<float>(stream_, one_inputs, permuted({33, 33}));
    const auto second_result = other->run<float>(stream_, other_inputs, gapped({7, 7}));
    EXPECT_EQ(bytes_of(first_result), expected);
    for (size_t k = 0; k < right.size(); ++k) ASSERT_NEAR(first_result[k], right[k], 1e-4f) << k;
    for (size_t k = 0; k < back.size(); ++k) ASSERT_NEAR(second_result[k], back[k], 1e-4f) << k;
  }
}

}  // namespace
}  // namespace mps::runtime_tests
