// Arithmetic: PyTorch's values for all layouts and numbers; what wraps; accuracy near 0.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <switchyard/functions.hpp>

#include "functions/creation/new_tensor.hpp"
#include "functions/golden/torch_golden.hpp"
#include "functions/pointwise_functions.hpp"
#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

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
}

TEST(Arithmetic, IsPyTorchsInEveryLayoutAndWithNumbers) {
  GoldenCases cases;
  for (const char* name : {"add", "sub", "mul", "div", "pow", "maximum", "lt", "remainder"}) {
    for (const auto& [word, pair] : layouts()) {
      cases[std::string(name) + "_" + word] = [f = functions_of_two().at(name), pair = pair] {
        return f(pair.first, pair.second);
      };
    }
  }
  add_sums(cases);
  add_wraps(cases);
  check_golden("pointwise_arithmetic_golden.txt", cases, 2e-6);
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

TEST(Arithmetic, KeepsDigitsNearZero) {
  const OfOne expm1_of = functions_of_one().at("expm1"), log1p_of = functions_of_one().at("log1p");
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

TEST(Arithmetic, AnglesAreAccurateInEveryTypeAndQuarter) {
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

TEST(Arithmetic, IntegersBeyondDoublesStayExact) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Tensor x = tensor(std::vector<std::int64_t>{most, most - 1, -most}, {3});
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

TEST(Arithmetic, UnsignedNumbersBeyondInt64AreWhatTheyAre) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const Tensor x = tensor(std::vector<std::uint64_t>{most}, {1});
  EXPECT_EQ(x.item(), 0x1p64);
  EXPECT_EQ((tensor({1.0}) * most).item(), 0x1p64);
  EXPECT_TRUE(lt(tensor({1.0}), most).item<bool>());
  EXPECT_EQ(full({1}, most, {.dtype = DType::float64}).item(), 0x1p64);
  EXPECT_EQ(full({1}, most, {.dtype = DType::uint64}).to_vector<std::uint64_t>()[0], most);
  EXPECT_TRUE(eq(x, most).item<bool>());
  EXPECT_EQ(floor_divide(x, 10).to_vector<std::uint64_t>()[0], most / 10);
  EXPECT_EQ((x % 10).to_vector<std::uint64_t>()[0], most % 10);
  EXPECT_EQ(Tensor(std::uint64_t{3}).dtype(), DType::int64);
}

template <typename T>
void expect_wrapped_quotient() {
  const T least = std::numeric_limits<T>::min();
  const Tensor x = tensor(std::vector<T>{least, least}, {2}),
               by = tensor(std::vector<T>{T(-1), T(1)}, {2});
  EXPECT_EQ(floor_divide(x, by).template to_vector<T>(), (std::vector<T>{least, least}));
  EXPECT_EQ(remainder(x, by).template to_vector<T>(), (std::vector<T>{0, 0}));
  EXPECT_EQ(fmod(x, by).template to_vector<T>(), (std::vector<T>{0, 0}));
}

TEST(Arithmetic, TheLeastIntegerByMinusOneWrapsRound) {
  expect_wrapped_quotient<std::int8_t>();
  expect_wrapped_quotient<std::int32_t>();
  expect_wrapped_quotient<std::int64_t>();
}

/// What integers divided by 0 come to, or the error, on a device that computes in the call.
using Division = Tensor (*)(const Tensor&, const Tensor&);
constexpr std::pair<const char*, Division> kDivisions[] = {
    {"floor_divide", floor_divide}, {"remainder", remainder}, {"fmod", fmod}};

TEST(Arithmetic, IntegersDividedByZeroAreRefused) {
  for (const DType dtype : {DType::int8, DType::uint8, DType::int32, DType::int64}) {
    const Tensor x = tensor({7, 0, 5}).to(dtype), by = tensor({2, 0, 3}).to(dtype);
    for (const auto& [name, divide] : kDivisions) {
      const auto refused = testing::AllOf(testing::HasSubstr(std::string("[") + name + "] divides"),
                                          testing::HasSubstr("by 0"));
      EXPECT_THAT(thrown([&, divide = divide] { divide(x, 0); }), refused);
      const std::string said = thrown([&, divide = divide] {
        const Tensor y = divide(x, by);
        EXPECT_EQ(y[1].item(), 0) << "on a device that computes later";
      });
      EXPECT_TRUE(said == "nothing" || testing::Value(said, refused)) << said;
      EXPECT_EQ(divide(x.narrow(0, 0, 0), 0).size(), 0);
    }
  }
  EXPECT_TRUE(isnan(fmod(tensor({1.}), 0)).item<bool>()) << "floating-point numbers are not";
}

}  // namespace
}  // namespace switchyard
