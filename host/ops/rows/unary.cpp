// One input, one output of its shape, each element by itself.
#include <utility>

#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/upgrades/first_versions.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kX = "X:T -> Y:T";
constexpr std::string_view kInput = "input:T -> output:T";

/// Float functions that ONNX has had since its first version.
Row since_first(std::string_view op, std::string_view signature) {
  return {
      .op = op,
      .version = 13,
      .signature = signature,
      .types = "T=float",
      .revisions = {{1, "", "", "consumed_inputs:ints", drop_consumed_inputs}, {6, "T=float_ir3"}},
      .shape = shape_of_first_input};
}

/// Float functions that have had bfloat16 since opset 22.
Row since(int version, std::string_view op) {
  return {.op = op,
          .version = 22,
          .signature = kInput,
          .types = "T=float",
          .revisions = {{version, "T=float_ir3"}},
          .shape = shape_of_first_input};
}

/// Functions that ONNX lacks, as plugin-api/switchyard-ops.md says them.
Row own(std::string_view op, std::string_view body) {
  return {.op = op,
          .domain = "switchyard",
          .signature = kX,
          .types = "T=float",
          .shape = shape_of_first_input,
          .body = body};
}

std::vector<Row> own_rows() {
  return {
      own("Exp2", R"((X) => (Y) {
        Two = Constant <value = float {2.0}> ()
        Base = CastLike (Two, X)
        Y = Pow (Base, X)
      })"),
      // Near 0, where exp(x) - 1 cancels: 2 tanh(x / 2) / (1 - tanh(x / 2)).
      own("Expm1", R"((X) => (Y) {
        ZeroF = Constant <value = float {0.0}> ()
        HalfF = Constant <value = float {0.5}> ()
        OneF = Constant <value = float {1.0}> ()
        Zero = CastLike (ZeroF, X)
        Half = CastLike (HalfF, X)
        One = CastLike (OneF, X)
        Size = Abs (X)
        IsSmall = Less (Size, Half)
        Small = Where (IsSmall, X, Zero)
        Halved = Mul (Small, Half)
        Bend = Tanh (Halved)
        Twice = Add (Bend, Bend)
        Rest = Sub (One, Bend)
        Near = Div (Twice, Rest)
        Power = Exp (X)
        Far = Sub (Power, One)
        Y = Where (IsSmall, Near, Far)
      })"),
      // Near 0, where 1 + x loses digits: 2 atanh(x / (2 + x)).
      own("Log1p", R"((X) => (Y) {
        ZeroF = Constant <value = float {0.0}> ()
        HalfF = Constant <value = float {0.5}> ()
        OneF = Constant <value = float {1.0}> ()
        Zero = CastLike (ZeroF, X)
        Half = CastLike (HalfF, X)
        One = CastLike (OneF, X)
        Two = Add (One, One)
        Size = Abs (X)
        IsSmall = Less (Size, Half)
        Small = Where (IsSmall, X, Zero)
        Span = Add (Small, Two)
        Share = Div (Small, Span)
        Bend = Atanh (Share)
        Near = Add (Bend, Bend)
        Large = Where (IsSmall, Zero, X)
        Sum = Add (One, Large)
        Far = Log (Sum)
        Y = Where (IsSmall, Near, Far)
      })"),
      own("Log2", R"((X) => (Y) {
        FactorD = Constant <value = double {1.4426950408889634}> ()
        Factor = CastLike (FactorD, X)
        Natural = Log (X)
        Y = Mul (Natural, Factor)
      })"),
      own("Log10", R"((X) => (Y) {
        FactorD = Constant <value = double {0.4342944819032518}> ()
        Factor = CastLike (FactorD, X)
        Natural = Log (X)
        Y = Mul (Natural, Factor)
      })"),
      own("Rsqrt", R"((X) => (Y) {
        Root = Sqrt (X)
        Y = Reciprocal (Root)
      })"),
      own("Trunc", R"((X) => (Y) {
        Side = Sign (X)
        Size = Abs (X)
        Whole = Floor (Size)
        Y = Mul (Side, Whole)
      })"),
  };
}

Row round_row() {
  Row row = since(11, "Round");
  row.signature = kX;
  return row;
}

std::vector<Row> float_rows() {
  return {
      since_first("Ceil", kX),
      since_first("Floor", kX),
      since_first("Sqrt", kX),
      since_first("Sigmoid", kX),
      since_first("Reciprocal", kX),
      since_first("Exp", kInput),
      since_first("Log", kInput),
      since_first("Tanh", kInput),
      since(7, "Sin"),
      since(7, "Cos"),
      since(7, "Tan"),
      since(7, "Asin"),
      since(7, "Acos"),
      since(7, "Atan"),
      since(9, "Sinh"),
      since(9, "Cosh"),
      since(9, "Asinh"),
      since(9, "Acosh"),
      since(9, "Atanh"),
      round_row(),
  };
}

}  // namespace

std::vector<Row> unary_rows() {
  std::vector<Row> rows = float_rows();
  for (Row& row : own_rows()) rows.push_back(std::move(row));
  rows.insert(
      rows.end(),
      {{.op = "Abs",
        .version = 13,
        .signature = kX,
        .types = "T=numeric",
        .revisions = {{1, "T=float_ir3", "", "consumed_inputs:ints", drop_consumed_inputs},
                      {6, "T=numeric_ir3"}},
        .shape = shape_of_first_input},
       {.op = "Neg",
        .version = 13,
        .signature = kX,
        .types = "T=float|signed",
        .revisions = {{1, "T=float_ir3", "", "consumed_inputs:ints", drop_consumed_inputs},
                      {6, "T=float_ir3|signed"}},
        .shape = shape_of_first_input},
       {.op = "Sign",
        .version = 13,
        .signature = kInput,
        .types = "T=numeric",
        .revisions = {{9, "T=numeric_ir3"}},
        .shape = shape_of_first_input},
       {.op = "Erf",
        .version = 13,
        .signature = kInput,
        .types = "T=numeric",
        .revisions = {{9, "T=numeric_ir3"}},
        .shape = shape_of_first_input},
       {.op = "Not", .signature = "X:T -> Y:T", .types = "T=bool", .shape = shape_of_first_input},
       {.op = "BitwiseNot",
        .version = 18,
        .signature = kX,
        .types = "T=integer",
        .shape = shape_of_first_input},
       {.op = "IsNaN",
        .version = 20,
        .signature = "X:T1 -> Y:T2",
        .types = "T1=float|float8 T2=bool",
        .revisions = {{9, "T1=float_ir3 T2=bool"}, {13, "T1=float T2=bool"}},
        .shape = shape_of_first_input},
       {.op = "IsInf",
        .version = 20,
        .signature = "X:T1 -> Y:T2",
        .attributes = "detect_negative:flag=1 detect_positive:flag=1",
        .types = "T1=float|float8 T2=bool",
        .revisions = {{10, "T1=float32|float64 T2=bool"}},
        .shape = shape_of_first_input}});
  return rows;
}

}  // namespace switchyard
