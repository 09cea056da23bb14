// Gradients along lines, which ONNX makes of many ops: those of Softmax.
#include "ops/rows/families.hpp"
#include "ops/shapes/line_gradient.hpp"

namespace switchyard {

namespace {

Row softmax_gradient_row() {
  return {.op = "SoftmaxGradient",
          .domain = "switchyard",
          .signature = "dY:T Y:T -> dX:T",
          .attributes = "axis:int=-1",
          .types = "T=float",
          .shape = softmax_gradient_shape,
          .body = R"((dY, Y) => (dX) {
            Axis = Constant <value_int: int = @axis> ()
            Flat = Constant <value_ints = [-1]> ()
            Axes = Reshape (Axis, Flat)
            Weighted = Mul (dY, Y)
            Sum = ReduceSum (Weighted, Axes)
            Apart = Sub (dY, Sum)
            dX = Mul (Y, Apart)
          })"};
}

}  // namespace

std::vector<Row> line_gradient_rows() { return {softmax_gradient_row()}; }

}  // namespace switchyard
