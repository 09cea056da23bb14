// Functions element by element: PyTorch's values for all dtypes, special values and layouts;
// accuracy near 0; errors.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/thrown.hpp"
#include "functions/torch_golden.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using OfOne = std::function<Tensor(const Tensor&)>;
using OfTwo = std::function<Tensor(const Tensor&, const Tensor&)>;

const std::map<std::string, OfOne>& unary() {
  static const std::map<std::string, OfOne> functions{
      {"abs", [](auto& x) { return abs(x); }},
      {"neg", neg},
      {"sign", sign},
      {"square", square},
      {"sqrt", [](auto& x) { return sqrt(x); }},
      {"rsqrt", rsqrt},
      {"reciprocal", reciprocal},
      {"exp", [](auto& x) { return exp(x); }},
      {"exp2", [](auto& x) { return exp2(x); }},
      {"expm1", [](auto& x) { return expm1(x); }},
      {"log", [](auto& x) { return log(x); }},
      {"log2", [](auto& x) { return log2(x); }},
      {"log10", [](auto& x) { return log10(x); }},
      {"log1p", [](auto& x) { return log1p(x); }},
      {"sin", [](auto& x) { return sin(x); }},
      {"cos", [](auto& x) { return cos(x); }},
      {"tan", [](auto& x) { return tan(x); }},
      {"asin", [](auto& x) { return asin(x); }},
      {"acos", [](auto& x) { return acos(x); }},
      {"atan", [](auto& x) { return atan(x); }},
      {"sinh", [](auto& x) { return sinh(x); }},
      {"cosh", [](auto& x) { return cosh(x); }},
      {"tanh", [](auto& x) { return tanh(x); }},
      {"asinh", [](auto& x) { return asinh(x); }},
      {"acosh", [](auto& x) { return acosh(x); }},
      {"atanh", [](auto& x) { return atanh(x); }},
      {"erf", [](auto& x) { return erf(x); }},
      {"floor", [](auto& x) { return floor(x); }},
      {"ceil", [](auto& x) { return ceil(x); }},
      {"round", [](auto& x) { return round(x); }},
      {"trunc", [](auto& x) { return trunc(x); }},
      {"frac", frac},
      {"isnan", isnan},
      {"isinf", isinf},
      {"isfinite", isfinite},
      {"nan_to_num", [](auto& x) { return nan_to_num(x); }},
      {"logical_not", logical_not},
      {"bitwise_not", bitwise_not},
  };
  return functions;
}

const std::map<std::string, OfTwo>& binary() {
  static const std::map<std::string, OfTwo> functions{
      {"add", [](auto& a, auto& b) { return add(a, b); }},
      {"sub", [](auto& a, auto& b) { return sub(a, b); }},
      {"mul", mul},
      {"div", [](auto& a, auto& b) { return div(a, b); }},
      {"floor_divide", floor_divide},
      {"remainder", [](auto& a, auto& b) { return remainder(a, b); }},
      {"fmod", [](auto& a, auto& b) { return fmod(a, b); }},
      {"pow", [](auto& a, auto& b) { return pow(a, b); }},
      {"atan2", [](auto& a, auto& b) { return atan2(a, b); }},
      {"maximum", maximum},
      {"minimum", minimum},
      {"eq", eq},
      {"ne", ne},
      {"lt", lt},
      {"le", le},
      {"gt", gt},
      {"ge", ge},
      {"logical_and", logical_and},
      {"logical_or", logical_or},
      {"logical_xor", logical_xor},
      {"bitwise_and", bitwise_and},
      {"bitwise_or", bitwise_or},
      {"bitwise_xor", bitwise_xor},
  };
  return functions;
}

/// What PyTorch refuses, and so has no line.
bool is_refused(const std::string& function, DType dtype) {
  const bool floats = dtype == DType::float32 || dtype == DType::float64 ||
                      dtype == DType::float16 || dtype == DType::bfloat16;
  if (function.starts_with("bitwise")) return floats;
  if (function == "frac") return !floats;
  if (dtype != DType::bool_) return false;
  for (const char* name : {"abs", "neg", "floor", "ceil", "round", "trunc", "sub", "floor_divide",
                           "remainder", "fmod", "pow"}) {
    if (function == name) return true;
  }
  return false;
}

struct Operands {
  std::vector<double> one, left, right;
};

Operands operands(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::float64:
    case DType::float16:
    case DType::bfloat16: {
      const std::vector<double> two{0.,     -0., 1,  -1,   2.5,   -2.5, 3,
                                    0.3125, 7.5, -7, kInf, -kInf, kNan};
      return {{0., -0., 1, -1, 0.5, -0.5, 2, -2, 1.5, 2.5, -3.5, 0.25, 7, -7, 10, 30, kInf, -kInf,
               kNan},
              two,
              two};
    }
    case DType::bool_: return {{0, 1}, {0, 1}, {0, 1}};
    case DType::uint8:
      return {{0, 1, 2, 3, 7, 100, 200}, {0, 1, 2, 3, 7, 100, 255}, {1, 2, 3, 7, 11, 200}};
    default:
      return {{0, 1, -1, 2, -2, 7, -7, 100, -100},
              {0, 1, -1, 2, -2, 3, 7, -7, 100, -100},
              {1, -1, 2, -2, 3, -3, 7, -7, 11}};
  }
}

Tensor of_values(const std::vector<double>& values, DType dtype) {
  return from_data(values, {static_cast<std::int64_t>(values.size())}, {.dtype = dtype});
}

void check_dtype(DType dtype, double tolerance) {
  const std::string type(name_of(dtype));
  const Operands values = operands(dtype);
  const Tensor x = of_values(values.one, dtype);
  const Tensor a = unsqueeze(of_values(values.left, dtype), 1), b = of_values(values.right, dtype);
  GoldenCases cases;
  for (const auto& [name, f] : unary()) {
    if (!is_refused(name, dtype)) cases[name + "_" + type] = [f = f, x] { return f(x); };
  }
  for (const auto& [name, f] : binary()) {
    if (!is_refused(name, dtype)) cases[name + "_" + type] = [f = f, a, b] { return f(a, b); };
  }
  if (values.right.front() == 1) {
    cases["pow_" + type] = [=] { return pow(a, of_values({0, 1, 2, 3, 5, 7}, dtype)); };
  }
  check_golden("pointwise_" + type + ".txt", cases, tolerance);
}

TEST(Pointwise, IsPyTorchsInFloat32) { check_dtype(DType::float32, 2e-6); }
TEST(Pointwise, IsPyTorchsInFloat64) { check_dtype(DType::float64, 1e-14); }
TEST(Pointwise, IsPyTorchsInFloat16) { check_dtype(DType::float16, 2e-3); }
TEST(Pointwise, IsPyTorchsInBfloat16) { check_dtype(DType::bfloat16, 1.6e-2); }
TEST(Pointwise, IsPyTorchsInIntegers) {
  for (const DType dtype : {DType::int8, DType::uint8, DType::int16, DType::int32, DType::int64}) {
    check_dtype(dtype, 2e-6);
  }
}
TEST(Pointwise, IsPyTorchsInBools) { check_dtype(DType::bool_, 2e-6); }

Tensor counted(double start, double step, const Dims& shape) {
  return (arange(0, element_count(shape), 1, {.dtype = DType::float32}) * step + start)
      .reshape(shape);
}

std::map<std::string, std::pair<Tensor, Tensor>> layouts() {
  const Tensor a = counted(-5.25, 1, {3, 4});
  const Tensor b = slice(counted(0.25, 0.5, {4, 6}), 1, 0, 6, 2);
  const Tensor cube = counted(1, 1, {2, 3, 4});
  return {
      {"transposed", {a.t(), b}},
      {"expanded", {a.narrow(1, 0, 1).expand({3, 4}), full({}, 2.0).expand({3, 4})}},
      {"sliced",
       {slice(cube.narrow(1, 1, 2), 2, 0, 4, 2),
        slice(cube.select(0, 1).narrow(0, 0, 2), 1, 1, 4, 2)}},
      {"permuted", {cube.permute({2, 0, 1}), cube.select(2, 0).select(1, 0).reshape({2, 1})}},
      {"empty", {zeros({0, 3}), ones({3})}},
      {"empty_by_one", {zeros({2, 0, 3}), ones({1, 1})}},
      {"rank_0", {full({}, 3.0), full({}, -2.0)}},
      {"rank_0_left", {full({}, 3.0), a}},
      {"number_right", {a, 2}},
      {"number_left", {2.5, b}},
      {"integers_number", {tensor({1, -2, 3}), 2}},
      {"integers_float", {tensor({1, -2, 3}), 0.5}},
      {"number_integers", {3, tensor({1, 2, 3})}},
  };
}

void add_choices(GoldenCases& cases) {
  const Tensor x = of_values({-2, -0.5, 0, 0.5, kNan, kInf, -kInf}, DType::float32);
  const Tensor whole = tensor({-3, 0, 4, 9});
  const Tensor mask = tensor({true, false, true, false, true, false, true});
  const Tensor some = tensor({true, false, false, true});
  const Tensor half = tensor({1.5, -2.}, {.dtype = DType::float16});
  cases["where"] = [=] { return where(mask, x, -x); };
  cases["where_number"] = [=] { return where(mask, x, 0.0); };
  cases["where_broadcast"] = [=] { return where(mask.reshape({-1, 1}), ones({2}), zeros({1})); };
  cases["where_rank_0"] = [=] { return where(some, whole.to(DType::float32), full({}, 2.0)); };
  cases["clamp"] = [=] { return clamp(x, -1, 0.25); };
  cases["clamp_low"] = [=] { return clamp(x, -1); };
  cases["clamp_high"] = [=] { return clamp(x, {}, 0.25); };
  cases["clamp_crossed"] = [=] { return clamp(x, 1, -1); };
  cases["clamp_integers"] = [=] { return clamp(whole, -1, 5); };
  cases["clamp_integers_float"] = [=] { return clamp(whole, -1.5, 5); };
  cases["clamp_half"] = [=] { return clamp(half, -1, 1); };
  cases["clamp_tensors"] = [=] { return clamp(x, full({7}, -1.0), tensor({0.25}).expand({7})); };
  cases["clamp_tensor_mixed"] = [=] { return clamp(whole, tensor({-1.5, 0.5, 0.5, 0.5})); };
  cases["clamp_tensor_nan"] = [=] { return clamp(x, tensor({kNan, 0., 0., 0., 0., 0., 0.})); };
  cases["masked_fill"] = [=] { return masked_fill(x, mask, -1); };
  cases["masked_fill_broadcast"] = [=] { return masked_fill(zeros({2, 4}), some, 3.5); };
  cases["masked_fill_integers"] = [=] { return masked_fill(whole, some, 7); };
  cases["bitwise_bools_integers"] = [] { return tensor({true, false}) & tensor({3, 3}); };
  cases["equal_integers_float"] = [] { return eq(tensor({1, 2}), tensor({1., 2.5})); };
  cases["lt_bools"] = [] { return lt(tensor({true, false}), tensor({true, true})); };
}

void add_sums(GoldenCases& cases) {
  const Tensor x = of_values({-2, -0.5, 0, 0.5, kNan, kInf, -kInf}, DType::float32);
  const Tensor mask = tensor({true, false, true, false, true, false, true});
  const Tensor whole = tensor({-3, 0, 4, 9}), turned = tensor({9, 4, 0, -3});
  const Tensor one = tensor({1., 2.}), other = tensor({3., -2.});
  const Tensor column = unsqueeze(tensor({0.5, 2.}), 1), positive = tensor({3., 4.});
  cases["lerp"] = [=] { return lerp(one, other, 0.25); };
  cases["lerp_tensor"] = [=] { return lerp(one, other, tensor({0.75, 1.})); };
  cases["addcmul"] = [=] { return addcmul(one, positive, column, -2); };
  cases["addcmul_integers"] = [=] { return addcmul(whole, whole, whole, 2); };
  cases["addcdiv"] = [=] { return addcdiv(one, positive, column, -2); };
  cases["add_alpha"] = [=] { return add(x, mask, 2); };
  cases["sub_alpha"] = [=] { return sub(whole, turned, 3); };
  cases["sub_alpha_number"] = [=] { return sub(x, 2, 0.5); };
  cases["pow_half"] = [=] { return pow(x.narrow(0, 0, 6), 0.5); };
  cases["pow_two"] = [=] { return pow(whole, 2); };
  cases["pow_three"] = [=] { return pow(x, 3); };
  cases["pow_float_of_integers"] = [=] { return pow(whole, 0.5); };
  cases["pow_of_number"] = [=] { return pow(2, clamp(whole, 0)); };
  cases["pow_negative"] = [] { return pow(tensor({1, -1, 2, -3}), tensor({-1, -3, -2, -1})); };
  cases["exp2_exact"] = [] { return exp2(tensor({-3., 0., 1., 10.})); };
  cases["floor_divide_tenth"] = [] {
    return floor_divide(tensor({1., -1., 5.}), tensor({0.1, 0.1, -0.3}));
  };
}

void add_nearness(GoldenCases& cases) {
  const Tensor x = of_values({-2, -0.5, 0, 0.5, kNan, kInf, -kInf}, DType::float32);
  const Tensor half = of_values({kInf, -kInf, kNan}, DType::float16);
  const Tensor wide = of_values({kInf, -kInf, kNan}, DType::float64);
  cases["nan_to_num_value"] = [=] { return nan_to_num(x, 3.5); };
  cases["nan_to_num_half"] = [=] { return nan_to_num(half, 1); };
  cases["nan_to_num_double"] = [=] { return nan_to_num(wide); };
  cases["isclose"] = [] {
    return isclose(tensor({1., 1., kInf, kInf, kNan, 0.}),
                   tensor({1.00001, 1.1, kInf, -kInf, kNan, 1e-9}));
  };
  cases["isclose_nan"] = [] {
    return isclose(tensor({kNan, 1., kNan}), tensor({kNan, kNan, 1.}), 1e-5, 1e-8, true);
  };
  cases["isclose_wide"] = [] { return isclose(tensor({1., 10.}), tensor({2., 2.}), 0.5, 0.1); };
  cases["isclose_integers"] = [] {
    return isclose(tensor({16777217, 5}), tensor({16777216, 5}), 0, 0);
  };
}

void add_wraps(GoldenCases& cases) {
  const auto of = [](std::vector<double> values, DType dtype) { return of_values(values, dtype); };
  cases["wrap_add"] = [=] { return of({120, -120}, DType::int8) + of({100, -100}, DType::int8); };
  cases["wrap_mul"] = [=] { return of({200, 3}, DType::uint8) * 2; };
  cases["wrap_number"] = [=] { return of({1, 2}, DType::int8) + 300; };
  cases["wrap_neg"] = [=] { return -of({1, 0, 255}, DType::uint8); };
  cases["wrap_abs"] = [=] { return abs(of({-128}, DType::int8)); };
  cases["wrap_floor_divide"] = [=] { return floor_divide(of({-128, 127, -127}, DType::int8), 3); };
  cases["wrap_int16"] = [=] { return of({32767}, DType::int16) + 1; };
  cases["wrap_int32"] = [=] { return of({2147483647}, DType::int32) + 1; };
  cases["wrap_pow"] = [=] { return pow(of({3, -3}, DType::int32), 21); };
  cases["float_to_integers"] = [] { return tensor({2.9, -2.9, 100.5}).to(DType::int32); };
  cases["integers_to_bool"] = [] { return tensor({0, -1, 256}).to(DType::bool_); };
  cases["nan_to_bool"] = [] { return tensor({kNan, 0., -0., 0.1}).to(DType::bool_); };
  cases["integers_narrowed"] = [] { return tensor({300, -129, 128}).to(DType::int8); };
}

TEST(Pointwise, IsPyTorchsInEveryLayoutAndWithNumbers) {
  GoldenCases cases;
  for (const char* name : {"add", "sub", "mul", "div", "pow", "maximum", "lt", "remainder"}) {
    for (const auto& [word, pair] : layouts()) {
      cases[std::string(name) + "_" + word] = [f = binary().at(name), pair = pair] {
        return f(pair.first, pair.second);
      };
    }
  }
  add_choices(cases);
  add_sums(cases);
  add_nearness(cases);
  add_wraps(cases);
  check_golden("pointwise_golden.txt", cases, 2e-6);
}

TEST(Pointwise, OperatorsAreTheFunctions) {
  const Tensor a = tensor({7, -7}), b = tensor({3, 3});
  EXPECT_TRUE(equal(a + b, add(a, b)) && equal(a - b, sub(a, b)) && equal(a * b, mul(a, b)));
  EXPECT_TRUE(equal(a / b, div(a, b)) && equal(a % b, remainder(a, b)) && equal(-a, neg(a)));
  EXPECT_TRUE(equal(a & b, bitwise_and(a, b)) && equal(a | b, bitwise_or(a, b)));
  EXPECT_TRUE(equal(a ^ b, bitwise_xor(a, b)) && equal(~a, bitwise_not(a)));
  EXPECT_TRUE(equal(a == b, eq(a, b)) && equal(a != b, ne(a, b)) && equal(a < b, lt(a, b)));
  EXPECT_TRUE(equal(a <= b, le(a, b)) && equal(a > b, gt(a, b)) && equal(a >= b, ge(a, b)));
  EXPECT_EQ((a % b).to_vector<std::int64_t>(), (std::vector<std::int64_t>{1, 2}));
}

/// The largest error against what `reference` gives in float64 for the rounded inputs, in units of
/// the last place of `digits` bits.
double worst_error(const OfOne& f, double (*reference)(double), const std::vector<double>& inputs,
                   DType dtype, int digits) {
  const Tensor x = of_values(inputs, dtype);
  const std::vector<double> rounded = x.to(DType::float64).to_vector<double>();
  const std::vector<double> results = f(x).to(DType::float64).to_vector<double>();
  double worst = 0;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    const double expected = reference(rounded[i]);
    worst = std::max(worst, std::abs(results[i] - expected) / std::abs(expected));
  }
  return std::ldexp(worst, digits);
}

std::vector<double> around_zero(double least, double most, bool negative) {
  std::vector<double> values;
  for (double x = least; x <= most; x *= 1.7) {
    values.push_back(x);
    if (negative) values.push_back(-x);
  }
  return values;
}

TEST(Pointwise, KeepsDigitsNearZero) {
  const OfOne expm1_of = unary().at("expm1"), log1p_of = unary().at("log1p");
  const auto expm1_of_double = [](double x) { return std::expm1(x); };
  const auto log1p_of_double = [](double x) { return std::log1p(x); };
  for (const auto& [dtype, digits] : {std::pair{DType::float32, 23}, {DType::float64, 52}}) {
    const std::vector<double> wide = around_zero(1e-30, 40, true);
    const std::vector<double> positive = around_zero(1e-30, 1e6, false);
    const std::vector<double> below = {-1e-20, -1e-5, -0.1, -0.3,  -0.499,
                                       -0.5,   -0.51, -0.9, -0.999};
    EXPECT_LT(worst_error(expm1_of, expm1_of_double, wide, dtype, digits), 8) << name_of(dtype);
    EXPECT_LT(worst_error(log1p_of, log1p_of_double, positive, dtype, digits), 8) << name_of(dtype);
    EXPECT_LT(worst_error(log1p_of, log1p_of_double, below, dtype, digits), 8) << name_of(dtype);
  }
}

TEST(Pointwise, AnglesAreAccurateInEveryTypeAndQuarter) {
  const std::vector<double> sides{0., -0.,  1,     -1,  1e-30, -1e-30, 3,
                                  -3, 1e30, -1e30, 0.7, -0.7,  kInf,   -kInf};
  for (const auto& [dtype, digits] : {std::pair{DType::float32, 23}, {DType::float64, 52}}) {
    const Tensor y = unsqueeze(of_values(sides, dtype), 1), x = of_values(sides, dtype);
    const Tensor angles = atan2(y, x);
    ASSERT_EQ(angles.dtype(), dtype);
    const std::vector<double> result = angles.to(DType::float64).to_vector<double>();
    const std::vector<double> exact = x.to(DType::float64).to_vector<double>();
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double top = exact[i / sides.size()], right = exact[i % sides.size()];
      const double expected = std::atan2(top, right);
      EXPECT_LE(std::abs(result[i] - expected), std::ldexp(8 * std::abs(expected), -digits) + 1e-44)
          << top << " " << right << " in " << name_of(dtype);
    }
  }
}

TEST(Pointwise, WholeNumbersBeyondDoublesStayExact) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Tensor x = from_data<std::int64_t>({most, most - 1, -most}, {3});
  EXPECT_EQ((x + 1).to_vector<std::int64_t>()[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((x - Tensor(most - 1)).to_vector<std::int64_t>(), (std::vector<std::int64_t>{1, 0, 3}));
  EXPECT_EQ(floor_divide(x, 10).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{most / 10, most / 10, -(most / 10) - 1}));
  EXPECT_EQ(remainder(x, 10).to_vector<std::int64_t>(), (std::vector<std::int64_t>{7, 6, 3}));
  EXPECT_EQ(clamp(x, most - 1).to_vector<std::int64_t>()[2], most - 1);
  EXPECT_FALSE(equal(x, x - 1));
  EXPECT_EQ(eq(x, Tensor(most)).to(DType::int64).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{1, 0, 0}));
}

TEST(Pointwise, ResultsShareNothingWithTheirInputs) {
  const Tensor whole = tensor({1, 2}), truths = tensor({true, false}), x = tensor({1., 2.});
  const std::vector<std::pair<const char*, Tensor>> results = {{"floor", floor(whole)},
                                                               {"ceil", ceil(whole)},
                                                               {"round", round(whole)},
                                                               {"trunc", trunc(whole)},
                                                               {"nan_to_num", nan_to_num(whole)},
                                                               {"abs", abs(truths)},
                                                               {"sign", sign(truths)},
                                                               {"clamp", clamp(whole, {}, 100)},
                                                               {"where", where(true, x, x)},
                                                               {"relu", relu(x)},
                                                               {"add", x + 0},
                                                               {"mul", x * 1},
                                                               {"cat", cat({x})},
                                                               {"flip", flip(x, {})},
                                                               {"roll", roll(x, 2, 0)},
                                                               {"repeat", repeat(x, {1})},
                                                               {"pow", pow(x, 1)},
                                                               {"triu", triu(ones({2, 2}))}};
  for (const auto& [name, result] : results) {
    const Tensor& from = result.dtype() == DType::bool_     ? truths
                         : result.dtype() == DType::float32 ? x
                                                            : whole;
    result.zero_();
    EXPECT_FALSE(all(from == 0).item<bool>()) << name;
  }
  EXPECT_TRUE(equal(whole, tensor({1, 2})) && equal(truths, tensor({true, false})));
  EXPECT_TRUE(equal(x, tensor({1., 2.})));
}

TEST(Pointwise, EqualAndAllclose) {
  const Tensor a = tensor({1., 2.});
  EXPECT_TRUE(equal(a, tensor({1., 2.})));
  EXPECT_FALSE(equal(a, tensor({1., 2.5})));
  EXPECT_FALSE(equal(a, tensor({1, 2}))) << "another type";
  EXPECT_FALSE(equal(a, tensor({{1., 2.}}))) << "another shape";
  EXPECT_FALSE(equal(tensor({kNan}), tensor({kNan})));
  EXPECT_TRUE(equal(zeros({0, 2}), zeros({0, 2})));
  EXPECT_TRUE(allclose(a, a + 1e-6));
  EXPECT_FALSE(allclose(a, a + 1e-3));
  EXPECT_TRUE(allclose(a, a + 1e-3, 0, 2e-3));
  EXPECT_FALSE(allclose(tensor({kNan}), tensor({kNan})));
  EXPECT_TRUE(allclose(tensor({kNan}), tensor({kNan}), 1e-5, 1e-8, true));
}

TEST(Pointwise, RefusalsNameTheFunctionAndTheShapes) {
  const Tensor a = ones({2, 3}), b = ones({4}), truths = tensor({true, false});
  EXPECT_THAT(thrown([&] { add(a, b); }),
              AllOf(HasSubstr("Add"), HasSubstr("[2, 3]"), HasSubstr("[4]")));
  EXPECT_THAT(thrown([&] { where(ones({2}).to(DType::bool_), a, b); }),
              AllOf(HasSubstr("Where"), HasSubstr("[2, 3]"), HasSubstr("[2]")));
  EXPECT_THAT(thrown([&] { sub(truths, truths); }), HasSubstr("[sub] does not subtract bools"));
  EXPECT_THAT(thrown([&] { neg(truths); }), AllOf(HasSubstr("Neg"), HasSubstr("bool")));
  EXPECT_THAT(thrown([&] { bitwise_and(a, a); }),
              AllOf(HasSubstr("BitwiseAnd"), HasSubstr("float32")));
  EXPECT_THAT(thrown([&] { bitwise_not(a); }),
              AllOf(HasSubstr("BitwiseNot"), HasSubstr("float32")));
  EXPECT_THAT(thrown([&] { add(a, Tensor()); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { abs(Tensor()); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { clamp(a); }), HasSubstr("[clamp] needs a bound"));
  EXPECT_THAT(thrown([&] { add(tensor({1}), tensor({1}), 0.5); }), HasSubstr("[add] alpha"));
  EXPECT_THAT(thrown([&] { pow(tensor({3, 4}), -1); }), HasSubstr("[pow]"));
}

}  // namespace
}  // namespace switchyard
