// Gradients along lines, which ONNX makes of many ops: those of Softmax and LogSoftmax.
#include "ops/shapes/line_gradient.hpp"
#include "ops/rows/families.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kSoftmaxBody = R"((dY, Y) => (dX) {
  Axis = Constant <value_int: int = @axis> ()
  Flat = Constant <value_ints = [-1]> ()
  Axes = Reshape (Axis, Flat)
  Weighted = Mul (dY, Y)
  Sum = ReduceSum (Weighted, Axes)
  Apart = Sub (dY, Sum)
  dX = Mul (Y, Apart)
})";
constexpr std::string_view kLogSoftmaxBody = R"((dY, Y) => (dX) {
  Axis = Constant <value_int: int = @axis> ()
  Flat = Constant <value_ints = [-1]> ()
  Axes = Reshape (Axis, Flat)
  Sum = ReduceSum (dY, Axes)
  Probabilities = Exp (Y)
  Share = Mul (Probabilities, Sum)
  dX = Sub (dY, Share)
})";

Row softmax_gradient_row(std::string_view op, std::string_view body) {
  return {.op = op,
          .domain = "switchyard",
          .signature = "dY:T Y:T -> dX:T",
          .attributes = "axis:int=-1",
          .types = "T=float",
          .shape = softmax_gradient_shape,
          .body = body};
}

}  // namespace

std::vector<Row> line_gradient_rows() {
  return {softmax_gradient_row("SoftmaxGradient", kSoftmaxBody),
          softmax_gradient_row("LogSoftmaxGradient", kLogSoftmaxBody)};
}

}  // namespace switchyard
