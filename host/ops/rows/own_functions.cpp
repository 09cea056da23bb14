// Functions of one number or two that ONNX lacks, as plugin-api/switchyard-ops.md says them.
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

namespace {

Row of_one(std::string_view op, std::string_view summary, std::string_view body) {
  return {.op = op,
          .domain = "switchyard",
          .signature = "X:T -> Y:T",
          .types = "T=float",
          .shape = shape_of_first_input,
          .body = body,
          .summary = summary};
}

Row of_two(std::string_view op, std::string_view summary, std::string_view body) {
  return {.op = op,
          .domain = "switchyard",
          .signature = "A:T B:T -> C:T",
          .types = "T=float",
          .shape = broadcast_shape,
          .body = body,
          .summary = summary};
}

Row kept_in_float32(Row row) {
  row.autocast = AutocastTo::float32;
  return row;
}

Row frac_row() {
  return of_one("Frac", "X - trunc(X)", R"((X) => (Y) {
    Side = Sign (X)
    Size = Abs (X)
    WholeSize = Floor (Size)
    Whole = Mul (Side, WholeSize)
    Y = Sub (X, Whole)
  })");
}

Row erfc_row() {
  return of_one("Erfc", "1 - erf(X), exact where that is small", R"((X) => (Y) {
    OneF = Constant <value = float {1.0}> ()
    One = CastLike (OneF, X)
    Likelihood = Erf (X)
    Y = Sub (One, Likelihood)
  })");
}

/// Near 0 by the series of the inverse, else by formula 26.2.23 of Abramowitz and Stegun for that
/// of the normal distribution, both right to three digits; two of Halley's steps, each of which has
/// three times the digits of the one before, do the rest. What is missing is counted from 1 on the
/// outside, where erf is too near to 1.
Row erfinv_row() {
  Row row = of_one("Erfinv", "the number whose erf is X", R"((X) => (Y) {
    ZeroF = Constant <value = float {0.0}> ()
    HalfF = Constant <value = float {0.5}> ()
    OneF = Constant <value = float {1.0}> ()
    MinusTwoF = Constant <value = float {-2.0}> ()
    C0F = Constant <value = float {2.515517}> ()
    C1F = Constant <value = float {0.802853}> ()
    C2F = Constant <value = float {0.010328}> ()
    D1F = Constant <value = float {1.432788}> ()
    D2F = Constant <value = float {0.189269}> ()
    D3F = Constant <value = float {0.001308}> ()
    FirstD = Constant <value = double {0.886226925452758}> ()
    ThirdD = Constant <value = double {0.2320136665346544}> ()
    RootHalfD = Constant <value = double {0.7071067811865476}> ()
    Zero = CastLike (ZeroF, X)
    Half = CastLike (HalfF, X)
    One = CastLike (OneF, X)
    MinusTwo = CastLike (MinusTwoF, X)
    C0 = CastLike (C0F, X)
    C1 = CastLike (C1F, X)
    C2 = CastLike (C2F, X)
    D1 = CastLike (D1F, X)
    D2 = CastLike (D2F, X)
    D3 = CastLike (D3F, X)
    First = CastLike (FirstD, X)
    Third = CastLike (ThirdD, X)
    RootHalf = CastLike (RootHalfD, X)
    Size = Abs (X)
    Rest = Sub (One, Size)
    IsNear = Less (Size, Half)
    Square = Mul (Size, Size)
    Bend = Mul (Square, Third)
    Slope = Add (Bend, First)
    Near = Mul (Size, Slope)
    Chance = Mul (Rest, Half)
    LogChance = Log (Chance)
    Doubled = Mul (LogChance, MinusTwo)
    T = Sqrt (Doubled)
    Above2 = Mul (T, C2)
    Above1 = Add (Above2, C1)
    Above0 = Mul (T, Above1)
    Above = Add (Above0, C0)
    Below3 = Mul (T, D3)
    Below2 = Add (Below3, D2)
    Below1 = Mul (T, Below2)
    Below0 = Add (Below1, D1)
    BelowLess = Mul (T, Below0)
    Below = Add (BelowLess, One)
    Quotient = Div (Above, Below)
    Deviation = Sub (T, Quotient)
    Far = Mul (Deviation, RootHalf)
    Y0 = Where (IsNear, Near, Far)
    Erf0 = Erf (Y0)
    Erfc0 = switchyard.Erfc (Y0)
    MissNear0 = Sub (Erf0, Size)
    MissFar0 = Sub (Rest, Erfc0)
    Miss0 = Where (IsNear, MissNear0, MissFar0)
    Square0 = Mul (Y0, Y0)
    Power0 = Exp (Square0)
    Scale0 = Mul (Power0, First)
    Step0 = Mul (Miss0, Scale0)
    Turn0 = Mul (Y0, Step0)
    Divisor0 = Add (Turn0, One)
    Move0 = Div (Step0, Divisor0)
    Y1 = Sub (Y0, Move0)
    Erf1 = Erf (Y1)
    Erfc1 = switchyard.Erfc (Y1)
    MissNear1 = Sub (Erf1, Size)
    MissFar1 = Sub (Rest, Erfc1)
    Miss1 = Where (IsNear, MissNear1, MissFar1)
    Square1 = Mul (Y1, Y1)
    Power1 = Exp (Square1)
    Scale1 = Mul (Power1, First)
    Step1 = Mul (Miss1, Scale1)
    Turn1 = Mul (Y1, Step1)
    Divisor1 = Add (Turn1, One)
    Move1 = Div (Step1, Divisor1)
    Y2 = Sub (Y1, Move1)
    IsEnd = Equal (Rest, Zero)
    Infinity = Reciprocal (Zero)
    Found = Where (IsEnd, Infinity, Y2)
    Minus = Neg (Found)
    IsNegative = Less (X, Zero)
    Y = Where (IsNegative, Minus, Found)
  })");
  row.example = "v-0.9,0.3,0.5:3";
  row.autocast = AutocastTo::float32;
  return row;
}

/// The arc of the smaller by the larger, so that the quotient does not overflow, turned into its
/// place. Two infinities are as far as each other. The sign of a zero counts: 1 / -0 is negative.
Row atan2_row() {
  return of_two("Atan2", "the angle of the point with height A and width B", R"((A, B) => (C) {
    ZeroF = Constant <value = float {0.0}> ()
    OneF = Constant <value = float {1.0}> ()
    PiD = Constant <value = double {3.141592653589793}> ()
    QuarterD = Constant <value = double {1.5707963267948966}> ()
    Zero = CastLike (ZeroF, A)
    One = CastLike (OneF, A)
    MinusOne = Neg (One)
    Pi = CastLike (PiD, A)
    Quarter = CastLike (QuarterD, A)
    AIsInfinite = IsInf (A)
    BIsInfinite = IsInf (B)
    AreInfinite = And (AIsInfinite, BIsInfinite)
    SignOfA = Sign (A)
    SignOfB = Sign (B)
    High = Where (AreInfinite, SignOfA, A)
    Wide = Where (AreInfinite, SignOfB, B)
    Height = Abs (High)
    Width = Abs (Wide)
    IsSteep = Greater (Height, Width)
    Larger = Where (IsSteep, High, Wide)
    Smaller = Where (IsSteep, Wide, High)
    IsNothing = Equal (Larger, Zero)
    Below = Where (IsNothing, One, Larger)
    Quotient = Div (Smaller, Below)
    Angle = Atan (Quotient)
    IsBelow = Less (High, Zero)
    HighIsZero = Equal (High, Zero)
    OverHigh = Reciprocal (High)
    OverHighIsBelow = Less (OverHigh, Zero)
    HighIsMinusZero = And (HighIsZero, OverHighIsBelow)
    IsDown = Or (IsBelow, HighIsMinusZero)
    IsLeft = Less (Wide, Zero)
    WideIsZero = Equal (Wide, Zero)
    OverWide = Reciprocal (Wide)
    OverWideIsBelow = Less (OverWide, Zero)
    WideIsMinusZero = And (WideIsZero, OverWideIsBelow)
    IsBehind = Or (IsLeft, WideIsMinusZero)
    Side = Where (IsDown, MinusOne, One)
    HalfTurn = Mul (Side, Pi)
    Turned = Add (Angle, HalfTurn)
    Flat = Where (IsBehind, Turned, Angle)
    QuarterTurn = Mul (Side, Quarter)
    Steep = Sub (QuarterTurn, Angle)
    C = Where (IsSteep, Steep, Flat)
  })");
}

/// The remainder of Mod has the sign of A; where that is not the sign of B, B is added.
Row remainder_row() {
  return of_two("Remainder", "what A / B rounded down leaves of A, with B's sign",
                R"((A, B) => (C) {
    ZeroF = Constant <value = float {0.0}> ()
    Zero = CastLike (ZeroF, A)
    Rest = Mod <fmod = 1> (A, B)
    IsExact = Equal (Rest, Zero)
    IsInexact = Not (IsExact)
    RestIsNegative = Less (Rest, Zero)
    BIsNegative = Less (B, Zero)
    Differ = Xor (RestIsNegative, BIsNegative)
    IsWrong = And (IsInexact, Differ)
    Other = Add (Rest, B)
    C = Where (IsWrong, Other, Rest)
  })");
}

/// From the exact remainder, as the rounded quotient may already be the next integer. The fraction
/// of a quotient of integers is 0.
Row floor_divide_row() {
  Row row = of_two("FloorDivide", "A / B rounded down", R"((A, B) => (C) {
    ZeroF = Constant <value = float {0.0}> ()
    OneF = Constant <value = float {1.0}> ()
    Zero = CastLike (ZeroF, A)
    One = CastLike (OneF, A)
    Rest = Mod <fmod = 1> (A, B)
    IsExact = Equal (Rest, Zero)
    IsInexact = Not (IsExact)
    RestIsNegative = Less (Rest, Zero)
    BIsNegative = Less (B, Zero)
    Differ = Xor (RestIsNegative, BIsNegative)
    RoundsAway = And (IsInexact, Differ)
    Step = Where (RoundsAway, One, Zero)
    Multiple = Sub (A, Rest)
    Quotient = Div (Multiple, B)
    Beside = Mod <fmod = 1> (Quotient, One)
    Truncated = Sub (Quotient, Beside)
    Twice = Add (Beside, Beside)
    TwiceSize = Abs (Twice)
    IsOver = Greater (TwiceSize, One)
    Side = Sign (Beside)
    Up = Where (IsOver, Side, Zero)
    Nearest = Add (Truncated, Up)
    Down = Sub (Nearest, Step)
    Plain = Div (A, B)
    IsByZero = Equal (B, Zero)
    Floor = Where (IsByZero, Plain, Down)
    IsNothing = Equal (Floor, Zero)
    Nothing = Mul (Plain, Zero)
    C = Where (IsNothing, Nothing, Floor)
  })");
  row.types = "T=numeric";
  row.example = "f2x3 p3";
  return row;
}

Row hypot_row() {
  return of_two("Hypot", "sqrt(A^2 + B^2), without overflow", R"((A, B) => (C) {
    ZeroF = Constant <value = float {0.0}> ()
    OneF = Constant <value = float {1.0}> ()
    Zero = CastLike (ZeroF, A)
    One = CastLike (OneF, A)
    ASize = Abs (A)
    BSize = Abs (B)
    Larger = Max (ASize, BSize)
    Smaller = Min (ASize, BSize)
    IsNothing = Equal (Larger, Zero)
    Below = Where (IsNothing, One, Larger)
    Quotient = Div (Smaller, Below)
    Square = Mul (Quotient, Quotient)
    Squares = Add (Square, One)
    Root = Sqrt (Squares)
    Finite = Mul (Larger, Root)
    AIsInfinite = IsInf (A)
    BIsInfinite = IsInf (B)
    OfB = Where (BIsInfinite, BSize, Finite)
    C = Where (AIsInfinite, ASize, OfB)
  })");
}

Row log_add_exp_row() {
  return of_two("LogAddExp", "log(exp(A) + exp(B)), without overflow", R"((A, B) => (C) {
    OneF = Constant <value = float {1.0}> ()
    One = CastLike (OneF, A)
    Larger = Max (A, B)
    Apart = Sub (A, B)
    Size = Abs (Apart)
    Below = Neg (Size)
    Power = Exp (Below)
    Sum = Add (Power, One)
    More = Log (Sum)
    Finite = Add (Larger, More)
    AreEqual = Equal (A, B)
    IsInfinite = IsInf (A)
    AreInfinite = And (AreEqual, IsInfinite)
    C = Where (AreInfinite, A, Finite)
  })");
}

}  // namespace

std::vector<Row> own_function_rows() {
  return {frac_row(),  kept_in_float32(erfc_row()), erfinv_row(),   atan2_row(), floor_divide_row(),
          hypot_row(), log_add_exp_row(),           remainder_row()};
}

}  // namespace switchyard
