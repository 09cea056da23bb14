// What a model's inputs must hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

TEST(ModelInputs, ASequenceHasNoElementWithoutATensor) {
  onnx::ModelProto file = model_of("g (float[2] x) => (int64 y) { y = SequenceLength (x) }");
  onnx::TypeProto& type = *file.graph->input[0].type;
  const onnx::TypeProto element = std::exchange(type, {});
  type.sequence_type.emplace().elem_type = element;
  const std::string bytes = onnx::encode(file);
  const Model model = Model::from_bytes(start({{"cpu"}}), bytes_of(bytes));
  NamedValue input{
      .name = "x", .tensor = {}, .sequence = {floats({2}, {1, 2})}, .is_sequence = true};
  EXPECT_EQ(model.run({input})[0].tensor.item<std::int64_t>(), 1);
  const Error no_sequence = error_of([&] {
    model.run({{.name = "x", .tensor = floats({2}, {1, 2})}});
  });
  EXPECT_THAT(no_sequence.what(), HasSubstr("input 'x': takes a sequence, not a tensor"));
  input.sequence.emplace_back();
  const Error error = error_of([&] { model.run({input}); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("input 'x': holds a sequence with an element that holds no"));
}

TEST(ModelInputs, AreRefusedByKind) {
  const std::string bytes = onnx::encode(
      model_of("g (float[N] a, float[N] b, float[2] c) => (float[N] y) { y = Sub (a, b) }"));
  const Model model = Model::from_bytes(start({{"cpu"}}), bytes_of(bytes));
  const NamedValue a{"a", floats({1}, {1})}, b{"b", floats({1}, {1})};
  const NamedValue c{"c", floats({2}, {1, 2})};
  const auto kind_of = [&](const std::vector<NamedValue>& inputs) {
    return error_of([&] { model.run(inputs); }).kind();
  };
  EXPECT_EQ(kind_of({a, b, c, {"d", c.tensor}}), ErrorKind::not_found);
  EXPECT_EQ(kind_of({a, b, {"c", a.tensor}}), ErrorKind::shape_mismatch);
  EXPECT_EQ(kind_of({a, {"b", c.tensor}, c}), ErrorKind::shape_mismatch) << "N is 1 and 2";
  EXPECT_EQ(kind_of({a, b}), ErrorKind::invalid_argument) << "c is missing";
  EXPECT_EQ(kind_of({a, b, c, c}), ErrorKind::invalid_argument) << "c is given twice";
  EXPECT_EQ(kind_of({a, b, {"c", host_tensor<std::int64_t>({2}, {1, 2})}}),
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace switchyard
