// The logarithm of the gamma function and its derivative. Their bodies compute a positive number by
// an asymptotic series, and one below 8 by way of that number plus 8; negative numbers by their
// mirror's.
#include <fmt/format.h>

#include <array>
#include <string>

#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

namespace {

using Coefficients = std::array<double, 5>;

std::string number(std::string_view name, double value) {
  return fmt::format(
      "{0}D = Constant <value = double {{{1:#.17g}}}> ()\n{0} = CastLike ({0}D, X)\n", name, value);
}

std::string numbers(const Coefficients& coefficients) {
  std::string text = number("Zero", 0) + number("Half", 0.5) + number("One", 1) +
                     number("Eight", 8) + number("Pi", 3.141592653589793) +
                     number("HalfLogOfCircle", 0.9189385332046727);
  constexpr std::string_view kNames[] = {"First", "Second", "Third", "Fourth", "Fifth"};
  for (std::size_t i = 0; i < coefficients.size(); ++i) text += number(kNames[i], coefficients[i]);
  return text;
}

/// Of Positive: S0 to S7, the numbers that its steps go over, or those from 1 where it is large; W,
/// that it is led to, with its logarithm; R = 1 / W, T = R^2; and D1, the series in T.
constexpr std::string_view kSteps = R"(
    IsSmall = Less (Positive, Eight)
    S0 = Where (IsSmall, Positive, One)
    S1 = Add (S0, One)
    S2 = Add (S1, One)
    S3 = Add (S2, One)
    S4 = Add (S3, One)
    S5 = Add (S4, One)
    S6 = Add (S5, One)
    S7 = Add (S6, One)
    Above = Add (Positive, Eight)
    W = Where (IsSmall, Above, Positive)
    LogW = Log (W)
    R = Reciprocal (W)
    T = Mul (R, R)
    T5 = Mul (T, Fifth)
    D4 = Sub (Fourth, T5)
    T4 = Mul (T, D4)
    D3 = Sub (Third, T4)
    T3 = Mul (T, D3)
    D2 = Sub (Second, T3)
    T2 = Mul (T, D2)
    D1 = Sub (First, T2)
)";

std::string body(const Coefficients& coefficients, std::string_view positive,
                 std::string_view rest) {
  return fmt::format("(X) => (Y) {{\n{}{}{}{}}}", numbers(coefficients), positive, kSteps, rest);
}

/// Stirling's series; the steps are a product.
const std::string& lgamma_body() {
  static const auto& text =
      *new std::string(body({0.08333333333333333, 0.002777777777777778, 0.0007936507936507937,
                             0.0005952380952380953, 0.0008417508417508417},
                            "Positive = Abs (X)", R"(
    S01 = Mul (S0, S1)
    S23 = Mul (S2, S3)
    S45 = Mul (S4, S5)
    S67 = Mul (S6, S7)
    Low = Mul (S01, S23)
    High = Mul (S45, S67)
    LogLow = Log (Low)
    LogHigh = Log (High)
    Steps = Add (LogLow, LogHigh)
    Series = Mul (R, D1)
    WithoutHalf = Sub (W, Half)
    Product = Mul (WithoutHalf, LogW)
    Difference = Sub (Product, W)
    Rest = Add (Series, HalfLogOfCircle)
    Stirling = Add (Difference, Rest)
    StepsOrNone = Where (IsSmall, Steps, Zero)
    OfPositive = Sub (Stirling, StepsOrNone)
    Nearest = Round (Positive)
    Beside = Sub (Positive, Nearest)
    Angle = Mul (Beside, Pi)
    Sine = Sin (Angle)
    SineSize = Abs (Sine)
    Divisor = Mul (Positive, SineSize)
    Quotient = Div (Pi, Divisor)
    Mirror = Log (Quotient)
    OfMirror = Sub (Mirror, OfPositive)
    IsNegative = Less (X, Zero)
    Finite = Where (IsNegative, OfMirror, OfPositive)
    IsInfinite = IsInf (X)
    Y = Where (IsInfinite, Positive, Finite)
  )"));
  return text;
}

/// The steps are a sum of reciprocals; at poles the result is a NaN.
const std::string& digamma_body() {
  static const auto& text =
      *new std::string(body({0.08333333333333333, 0.008333333333333333, 0.003968253968253968,
                             0.004166666666666667, 0.007575757575757576},
                            R"(
    IsNegative = Less (X, Zero)
    Mirrored = Sub (One, X)
    Positive = Where (IsNegative, Mirrored, X)
  )",
                            R"(
    R0 = Reciprocal (S0)
    R1 = Reciprocal (S1)
    R2 = Reciprocal (S2)
    R3 = Reciprocal (S3)
    R4 = Reciprocal (S4)
    R5 = Reciprocal (S5)
    R6 = Reciprocal (S6)
    R7 = Reciprocal (S7)
    Steps = Sum (R7, R6, R5, R4, R3, R2, R1, R0)
    HalfR = Mul (R, Half)
    Series = Mul (T, D1)
    Rest = Add (HalfR, Series)
    Far = Sub (LogW, Rest)
    StepsOrNone = Where (IsSmall, Steps, Zero)
    OfPositive = Sub (Far, StepsOrNone)
    Nearest = Round (X)
    Beside = Sub (X, Nearest)
    Angle = Mul (Beside, Pi)
    Tangent = Tan (Angle)
    Cotangent = Div (Pi, Tangent)
    IsPole = Equal (Beside, Zero)
    Hole = Mul (Cotangent, Zero)
    Turn = Where (IsPole, Hole, Cotangent)
    OfMirror = Sub (OfPositive, Turn)
    Y = Where (IsNegative, OfMirror, OfPositive)
  )"));
  return text;
}

Row gamma_row(std::string_view op, std::string_view summary, std::string_view text) {
  return {.op = op,
          .domain = "switchyard",
          .signature = "X:T -> Y:T",
          .types = "T=float",
          .shape = shape_of_first_input,
          .body = text,
          .example = "p2x3",
          .autocast = AutocastTo::float32,
          .summary = summary};
}

}  // namespace

std::vector<Row> gamma_rows() {
  return {
      gamma_row("Lgamma", "the logarithm of the size of the gamma function", lgamma_body()),
      gamma_row("Digamma", "the derivative of Lgamma", digamma_body()),
  };
}

}  // namespace switchyard
