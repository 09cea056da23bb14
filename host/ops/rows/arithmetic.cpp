// Numbers of broadcast inputs, element by element.
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/elementwise/pointwise.hpp"
#include "ops/upgrades/first_versions.hpp"
#include "ops/upgrades/pointwise.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kFirstAttributes = "axis:int broadcast:flag=0 consumed_inputs:ints";
/// Add, Sub, Mul, Div.
Row four_rules(std::string_view op) {
  return {.op = op,
          .version = 14,
          .signature = "A:T B:T -> C:T",
          .types = "T=numeric",
          .revisions = {{1, "T=float_ir3", "", kFirstAttributes, drop_consumed_inputs},
                        {6, "T=float_ir3|int32|int64|uint32|uint64", "", kAlignAttributes,
                         align_second_input},
                        {7, "T=float_ir3|int32|int64|uint32|uint64"},
                        {13, "T=float|int32|int64|uint32|uint64"}},
          .shape = broadcast_shape};
}

/// Max and Min; versions before 8 asked for equal shapes.
Row extremum(std::string_view op, std::string_view signature) {
  return {.op = op,
          .version = 13,
          .signature = signature,
          .types = "T=numeric",
          .revisions = {{1, "T=float_ir3", "", "consumed_inputs:ints", drop_consumed_inputs},
                        {6, "T=float_ir3"},
                        {8, "T=float_ir3"},
                        {12, "T=numeric_ir3"}},
          .shape = broadcast_shape};
}

Row sum_row() {
  return {.op = "Sum",
          .version = 13,
          .signature = "data_0:T* -> sum:T",
          .types = "T=numeric",
          .onnx_types = "T=float",
          .revisions = {{1, "T=float_ir3", "", "consumed_inputs:ints", drop_consumed_inputs},
                        {6, "T=float_ir3"},
                        {8, "T=float_ir3"}},
          .shape = broadcast_shape};
}

Row mean_row() {
  Row row = sum_row();
  row.op = "Mean";
  row.signature = "data_0:T* -> mean:T";
  row.types = "T=float";
  return row;
}

Row clip_row() {
  return {.op = "Clip",
          .version = 13,
          .signature = "input:T min:T? max:T? -> output:T",
          .types = "T=numeric",
          .revisions = {{1, "T=float_ir3", "input:T -> output:T",
                         "consumed_inputs:ints max:float min:float",
                         [](NodeDraft& node) {
                           drop_consumed_inputs(node);
                           clip_bounds_to_inputs(node);
                         }},
                        {6, "T=float_ir3", "input:T -> output:T",
                         "max:float=3.4028234663852886e+38 min:float=-3.4028234663852886e+38",
                         clip_bounds_to_inputs},
                        {11, "T=float_ir3"},
                        {12, "T=numeric_ir3"}},
          .shape = clip_shape,
          .example = "f2x3 f f"};
}

Row pow_row() {
  return {.op = "Pow",
          .version = 15,
          .signature = "X:T Y:T1 -> Z:T",
          .types = "T=numeric T1=numeric",
          .onnx_types = "T=float|int32|int64 T1=numeric",
          .revisions = {{1, "T=float_ir3", "X:T Y:T -> Z:T", kAlignAttributes, align_second_input},
                        {7, "T=float_ir3", "X:T Y:T -> Z:T"},
                        {12, "T=float_ir3|int32|int64 T1=numeric_ir3"},
                        {13, "T=float|int32|int64 T1=numeric_ir3"}},
          .shape = broadcast_shape,
          .example = "p2x3 f3",
          .autocast = AutocastTo::float32};
}

Row mod_row() {
  return {.op = "Mod",
          .version = 13,
          .signature = "A:T B:T -> C:T",
          .attributes = "fmod:flag=0",
          .types = "T=numeric",
          .revisions = {{10, "T=numeric_ir3"}},
          .shape = broadcast_shape,
          .example = "f2x3 p3 fmod=1"};
}

Row prelu_row() {
  return {.op = "PRelu",
          .version = 16,
          .signature = "X:T slope:T -> Y:T",
          .types = "T=numeric",
          .onnx_types = "T=float|int32|int64|uint32|uint64",
          .revisions = {{1, "T=float_ir3", "", "consumed_inputs:ints", drop_consumed_inputs},
                        {6, "T=float_ir3", "", "", slope_of_channels},
                        {7, "T=float_ir3"},
                        {9, "T=float_ir3|int32|int64|uint32|uint64"}},
          .shape = broadcast_to_first_shape,
          .body = R"((X, slope) => (Y) {
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            XLessThanZero = Less (X, ZeroCast)
            SlopeMulX = Mul (slope, X)
            Y = Where (XLessThanZero, SlopeMulX, X)
          })"};
}

}  // namespace

std::vector<Row> arithmetic_rows() {
  return {four_rules("Add"),
          four_rules("Sub"),
          four_rules("Mul"),
          four_rules("Div"),
          pow_row(),
          mod_row(),
          prelu_row(),
          clip_row(),
          sum_row(),
          mean_row(),
          extremum("Max", "data_0:T* -> max:T"),
          extremum("Min", "data_0:T* -> min:T")};
}

}  // namespace switchyard
