// Random numbers. No two nodes are alike, and none is computed ahead of a run; but for those of the
// domain "switchyard", which are functions of a seed and an offset.
#include <fmt/format.h>

#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

void type_of_attribute(Inference& inference) {
  if (const auto dtype = dtype_attribute(inference, "dtype")) inference.set_dtype(0, *dtype);
}

void type_of_attribute_or_input(Inference& inference) {
  inference.set_dtype(0, dtype_attribute(inference, "dtype").value_or(inference.dtype(0)));
}

void shape_of_attribute(Inference& inference) {
  inference.set_shape(0, named_shape(inference, "shape", inference.attributes().get_ints("shape")));
}

void multinomial_shape(Inference& inference) {
  const std::int64_t samples = inference.attributes().get_int("sample_size", 1);
  if (samples < 1) inference.fail(fmt::format("sample_size is {}; it must be at least 1", samples));
  require_rank(inference, 0, {2}, "[batch, classes]");
  inference.set_shape(0, {inference.has_rank(0) ? inference.shape(0)[0] : kUnknown, samples});
}

Row by_shape(std::string_view op, std::string_view attributes) {
  return {.op = op,
          .version = 22,
          .signature = "-> output:T",
          .attributes = attributes,
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = shape_of_attribute,
          .type = type_of_attribute,
          .random = true};
}

Row like_input(std::string_view op, std::string_view attributes) {
  return {.op = op,
          .version = 22,
          .signature = "input:T1 -> output:T2",
          .attributes = attributes,
          .types = "T1=all T2=float",
          .onnx_types = "T1=any_ir4 T2=float",
          .revisions = {{1, "T1=any_ir3 T2=float_ir3"}},
          .shape = shape_of_first_input,
          .type = type_of_attribute_or_input,
          .random = true};
}

Row bernoulli() {
  return {.op = "Bernoulli",
          .version = 22,
          .signature = "input:T1 -> output:T2",
          .attributes = "dtype:int seed:float",
          .types = "T1=float T2=numeric|bool",
          .revisions = {{15, "T1=float_ir3 T2=numeric|bool"}},
          .shape = shape_of_first_input,
          .type = type_of_attribute_or_input,
          .random = true};
}

Row multinomial() {
  return {.op = "Multinomial",
          .version = 22,
          .signature = "input:T1 -> output:T2",
          .attributes = "dtype:int=6 sample_size:int=1 seed:float",
          .types = "T1=float T2=int32|int64",
          .revisions = {{7, "T1=float_ir3 T2=int32|int64"}},
          .shape = multinomial_shape,
          .type = type_of_attribute,
          .random = true};
}

/// The extents in input 0; every other input is a scalar.
void philox_shape(Inference& inference) {
  for (std::size_t i = 1; i < inference.input_count(); ++i) {
    require_rank(inference, i, {0}, "a scalar");
  }
  require_rank(inference, 0, {1}, "a list of extents");
  if (const auto extents = inference.ints(0)) {
    inference.set_shape(0, named_shape(inference, "shape", *extents));
    return;
  }
  if (const auto shape = shape_of_rank(length_of(inference, 0))) inference.set_shape(0, *shape);
}

Row philox(std::string_view op, std::string_view summary, std::string_view attributes) {
  return {.op = op,
          .domain = "switchyard",
          .signature = "shape:int64! seed:int64 offset:int64 -> output:T",
          .attributes = attributes,
          .types = "T=float",
          .shape = philox_shape,
          .type = type_of_attribute,
          .example = "l2,3 n5 n7",
          .summary = summary};
}

Row philox_integer() {
  return {.op = "PhiloxInteger",
          .domain = "switchyard",
          .signature = "shape:int64! seed:int64 offset:int64 low:int64 high:int64 -> output:T",
          .attributes = "dtype:int=7",
          .types = "T=numeric",
          .shape = philox_shape,
          .type = type_of_attribute,
          .example = "l2,3 n5 n7 n0 n100",
          .summary = "random integers"};
}

}  // namespace

std::vector<Row> random_rows() {
  return {by_shape("RandomNormal", "dtype:int=1 mean:float=0 scale:float=1 seed:float shape:ints!"),
          by_shape("RandomUniform", "dtype:int=1 high:float=1 low:float=0 seed:float shape:ints!"),
          like_input("RandomNormalLike", "dtype:int mean:float=0 scale:float=1 seed:float"),
          like_input("RandomUniformLike", "dtype:int high:float=1 low:float=0 seed:float"),
          bernoulli(),
          multinomial(),
          philox("PhiloxNormal", "normal random numbers", "dtype:int=1 mean:float=0 scale:float=1"),
          philox("PhiloxUniform", "uniform random numbers", "dtype:int=1 high:float=1 low:float=0"),
          philox_integer()};
}

}  // namespace switchyard
