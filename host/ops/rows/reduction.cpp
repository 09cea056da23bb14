// Many elements become one: reductions, and functions along an axis.
#include "ops/shapes/lines/reduction.hpp"
#include "ops/rows/families.hpp"
#include "ops/upgrades/reduction.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kSignature = "data:T axes:int64?! -> reduced:T";
constexpr std::string_view kAttributes = "keepdims:flag=1 noop_with_empty_axes:flag=0";
constexpr std::string_view kOldSignature = "data:T -> reduced:T";
constexpr std::string_view kOldAttributes = "axes:ints keepdims:flag=1";
constexpr std::string_view kWide = "T=float|int32|int64|uint32|uint64";
constexpr std::string_view kWideIr3 = "T=float_ir3|int32|int64|uint32|uint64";

Revision with_axes_attribute(int since, std::string_view types) {
  return {since, types, kOldSignature, kOldAttributes, axes_to_input};
}

Revision next_is_equal(int since, std::string_view types) {
  return {since, types, kOldSignature, kOldAttributes};
}

Row in_float32(Row row) {
  row.autocast = AutocastTo::float32;
  return row;
}

Row reduce(std::string_view op, std::string_view types) {
  return {.op = op,
          .version = 18,
          .signature = kSignature,
          .attributes = kAttributes,
          .types = types,
          .onnx_types = kWide,
          .revisions = {next_is_equal(1, kWideIr3), next_is_equal(11, kWideIr3),
                        with_axes_attribute(13, kWide)},
          .shape = reduce_shape,
          .example = "f2x3 l1"};
}

Row reduce_sum() {
  Row row = in_float32(reduce("ReduceSum", "T=numeric"));
  row.version = 13;
  row.revisions = {next_is_equal(1, kWideIr3), with_axes_attribute(11, kWideIr3)};
  return row;
}

Row reduce_extremum(std::string_view op) {
  Row row = reduce(op, "T=numeric|bool");
  row.version = 20;
  row.onnx_types = "T=float|int32|int64|uint32|uint64|int8|uint8|bool";
  row.revisions = {next_is_equal(1, kWideIr3),
                   next_is_equal(11, kWideIr3),
                   next_is_equal(12, "T=float_ir3|int32|int64|uint32|uint64|int8|uint8"),
                   with_axes_attribute(13, "T=float|int32|int64|uint32|uint64|int8|uint8"),
                   {18, "T=float|int32|int64|uint32|uint64|int8|uint8"}};
  return row;
}

Row arg_reduce(std::string_view op) {
  return {.op = op,
          .version = 13,
          .signature = "data:T -> reduced:int64",
          .attributes = "axis:int=0 keepdims:flag=1 select_last_index:flag=0",
          .types = "T=numeric",
          .revisions = {{1, "T=numeric_ir3", "", "axis:int=0 keepdims:flag=1"},
                        {11, "T=numeric_ir3", "", "axis:int=0 keepdims:flag=1"},
                        {12, "T=numeric_ir3"}},
          .shape = arg_reduce_shape,
          .example = "f2x3 axis=1"};
}

Row along_axis(std::string_view op, std::string_view body = "") {
  return {.op = op,
          .version = 13,
          .signature = "input:T -> output:T",
          .attributes = "axis:int=-1",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3", "", "axis:int=1"},
                        {11, "T=float_ir3", "", "axis:int=1", rows_from_axis}},
          .shape = along_axis_shape,
          .body = body};
}

constexpr std::string_view kSoftmaxBody = R"((input) => (output) {
  Axis = Constant <value_int: int = @axis> ()
  Flat = Constant <value_ints = [-1]> ()
  Axes = Reshape (Axis, Flat)
  Greatest = ReduceMax (input, Axes)
  Shifted = Sub (input, Greatest)
  Exponentials = Exp (Shifted)
  Sum = ReduceSum (Exponentials, Axes)
  output = Div (Exponentials, Sum)
})";
constexpr std::string_view kLogSoftmaxBody = R"((input) => (output) {
  Axis = Constant <value_int: int = @axis> ()
  Flat = Constant <value_ints = [-1]> ()
  Axes = Reshape (Axis, Flat)
  Greatest = ReduceMax (input, Axes)
  Shifted = Sub (input, Greatest)
  Exponentials = Exp (Shifted)
  Sum = ReduceSum (Exponentials, Axes)
  Logarithm = Log (Sum)
  output = Sub (Shifted, Logarithm)
})";

Row cum_sum() {
  return {.op = "CumSum",
          .version = 14,
          .signature = "x:T axis:T2! -> y:T",
          .attributes = "exclusive:flag=0 reverse:flag=0",
          .types = "T=numeric T2=int32|int64",
          .onnx_types = "T=float|int32|int64|uint32|uint64 T2=int32|int64",
          .revisions = {{11, "T=float32|float64|int32|int64|uint32|uint64 T2=int32|int64"}},
          .shape = cum_sum_shape,
          .example = "f2x3 n1",
          .autocast = AutocastTo::float32};
}

Row cum_prod() {
  return {.op = "CumProd",
          .version = 26,
          .signature = "x:T axis:T2! -> y:T",
          .attributes = "exclusive:flag=0 reverse:flag=0",
          .types = "T=numeric T2=int32|int64",
          .onnx_types = "T=float|int32|int64|uint32|uint64 T2=int32|int64",
          .shape = cum_sum_shape,
          .example = "f2x3 n1"};
}

}  // namespace

std::vector<Row> reduction_rows() {
  return {reduce_sum(),
          in_float32(reduce("ReduceMean", kWide)),
          in_float32(reduce("ReduceProd", "T=numeric")),
          reduce("ReduceL1", "T=numeric"),
          in_float32(reduce("ReduceL2", kWide)),
          reduce("ReduceLogSum", kWide),
          in_float32(reduce("ReduceLogSumExp", kWide)),
          in_float32(reduce("ReduceSumSquare", "T=numeric")),
          reduce_extremum("ReduceMax"),
          reduce_extremum("ReduceMin"),
          arg_reduce("ArgMax"),
          arg_reduce("ArgMin"),
          in_float32(along_axis("Softmax", kSoftmaxBody)),
          in_float32(along_axis("LogSoftmax", kLogSoftmaxBody)),
          along_axis("Hardmax"),
          cum_sum(),
          cum_prod()};
}

}  // namespace switchyard
