// Activation functions of one input, element by element; each has a body of simpler ops.
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/upgrades/first_versions.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kX = "X:T -> Y:T";

Row relu_row() {
  return {.op = "Relu",
          .version = 14,
          .signature = kX,
          .types = "T=numeric",
          .onnx_types = "T=float|signed",
          .revisions = {{1, "T=float_ir3", "", "consumed_inputs:ints", drop_consumed_inputs},
                        {6, "T=float_ir3"},
                        {13, "T=float"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            Y = Max (X, ZeroCast)
          })"};
}

Row leaky_relu_row() {
  return {.op = "LeakyRelu",
          .version = 16,
          .signature = kX,
          .attributes = "alpha:float=0.01",
          .types = "T=float",
          .revisions = {{1, "", "", "alpha:float=0.01 consumed_inputs:ints", drop_consumed_inputs},
                        {6, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            XLessThanZero = Less (X, ZeroCast)
            AlphaMulX = Mul (AlphaCast, X)
            Y = Where (XLessThanZero, AlphaMulX, X)
          })"};
}

Row elu_row() {
  return {.op = "Elu",
          .version = 22,
          .signature = kX,
          .attributes = "alpha:float=1",
          .types = "T=float",
          .revisions = {{1, "", "", "alpha:float=1 consumed_inputs:ints", drop_consumed_inputs},
                        {6, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            One = Constant <value = float {1.0}> ()
            OneCast = CastLike (One, X)
            XLessThanZero = Less (X, ZeroCast)
            ExpX = Exp (X)
            ExpXSubOne = Sub (ExpX, OneCast)
            AlphaMulExpXSubOne = Mul (AlphaCast, ExpXSubOne)
            Y = Where (XLessThanZero, AlphaMulExpXSubOne, X)
          })"};
}

Row selu_row() {
  return {
      .op = "Selu",
      .version = 22,
      .signature = kX,
      .attributes = "alpha:float=1.67326319217681884765625 gamma:float=1.05070102214813232421875",
      .types = "T=float",
      .revisions = {{1, "", "", "alpha:float=1.6732 consumed_inputs:ints gamma:float=1.0507",
                     drop_consumed_inputs},
                    {6, "T=float_ir3"}},
      .shape = shape_of_first_input,
      .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            Gamma = Constant <value_float: float = @gamma> ()
            GammaCast = CastLike (Gamma, X)
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            ExpX = Exp (X)
            AlphaMulExpX = Mul (AlphaCast, ExpX)
            AlphaMulExpXSubAlpha = Sub (AlphaMulExpX, AlphaCast)
            Negative = Mul (GammaCast, AlphaMulExpXSubAlpha)
            Positive = Mul (GammaCast, X)
            XLessThanZero = Less (X, ZeroCast)
            Y = Where (XLessThanZero, Negative, Positive)
          })"};
}

Row celu_row() {
  return {.op = "Celu",
          .version = 12,
          .signature = kX,
          .attributes = "alpha:float=1",
          .types = "T=float",
          .onnx_types = "T=float32",
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            XScaled = Div (X, AlphaCast)
            EluResult = Elu <alpha = 1.0> (XScaled)
            Y = Mul (AlphaCast, EluResult)
          })"};
}

Row hard_sigmoid_row() {
  return {.op = "HardSigmoid",
          .version = 22,
          .signature = kX,
          .attributes = "alpha:float=0.2 beta:float=0.5",
          .types = "T=float",
          .revisions = {{1, "", "", "alpha:float=0.2 beta:float=0.5 consumed_inputs:ints",
                         drop_consumed_inputs},
                        {6, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            Beta = Constant <value_float: float = @beta> ()
            BetaCast = CastLike (Beta, X)
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            One = Constant <value = float {1.0}> ()
            OneCast = CastLike (One, X)
            AlphaMulX = Mul (X, AlphaCast)
            AlphaMulXAddBeta = Add (AlphaMulX, BetaCast)
            AtMostOne = Min (AlphaMulXAddBeta, OneCast)
            Y = Max (AtMostOne, ZeroCast)
          })"};
}

Row hard_swish_row() {
  return {.op = "HardSwish",
          .version = 22,
          .signature = kX,
          .types = "T=float",
          .revisions = {{14, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Gate = HardSigmoid <alpha = 0.16666667163372, beta = 0.5> (X)
            Y = Mul (X, Gate)
          })"};
}

Row gelu_row() {
  return {.op = "Gelu",
          .version = 20,
          .signature = kX,
          .attributes = "approximate:text(none|tanh)=none",
          .types = "T=float",
          .shape = shape_of_first_input};
}

Row mish_row() {
  return {.op = "Mish",
          .version = 22,
          .signature = kX,
          .types = "T=float",
          .revisions = {{18, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            SoftplusX = Softplus (X)
            TanhSoftplusX = Tanh (SoftplusX)
            Y = Mul (X, TanhSoftplusX)
          })"};
}

Row swish_row() {
  return {.op = "Swish",
          .version = 24,
          .signature = kX,
          .attributes = "alpha:float=1",
          .types = "T=float",
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            AlphaMulX = Mul (AlphaCast, X)
            Gate = Sigmoid (AlphaMulX)
            Y = Mul (X, Gate)
          })"};
}

/// Its body never takes the exponential of a large number, unlike the one that ONNX gives.
Row softplus_row() {
  return {.op = "Softplus",
          .version = 22,
          .signature = kX,
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            One = Constant <value = float {1.0}> ()
            OneCast = CastLike (One, X)
            Positive = Relu (X)
            Magnitude = Abs (X)
            Negative = Neg (Magnitude)
            Decayed = Exp (Negative)
            Sum = Add (Decayed, OneCast)
            Rest = Log (Sum)
            Y = Add (Positive, Rest)
          })",
          .autocast = AutocastTo::float32};
}

Row softsign_row() {
  return {.op = "Softsign",
          .version = 22,
          .signature = "input:T -> output:T",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((input) => (output) {
            One = Constant <value = float {1.0}> ()
            OneCast = CastLike (One, input)
            Magnitude = Abs (input)
            Divisor = Add (OneCast, Magnitude)
            output = Div (input, Divisor)
          })"};
}

Row thresholded_relu_row() {
  return {.op = "ThresholdedRelu",
          .version = 22,
          .signature = kX,
          .attributes = "alpha:float=1",
          .types = "T=float",
          .revisions = {{10, "T=float_ir3"}},
          .shape = shape_of_first_input,
          .body = R"((X) => (Y) {
            Alpha = Constant <value_float: float = @alpha> ()
            AlphaCast = CastLike (Alpha, X)
            Zero = Constant <value = float {0.0}> ()
            ZeroCast = CastLike (Zero, X)
            Passes = Less (AlphaCast, X)
            Y = Where (Passes, X, ZeroCast)
          })"};
}

Row shrink_row() {
  return {.op = "Shrink",
          .version = 9,
          .signature = "input:T -> output:T",
          .attributes = "bias:float=0 lambd:float=0.5",
          .types = "T=numeric",
          .onnx_types = "T=numeric_ir3",
          .shape = shape_of_first_input,
          .example = "f2x3 lambd=0.5"};
}

}  // namespace

std::vector<Row> activation_rows() {
  return {relu_row(),
          leaky_relu_row(),
          elu_row(),
          selu_row(),
          celu_row(),
          hard_sigmoid_row(),
          hard_swish_row(),
          gelu_row(),
          mish_row(),
          swish_row(),
          softplus_row(),
          softsign_row(),
          thresholded_relu_row(),
          shrink_row()};
}

}  // namespace switchyard
