// Tensors from shapes and a few numbers.
#include "ops/rows/families.hpp"
#include "ops/shapes/movement/generators.hpp"
#include "ops/shapes/movement/metadata.hpp"

namespace switchyard {

namespace {

Row shape_row() {
  return {.op = "Shape",
          .version = 25,
          .signature = "data:T -> shape:int64",
          .attributes = "end:int start:int=0",
          .types = "T=any",
          .revisions = {{1, "T=any_ir3", "", "-"},
                        {13, "T=any_ir4", "", "-"},
                        {15, "T=any_ir4"},
                        {19, "T=any_ir9"},
                        {21, "T=any_ir10"},
                        {23, "T=any_ir11"},
                        {24, "T=any_ir12"}},
          .shape = shape_of_shape,
          .runs_on = RunsOn::literal,
          .literal = shape_literal};
}

Row size_row() {
  return {.op = "Size",
          .version = 25,
          .signature = "data:T -> size:int64",
          .types = "T=any",
          .revisions = {{1, "T=any_ir3"},
                        {13, "T=any_ir4"},
                        {19, "T=any_ir9"},
                        {21, "T=any_ir10"},
                        {23, "T=any_ir11"},
                        {24, "T=any_ir12"}},
          .shape = size_shape,
          .runs_on = RunsOn::literal,
          .literal = size_literal};
}

Row constant_row() {
  constexpr std::string_view kValues =
      "sparse_value:sparse value:tensor value_float:float value_floats:floats value_int:int "
      "value_ints:ints "
      "value_string:text value_strings:texts";
  return {.op = "Constant",
          .version = 25,
          .signature = "-> output:T",
          .attributes = kValues,
          .types = "T=any",
          .revisions = {{1, "T=float_ir3", "", "value:tensor!"},
                        {9, "T=any_ir3", "", "value:tensor!"},
                        {11, "T=any_ir3", "", "sparse_value:sparse value:tensor"},
                        {12, "T=any_ir3"},
                        {13, "T=any_ir4"},
                        {19, "T=any_ir9"},
                        {21, "T=any_ir10"},
                        {23, "T=any_ir11"},
                        {24, "T=any_ir12"}},
          .shape = constant_shape,
          .type = constant_type,
          .runs_on = RunsOn::literal,
          .literal = constant_literal};
}

Row constant_of_shape_row() {
  return {.op = "ConstantOfShape",
          .version = 25,
          .signature = "input:int64! -> output:T",
          .attributes = "value:tensor",
          .types = "T=numbers",
          .revisions = {{9, "T=numeric_ir3|bool"},
                        {20, "T=numeric|bool|float8"},
                        {21, "T=numbers_ir10"},
                        {23, "T=numbers_ir11"},
                        {24, "T=numbers_ir12"}},
          .shape = constant_of_shape_shape,
          .type = constant_of_shape_type,
          .example = "l2,3"};
}

Row range_row() {
  return {.op = "Range",
          .version = 27,
          .signature = "start:T! limit:T! delta:T! -> output:T",
          .attributes = "stash_type:int=1",
          .types = "T=float|int16|int32|int64",
          .revisions = {{11, "T=float32|float64|int16|int32|int64", "", "-"}},
          .shape = range_shape,
          .example = "n0 n7 n2"};
}

Row eye_like_row() {
  return {.op = "EyeLike",
          .version = 22,
          .signature = "input:T1 -> output:T2",
          .attributes = "dtype:int k:int=0",
          .types = "T1=numeric|bool T2=numeric|bool",
          .revisions = {{9, "T1=numeric_ir3|bool T2=numeric_ir3|bool"}},
          .shape = eye_like_shape,
          .type = eye_like_type,
          .example = "f3x4"};
}

Row one_hot_row() {
  return {.op = "OneHot",
          .version = 11,
          .signature = "indices:T1 depth:T2! values:T3 -> output:T3",
          .attributes = "axis:int=-1",
          .types = "T1=numeric T2=numeric T3=all",
          .onnx_types = "T1=numeric_ir3 T2=numeric_ir3 T3=any_ir3",
          .revisions = {{9, "T1=numeric_ir3 T2=numeric_ir3 T3=any_ir3"}},
          .shape = one_hot_shape,
          .example = "i4 n3 f2"};
}

}  // namespace

std::vector<Row> shaping_rows() {
  return {shape_row(), size_row(),     constant_row(), constant_of_shape_row(),
          range_row(), eye_like_row(), one_hot_row()};
}

}  // namespace switchyard
