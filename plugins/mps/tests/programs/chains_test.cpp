// Elementwise nodes that become one kernel, written for them. On the software device these are
// compiled here, which takes a second each.
#include "nets.hpp"

namespace mps::program_tests {
namespace {

const OpenDevice& writing_device() {
  static const OpenDevice opened({{"fused_kernels", nullptr, 1, true}});
  return opened;
}

// All in one line, rounded where the kernels round.
template <typename T>
Model all_kinds() {
  Model model;
  const Shape shape{2, 3, 4};
  std::vector<T> given = elements<T>(shape);
  given[3] = T(nan);
  given[7] = T(infinity);
  given[11] = T(-0.0f);
  const Id x = model.input(runtime_tests::permuted(shape), given);
  const Id row = model.input(contiguous({4}), elements<T>({4}, 2));
  const Id column = model.input(runtime_tests::gapped({3, 1}), elements<T>({3, 1}, 3));
  const Id least = model.constant(Shape{}, std::vector<T>{T(-1.25f)});
  Id y = model.node("Mul", {x, row}, shape);
  y = model.node("Sum", {y, column, x}, shape);
  model.output(y, runtime_tests::sliced(shape));
  const Id sigmoid = model.node("Sigmoid", {y}, shape);
  y = model.node("Div", {model.node("Erf", {y}, shape), sigmoid}, shape);
  y = model.node("Clip", {y, least}, shape);
  const Id above = model.node("Greater", {y, x}, shape, {}, SY_BOOL);
  const Id none = model.node("IsNaN", {y}, shape, {}, SY_BOOL);
  const Id either = model.node("Or", {above, model.node("Not", {none}, shape)}, shape);
  y = model.node("Where", {either, y, row}, shape, {}, dtype<T>());
  const Id whole = model.node("Cast", {y}, shape, {{"to", 6}}, SY_INT32);
  const Id rest = model.node(
      "Mod", {model.node("Abs", {whole}, shape), model.constant(Shape{}, std::vector<int32_t>{3})},
      shape, {{"fmod", 0}});
  model.output(rest);
  model.output(
      model.node("Sub", {y, model.node("Cast", {rest}, shape, {{"to", 1}}, dtype<T>())}, shape));
  return model;
}

TEST(Chains, AreTheSingleKernelsToTheBit) {
  Model model = all_kinds<float>();
  EXPECT_EQ(model.pieces(writing_device()), (Pieces{0, 0, 1}));
  EXPECT_EQ(model.program(writing_device()).workspace_bytes(), 0u);
  model.expect_same(writing_device());
}

TEST(Chains, RoundHalvesAsSingleKernelsDo) {
  Model model = all_kinds<half>();
  EXPECT_EQ(model.pieces(writing_device()), (Pieces{0, 0, 1}));
  model.expect_same(writing_device());
}

TEST(Chains, HoldEveryFunction) {
  Model model;
  const Shape shape{40};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  Id sum = x;
  const auto add = [&](const char* op, const Settings& settings = {}) {
    sum = model.node("Add", {sum, model.node(op, {x}, shape, settings)}, shape);
  };
  for (const char* op :
       {"Abs",  "Acos", "Acosh", "Asin",     "Asinh",     "Atan", "Atanh",     "Ceil",
        "Cos",  "Cosh", "Erf",   "Exp",      "Floor",     "Log",  "HardSwish", "Mish",
        "Neg",  "Relu", "Round", "Sign",     "Sigmoid",   "Sin",  "Sinh",      "Softplus",
        "Sqrt", "Tan",  "Tanh",  "Softsign", "Reciprocal"}) {
    add(op);
  }
  for (const char* op : {"Celu", "Elu", "LeakyRelu", "ThresholdedRelu"}) add(op, {{"alpha", 0.6f}});
  add("HardSigmoid", {{"alpha", 0.2f}, {"beta", 0.5f}});
  add("Selu", {{"alpha", 1.67f}, {"gamma", 1.05f}});
  add("Gelu", {{"approximate", std::string("tanh")}});
  model.output(sum);
  EXPECT_EQ(model.pieces(writing_device()), (Pieces{0, 0, 1}));
  model.expect_same(writing_device());
}

TEST(Chains, EndWhereAKernelHasNoBuffersLeft) {
  Model model;
  const Shape shape{5};
  Id sum = model.input(contiguous(shape), elements<float>(shape));
  for (uint32_t i = 0; i < 40; ++i) {
    sum = model.node("Mod", {sum, model.input(contiguous(shape), elements<float>(shape, i))}, shape,
                     {{"fmod", 1}});
  }
  model.output(sum);
  EXPECT_EQ(model.pieces(writing_device()), (Pieces{0, 0, 2}));
  model.expect_same(writing_device());
}

TEST(Chains, EndWhereAViewOfTheirOwnValuesIsRead) {
  Model model;
  const Shape shape{4, 4};
  const Settings turn = {{"perm", std::vector<int64_t>{1, 0}}};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  const Id first = model.node("Mod", {model.node("Acosh", {x}, shape), x}, shape, {{"fmod", 1}});
  const Id turned = model.node("Transpose", {first}, shape, turn);
  const Id second = model.node("Mod", {turned, first}, shape, {{"fmod", 1}});
  model.output(model.node("Atan", {second}, shape));
  model.output(turned);
  EXPECT_EQ(model.pieces(writing_device()), (Pieces{1, 0, 2}));
  model.expect_same(writing_device());
}

TEST(Chains, AreNotWrittenWhereCompilingTakesLong) {
  const OpenDevice device;
  Model model = all_kinds<float>();
  EXPECT_EQ(model.pieces(device).chains, 0u);
  model.expect_same(device, 1e-5);
}

// What a graph holds stays in it.
TEST(Chains, LeaveToGraphsWhatTheyHold) {
  Model model;
  const Shape shape{4, 4};
  const Id x = model.input(contiguous(shape), elements<float>(shape));
  Id y = model.node("Relu", {model.node("MatMul", {x, x}, shape)}, shape);
  y = model.node("Softmax", {model.node("Add", {y, x}, shape)}, shape, {{"axis", 1}});
  model.output(y);
  EXPECT_EQ(model.pieces(writing_device()), (Pieces{0, 1, 0}));
  model.expect_same(writing_device(), 1e-5);
}

}  // namespace
}  // namespace mps::program_tests
