// Gradients of what is normalized by channels: those of BatchNormalization in training and of
// GroupNormalization.
#include <string>

#include "ops/rows/families.hpp"
#include "ops/shapes/lines/line_gradient.hpp"

namespace switchyard {

namespace {

/// X as planes [N, C, rest].
constexpr std::string_view kPlanes = R"((dY, X, scale) => (dX, dScale, dBias) {
  Shape = Shape (X)
  Samples = Shape <start = 0, end = 1> (X)
  Channels = Shape <start = 1, end = 2> (X)
  AfterChannels = Shape <start = 2> (X)
  OfPlane = ReduceProd (AfterChannels)
  One = Constant <value_ints = [1]> ()
  Planes = Concat <axis = 0> (Samples, Channels, OfPlane)
)";
constexpr std::string_view kBatchLines = R"(
  LineShape = Identity (Planes)
  Within = Constant <value_ints = [0, 2]> ()
)";
constexpr std::string_view kGroupLines = R"(
  Count = Constant <value_int: int = @num_groups> ()
  Groups = Reshape (Count, One)
  OfSample = Mul (Channels, OfPlane)
  OfLine = Div (OfSample, Groups)
  LineShape = Concat <axis = 0> (Samples, Groups, OfLine)
  Within = Constant <value_ints = [2]> ()
)";
constexpr std::string_view kGradients = R"(
  Wide = Cast <to: int = @stash_type> (X)
  Lines = Reshape <allowzero = 1> (Wide, LineShape)
  Mean = ReduceMean (Lines, Within)
  Centred = Sub (Lines, Mean)
  Squares = Mul (Centred, Centred)
  Variance = ReduceMean (Squares, Within)
  EpsilonNumber = Constant <value_float: float = @epsilon> ()
  Epsilon = CastLike (EpsilonNumber, Wide)
  Spread = Add (Variance, Epsilon)
  Deviation = Sqrt (Spread)
  Normal = Div (Centred, Deviation)
  WideGrad = Cast <to: int = @stash_type> (dY)
  Grad = Reshape <allowzero = 1> (WideGrad, Planes)
  ScaleShape = Concat <axis = 0> (Channels, One)
  WideScale = Cast <to: int = @stash_type> (scale)
  Scale = Reshape <allowzero = 1> (WideScale, ScaleShape)
  ScaledPlanes = Mul (Grad, Scale)
  Scaled = Reshape <allowzero = 1> (ScaledPlanes, LineShape)
  ScaledMean = ReduceMean (Scaled, Within)
  Products = Mul (Scaled, Normal)
  Along = ReduceMean (Products, Within)
  AlongNormal = Mul (Normal, Along)
  Apart = Sub (Scaled, ScaledMean)
  Rest = Sub (Apart, AlongNormal)
  OfLines = Div (Rest, Deviation)
  OfX = Reshape <allowzero = 1> (OfLines, Shape)
  dX = CastLike (OfX, X)
  Across = Constant <value_ints = [0, 2]> ()
  NormalPlanes = Reshape <allowzero = 1> (Normal, Planes)
  Shares = Mul (Grad, NormalPlanes)
  OfScale = ReduceSum <keepdims = 0> (Shares, Across)
  dScale = CastLike (OfScale, X)
  OfBias = ReduceSum <keepdims = 0> (Grad, Across)
  dBias = CastLike (OfBias, X)
})";

std::string body_with(std::string_view lines) {
  return std::string(kPlanes).append(lines).append(kGradients);
}

Row batch_normalization_gradient_row() {
  static const auto& body = *new const std::string(body_with(kBatchLines));
  return {.op = "BatchNormalizationGradient",
          .domain = "switchyard",
          .signature = "dY:T X:T scale:T -> dX:T dScale:T? dBias:T?",
          .attributes = "epsilon:float=1e-5 stash_type:int=1",
          .types = "T=float",
          .shape = batch_normalization_gradient_shape,
          .body = body,
          .example = "f2x3x4 f2x3x4 f3",
          .summary = "gradient of BatchNormalization in training"};
}

Row group_normalization_gradient_row() {
  static const auto& body = *new const std::string(body_with(kGroupLines));
  return {.op = "GroupNormalizationGradient",
          .domain = "switchyard",
          .signature = "dY:T X:T scale:T -> dX:T dScale:T? dBias:T?",
          .attributes = "epsilon:float=1e-5 num_groups:int! stash_type:int=1",
          .types = "T=float",
          .shape = group_normalization_gradient_shape,
          .body = body,
          .example = "f2x4x3 f2x4x3 f4 num_groups=2",
          .summary = "gradient of GroupNormalization and InstanceNormalization"};
}

}  // namespace

std::vector<Row> channel_gradient_rows() {
  return {batch_normalization_gradient_row(), group_normalization_gradient_row()};
}

}  // namespace switchyard
