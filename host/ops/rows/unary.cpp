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
Row own(std::string_view op, std::string_view summary, std::string_view body) {
  return {.op = op,
          .domain = "switchyard",
          .signature = kX,
          .types = "T=float",
          .shape = shape_of_first_input,
          .body = body,
          .summary = summary};
}

/// With an example of positive numbers, where others have no value.
Row of_positive(Row row) {
  row.example = "p2x3";
  return row;
}

Row in_float32(Row row) {
  row.autocast = AutocastTo::float32;
  return row;
}

std::vector<Row> own_rows() {
  return {
      in_float32(own("Exp2", "2 to the power X", R"((X) => (Y) {
        Two = Constant <value = float {2.0}> ()
        Base = CastLike (Two, X)
        Y = Pow (Base, X)
      })")),
      // Near 0, where exp(x) - 1 cancels: 2 tanh(x / 2) / (1 - tanh(x / 2)).
      in_float32(own("Expm1", "exp(X) - 1, exact near 0", R"((X) => (Y) {
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
      })")),
      // Near 0, where 1 + x loses digits: 2 atanh(x / (2 + x)).
      in_float32(of_positive(own("Log1p", "log(1 + X), exact near 0", R"((X) => (Y) {
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
      })"))),
      in_float32(of_positive(own("Log2", "the logarithm to base 2", R"((X) => (Y) {
        FactorD = Constant <value = double {1.4426950408889634}> ()
        Factor = CastLike (FactorD, X)
        Natural = Log (X)
        Y = Mul (Natural, Factor)
      })"))),
      in_float32(of_positive(own("Log10", "the logarithm to base 10", R"((X) => (Y) {
        FactorD = Constant <value = double {0.4342944819032518}> ()
        Factor = CastLike (FactorD, X)
        Natural = Log (X)
        Y = Mul (Natural, Factor)
      })"))),
      in_float32(of_positive(own("Rsqrt", "1 / sqrt(X)", R"((X) => (Y) {
        Root = Sqrt (X)
        Y = Reciprocal (Root)
      })"))),
      own("Trunc", "the integer nearest to X between 0 and X", R"((X) => (Y) {
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
      of_positive(since_first("Sqrt", kX)),
      since_first("Sigmoid", kX),
      in_float32(of_positive(since_first("Reciprocal", kX))),
      in_float32(since_first("Exp", kInput)),
      in_float32(of_positive(since_first("Log", kInput))),
      since_first("Tanh", kInput),
      since(7, "Sin"),
      since(7, "Cos"),
      in_float32(since(7, "Tan")),
      in_float32(of_positive(since(7, "Asin"))),
      in_float32(of_positive(since(7, "Acos"))),
      since(7, "Atan"),
      in_float32(since(9, "Sinh")),
      in_float32(since(9, "Cosh")),
      since(9, "Asinh"),
      in_float32(of_positive(since(9, "Acosh"))),
      of_positive(since(9, "Atanh")),
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
        .shape = shape_of_first_input,
        .autocast = AutocastTo::float32},
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
