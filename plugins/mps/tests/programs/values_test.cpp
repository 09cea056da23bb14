// Values between pieces, and beyond them: what is read twice, views, outputs, nothing at all.
#include <thread>

#include "nets.hpp"
#include "programs/graph_piece.hpp"

namespace mps::program_tests {
namespace {

class Values : public testing::TestWithParam<const char*> {
 protected:
  const OpenDevice device_{{{"software.memory", GetParam()}}};
};

INSTANTIATE_TEST_SUITE_P(Memory, Values, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

Id doubled(Model& model, Id x, const Shape& shape) { return model.node("Add", {x, x}, shape); }

// Two nodes, one graph.
Id scaled(Model& model, Id x, const Shape& shape) {
  return model.node("Exp", {model.node("Neg", {x}, shape)}, shape);
}

TEST_P(Values, AnOutputIsUsedInside) {
  Model model;
  const Shape shape{3, 5};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  const Id first = cumulated(model, x, shape);
  const Id second = scaled(model, first, shape);
  const Id third = cumulated(model, second, shape, 1);
  for (const Id id : {first, second, third, second}) model.output(id);
  // The second time it is a copy.
  EXPECT_EQ(model.pieces(device_), (Pieces{3, 1}));
  EXPECT_EQ(model.program(device_).workspace_bytes(), 0u);
  model.expect_same(device_, 1e-6);
}

TEST_P(Values, InputsAndOutputsLieAsTheHostWants) {
  const Shape shape{3, 4, 5};
  for (const View& view : runtime_tests::layouts(shape)) {
    Model model;
    const Id x = model.input(view, elements<float>(shape));
    const Id y = scaled(model, x, shape);
    const Id z = cumulated(model, model.node("Add", {x, y}, shape), shape, 2);
    model.output(y, runtime_tests::permuted(shape));
    model.output(z, view);
    model.output(scaled(model, z, shape), runtime_tests::sliced(shape));
    model.expect_same(device_, 1e-5);
  }
}

TEST_P(Values, ViewsOfViewsOfWhatAKernelMade) {
  Model model;
  const Shape shape{4, 6};
  const Id x = cumulated(model, model.input(contiguous(shape), elements<float>(shape)), shape);
  const Id turned = model.node("Transpose", {x}, {6, 4}, {{"perm", std::vector<int64_t>{1, 0}}});
  const Id part = model.node(
      "Slice",
      {turned, model.host({4, -1}), model.host({-7, -9}), model.host({0, 1}), model.host({-2, -1})},
      {3, 4});
  const Id apart = model.node("Unsqueeze", {part, model.host({1})}, {3, 1, 4});
  const Id wide = model.node("Expand", {apart, model.host({3, 2, 4})}, {3, 2, 4});
  model.output(cumulated(model, wide, {3, 2, 4}, 2));
  model.output(wide);
  // The second output is a copy of a view.
  EXPECT_EQ(model.pieces(device_), (Pieces{3, 0}));
  model.expect_same(device_);
}

TEST_P(Values, AReshapeThatStridesCannotShow) {
  const Shape shape{4, 6};
  const Settings turn = {{"perm", std::vector<int64_t>{1, 0}}};
  for (const bool by_graph : {false, true}) {
    Model model;
    const Id given = model.input(runtime_tests::gapped(shape), elements<float>(shape));
    const Id x = by_graph ? scaled(model, given, shape) : cumulated(model, given, shape);
    const Id turned = model.node("Transpose", {x}, {6, 4}, turn);
    const Id flat = model.node("Reshape", {turned, model.host({3, 8})}, {3, 8});
    model.output(cumulated(model, flat, {3, 8}, 1));
    model.output(
        cumulated(model, model.node("Flatten", {given}, {1, 24}, {{"axis", 0}}), {1, 24}, 1));
    model.output(flat);
    model.expect_same(device_, 1e-6);
  }
}

TEST_P(Values, AGraphMakesTheViewThatStridesCannotShow) {
  Model model;
  const Id x = scaled(model, model.input(contiguous({4, 6}), elements<float>({4, 6})), {4, 6});
  const Id turned = model.node("Transpose", {x}, {6, 4}, {{"perm", std::vector<int64_t>{1, 0}}});
  const Id flat = model.node("Reshape", {turned, model.host({3, 8})}, {3, 8});
  model.output(cumulated(model, flat, {3, 8}));
  ASSERT_EQ(model.program(device_).slots().size(), 1u);
  EXPECT_EQ(model.program(device_).slots()[0].shape[0], 3);
  model.expect_same(device_, 1e-6);
}

TEST_P(Values, AViewThatAGraphMakesIsAnOutputWithoutACopy) {
  Model model;
  const Shape shape{4, 6};
  const Id x = scaled(model, model.input(contiguous(shape), elements<float>(shape)), shape);
  model.output(model.node("Transpose", {x}, {6, 4}, {{"perm", std::vector<int64_t>{1, 0}}}));
  const std::vector<Id> parts = model.node_of_many("Split", {x, model.host({1, 3, 2})},
                                                   {{4, 1}, {4, 3}, {4, 2}}, {{"axis", 1}});
  model.output(parts[1]);
  model.output(parts[2]);
  EXPECT_EQ(model.pieces(device_), (Pieces{0, 1}));
  model.expect_same(device_, 1e-6);
}

TEST_P(Values, InputsAndConstantsThatAreOutputs) {
  Model model;
  const Shape shape{2, 3};
  const Id x = model.input(runtime_tests::permuted(shape), elements<float>(shape));
  const Id weights = model.constant(shape, elements<float>(shape, 2));
  model.output(model.node("Identity", {x}, shape));
  model.output(model.node("Squeeze", {weights}, shape));
  model.output(model.node("Add", {x, weights}, shape));
  EXPECT_EQ(model.pieces(device_), (Pieces{3, 0}));
  model.expect_same(device_);
}

TEST_P(Values, DeadNodesAreLeftOut) {
  Model model;
  const Shape shape{2, 3};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  const Id y = scaled(model, x, shape);
  cumulated(model, doubled(model, cumulated(model, x, shape), shape), shape);
  model.node("Transpose", {doubled(model, y, shape)}, {3, 2},
             {{"perm", std::vector<int64_t>{1, 0}}});
  model.output(y);
  EXPECT_EQ(model.pieces(device_), (Pieces{0, 1}));
  model.expect_same(device_, 1e-6);
}

TEST_P(Values, ConstantsSmallAndLargeAreShared) {
  Model model;
  const Shape small{8, 16}, large{16, 2048}, result{8, 2048};
  const Id x = model.input(contiguous(small), elements<float>(small));
  const Id bias = model.constant(Shape{16}, elements<float>({16}, 2));
  const Id weights = model.constant(large, elements<float>(large, 3));
  ASSERT_GT(16u * 2048 * sizeof(float), Options().graph_constant_bytes);
  const Id first = model.node("Add", {x, bias}, small);
  const Id second = model.node("Mul", {first, bias}, small);
  const Id third = cumulated(model, model.node("Add", {second, bias}, small), small);
  for (const Id id : {second, third}) {
    model.output(model.node("Neg", {model.node("MatMul", {id, weights}, result)}, result));
  }
  EXPECT_EQ(model.pieces(device_), (Pieces{1, 2}));
  size_t inputs = 0;
  for (const Program::Entry& entry : model.program(device_).entries()) {
    if (entry.kind == Piece::Kind::graph) inputs += entry.inputs.size();
  }
  // Each graph is fed the weights; one x, the other what the kernel made. The bias is theirs.
  EXPECT_EQ(inputs, 4u);
  model.expect_same(device_, 1e-4);
}

TEST_P(Values, LargeConstantsArePartOfGraphsWhereTheOptionsSaySo) {
  const OpenDevice embedding(
      {{"software.memory", GetParam()}, {"graph_constant_kilobytes", nullptr, 128}});
  Model model;
  const Shape small{8, 16}, large{16, 2048}, result{8, 2048};
  const Id x = model.input(contiguous(small), elements<float>(small));
  const Id weights = model.constant(large, elements<float>(large, 3));
  model.output(model.node("Neg", {model.node("MatMul", {x, weights}, result)}, result));
  EXPECT_EQ(model.program(embedding).entries().front().inputs.size(), 1u);
  model.expect_same(embedding, 1e-4);
}

TEST_P(Values, TensorsWithoutElements) {
  Model model;
  const Shape none{0, 3};
  const Id x = model.input(contiguous(none), std::vector<float>());
  const Id y = model.input(contiguous({2, 3}), elements<float>({2, 3}));
  const Id empty = model.node("Exp", {doubled(model, x, none)}, none);
  const Id joined = model.node("Concat", {cumulated(model, empty, none), y}, {2, 3}, {{"axis", 0}});
  model.output(empty);
  model.output(model.node("Reshape", {empty, model.host({3, 0})}, {3, 0}, {{"allowzero", 1}}));
  model.output(scaled(model, joined, {2, 3}));
  model.expect_same(device_, 1e-6);
}

TEST_P(Values, SingleNumbers) {
  Model model;
  const Id x = model.input(contiguous({}), std::vector<float>{0.5f});
  const Id y = model.node("Sqrt", {model.node("Add", {x, x}, {})}, {});
  const Id z = model.node("Unsqueeze", {y, model.host({0})}, {1});
  const Id sum = cumulated(model, z, {1});
  model.output(y);
  model.output(model.node("Squeeze", {sum}, {}));
  model.output(model.node("Mul", {model.node("Reshape", {sum, model.host({})}, {}), x}, {}));
  model.expect_same(device_);
}

TEST_P(Values, NodesOfSeveralOutputs) {
  Model model;
  const Shape shape{3, 8}, best{3, 2};
  const Id x = scaled(model, model.input(contiguous(shape), elements<float>(shape)), shape);
  const Settings settings = {{"axis", 1}, {"largest", 1}, {"sorted", 1}};
  const std::vector<Id> top = model.node_of_many("TopK", {x, model.host({2})}, {best, best},
                                                 settings, {SY_FLOAT32, SY_INT64});
  const std::vector<Id> unread = model.node_of_many("TopK", {x, model.host({2})}, {best, best},
                                                    settings, {SY_FLOAT32, SY_INT64});
  const std::vector<Id> norm = model.node_of_many(
      "LayerNormalization", {x, model.constant(Shape{8}, elements<float>({8}))},
      {shape, {3, 1}, {3, 1}}, {{"axis", 1}, {"epsilon", 1e-5f}, {"stash_type", 1}});
  model.output(model.node("GatherElements", {x, top[1]}, best, {{"axis", 1}}));
  model.output(unread[1]);
  model.output(model.node("Sub", {model.node("Mul", {norm[0], norm[1]}, shape), norm[1]}, shape));
  model.expect_same(device_, 1e-5);
}

// Each run has a workspace of its own.
TEST_P(Values, TwoStreamsRunOneKernelAtOnce) {
  Model model;
  const Shape shape{64, 64};
  Id x = model.input(contiguous(shape), elements<float>(shape));
  for (int i = 0; i < 4; ++i) {
    x = model.node("Tanh", {cumulated(model, scaled(model, x, shape), shape)}, shape);
  }
  model.output(x);
  const OpenStream first(device_), second(device_);
  const std::vector<Bytes> expected = model.whole(first);
  Model::Running one(model, first), other(model, second);
  std::thread thread([&] {
    for (int i = 0; i < 20; ++i) other.start();
  });
  for (int i = 0; i < 20; ++i) one.start();
  thread.join();
  EXPECT_EQ(one.results(), expected);
  EXPECT_EQ(other.results(), expected);
}

TEST_P(Values, EachNodeHasAVerdict) {
  Model model;
  const Shape shape{2, 3};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  const Id y = model.node("Relu", {x}, shape);
  const Id z = model.node("NoSuchOp", {y}, shape);
  const Id starts = model.input(contiguous({2}), std::vector<int64_t>{0, 0});
  model.output(model.node("Slice", {z, starts, starts}, {1, 1}));
  model.output(model.node("Flatten", {z}, shape, {{"axis", 1}}));
  const std::vector<sy_verdict> verdicts = model.verdicts(device_);
  EXPECT_EQ(verdicts[0].kind, SY_SUPPORTED);
  EXPECT_EQ(verdicts[1].kind, SY_REFUSED);
  EXPECT_EQ(verdicts[1].reason, SY_REASON_OP);
  EXPECT_EQ(verdicts[2].kind, SY_REFUSED);
  EXPECT_EQ(verdicts[2].reason, SY_REASON_ATTRIBUTE) << verdicts[2].message;
  EXPECT_EQ(verdicts[3].kind, SY_SUPPORTED);
  EXPECT_THROW(model.kernel(device_), sy::Failure);
}

}  // namespace
}  // namespace mps::program_tests
