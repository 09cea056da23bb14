// Eager ops: an ONNX op with its attributes, called on tensors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "functions/thrown.hpp"
#include "ops/catalogue.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

const Runtime& runtime() {
  static const Runtime shared = start({{"good", "cpu"}, "fallback = \"allow\""});
  return shared;
}

TEST(Operation, ComputesOnTensorsFromAnywhere) {
  const Operation add = runtime().operation("Add");
  const Tensor a = counting({3});
  const Tensor b = counting({3}).to(runtime().device("good"));
  const Tensor c = counting({3}).to(runtime().device("cpu"));
  EXPECT_EQ(add(a, b).to_vector<float>(), (Floats{0, 2, 4}));
  EXPECT_EQ(add(b, c).to_vector<float>(), (Floats{0, 2, 4}));
  EXPECT_EQ(add(c, c).to_vector<float>(), (Floats{0, 2, 4}));
}

TEST(Operation, TakesAttributesOfEveryKind) {
  const Tensor matrix = counting({2, 3});
  EXPECT_EQ(runtime().operation("Transpose", {{"perm", Integers{1, 0}}})(matrix).shape(),
            (Dims{3, 2}));
  EXPECT_EQ(runtime().operation("LeakyRelu", {{"alpha", 0.5F}})(floats({1}, {-2})).item<float>(),
            -1);
  EXPECT_EQ(runtime()
                .operation("ConstantOfShape", {{"value", floats({1}, {7})}})(integers({2}))
                .to_vector<float>(),
            (Floats{7, 7}));
  const std::array<Tensor, 2> sums{matrix, integers({1})};
  EXPECT_EQ(
      runtime().operation("ReduceSum", {{"keepdims", std::int64_t{0}}})(sums)[0].to_vector<float>(),
      (Floats{3, 12}));
}

TEST(Operation, TakesAnAttributeOnce) {
  EXPECT_THAT(thrown([] {
                runtime().operation("Softmax", {{"axis", 0}, {"axis", 1}});
              }),
              HasSubstr("[Softmax] the attribute 'axis' is given twice"));
}

TEST(Operation, GivesAllItsOutputs) {
  const std::array<Tensor, 2> inputs{floats({4}, {3, 9, 1, 7}), integers({2})};
  const std::vector<Tensor> top = runtime().operation("TopK")(inputs);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].to_vector<float>(), (Floats{9, 7}));
  EXPECT_EQ(top[1].to_vector<std::int64_t>(), (Integers{1, 3}));
}

TEST(Operation, GivesAllOutputsWhereEachIsOptional) {
  const Runtime runtime = start({{"cpu"}});
  const Operation gru = runtime.operation("GRU", {{"hidden_size", std::int64_t{2}}});
  const std::vector<Tensor> outputs =
      gru(std::vector<Tensor>{counting({3, 1, 4}), counting({1, 6, 4}), counting({1, 6, 2})});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].shape(), (Dims{3, 1, 1, 2}));
  EXPECT_EQ(outputs[1].shape(), (Dims{1, 1, 2}));
}

TEST(Operation, GivesAsManyOutputsAsAreAskedFor) {
  const Tensor x = counting({6});
  const Operation split = runtime().operation("Split", {{"num_outputs", 3}});
  const std::vector<Tensor> thirds = split({x}, 3);
  ASSERT_EQ(thirds.size(), 3u);
  EXPECT_EQ(thirds[2].to_vector<float>(), (Floats{4, 5}));
  EXPECT_STREQ(error_of([&] { static_cast<void>(split(x)); }).what(),
               "[Split] has a variable number of outputs; give the number that is wanted with the "
               "inputs");
  const Operation dropout = runtime().operation("Dropout");
  EXPECT_EQ(dropout({x}).size(), 1u);
  EXPECT_EQ(dropout({x}, 2)[1].dtype(), DType::bool_);
  EXPECT_EQ(dropout({x}).size(), 1u) << "a route of two outputs is no route of one";
  EXPECT_STREQ(error_of([&] { static_cast<void>(dropout({x}, 3)); }).what(),
               "[Dropout] is asked for 3 outputs and has 2");
  EXPECT_THAT(error_of([&] { static_cast<void>(dropout({x}, 0)); }).what(),
              HasSubstr("at least one"));
  const Operation largest = runtime().operation("TopK");
  EXPECT_EQ(largest({x, integers({2})}, 1).size(), 1u);
  EXPECT_EQ(largest(x, integers({2})).to_vector<float>(), (Floats{5, 4}));
}

TEST(Operation, GivesAsManyOutputsAsAMaskHasBitsAndMore) {
  for (const std::int64_t count : {63, 64, 65, 130}) {
    const Operation split = runtime().operation("Split", {{"num_outputs", count}});
    const std::vector<Tensor> parts = split({counting({count})}, static_cast<std::size_t>(count));
    ASSERT_EQ(parts.size(), static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) EXPECT_EQ(parts[i].item<float>(), i);
  }
}

TEST(Operation, LeavesOutWhatIsLeftOut) {
  const std::array<Tensor, 3> clip{floats({3}, {-1, 0, 5}), Tensor(), floats({}, {2})};
  EXPECT_EQ(runtime().operation("Clip")(clip)[0].to_vector<float>(), (Floats{-1, 0, 2}));
}

TEST(Operation, ReadsHostInputsFromAnyDevice) {
  // The shape lies on a device; the host needs its value to know the result's.
  const Tensor shape = integers({3, 2}).to(runtime().device("good"));
  EXPECT_EQ(runtime().operation("Reshape")(counting({6}), shape).shape(), (Dims{3, 2}));
}

TEST(Operation, ShapeRunsOnNoDevice) {
  const Tensor shape = runtime().operation("Shape")(counting({4, 5}));
  EXPECT_EQ(shape.device().name(), "host");
  EXPECT_EQ(shape.to_vector<std::int64_t>(), (Integers{4, 5}));
}

TEST(Operation, IsSharedByCallsOfManyShapes) {
  const Operation relu = runtime().operation("Relu");
  for (std::int64_t extent : {1, 2, 3, 2, 1, 0}) {
    EXPECT_EQ(relu(counting({extent})).shape(), (Dims{extent}));
  }
}

TEST(Operation, KeepsItsRuntimeAlive) {
  const auto make = [] { return start({{"good"}}).operation("Relu"); };
  const Operation relu = make();
  EXPECT_EQ(relu(floats({2}, {-1, 1})).to_vector<float>(), (Floats{0, 1}));
}

// ---------------------------------------------------------------- what it refuses

TEST(Operation, IsRefusedWhereThereIsNoSuchOpOrAttribute) {
  EXPECT_STREQ(error_of([] { runtime().operation("Reloo"); }).what(),
               "there is no op 'Reloo' in domain ''");
  const Error attribute = error_of([] { runtime().operation("Relu", {{"alpha", 1.0F}}); });
  EXPECT_EQ(attribute.kind(), ErrorKind::invalid_argument);
  EXPECT_STREQ(attribute.what(), "[Relu] has no attribute \"alpha\"");
  EXPECT_STREQ(error_of([] { runtime().operation("Concat"); }).what(),
               "[Concat] attribute \"axis\" is required and missing");
  EXPECT_THAT(error_of([] { runtime().operation("Loop"); }).what(),
              HasSubstr("it can only be used in a model"));
}

TEST(Operation, SaysWhatIsWrongWithItsInputs) {
  const Operation add = runtime().operation("Add");
  EXPECT_THAT(error_of([&] { add(counting({2}), counting({3})); }).what(), HasSubstr("[Add]"));
  EXPECT_THAT(error_of([&] { add(counting({2}), integers({1, 2})); }).what(), HasSubstr("[Add]"));
  EXPECT_THAT(error_of([&] { add(counting({2}), Tensor()); }).what(), HasSubstr("[Add]"));
  EXPECT_THAT(error_of([&] { add(counting({2})); }).what(), HasSubstr("[Add]"));
  const Operation transpose = runtime().operation("Transpose");
  EXPECT_THAT(error_of([&] { transpose(Tensor()); }).what(), HasSubstr("[Transpose]"));
}

TEST(Operation, NamesAnAttributeThatHoldsNoTensor) {
  for (const char* op : {"Add", "Constant", "ConstantOfShape"}) {
    const Error error = error_of([&] { runtime().operation(op, {{"value", Tensor()}}); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << op;
    EXPECT_THAT(error.what(), HasSubstr("attribute \"value\" is a Tensor that holds nothing"))
        << op;
  }
}

// Only ops that take tensors; what is missing is said before anything looks into it.
TEST(Operation, OfNoTensorsIsRefusedOrTakesNone) {
  for (const Op& op : all_ops()) {
    if (op.row->runs_on == RunsOn::control || op.row->runs_on == RunsOn::body) continue;
    for (std::size_t count = 0; count <= 6; ++count) {
      try {
        runtime().operation(op.name(), {}, op.row->domain)(std::vector<Tensor>(count));
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::invalid_argument ||
                    error.kind() == ErrorKind::unsupported)
            << error.what();
      }
    }
  }
}

TEST(Operation, TakesNoTextToADevice) {
  const Tensor text = host_texts({2}, {"a", "b"});
  const Error error = error_of([&] { runtime().operation("Neg")(text); });
  EXPECT_THAT(error.what(), HasSubstr("[Neg]"));
}

}  // namespace
}  // namespace switchyard
