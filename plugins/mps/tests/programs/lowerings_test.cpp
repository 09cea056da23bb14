// Each op that graphs hold, in one with another node, against its own kernel.
#include <cmath>

#include "nets.hpp"

namespace mps::program_tests {
namespace {

struct Unary {
  const char* op;
  Settings settings = {};
};

void PrintTo(const Unary& unary, std::ostream* stream) { *stream << unary.op; }

// A second node that changes no bit, so that there is a graph.
Id kept(Model& model, Id x, const Shape& shape) { return model.node("Abs", {x}, shape); }

template <typename T>
std::vector<T> telling() {
  std::vector<T> x;
  for (int i = -12; i <= 12; ++i) x.emplace_back(static_cast<float>(i) / 4);
  for (const float number : {0.0f, -0.0f, 20.0f, -20.0f, infinity, -infinity, nan}) {
    x.emplace_back(number);
  }
  return x;
}

class Functions : public testing::TestWithParam<Unary> {
 protected:
  template <typename T>
  void expect_same(double tolerance) {
    Model model;
    const Shape shape{4, 8};
    const Id x = model.input(contiguous(shape), telling<T>());
    const Id y = model.node(GetParam().op, {x}, shape, GetParam().settings);
    model.output(y);
    model.output(kept(model, y, shape));
    EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
    model.expect_same(device(), tolerance);
  }
};

INSTANTIATE_TEST_SUITE_P(All, Functions,
                         testing::Values(Unary{"Abs"}, Unary{"Ceil"}, Unary{"Cos"},
                                         Unary{"Elu", {{"alpha", 0.7f}}}, Unary{"Erf"},
                                         Unary{"Exp"}, Unary{"Floor"},
                                         Unary{"Gelu", {{"approximate", std::string("none")}}},
                                         Unary{"HardSigmoid", {{"alpha", 0.2f}, {"beta", 0.5f}}},
                                         Unary{"HardSwish"}, Unary{"LeakyRelu", {{"alpha", 0.1f}}},
                                         Unary{"Log"}, Unary{"Mish"}, Unary{"Neg"},
                                         Unary{"Reciprocal"}, Unary{"Relu"}, Unary{"Round"},
                                         Unary{"Sigmoid"}, Unary{"Sin"}, Unary{"Softplus"},
                                         Unary{"Softsign"}, Unary{"Sqrt"}, Unary{"Tanh"}),
                         [](const auto& info) { return std::string(info.param.op); });

TEST_P(Functions, OfFloats) { expect_same<float>(2e-6); }
TEST_P(Functions, OfHalves) { expect_same<half>(1e-3); }

TEST(Lowerings, GeluByTanh) {
  Model model;
  const Shape shape{25};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  const Id y = model.node("Gelu", {x}, shape, {{"approximate", std::string("tanh")}});
  model.output(kept(model, y, shape));
  EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
  model.expect_same(device(), 2e-6);
}

// What a graph holds does the same to NaN, infinities and zeros.
template <typename T>
void expect_same_arithmetic(const char* op, bool compares) {
  Model model;
  const Shape shape{32};
  std::vector<T> y = telling<T>();
  std::rotate(y.begin(), y.begin() + 7, y.end());
  const Id left = model.input(contiguous(shape), telling<T>());
  const Id right = model.input(contiguous(shape), y);
  const Id result = model.node(op, {left, right}, shape, {}, compares ? SY_BOOL : sy_dtype{0});
  model.output(result);
  model.output(compares ? model.node("Not", {result}, shape) : kept(model, result, shape));
  EXPECT_EQ(model.pieces(device()), (Pieces{0, 1})) << op;
  model.expect_same(device());
}

TEST(Lowerings, ArithmeticIsTheKernelsToTheBit) {
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Max", "Min", "Sum", "PRelu"}) {
    expect_same_arithmetic<float>(op, false);
    expect_same_arithmetic<half>(op, false);
  }
}

TEST(Lowerings, Comparisons) {
  for (const char* op : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}) {
    expect_same_arithmetic<float>(op, true);
    expect_same_arithmetic<half>(op, true);
  }
}

TEST(Lowerings, ManyInputsAndBroadcasts) {
  Model model;
  const Id a = model.input(contiguous({2, 1, 3}), elements<half>({2, 1, 3}, 1));
  const Id b = model.input(contiguous({4, 1}), elements<half>({4, 1}, 2));
  const Id c = model.input(contiguous({}), elements<half>({}, 3));
  const Id sum = model.node("Sum", {a, b, c}, {2, 4, 3});
  const Id most = model.node("Max", {sum, a, c}, {2, 4, 3});
  model.output(
      model.node("Pow", {most, model.constant(Shape{1}, std::vector<half>{2.0f})}, {2, 4, 3}));
  EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
  model.expect_same(device());
}

TEST(Lowerings, LogicAndChoice) {
  Model model;
  const Shape shape{4, 8};
  const Id x = model.input(contiguous(shape), telling<float>());
  const Id bound = model.constant(Shape{}, std::vector<float>{0.5f});
  const Id above = model.node("Greater", {x, bound}, shape, {}, SY_BOOL);
  const Id none = model.node("IsNaN", {x}, shape, {}, SY_BOOL);
  const Id either = model.node("Or", {above, none}, shape);
  const Id both = model.node("And", {model.node("Not", {none}, shape), above}, shape);
  const Id one = model.node("Xor", {either, both}, shape);
  model.output(one);
  model.output(model.node("Where", {either, x, bound}, shape, {}, SY_FLOAT32));
  model.output(
      model.node("Clip", {x, model.constant(Shape{}, std::vector<float>{-1}), bound}, shape));
  model.output(model.node("Cast", {one}, shape, {{"to", 1}}, SY_FLOAT32));
  model.output(model.node("Cast", {x}, shape, {{"to", 10}}, SY_FLOAT16));
  model.output(model.node("Cast", {x}, shape, {{"to", 9}}, SY_BOOL));
  EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
  model.expect_same(device());
}

template <typename T>
void expect_same_reduction(const std::string& op, double tolerance) {
  for (const int64_t keeps : {0, 1}) {
    Model model;
    const Shape shape{3, 4, 70};
    const Id x = model.input(contiguous(shape), elements<T>(shape));
    const Shape left = keeps != 0 ? Shape{3, 1, 1} : Shape{3};
    const Id y = model.node(op, {x, model.host({-1, 1})}, left,
                            {{"keepdims", keeps}, {"noop_with_empty_axes", 0}});
    const Id all = model.node(op, {x}, keeps != 0 ? Shape{1, 1, 1} : Shape{},
                              {{"keepdims", keeps}, {"noop_with_empty_axes", 0}});
    model.output(y);
    model.output(model.node("Add", {y, all}, left));
    EXPECT_EQ(model.pieces(device()), (Pieces{0, 1})) << op;
    model.expect_same(device(), tolerance);
  }
}

TEST(Lowerings, Reductions) {
  for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1",
                         "ReduceL2", "ReduceSumSquare", "ReduceProd"}) {
    expect_same_reduction<float>(op, 1e-5);
    expect_same_reduction<half>(op, 2e-3);
  }
}

TEST(Lowerings, SoftmaxAndItsLogarithm) {
  for (const char* op : {"Softmax", "LogSoftmax"}) {
    for (const int64_t axis : {0, 1, -1}) {
      Model model;
      const Shape shape{3, 5, 7};
      const Id x = model.input(contiguous(shape), elements<float>(shape, 1, 30));
      const Id y = model.node(op, {x}, shape, {{"axis", axis}});
      model.output(kept(model, y, shape));
      EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
      model.expect_same(device(), 1e-5);
    }
  }
}

template <typename T>
void expect_same_norms(double tolerance) {
  Model model;
  const Shape shape{2, 6, 3, 5};
  const Id x = model.input(contiguous(shape), elements<T>(shape));
  const auto weights = [&](const Shape& of, uint32_t seed) {
    return model.input(contiguous(of), elements<T>(of, seed));
  };
  const Id layer = model.node("LayerNormalization", {x, weights({3, 5}, 2)}, shape,
                              {{"axis", 2}, {"epsilon", 1e-3f}, {"stash_type", 1}});
  const Id instance = model.node("InstanceNormalization", {x, weights({6}, 3), weights({6}, 4)},
                                 shape, {{"epsilon", 1e-3f}});
  const Id group = model.node("GroupNormalization", {x, weights({6}, 5), weights({6}, 6)}, shape,
                              {{"epsilon", 1e-3f}, {"num_groups", 3}, {"stash_type", 1}});
  model.output(layer);
  model.output(model.node("Add", {instance, group}, shape));
  EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
  model.expect_same(device(), tolerance);
}

TEST(Lowerings, Norms) {
  expect_same_norms<float>(1e-5);
  expect_same_norms<half>(4e-3);
}

TEST(Lowerings, FormsMoveElementsAsTheyAre) {
  Model model;
  const Shape shape{1, 8, 2, 3};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  const Id joined = model.node("Concat", {x, x, x}, {1, 24, 2, 3}, {{"axis", -3}});
  model.output(model.node("DepthToSpace", {x}, {1, 2, 4, 6},
                          {{"blocksize", 2}, {"mode", std::string("DCR")}}));
  const Id wide = model.node("DepthToSpace", {x}, {1, 2, 4, 6},
                             {{"blocksize", 2}, {"mode", std::string("CRD")}});
  model.output(model.node("SpaceToDepth", {wide}, shape, {{"blocksize", 2}}));
  model.output(model.node("Tile", {x, model.host({2, 1, 3, 1})}, {2, 8, 6, 3}));
  model.output(model.node(
      "Pad",
      {x, model.host({0, 1, 0, 2, 0, 0, 3, 0}), model.constant(Shape{}, std::vector<float>{2.5f})},
      {1, 9, 5, 5}, {{"mode", std::string("constant")}}));
  model.output(model.node("Gather",
                          {joined, model.constant(Shape{2, 2}, std::vector<int64_t>{0, -1, 23, 3})},
                          {1, 2, 2, 2, 3}, {{"axis", 1}}));
  EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
  model.expect_same(device());
}

TEST(Lowerings, ResizingThatRepeatsElements) {
  for (const char* coordinates : {"half_pixel", "asymmetric"}) {
    Model model;
    const Shape shape{1, 2, 3, 4};
    const Id x = model.input(contiguous(shape), elements<float>(shape));
    const Id scales = model.constant(Shape{4}, std::vector<float>{1, 1, 2, 3});
    const std::string rounding =
        std::string(coordinates) == "asymmetric" ? "floor" : "round_prefer_floor";
    const Id y = model.node("Resize", {x, SY_ABSENT, scales}, {1, 2, 6, 12},
                            {{"mode", std::string("nearest")},
                             {"coordinate_transformation_mode", std::string(coordinates)},
                             {"nearest_mode", rounding},
                             {"antialias", 0},
                             {"exclude_outside", 0},
                             {"keep_aspect_ratio_policy", std::string("stretch")},
                             {"cubic_coeff_a", -0.75f},
                             {"extrapolation_value", 0.0f}});
    model.output(kept(model, y, {1, 2, 6, 12}));
    EXPECT_EQ(model.pieces(device()), (Pieces{0, 1}));
    model.expect_same(device());
  }
}

// What a graph would do otherwise is left to the op's own kernel.
TEST(Lowerings, WhatGraphsCannotPromiseIsNotInThem) {
  const Shape shape{2, 3};
  const auto expect_kernels = [&](auto add) {
    Model model;
    const Id x = model.input(contiguous(shape), elements<float>(shape));
    const Id y = add(model, x);
    model.output(kept(model, kept(model, y, shape), shape));
    EXPECT_EQ(model.pieces(device()), (Pieces{1, 1}));
    model.expect_same(device());
  };
  expect_kernels([&](Model& model, Id x) { return model.node("Sign", {x}, shape); });
  expect_kernels([&](Model& model, Id x) {
    return model.node("Pow", {x, model.input(contiguous({}), std::vector<float>{2})}, shape);
  });
  // Indices that only the run knows may not be there.
  expect_kernels([&](Model& model, Id x) {
    return model.node("Gather", {x, model.input(contiguous({2}), std::vector<int64_t>{1, 0})},
                      shape, {{"axis", 0}});
  });
}

}  // namespace
}  // namespace mps::program_tests
