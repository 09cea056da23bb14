// The ways in which others computed wrong values on Apple's GPUs, each op through the table: inputs
// and outputs that are permuted, sliced, offset, gapped, reversed or repeated, high ranks, sizes
// beyond 16 bits, recycled memory, another shape after the first.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "node.hpp"
#include "plain_loops.hpp"

namespace mps::runtime_tests {
namespace {

void expect_near(const Floats& actual, const Floats& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-5f * (1 + std::fabs(expected[i])))
        << what << ", element " << i;
  }
}

// The parameter: software.memory.
class Layouts : public testing::TestWithParam<const char*> {
 protected:
  // One node on each of its inputs' layouts, with the others contiguous, to each output layout;
  // and on all in the same layout.
  void expect_in_all_layouts(Node& node, const std::vector<Input>& inputs, const Shape& shape,
                             const Floats& expected) {
    node.prepare(inputs, SY_FLOAT32, shape);
    for (size_t which = 0; which <= inputs.size(); ++which) {
      for (size_t i = 0; i < layouts({1}).size(); ++i) {
        std::vector<Input> given = inputs;
        for (size_t k = 0; k < given.size(); ++k) {
          if (given[k].on_host || (which != k && which != inputs.size())) continue;
          given[k].view = layouts(inputs[k].view.shape)[i];
        }
        const View output = layouts(shape)[(i + which) % layouts({1}).size()];
        expect_near(node.run<float>(stream_, given, output), expected,
                    "input " + std::to_string(which) + " is " + layouts({1})[i].name +
                        ", the output " + output.name);
      }
    }
  }

  const OpenDevice device_{{{"software.memory", GetParam()}}};
  const OpenStream stream_{device_};
};

INSTANTIATE_TEST_SUITE_P(Memory, Layouts, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Layouts, Relu) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{2, 3, 2, 2, 3, 2}}) {
    const Floats x = numbers(count_of(shape));
    Floats expected = x;
    for (float& number : expected) number = std::max(number, 0.0f);
    Node node(device_, "Relu", 14);
    expect_in_all_layouts(node, {input(contiguous(shape), x)}, shape, expected);
  }
}

TEST_P(Layouts, AddThatBroadcasts) {
  const Shape left{2, 1, 4, 3}, right{5, 1, 3}, shape{2, 5, 4, 3};
  const Floats x = numbers(count_of(left)), y = numbers(count_of(right), 2);
  Node node(device_, "Add", 14);
  expect_in_all_layouts(node, {input(contiguous(left), x), input(contiguous(right), y)}, shape,
                        added(left, x, right, y, shape));
}

TEST_P(Layouts, AddOfRepeatedElements) {
  const Shape shape{3, 4, 5};
  for (const auto& axes : std::vector<std::vector<size_t>>{{0}, {1}, {2}, {0, 1}, {0, 1, 2}}) {
    const View view = repeated(shape, axes);
    Floats x;
    for (const int64_t position : view.positions()) x.push_back(static_cast<float>(position));
    const Floats y = numbers(count_of(shape));
    Node node(device_, "Add", 14);
    node.prepare({input(view, x), input(contiguous(shape), y)}, SY_FLOAT32, shape);
    expect_near(
        node.run<float>(stream_, {input(view, x), input(contiguous(shape), y)}, permuted(shape)),
        added(shape, x, shape, y, shape), "Add");
  }
}

TEST_P(Layouts, ReductionsOverEachAxis) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{2, 3, 2, 2, 70}}) {
    const Floats x = numbers(count_of(shape));
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      Shape left = shape;
      left[axis] = 1;
      Node node(device_, "ReduceSum", 13);
      expect_in_all_layouts(
          node, {input(contiguous(shape), x), host_integers({static_cast<int64_t>(axis)})}, left,
          summed(shape, x, axis));
    }
  }
}

TEST_P(Layouts, SoftmaxAlongEachAxis) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{2, 130, 3}, Shape{2, 2, 3, 2, 5}}) {
    const Floats x = numbers(count_of(shape));
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      Node node(device_, "Softmax", 13);
      node.attribute("axis", static_cast<int64_t>(axis));
      expect_in_all_layouts(node, {input(contiguous(shape), x)}, shape, softened(shape, x, axis));
    }
  }
}

TEST_P(Layouts, MatMul) {
  const Floats x = numbers(2 * 3 * 7), y = numbers(2 * 7 * 5, 2);
  Node node(device_, "MatMul", 13);
  expect_in_all_layouts(node, {input(contiguous({2, 3, 7}), x), input(contiguous({2, 7, 5}), y)},
                        {2, 3, 5}, multiplied(x, y, 2, 3, 7, 5));
  // Weights that many batches share.
  Floats shared(y.begin(), y.begin() + 35), twice = shared;
  twice.insert(twice.end(), shared.begin(), shared.end());
  const std::vector<Input> inputs = {input(contiguous({2, 3, 7}), x),
                                     input(repeated({2, 7, 5}, {0}), twice)};
  node.prepare(inputs, SY_FLOAT32, {2, 3, 5});
  expect_near(node.run<float>(stream_, inputs, permuted({2, 3, 5})),
              multiplied(x, twice, 2, 3, 7, 5), "MatMul of shared weights");
}

TEST_P(Layouts, GatherAlongEachAxis) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{2, 3, 2, 2, 3}}) {
    const Floats x = numbers(count_of(shape));
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const std::vector<int64_t> indices = {1, 0, -1, 1, -2, 0};
      Shape result = shape;
      result[axis] = 2;
      result.insert(result.begin() + static_cast<std::ptrdiff_t>(axis) + 1, 3);
      Node node(device_, "Gather", 13);
      node.attribute("axis", static_cast<int64_t>(axis));
      expect_in_all_layouts(node, {input(contiguous(shape), x), input(contiguous({2, 3}), indices)},
                            result, gathered(shape, x, axis, indices));
    }
  }
}

TEST_P(Layouts, Conv) {
  const Floats x = numbers(3 * 5 * 6), weights = numbers(4 * 3 * 9, 2);
  Node node(device_, "Conv", 11);
  node.attribute("kernel_shape", std::vector<int64_t>{3, 3})
      .attribute("pads", std::vector<int64_t>{1, 1, 1, 1})
      .attribute("strides", std::vector<int64_t>{1, 1})
      .attribute("dilations", std::vector<int64_t>{1, 1})
      .attribute("group", int64_t{1});
  expect_in_all_layouts(
      node, {input(contiguous({1, 3, 5, 6}), x), input(contiguous({4, 3, 3, 3}), weights)},
      {1, 4, 5, 6}, convolved(x, weights, 3, 5, 6, 4));
}

TEST_P(Layouts, ElementwiseOfHighRank) {
  const Shape shape{2, 1, 2, 1, 2, 3, 1, 2};
  const Floats x = numbers(count_of(shape)), y = numbers(count_of(shape), 2);
  Node node(device_, "Add", 14);
  expect_in_all_layouts(node, {input(contiguous(shape), x), input(permuted(shape), y)}, shape,
                        added(shape, x, shape, y, shape));
}

// ---- sizes beyond 16 bits

TEST_P(Layouts, ElementwiseBeyondSixteenBits) {
  for (const Shape& shape : {Shape{70'000}, Shape{2, 66'001}, Shape{65'537, 2}}) {
    const Floats x = numbers(count_of(shape)), y = numbers(count_of(shape), 2);
    const std::vector<Input> inputs = {input(permuted(shape), x), input(gapped(shape), y)};
    Node node(device_, "Add", 14);
    node.prepare(inputs, SY_FLOAT32, shape);
    expect_near(node.run<float>(stream_, inputs, shifted(shape)), added(shape, x, shape, y, shape),
                "Add");
  }
}

TEST_P(Layouts, ReductionAndSoftmaxBeyondSixteenBits) {
  for (const Shape& shape : {Shape{2, 66'001}, Shape{66'001, 2}}) {
    const Floats x = numbers(count_of(shape));
    for (size_t axis = 0; axis < 2; ++axis) {
      Shape left = shape;
      left[axis] = 1;
      const std::vector<Input> inputs = {input(permuted(shape), x),
                                         host_integers({static_cast<int64_t>(axis)})};
      Node sum(device_, "ReduceSum", 13);
      sum.prepare(inputs, SY_FLOAT32, left);
      expect_near(sum.run<float>(stream_, inputs, contiguous(left)), summed(shape, x, axis),
                  "ReduceSum");
      Node softmax(device_, "Softmax", 13);
      softmax.attribute("axis", static_cast<int64_t>(axis)).prepare({inputs[0]}, SY_FLOAT32, shape);
      expect_near(softmax.run<float>(stream_, {inputs[0]}, gapped(shape)), softened(shape, x, axis),
                  "Softmax");
    }
  }
}

TEST_P(Layouts, MatMulGatherAndConvBeyondSixteenBits) {
  const Floats tall = numbers(66'001 * 2), small = numbers(2 * 3, 2);
  Node product(device_, "MatMul", 13);
  std::vector<Input> inputs = {input(permuted({66'001, 2}), tall),
                               input(contiguous({2, 3}), small)};
  product.prepare(inputs, SY_FLOAT32, {66'001, 3});
  expect_near(product.run<float>(stream_, inputs, gapped({66'001, 3})),
              multiplied(tall, small, 1, 66'001, 2, 3), "MatMul");

  std::vector<int64_t> indices(66'001);
  std::iota(indices.begin(), indices.end(), -33'000);
  Node gather(device_, "Gather", 13);
  inputs = {input(permuted({66'001, 2}), tall), input(sliced({66'001}), indices)};
  gather.attribute("axis", int64_t{0}).prepare(inputs, SY_FLOAT32, {66'001, 2});
  expect_near(gather.run<float>(stream_, inputs, permuted({66'001, 2})),
              gathered({66'001, 2}, tall, 0, indices), "Gather");

  const Floats image = numbers(66'001), weights = numbers(9, 2);
  Node conv(device_, "Conv", 11);
  inputs = {input(shifted({1, 1, 1, 66'001}), image), input(permuted({1, 1, 3, 3}), weights)};
  conv.attribute("pads", std::vector<int64_t>{1, 1, 1, 1})
      .prepare(inputs, SY_FLOAT32, {1, 1, 1, 66'001});
  expect_near(conv.run<float>(stream_, inputs, shifted({1, 1, 1, 66'001})),
              convolved(image, weights, 1, 1, 66'001, 1), "Conv");
}

// ---- recycled memory, another shape

TEST_P(Layouts, AnotherShapeAfterTheFirstInTheSameMemory) {
  Node add(device_, "Add", 14), product(device_, "MatMul", 13), softmax(device_, "Softmax", 13);
  softmax.attribute("axis", int64_t{-1});
  for (const int64_t size : {31, 5, 64, 1, 17, 33, 2, 48}) {
    const Shape shape{size, size};
    const Floats x = numbers(size * size, static_cast<unsigned>(size));
    const Floats y = numbers(size * size, static_cast<unsigned>(size) + 1);
    const std::vector<Input> inputs = {input(permuted(shape), x), input(sliced(shape), y)};
    // Elementwise kernels take any shape.
    if (size == 31) add.prepare(inputs, SY_FLOAT32, shape);
    expect_near(add.run<float>(stream_, inputs, gapped(shape)), added(shape, x, shape, y, shape),
                "Add");
    product.prepare(inputs, SY_FLOAT32, shape);
    expect_near(product.run<float>(stream_, inputs, gapped(shape)),
                multiplied(x, y, 1, size, size, size), "MatMul");
    softmax.prepare({inputs[0]}, SY_FLOAT32, shape);
    expect_near(softmax.run<float>(stream_, {inputs[0]}, gapped(shape)), softened(shape, x, 1),
                "Softmax");
  }
}

// A chain in which each tensor is released as soon as its reader is enqueued.
TEST_P(Layouts, ChainsThroughRecycledMemory) {
  const Shape shape{20, 30};
  const Floats ones(600, 1.0f);
  Node add(device_, "Add", 14);
  add.prepare({input(contiguous(shape), ones), input(contiguous(shape), ones)}, SY_FLOAT32, shape);
  Placed one(stream_, SY_FLOAT32, permuted(shape));
  one.write(bytes_of(ones));
  auto current = std::make_unique<Placed>(stream_, SY_FLOAT32, contiguous(shape));
  current->write(bytes_of(Floats(600, 0.0f)));
  for (size_t i = 0; i < 200; ++i) {
    auto next = std::make_unique<Placed>(stream_, SY_FLOAT32, layouts(shape)[i % 6]);
    add.enqueue(stream_, {current->tensor(), one.tensor()}, next->tensor());
    current = std::move(next);
  }
  EXPECT_EQ(current->read(), bytes_of(Floats(600, 200.0f)));
}

TEST_P(Layouts, AnOutputMayLieOverItsInput) {
  const Shape shape{6, 7};
  const Floats x = numbers(42);
  Node relu(device_, "Relu", 14);
  relu.prepare({input(contiguous(shape), x)}, SY_FLOAT32, shape);
  Placed placed(stream_, SY_FLOAT32, sliced(shape));
  placed.write(bytes_of(x));
  relu.enqueue(stream_, {placed.tensor()}, placed.tensor());
  Floats expected = x;
  for (float& number : expected) number = std::max(number, 0.0f);
  EXPECT_EQ(placed.read(), bytes_of(expected));
}

// ---- indices out of range

class Gathers : public Layouts {
 protected:
  // What the wait says of a gather with these indices along an axis of 10.
  template <typename I>
  std::string failure_of(const std::vector<I>& indices) {
    const OpenStream stream(device_);
    const Shape shape{static_cast<int64_t>(indices.size())};
    const std::vector<Input> inputs = {input(contiguous({10}), numbers(10)),
                                       input(contiguous(shape), indices)};
    Node node(device_, "Gather", 13);
    node.attribute("axis", int64_t{0}).prepare(inputs, SY_FLOAT32, shape);
    try {
      node.run<float>(stream, inputs, contiguous(shape));
    } catch (const sy::Failure& failure) {
      EXPECT_EQ(failure.status(), SY_INVALID);
      return failure.what();
    }
    return "nothing";
  }
};

INSTANTIATE_TEST_SUITE_P(Memory, Gathers, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Gathers, AnIndexOutOfRangeIsToldWithItsBound) {
  EXPECT_EQ(failure_of<int64_t>({0, 9, -10}), "nothing");
  EXPECT_EQ(failure_of<int64_t>({0, 10, 1}), "an index is 10, but its axis has 10 elements");
  EXPECT_EQ(failure_of<int64_t>({0, -11}), "an index is -11, but its axis has 10 elements");
  EXPECT_EQ(failure_of<int32_t>({3, 99}), "an index is 99, but its axis has 10 elements");
}

TEST_P(Gathers, AnIndexBeyondThirtyTwoBitsIsNoneWithin) {
  EXPECT_EQ(failure_of<int64_t>({(int64_t{1} << 32) + 1}),
            "an index is 4294967297, but its axis has 10 elements");
  EXPECT_EQ(failure_of<int64_t>({-(int64_t{1} << 32)}),
            "an index is -4294967296, but its axis has 10 elements");
}

TEST_P(Gathers, AnotherStreamGoesOn) {
  failure_of<int64_t>({10});
  EXPECT_EQ(failure_of<int64_t>({1}), "nothing");
}

}  // namespace
}  // namespace mps::runtime_tests
