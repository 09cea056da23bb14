// Functions element by element: PyTorch's values for all dtypes and special values; choices,
// comparisons and casts; errors.
#include <gmock/gmock.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/golden/torch_golden.hpp"
#include "functions/pointwise_functions.hpp"
#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

/// What PyTorch refuses, and so has no line.
bool is_refused(const std::string& function, DType dtype) {
  const bool floats = dtype == DType::float32 || dtype == DType::float64 ||
                      dtype == DType::float16 || dtype == DType::bfloat16;
  if (function.starts_with("bitwise")) return floats;
  if (function == "frac" || function == "hypot" || function == "logaddexp") return !floats;
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

void check_dtype(DType dtype, double tolerance) {
  const std::string type(name_of(dtype));
  const Operands values = operands(dtype);
  const Tensor x = of_values(values.one, dtype);
  const Tensor a = unsqueeze(of_values(values.left, dtype), 1), b = of_values(values.right, dtype);
  GoldenCases cases;
  for (const auto& [name, f] : functions_of_one()) {
    if (!is_refused(name, dtype)) cases[name + "_" + type] = [f = f, x] { return f(x); };
  }
  for (const auto& [name, f] : functions_of_two()) {
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

void add_casts(GoldenCases& cases) {
  cases["float_to_integers"] = [] { return tensor({2.9, -2.9, 100.5}).to(DType::int32); };
  cases["integers_to_bool"] = [] { return tensor({0, -1, 256}).to(DType::bool_); };
  cases["nan_to_bool"] = [] { return tensor({kNan, 0., -0., 0.1}).to(DType::bool_); };
  cases["integers_narrowed"] = [] { return tensor({300, -129, 128}).to(DType::int8); };
}

TEST(Pointwise, ChoosesComparesAndCastsAsPyTorch) {
  GoldenCases cases;
  add_choices(cases);
  add_nearness(cases);
  add_casts(cases);
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
              AllOf(HasSubstr("[add]"), HasSubstr("[2, 3]"), HasSubstr("[4]")));
  EXPECT_THAT(thrown([&] { where(ones({2}).to(DType::bool_), a, b); }),
              AllOf(HasSubstr("[where]"), HasSubstr("[2, 3]"), HasSubstr("[2]")));
  EXPECT_THAT(thrown([&] { sub(truths, truths); }), HasSubstr("[sub] does not subtract bools"));
  EXPECT_THAT(thrown([&] { neg(truths); }), AllOf(HasSubstr("[neg]"), HasSubstr("bool")));
  EXPECT_THAT(thrown([&] { bitwise_and(a, a); }),
              AllOf(HasSubstr("[bitwise_and]"), HasSubstr("float32")));
  EXPECT_THAT(thrown([&] { bitwise_not(a); }),
              AllOf(HasSubstr("[bitwise_not]"), HasSubstr("float32")));
  EXPECT_THAT(thrown([&] { add(a, Tensor()); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { abs(Tensor()); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { clamp(a); }), HasSubstr("[clamp] needs a bound"));
  EXPECT_THAT(thrown([&] { add(tensor({1}), tensor({1}), 0.5); }), HasSubstr("[add] alpha"));
  EXPECT_THAT(thrown([&] { pow(tensor({3, 4}), -1); }), HasSubstr("[pow]"));
}

}  // namespace
}  // namespace switchyard
