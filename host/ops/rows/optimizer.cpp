// Optimizer steps: one pass over a parameter, its gradient and its state.
#include <fmt/format.h>

#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// Tensors of one shape come first, as many as the op makes and the gradient, then scalars.
void step_shape(Inference& node, std::size_t tensors) {
  if (node.dtype(0) == DType::float64 && node.dtype(tensors) != DType::float64) {
    node.fail("a float64 parameter takes its rate and the other scalars in float64");
  }
  for (std::size_t i = tensors; i < node.input_count(); ++i) require_rank(node, i, {0}, "a scalar");
  std::optional<Dims> shape;
  for (std::size_t i = 0; i < tensors; ++i) {
    if (!node.has_rank(i)) continue;
    shape = shape ? merged(node, *shape, node.shape(i), "the parameter, its gradient and its state")
                  : node.shape(i);
  }
  if (!shape) return;
  for (std::size_t i = 0; i + 1 < tensors; ++i) node.set_shape(i, *shape);
}

void sgd_step_shape(Inference& node) { step_shape(node, 2); }
void momentum_step_shape(Inference& node) { step_shape(node, 3); }
void adam_step_shape(Inference& node) { step_shape(node, 4); }

constexpr std::string_view kOptimizerTypes = "T=float R=float32|float64";

Row sgd_step_row() {
  return {.op = "SgdStep",
          .domain = "switchyard",
          .signature = "parameter:T gradient:T rate:R -> new_parameter:T",
          .attributes = "weight_decay:float=0",
          .types = kOptimizerTypes,
          .shape = sgd_step_shape,
          .body = R"((parameter, gradient, rate) => (new_parameter) {
            P = CastLike (parameter, rate)
            G = CastLike (gradient, rate)
            DecayNumber = Constant <value_float: float = @weight_decay> ()
            Decay = CastLike (DecayNumber, rate)
            Decayed = Mul (Decay, P)
            Grad = Add (G, Decayed)
            Change = Mul (rate, Grad)
            Next = Sub (P, Change)
            new_parameter = CastLike (Next, parameter)
          })",
          .example = "f2x3 f2x3 p weight_decay=0.1",
          .summary = "gradient descent"};
}

Row momentum_step_row() {
  return {
      .op = "MomentumStep",
      .domain = "switchyard",
      .signature =
          "parameter:T gradient:T velocity:T rate:R dampening:R -> new_parameter:T new_velocity:T",
      .attributes = "momentum:float! nesterov:flag=0 weight_decay:float=0",
      .types = kOptimizerTypes,
      .shape = momentum_step_shape,
      .body = R"((parameter, gradient, velocity, rate, dampening) => (new_parameter, new_velocity) {
            P = CastLike (parameter, rate)
            G = CastLike (gradient, rate)
            V = CastLike (velocity, rate)
            DecayNumber = Constant <value_float: float = @weight_decay> ()
            Decay = CastLike (DecayNumber, rate)
            MomentumNumber = Constant <value_float: float = @momentum> ()
            Momentum = CastLike (MomentumNumber, rate)
            OneNumber = Constant <value = float {1.0}> ()
            One = CastLike (OneNumber, rate)
            Gain = Sub (One, dampening)
            Decayed = Mul (Decay, P)
            Grad = Add (G, Decayed)
            Kept = Mul (Momentum, V)
            Gained = Mul (Gain, Grad)
            NextV = Add (Kept, Gained)
            LooksAhead = Constant <value_int: int = @nesterov> ()
            IsNesterov = Cast <to = 9> (LooksAhead)
            Ahead = Mul (Momentum, NextV)
            GradAhead = Add (Grad, Ahead)
            Direction = Where (IsNesterov, GradAhead, NextV)
            Change = Mul (rate, Direction)
            Next = Sub (P, Change)
            new_parameter = CastLike (Next, parameter)
            new_velocity = CastLike (NextV, velocity)
          })",
      .example = "f2x3 f2x3 f2x3 p p momentum=0.9 nesterov=1",
      .summary = "gradient descent with momentum"};
}

Row adam_step_row() {
  return {.op = "AdamStep",
          .domain = "switchyard",
          .signature =
              "parameter:T gradient:T moment1:T moment2:T rate:R correction1:R correction2:R -> "
              "new_parameter:T new_moment1:T new_moment2:T",
          .attributes =
              "decoupled:flag=0 epsilon:float=1e-8 gain1:float=0.1 gain2:float=0.001 "
              "weight_decay:float=0",
          .types = kOptimizerTypes,
          .shape = adam_step_shape,
          .body =
              R"((parameter, gradient, moment1, moment2, rate, correction1, correction2)
             => (new_parameter, new_moment1, new_moment2) {
            P = CastLike (parameter, rate)
            G = CastLike (gradient, rate)
            M = CastLike (moment1, rate)
            V = CastLike (moment2, rate)
            DecayNumber = Constant <value_float: float = @weight_decay> ()
            Decay = CastLike (DecayNumber, rate)
            DecoupledNumber = Constant <value_int: int = @decoupled> ()
            IsDecoupled = Cast <to = 9> (DecoupledNumber)
            ZeroNumber = Constant <value = float {0.0}> ()
            Zero = CastLike (ZeroNumber, rate)
            OneNumber = Constant <value = float {1.0}> ()
            One = CastLike (OneNumber, rate)
            SlopeDecay = Where (IsDecoupled, Zero, Decay)
            ParameterDecay = Where (IsDecoupled, Decay, Zero)
            Decayed = Mul (SlopeDecay, P)
            Grad = Add (G, Decayed)
            Shrinking = Mul (rate, ParameterDecay)
            Kept = Sub (One, Shrinking)
            Shrunk = Mul (P, Kept)
            Gain1Number = Constant <value_float: float = @gain1> ()
            Gain1 = CastLike (Gain1Number, rate)
            Gain2Number = Constant <value_float: float = @gain2> ()
            Gain2 = CastLike (Gain2Number, rate)
            Beta2 = Sub (One, Gain2)
            Away = Sub (Grad, M)
            Nearer = Mul (Gain1, Away)
            NextM = Add (M, Nearer)
            KeptV = Mul (Beta2, V)
            Square = Mul (Grad, Grad)
            GainedV = Mul (Gain2, Square)
            NextV = Add (KeptV, GainedV)
            EpsilonNumber = Constant <value_float: float = @epsilon> ()
            Epsilon = CastLike (EpsilonNumber, rate)
            Root = Sqrt (NextV)
            CorrectionRoot = Sqrt (correction2)
            Deviation = Div (Root, CorrectionRoot)
            Divisor = Add (Deviation, Epsilon)
            Size = Div (rate, correction1)
            Direction = Div (NextM, Divisor)
            Change = Mul (Size, Direction)
            Next = Sub (Shrunk, Change)
            new_parameter = CastLike (Next, parameter)
            new_moment1 = CastLike (NextM, moment1)
            new_moment2 = CastLike (NextV, moment2)
          })",
          .example = "f2x3 f2x3 f2x3 p2x3 p p p",
          .summary = "Adam and AdamW"};
}

}  // namespace

std::vector<Row> optimizer_rows() { return {sgd_step_row(), momentum_step_row(), adam_step_row()}; }

}  // namespace switchyard
