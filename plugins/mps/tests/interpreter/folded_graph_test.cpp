// Operations on any rank become graphs of four axes at most that give the same numbers.
#include "ops/building/folded_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

struct Step {
  Operation operation;
  TensorType type;
  std::vector<Tensor> operands;
  seam::Attributes attributes;
};

Graph folded(const Step& step) {
  FoldedGraph graph(seam::unlimited);
  std::vector<uint32_t> operands;
  for (const Tensor& operand : step.operands) operands.push_back(graph.add_input(operand.type));
  return graph.finish({graph.add(step.operation, step.type, operands, step.attributes)});
}

// run() refuses graphs of more than four axes.
void expect_same_folded(const Step& step) {
  std::vector<TensorType> types;
  for (const Tensor& operand : step.operands) types.push_back(operand.type);
  const Graph whole = one_node(step.operation, step.type, types, step.attributes);
  const Tensor expected = run_of_any_rank(whole, step.operands).front();
  const Tensor found = run(folded(step), step.operands).front();
  EXPECT_EQ(found.bytes, expected.bytes) << "operation " << static_cast<int>(step.operation);
}

// Shapes of a few axes of small extents, of 1 among them.
class Random {
 public:
  explicit Random(uint32_t seed) : random_(seed) {}
  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }
  Shape shape(size_t rank, int64_t most = 3) {
    Shape shape(rank);
    for (int64_t& extent : shape) extent = number(1, most);
    return shape;
  }
  // With some extents 1, and perhaps without its first axes.
  Shape repeated_in(Shape shape, size_t kept = 0) {
    for (size_t i = 0; i + kept < shape.size(); ++i) {
      if (number(0, 1) == 0) shape[i] = 1;
    }
    const auto leading = std::find_if(shape.begin(), shape.end(), [](int64_t n) { return n != 1; });
    const auto most =
        std::min(leading - shape.begin(), static_cast<std::ptrdiff_t>(shape.size() - kept));
    shape.erase(shape.begin(), shape.begin() + number(0, most));
    return shape;
  }
  std::vector<int64_t> order(size_t rank) {
    std::vector<int64_t> axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    std::shuffle(axes.begin(), axes.end(), random_);
    return axes;
  }
  Tensor floats(const Shape& shape) {
    return whole_floats(shape, static_cast<uint32_t>(random_()));
  }

 private:
  std::mt19937 random_;
};

class FoldedGraphs : public testing::TestWithParam<size_t> {
 protected:
  template <typename Check>
  void many(Check&& check) {
    for (uint32_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed * 97 + static_cast<uint32_t>(GetParam()));
      check(random, random.shape(GetParam()));
      if (HasFailure()) return;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(OfRank, FoldedGraphs, testing::Values(3, 4, 5, 6, 8),
                         testing::PrintToStringParamName());

TEST_P(FoldedGraphs, Broadcast) {
  many([](Random& random, const Shape& shape) {
    const Tensor x = random.floats(random.repeated_in(shape));
    const Tensor y = random.floats(random.repeated_in(shape));
    const Tensor z = random.floats(shape);
    expect_same_folded({Operation::subtract, float32(shape), {x, z}, {}});
    expect_same_folded({Operation::clamp, float32(shape), {z, x, y}, {}});
    expect_same_folded({Operation::broadcast, float32(shape), {x}, {}});
    expect_same_folded({Operation::less, {ElementType::boolean, shape}, {z, y}, {}});
    expect_same_folded(
        {Operation::normalize, float32(shape), {z, x, y, y, x}, seam::Normalization{100}});
    const Shape when = random.repeated_in(shape);
    std::vector<uint8_t> truths(count_of(when));
    for (uint8_t& truth : truths) truth = static_cast<uint8_t>(random.number(0, 1));
    expect_same_folded({Operation::select, float32(shape), {booleans(when, truths), z, y}, {}});
  });
}

TEST_P(FoldedGraphs, CastAndMapElements) {
  many([](Random& random, const Shape& shape) {
    const Tensor x = random.floats(shape);
    expect_same_folded({Operation::negative, float32(shape), {x}, {}});
    expect_same_folded({Operation::cast, {ElementType::int32, shape}, {x}, {}});
    const auto count = static_cast<int64_t>(count_of(shape));
    expect_same_folded({Operation::reshape, float32({1, count, 1, 1, 1}), {x}, {}});
  });
}

TEST_P(FoldedGraphs, Transpose) {
  many([](Random& random, const Shape& shape) {
    const auto order = random.order(shape.size());
    Shape turned;
    for (const int64_t axis : order) turned.push_back(shape[static_cast<size_t>(axis)]);
    expect_same_folded(
        {Operation::transpose, float32(turned), {random.floats(shape)}, seam::Axes{order}});
  });
}

TEST_P(FoldedGraphs, ReduceAxesInAnyPattern) {
  many([](Random& random, const Shape& shape) {
    seam::Axes axes;
    Shape result = shape;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (random.number(0, 1) == 0 && !(i + 1 == shape.size() && axes.axes.empty())) continue;
      axes.axes.push_back(static_cast<int64_t>(i));
      result[i] = 1;
    }
    for (const Operation operation : {Operation::sum, Operation::largest, Operation::smallest}) {
      expect_same_folded({operation, float32(result), {random.floats(shape)}, axes});
    }
  });
}

TEST_P(FoldedGraphs, SliceForwardsAndBackwards) {
  many([](Random& random, const Shape&) {
    const Shape shape = random.shape(GetParam(), 4);
    seam::Slice slice;
    Shape result;
    for (const int64_t extent : shape) {
      const int64_t step = random.number(0, 1) == 0 ? 1 : random.number(1, 2) * 3 - 5;
      const int64_t first = random.number(0, extent - 1);
      const int64_t count = step > 0 ? random.number(1, (extent - first + step - 1) / step)
                                     : random.number(1, first / -step + 1);
      slice.starts.push_back(first);
      slice.steps.push_back(step);
      slice.ends.push_back(first + (count - 1) * step + (step > 0 ? 1 : -1));
      result.push_back(count);
    }
    expect_same_folded({Operation::slice, float32(result), {random.floats(shape)}, slice});
  });
}

TEST_P(FoldedGraphs, PadInEveryMode) {
  many([](Random& random, const Shape& shape) {
    using seam::PaddingMode;
    for (const PaddingMode mode :
         {PaddingMode::constant, PaddingMode::edge, PaddingMode::reflect}) {
      seam::Padding padding{{}, {}, mode, 0.5};
      Shape result = shape;
      for (size_t i = 0; i < shape.size(); ++i) {
        const int64_t most = mode == PaddingMode::reflect ? shape[i] - 1 : 2;
        padding.before.push_back(random.number(0, most));
        padding.after.push_back(random.number(0, most));
        result[i] += padding.before[i] + padding.after[i];
      }
      expect_same_folded({Operation::pad, float32(result), {random.floats(shape)}, padding});
    }
  });
}

TEST_P(FoldedGraphs, WorkAlongAnAxis) {
  many([](Random& random, const Shape& shape) {
    const auto axis = static_cast<size_t>(random.number(0, static_cast<int64_t>(GetParam()) - 1));
    const seam::Axes axes{{static_cast<int64_t>(axis)}};
    expect_same_folded({Operation::softmax, float32(shape), {random.floats(shape)}, axes});
    Shape joined = shape;
    joined[axis] *= 2;
    expect_same_folded({Operation::concatenate,
                        float32(joined),
                        {random.floats(shape), random.floats(shape)},
                        axes});
    const Shape positions = random.shape(3);
    std::vector<int32_t> indices(count_of(positions));
    for (int32_t& index : indices) index = static_cast<int32_t>(random.number(0, shape[axis] - 1));
    Shape gathered(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis));
    gathered.insert(gathered.end(), positions.begin(), positions.end());
    gathered.insert(gathered.end(), shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                    shape.end());
    expect_same_folded({Operation::gather,
                        float32(gathered),
                        {random.floats(shape), int32s(positions, indices)},
                        axes});
  });
}

TEST_P(FoldedGraphs, MultiplyMatricesOfAnyBatches) {
  many([](Random& random, const Shape& shape) {
    const int64_t depth = random.number(1, 4);
    Shape left = shape, right = shape;
    left.back() = depth;
    right.end()[-2] = depth;
    expect_same_folded({Operation::matrix_product,
                        float32(shape),
                        {random.floats(random.repeated_in(left, 2)), random.floats(right)},
                        {}});
    expect_same_folded({Operation::matrix_product,
                        float32(shape),
                        {random.floats(left), random.floats(random.repeated_in(right, 2))},
                        {}});
  });
}

// x[b, m, k] W[k, n] is one product of [b * m, k] and [k, n].
TEST(FoldedProduct, IsOneProductForAllRowsOfABatch) {
  for (const Shape& weights : {Shape{8, 5}, Shape{1, 8, 5}}) {
    const Graph graph = folded({Operation::matrix_product,
                                float32({2, 3, 5}),
                                {whole_floats({2, 3, 8}, 1), whole_floats(weights, 2)},
                                {}});
    const auto product = std::find_if(
        graph.nodes.begin(), graph.nodes.end(),
        [](const seam::Node& node) { return node.operation == Operation::matrix_product; });
    ASSERT_NE(product, graph.nodes.end());
    EXPECT_EQ(product->type.shape, (Shape{6, 5}));
    EXPECT_EQ(graph.nodes[product->operands[1]].type.shape, (Shape{8, 5}));
  }
}

TEST(FoldedProduct, IsNotMadeWiderThanTheSystemComputes) {
  FoldedGraph graph(100);
  const uint32_t x = graph.add_input(float32({2, 60, 8})), y = graph.add_input(float32({8, 5}));
  const uint32_t z = graph.add(Operation::matrix_product, float32({2, 60, 5}), {x, y}, {});
  for (const seam::Node& node : graph.finish({z}).nodes) {
    for (const int64_t extent : node.type.shape) EXPECT_LE(extent, 100);
  }
}

TEST(FoldedInput, IsNoOutput) {
  FoldedGraph graph(seam::unlimited);
  const uint32_t x = graph.add_input(float32({2, 1, 3, 1, 2, 2}));
  const Graph& whole = graph.finish({x});
  const Tensor given = whole_floats({2, 1, 3, 1, 2, 2}, 3);
  EXPECT_EQ(run(whole, {given}).front().bytes, given.bytes);
}

}  // namespace
}  // namespace mps::software::interpreter_tests
