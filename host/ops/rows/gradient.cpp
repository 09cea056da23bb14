// Gradients that ONNX lacks: those of convolution and pooling.
#include "ops/shapes/gradient.hpp"
#include "ops/rows/families.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kConvolution = "dilations:ints group:int=1 pads:ints strides:ints";

Row conv_input_gradient_row() {
  return {.op = "ConvInputGradient",
          .domain = "switchyard",
          .signature = "dY:T W:T shape:int64! -> dX:T",
          .attributes = kConvolution,
          .types = "T=float",
          .shape = conv_input_gradient_shape,
          .example = "f1x6x3x3 f6x2x3x3 l1,4,6,6 group=2 pads=1,1,1,1 strides=2,2",
          .summary = "gradient of Conv by its input"};
}

Row conv_weight_gradient_row() {
  return {.op = "ConvWeightGradient",
          .domain = "switchyard",
          .signature = "X:T dY:T shape:int64! -> dW:T",
          .attributes = kConvolution,
          .types = "T=float",
          .shape = conv_weight_gradient_shape,
          .example = "f1x4x6x6 f1x6x3x3 l6,2,3,3 group=2 pads=1,1,1,1 strides=2,2",
          .summary = "gradient of Conv by its weights"};
}

Row max_pool_gradient_row() {
  return {.op = "MaxPoolGradient",
          .domain = "switchyard",
          .signature = "dY:T indices:int64 shape:int64! -> dX:T",
          .types = "T=float",
          .shape = max_pool_gradient_shape,
          .body = R"((dY, indices, shape) => (dX) {
            All = Constant <value_ints = [-1]> ()
            ZeroNumber = Constant <value = float {0.0}> ()
            Zero = CastLike (ZeroNumber, dY)
            First = Constant <value = int64 {0}> ()
            Size = ReduceProd (shape)
            Blank = ConstantOfShape (Size)
            BlankCast = CastLike (Blank, dY)
            IsNowhere = Less (indices, First)
            Shares = Where (IsNowhere, Zero, dY)
            Places = Max (indices, First)
            FlatShares = Reshape (Shares, All)
            FlatPlaces = Reshape (Places, All)
            Flat = ScatterElements <reduction = "add"> (BlankCast, FlatPlaces, FlatShares)
            dX = Reshape <allowzero = 1> (Flat, shape)
          })",
          .example = "f1x1x3 m1x1x3 l1,1,4",
          .summary = "gradient of MaxPool"};
}

Row max_pool_gather_row() {
  return {.op = "MaxPoolGather",
          .domain = "switchyard",
          .signature = "G:T indices:int64 -> output:T",
          .types = "T=float",
          .shape = max_pool_gather_shape,
          .body = R"((G, indices) => (output) {
            All = Constant <value_ints = [-1]> ()
            ZeroNumber = Constant <value = float {0.0}> ()
            Zero = CastLike (ZeroNumber, G)
            First = Constant <value = int64 {0}> ()
            IsNowhere = Less (indices, First)
            Places = Max (indices, First)
            Flat = Reshape (G, All)
            Picked = Gather (Flat, Places)
            output = Where (IsNowhere, Zero, Picked)
          })",
          .example = "f1x1x4 m1x1x3",
          .summary = "what MaxPool picked, of another tensor"};
}

Row average_pool_gradient_row() {
  return {.op = "AveragePoolGradient",
          .domain = "switchyard",
          .signature = "dY:T shape:int64! -> dX:T",
          .attributes =
              "ceil_mode:flag=0 count_include_pad:flag=0 dilations:ints kernel_shape:ints! "
              "pads:ints strides:ints",
          .types = "T=float",
          .shape = average_pool_gradient_shape,
          .example = "f1x2x3x3 l1,2,6,6 kernel_shape=2,2 strides=2,2",
          .summary = "gradient of AveragePool"};
}

}  // namespace

std::vector<Row> gradient_rows() {
  return {conv_input_gradient_row(), conv_weight_gradient_row(), max_pool_gradient_row(),
          max_pool_gather_row(), average_pool_gradient_row()};
}

}  // namespace switchyard
