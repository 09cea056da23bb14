// Values made to have a mean, a variance or a norm.
#include "ops/shapes/lines/normalization.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/lines/reduction.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "ops/upgrades/first_versions.hpp"
#include "ops/upgrades/normalization.hpp"

namespace switchyard {

namespace {

Row batch_normalization() {
  constexpr std::string_view kFive =
      "X:T scale:T B:T mean:T var:T -> Y:T mean:T? var:T? saved_mean:T? saved_var:T?";
  return {.op = "BatchNormalization",
          .version = 15,
          .signature =
              "X:T scale:T1 B:T1 input_mean:T2 input_var:T2 -> Y:T running_mean:T2? "
              "running_var:T2?",
          .attributes = "epsilon:float=1e-5 momentum:float=0.9 training_mode:flag=0",
          .types = "T=float T1=float T2=float",
          .revisions =
              {{1, "T=float_ir3", kFive,
                "consumed_inputs:ints! epsilon:float=1e-5 is_test:int=0 momentum:float=0.9 "
                "spatial:flag=1",
                drop_consumed_inputs},
               {6, "T=float_ir3", kFive,
                "epsilon:float=1e-5 is_test:int=0 momentum:float=0.9 spatial:flag=1", drop_is_test},
               {7, "T=float_ir3", kFive, "epsilon:float=1e-5 momentum:float=0.9 spatial:flag=1",
                features_as_channels},
               {9, "T=float_ir3", kFive, "epsilon:float=1e-5 momentum:float=0.9",
                outputs_to_training_mode},
               {14, "T=float U=float",
                "X:T scale:T B:T input_mean:U input_var:U -> Y:T running_mean:U? running_var:U?"}},
          .shape = batch_normalization_shape,
          .example = "f2x3x4 f3 f3 f3 p3",
          .autocast = AutocastTo::float32};
}

Row instance_normalization() {
  return {
      .op = "InstanceNormalization",
      .version = 22,
      .signature = "input:T scale:T B:T -> output:T",
      .attributes = "epsilon:float=1e-5",
      .types = "T=float",
      .revisions = {{1, "", "", "consumed_inputs:ints epsilon:float=1e-5", drop_consumed_inputs},
                    {6, "T=float_ir3"}},
      .shape = channel_normalization_shape,
      .example = "f2x3x4 f3 f3",
      .autocast = AutocastTo::float32};
}

/// In ONNX since 17, and in onnxruntime, which writes it into older models, in this domain since 1.
Row layer_normalization() {
  return {.op = "LayerNormalization",
          .version = 17,
          .signature = "X:T Scale:T B:T? -> Y:T Mean:U? InvStdDev:U?",
          .attributes = "axis:int=-1 epsilon:float=1e-5 stash_type:int=1",
          .types = "T=float U=float32|bfloat16",
          .revisions = {{1}},
          .shape = layer_normalization_shape,
          .type = layer_normalization_type,
          .example = "f2x3x4 f4 f4",
          .autocast = AutocastTo::float32};
}

/// The body computes in the type that `stash_type` names.
Row rms_normalization() {
  return {.op = "RMSNormalization",
          .version = 23,
          .signature = "X:T scale:V -> Y:V",
          .attributes = "axis:int=-1 epsilon:float=1e-5 stash_type:int=1",
          .types = "T=float V=float",
          .shape = layer_normalization_shape,
          .body = R"((X, scale) => (Y) {
            Shape = Shape (X)
            Rank = Size (Shape)
            Axis = Constant <value_int: int = @axis> ()
            Zero = Constant <value = int64 {0}> ()
            One = Constant <value = int64 {1}> ()
            IsNegative = Less (Axis, Zero)
            FromEnd = Add (Axis, Rank)
            First = Where (IsNegative, FromEnd, Axis)
            Axes = Range (First, Rank, One)
            XFloat = Cast <to: int = @stash_type> (X)
            Squared = Mul (XFloat, XFloat)
            MeanOfSquares = ReduceMean (Squared, Axes)
            Epsilon = Constant <value_float: float = @epsilon> ()
            EpsilonCast = CastLike (Epsilon, XFloat)
            Sum = Add (MeanOfSquares, EpsilonCast)
            Root = Sqrt (Sum)
            Normalized = Div (XFloat, Root)
            NormalizedCast = CastLike (Normalized, scale)
            Y = Mul (NormalizedCast, scale)
          })",
          .example = "f2x3x4 f4"};
}

Row group_normalization() {
  return {.op = "GroupNormalization",
          .version = 21,
          .signature = "X:T scale:T bias:T -> Y:T",
          .attributes = "epsilon:float=1e-5 num_groups:int! stash_type:int=1",
          .types = "T=float",
          .revisions = {{18, "", "", "epsilon:float=1e-5 num_groups:int!", groups_to_channels}},
          .shape = group_normalization_shape,
          .example = "f2x4x3 f4 f4 num_groups=2",
          .autocast = AutocastTo::float32};
}

Row lp_normalization() {
  return {.op = "LpNormalization",
          .version = 22,
          .signature = "input:T -> output:T",
          .attributes = "axis:int=-1 p:int(1..2)=2",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = along_axis_shape,
          .autocast = AutocastTo::float32};
}

void mean_variance_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  normalized_axes(inference, inference.attributes().get_ints("axes"), inference.rank(0));
  shape_of_first_input(inference);
}

Row mean_variance_normalization() {
  return {.op = "MeanVarianceNormalization",
          .version = 13,
          .signature = "X:T -> Y:T",
          .attributes = "axes:ints=[0,2,3]",
          .types = "T=float",
          .revisions = {{9, "T=float_ir3"}},
          .shape = mean_variance_shape,
          .body = R"((X) => (Y) {
            Exponent = Constant <value = float {2.0}> ()
            Epsilon = Constant <value = float {1e-9}> ()
            EpsilonCast = CastLike (Epsilon, X)
            Axes = Constant <value_ints: ints = @axes> ()
            Mean = ReduceMean (X, Axes)
            MeanSquared = Pow (Mean, Exponent)
            XSquared = Pow (X, Exponent)
            MeanOfSquares = ReduceMean (XSquared, Axes)
            Variance = Sub (MeanOfSquares, MeanSquared)
            Deviation = Sqrt (Variance)
            Divisor = Add (Deviation, EpsilonCast)
            Centred = Sub (X, Mean)
            Y = Div (Centred, Divisor)
          })",
          .example = "f2x3x4x4"};
}

void lrn_shape(Inference& inference) {
  if (inference.attributes().get_int("size", 0) < 1) inference.fail("\"size\" must be at least 1");
  require_rank_of_at_least(inference, 0, 2);
  shape_of_first_input(inference);
}

Row lrn() {
  return {.op = "LRN",
          .version = 13,
          .signature = "X:T -> Y:T",
          .attributes = "alpha:float=0.0001 beta:float=0.75 bias:float=1 size:int!",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = lrn_shape,
          .example = "f1x5x3x3 size=3"};
}

}  // namespace

std::vector<Row> normalization_rows() {
  return {batch_normalization(),         instance_normalization(),
          layer_normalization(),         rms_normalization(),
          group_normalization(),         lp_normalization(),
          mean_variance_normalization(), lrn()};
}

}  // namespace switchyard
