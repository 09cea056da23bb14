// Gradients along lines, which ONNX makes of many ops: those of Softmax, LogSoftmax and
// LayerNormalization.
#include "ops/shapes/lines/line_gradient.hpp"
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

Row softmax_gradient_row(std::string_view op, std::string_view summary, std::string_view body) {
  return {.op = op,
          .domain = "switchyard",
          .signature = "dY:T Y:T -> dX:T",
          .attributes = "axis:int=-1",
          .types = "T=float",
          .shape = softmax_gradient_shape,
          .body = body,
          .example = "f2x3 p2x3",
          .summary = summary};
}

Row layer_normalization_gradient_row() {
  return {.op = "LayerNormalizationGradient",
          .domain = "switchyard",
          .signature = "dY:T X:T scale:T -> dX:T dScale:T? dBias:T?",
          .attributes = "axis:int=-1 epsilon:float=1e-5 stash_type:int=1",
          .types = "T=float",
          .shape = layer_normalization_gradient_shape,
          .body = R"((dY, X, scale) => (dX, dScale, dBias) {
            Shape = Shape (X)
            Rank = Size (Shape)
            LineShape = Shape <start: int = @axis> (X)
            LineRank = Size (LineShape)
            First = Sub (Rank, LineRank)
            Zero = Constant <value = int64 {0}> ()
            One = Constant <value = int64 {1}> ()
            Within = Range (First, Rank, One)
            Across = Range (Zero, First, One)
            Grad = Cast <to: int = @stash_type> (dY)
            Wide = Cast <to: int = @stash_type> (X)
            Scale = Cast <to: int = @stash_type> (scale)
            Mean = ReduceMean (Wide, Within)
            Centred = Sub (Wide, Mean)
            Squares = Mul (Centred, Centred)
            Variance = ReduceMean (Squares, Within)
            EpsilonNumber = Constant <value_float: float = @epsilon> ()
            Epsilon = CastLike (EpsilonNumber, Wide)
            Spread = Add (Variance, Epsilon)
            Deviation = Sqrt (Spread)
            Normal = Div (Centred, Deviation)
            Scaled = Mul (Grad, Scale)
            ScaledMean = ReduceMean (Scaled, Within)
            Products = Mul (Scaled, Normal)
            Along = ReduceMean (Products, Within)
            AlongNormal = Mul (Normal, Along)
            Apart = Sub (Scaled, ScaledMean)
            Rest = Sub (Apart, AlongNormal)
            OfX = Div (Rest, Deviation)
            dX = CastLike (OfX, X)
            Shares = Mul (Grad, Normal)
            OfScale = ReduceSum <keepdims = 0, noop_with_empty_axes = 1> (Shares, Across)
            dScale = CastLike (OfScale, X)
            OfBias = ReduceSum <keepdims = 0, noop_with_empty_axes = 1> (Grad, Across)
            dBias = CastLike (OfBias, X)
          })",
          .example = "f2x3x4 f2x3x4 f4",
          .summary = "gradient of LayerNormalization"};
}

}  // namespace

std::vector<Row> line_gradient_rows() {
  return {softmax_gradient_row("SoftmaxGradient", "gradient of Softmax", kSoftmaxBody),
          softmax_gradient_row("LogSoftmaxGradient", "gradient of LogSoftmax", kLogSoftmaxBody),
          layer_normalization_gradient_row()};
}

}  // namespace switchyard
