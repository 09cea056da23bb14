#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "kernels/elementwise/digamma.hpp"
#include "kernels/elementwise/erfinv.hpp"
#include "types/dispatch.hpp"

namespace cpu::testing {
namespace {

// `units`: of float; `absolute`: where a result near 0 comes of cancellation in the op's own
// formula.
struct UnaryCase {
  std::string op;
  std::function<double(double)> exact;
  double low = -10, high = 10;
  double units = 2;
  double absolute = 0;
  std::function<void(OneNode&)> attributes = [](OneNode&) {};
  std::string domain = "";
};

double softplus(double x) { return std::log1p(std::exp(x)); }
double clamp01(double x) { return std::min(1.0, std::max(0.0, x)); }

// Of the domain "switchyard".
std::vector<UnaryCase> own_cases() {
  std::vector<UnaryCase> cases = {
      {"Exp2", [](double x) { return std::exp2(x); }, -130, 127.9},
      {"Expm1", [](double x) { return std::expm1(x); }, -20, 88, 2.5},
      {"Log1p", [](double x) { return std::log1p(x); }, -0.99, 1e4, 2.5},
      {"Log2", [](double x) { return std::log2(x); }, 1e-3, 1e4},
      {"Log10", [](double x) { return std::log10(x); }, 1e-3, 1e4, 2.5},
      {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-3, 1e4},
      {"Trunc", [](double x) { return std::trunc(x); }, -10, 10, 0},
      {"Frac", [](double x) { return x - std::trunc(x); }, -10, 10, 0},
      {"Erfc", [](double x) { return std::erfc(x); }, -4, 10, 4},
      {"Erfinv", erfinv, -0.9999, 0.9999, 4},
      {"Lgamma", [](double x) { return std::lgamma(x); }, -9.3, 30, 1},
      {"Digamma", digamma, -9.3, 30, 1},
  };
  for (UnaryCase& one : cases) one.domain = "switchyard";
  return cases;
}

std::vector<UnaryCase> unary_cases() {
  std::vector<UnaryCase> cases = own_cases();
  const std::vector<UnaryCase> of_onnx = {
      {"Abs", [](double x) { return std::abs(x); }, -10, 10, 0},
      {"Neg", [](double x) { return -x; }, -10, 10, 0},
      {"Sign", [](double x) { return x > 0   ? 1.0
                                     : x < 0 ? -1.0
                                             : 0.0; }, -10, 10, 0},
      {"Floor", [](double x) { return std::floor(x); }, -10, 10, 0},
      {"Ceil", [](double x) { return std::ceil(x); }, -10, 10, 0},
      {"Round", [](double x) { return std::nearbyint(x); }, -10, 10, 0},
      {"Sqrt", [](double x) { return std::sqrt(x); }, 0, 1e4, 1},
      {"Reciprocal", [](double x) { return 1 / x; }, -10, 10, 1},
      {"Exp", [](double x) { return std::exp(x); }, -90, 88.7},
      {"Log", [](double x) { return std::log(x); }, 1e-3, 1e4},
      {"Sin", [](double x) { return std::sin(x); }, -100, 100, 2, 3e-8},
      {"Cos", [](double x) { return std::cos(x); }, -100, 100, 2, 3e-8},
      {"Tan", [](double x) { return std::tan(x); }, -10, 10, 3},
      {"Asin", [](double x) { return std::asin(x); }, -1, 1, 2.5},
      {"Acos", [](double x) { return std::acos(x); }, -1, 1},
      {"Atan", [](double x) { return std::atan(x); }, -100, 100, 2.5},
      {"Sinh", [](double x) { return std::sinh(x); }, -10, 10, 3},
      {"Cosh", [](double x) { return std::cosh(x); }, -10, 10, 3},
      {"Tanh", [](double x) { return std::tanh(x); }, -10, 10, 2.5},
      {"Asinh", [](double x) { return std::asinh(x); }, -100, 100, 3},
      {"Acosh", [](double x) { return std::acosh(x); }, 1, 100, 3},
      {"Atanh", [](double x) { return std::atanh(x); }, -0.999, 0.999, 3},
      {"Erf", [](double x) { return std::erf(x); }, -5, 5, 2.5},
      {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, -80, 80, 4},
      {"Relu", [](double x) { return std::max(x, 0.0); }, -10, 10, 0},
      {"LeakyRelu", [](double x) { return x < 0 ? 0.25 * x : x; }, -10, 10, 1, 0,
       [](OneNode& n) { n.attribute("alpha", 0.25); }},
      {"Elu", [](double x) { return x < 0 ? 2 * (std::exp(x) - 1) : x; }, -10, 10, 4, 1e-9,
       [](OneNode& n) { n.attribute("alpha", 2.0); }},
      {"Selu",
       [](double x) {
         return 1.05070102214813232421875 * (x > 0 ? x : 1.67326319217681884765625 * std::expm1(x));
       },
       -10, 10, 4},
      {"Celu", [](double x) { return x < 0 ? 2 * std::expm1(x / 2) : x; }, -10, 10, 4, 0,
       [](OneNode& n) { n.attribute("alpha", 2.0); }},
      {"HardSigmoid", [](double x) { return clamp01(0.25 * x + 0.5); }, -10, 10, 2, 6e-8,
       [](OneNode& n) { n.attribute("alpha", 0.25).attribute("beta", 0.5); }},
      {"HardSwish", [](double x) { return x * clamp01(x / 6 + 0.5); }, -10, 10, 3, 5e-7},
      {"Gelu", [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }, -10, 10, 4, 4e-7},
      {"Gelu",
       [](double x) {
         return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       },
       -10, 10, 4, 6e-7, [](OneNode& n) { n.attribute("approximate", "tanh"); }},
      {"Softplus", softplus, -50, 50, 4},
      {"Mish", [](double x) { return x * std::tanh(softplus(x)); }, -50, 50, 6},
      {"Swish", [](double x) { return x / (1 + std::exp(-1.5 * x)); }, -10, 10, 6, 1e-9,
       [](OneNode& n) { n.attribute("alpha", 1.5); }},
      {"Softsign", [](double x) { return x / (1 + std::abs(x)); }, -10, 10, 2},
      {"ThresholdedRelu", [](double x) { return x > 2 ? x : 0; }, -10, 10, 0, 0,
       [](OneNode& n) { n.attribute("alpha", 2.0); }},
      {"Shrink", [](double x) { return x < -1.5  ? x + 0.5
                                       : x > 1.5 ? x - 0.5
                                                 : 0; }, -10, 10, 1, 0,
       [](OneNode& n) { n.attribute("lambd", 1.5).attribute("bias", 0.5); }},
  };
  cases.insert(cases.end(), of_onnx.begin(), of_onnx.end());
  return cases;
}

class Unary : public ::testing::TestWithParam<UnaryCase> {
 protected:
  // As the host would write it.
  OneNode node() const {
    OneNode made(GetParam().op, GetParam().domain.empty() ? 21 : 1, GetParam().domain);
    GetParam().attributes(made);
    return made;
  }

  std::vector<double> range(size_t count) const {
    std::vector<double> made;
    const UnaryCase& c = GetParam();
    for (size_t i = 0; i < count; ++i) {
      made.push_back(c.low + (c.high - c.low) * (static_cast<double>(i) + 0.37) /
                                 static_cast<double>(count));
    }
    return made;
  }

  std::vector<double> expected(const Value& input) const {
    std::vector<double> made;
    for (const double x : as_doubles(input)) made.push_back(GetParam().exact(x));
    return made;
  }

  void expect_right(const Value& input, const Value& output) const {
    const UnaryCase& c = GetParam();
    // The narrow floats round a float result; double is held to the float bounds' form only.
    const double units = input.dtype == SY_FLOAT32 ? c.units : std::max(1.0, c.units);
    expect_near(output, expected(input), units, c.absolute);
  }
};

TEST_P(Unary, EveryFloatTypeInEveryLayout) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    const Shape shape = {3, 5, 7};
    const Value plain = from_doubles(dtype, shape, range(105));
    for (const Value& input : layouts_of(plain)) {
      for (const Value& layout : layouts_of(plain)) {
        const Value output =
            node().input(input).output(dtype, shape, layout.strides, layout.offset).run();
        expect_right(input, output);
      }
    }
  }
}

TEST_P(Unary, OneElementAndNone) {
  const Value scalar = from_doubles(SY_FLOAT32, {}, range(1));
  expect_right(scalar, node().input(scalar).output(SY_FLOAT32, {}).run());
  const Value none = blank(SY_FLOAT32, {0, 3});
  EXPECT_EQ(node().input(none).output(SY_FLOAT32, {0, 3}).run().size(), 0);
}

TEST_P(Unary, ManyElementsOnSeveralThreads) {
  const auto count = int64_t{200'003};
  const Value input = from_doubles(SY_FLOAT32, {count}, range(static_cast<size_t>(count)));
  expect_right(input, node().input(input).output(SY_FLOAT32, {count}).run());
}

TEST_P(Unary, SpecialValues) {
  const Value input = from_doubles(SY_FLOAT32, {5}, {nan, infinity, -infinity, 0.0, -0.0});
  const std::vector<double> got = as_doubles(node().input(input).output(SY_FLOAT32, {5}).run());
  const std::vector<double> want = expected(input);
  if (GetParam().op != "Sign" && GetParam().op != "ThresholdedRelu" && GetParam().op != "Shrink") {
    EXPECT_TRUE(std::isnan(got[0]) || GetParam().op == "HardSigmoid") << got[0];
  }
  for (size_t i = 1; i < got.size(); ++i) {
    if (std::isnan(want[i])) continue;  // what the formula loses at infinity is not the contract's
    EXPECT_EQ(units_apart(SY_FLOAT32, got[i], want[i]) <= 2, true)
        << "element " << i << " is " << got[i] << ", expected " << want[i];
  }
}

TEST_P(Unary, InPlace) {
  const Value input = from_doubles(SY_FLOAT32, {777}, range(777));
  const Value output = node().input(input).output_over(0).run();
  expect_right(input, output);
}

INSTANTIATE_TEST_SUITE_P(All, Unary, ::testing::ValuesIn(unary_cases()), [](const auto& info) {
  return info.param.op + "_" + std::to_string(info.index);
});

TEST(UnaryAccuracy, VectorFunctionsAcrossTheirWholeRange) {
  struct Range {
    const char* op;
    double (*exact)(double);
    double units, absolute;
    const char* domain = "";
  };
  const Range ranges[] = {
      {"Exp2", [](double x) { return std::exp2(x); }, 1.1, 0, "switchyard"},
      {"Expm1", [](double x) { return std::expm1(x); }, 2, 0, "switchyard"},
      {"Log1p", [](double x) { return std::log1p(x); }, 2.5, 0, "switchyard"},
      {"Log2", [](double x) { return std::log2(x); }, 1.5, 0, "switchyard"},
      {"Log10", [](double x) { return std::log10(x); }, 2, 0, "switchyard"},
      {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1.5, 0, "switchyard"},
      {"Trunc", [](double x) { return std::trunc(x); }, 0, 0, "switchyard"},
      {"Frac", [](double x) { return x - std::trunc(x); }, 0, 0, "switchyard"},
      {"Erfc", [](double x) { return std::erfc(x); }, 4, 0, "switchyard"},
      {"Erfinv", erfinv, 4, 0, "switchyard"},
      {"Lgamma", [](double x) { return std::lgamma(x); }, 1, 0, "switchyard"},
      {"Digamma", digamma, 1, 0, "switchyard"},
      {"Exp", [](double x) { return std::exp(x); }, 1.1, 0},
      {"Log", [](double x) { return std::log(x); }, 1, 0},
      {"Tanh", [](double x) { return std::tanh(x); }, 1.5, 0},
      {"Erf", [](double x) { return std::erf(x); }, 2, 0},
      {"Tan", [](double x) { return std::tan(x); }, 3, 0},
      {"Asin", [](double x) { return std::asin(x); }, 2.5, 0},
      {"Acos", [](double x) { return std::acos(x); }, 2.5, 0},
      {"Atan", [](double x) { return std::atan(x); }, 2.5, 0},
      {"Sinh", [](double x) { return std::sinh(x); }, 3, 0},
      {"Cosh", [](double x) { return std::cosh(x); }, 3, 0},
      {"Asinh", [](double x) { return std::asinh(x); }, 3, 0},
      {"Acosh", [](double x) { return std::acosh(x); }, 3, 0},
      {"Atanh", [](double x) { return std::atanh(x); }, 3, 0},
      {"Sin", [](double x) { return std::sin(x); }, 2, 6e-8},
      {"Cos", [](double x) { return std::cos(x); }, 2, 6e-8},
      {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, 3, 2e-38},
      {"Elu", [](double x) { return x < 0 ? std::expm1(x) : x; }, 3, 0},
      {"Softplus", [](double x) { return x > 30 ? x : std::log1p(std::exp(x)); }, 3, 2e-38},
  };
  std::vector<float> inputs;
  for (uint64_t bits = 0; bits < 0x1'0000'0000; bits += 7919) {
    inputs.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  const auto count = static_cast<int64_t>(inputs.size());
  const Value input = value<float>({count}, inputs);
  for (const Range& range : ranges) {
    const std::vector<float> got =
        numbers<float>(OneNode(range.op, *range.domain == '\0' ? 21 : 1, range.domain)
                           .input(input)
                           .output(SY_FLOAT32, {count})
                           .run());
    double worst = 0;
    float at = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      const double exact = range.exact(inputs[i]);
      if (std::abs(got[i] - exact) <= range.absolute) continue;
      const double apart = units_apart(SY_FLOAT32, got[i], exact);
      if (apart > worst) {
        worst = apart;
        at = inputs[i];
      }
    }
    EXPECT_LE(worst, range.units) << range.op << " at " << at;
  }
}

TEST(UnaryAccuracy, PowersOfTheirBaseAreExact) {
  std::vector<float> twos, exponents, tens, exponents_of_ten;
  for (int n = -149; n <= 127; ++n) {
    twos.push_back(std::ldexp(1.0f, n));
    exponents.push_back(static_cast<float>(n));
  }
  for (int n = 0; n <= 38; ++n) {
    tens.push_back(static_cast<float>(std::pow(10.0, n)));
    exponents_of_ten.push_back(static_cast<float>(n));
  }
  const auto run = [](const char* op, const std::vector<float>& x) {
    const auto count = static_cast<int64_t>(x.size());
    return numbers<float>(OneNode(op, 1, "switchyard")
                              .input(value<float>({count}, x))
                              .output(SY_FLOAT32, {count})
                              .run());
  };
  EXPECT_EQ(run("Log2", twos), exponents);
  EXPECT_EQ(run("Exp2", exponents), twos);
  EXPECT_EQ(run("Log10", tens), exponents_of_ten);
  EXPECT_TRUE(std::signbit(run("Expm1", {-0.0f})[0]));
}

TEST(UnaryAccuracy, DigammaIsThatOfTables) {
  const std::vector<double> x = {1, 0.5, -1.5, 10, 0.1, -0.5, 1e-3, 100, -20.25, 0.0, -0.0, -3};
  const std::vector<double> want = {-0.57721566490153286045,
                                    -1.9635100260214234794,
                                    0.70315664064524318689,
                                    2.2517525890667211071,
                                    -10.42375494041107623,
                                    0.036489973978576520147,
                                    -1000.5755719318102592,
                                    4.6001618527380873994,
                                    6.1742356336144830209,
                                    -infinity,
                                    infinity,
                                    nan};
  const auto run = [](const Value& input) {
    return OneNode("Digamma", 1, "switchyard").input(input).output(input.dtype, input.shape).run();
  };
  const auto count = static_cast<int64_t>(x.size());
  expect_near(run(from_doubles(SY_FLOAT64, {count}, x)), want, 40);  // of double, by cancellation
  const Value floats =
      from_doubles(SY_FLOAT32, {count - 2}, std::vector(x.begin() + 1, x.end() - 1));
  const std::vector<double> got = as_doubles(run(floats));
  for (const size_t i : {0, 1, 2, 4, 6, 7, 8, 9}) {
    EXPECT_LE(units_apart(SY_FLOAT32, got[i], want[i + 1]), 1) << x[i + 1];
  }
}

TEST(UnaryIntegers, WrapAndKeepTheirType) {
  const Value bytes = value<int8_t>({5}, {-128, -1, 0, 1, 127});
  const auto run = [&](const char* op) {
    return numbers<int8_t>(OneNode(op).input(bytes).output(SY_INT8, {5}).run());
  };
  EXPECT_EQ(run("Abs"), (std::vector<int8_t>{-128, 1, 0, 1, 127}));
  EXPECT_EQ(run("Neg"), (std::vector<int8_t>{-128, 1, 0, -1, -127}));
  EXPECT_EQ(run("Sign"), (std::vector<int8_t>{-1, -1, 0, 1, 1}));
  EXPECT_EQ(run("BitwiseNot"), (std::vector<int8_t>{127, 0, -1, -2, -128}));
  EXPECT_EQ(run("Relu"), (std::vector<int8_t>{0, 0, 0, 1, 127}));
}

TEST(UnaryIntegers, EveryType) {
  visit_dtype(IntegerTypes{}, SY_INT8, [](auto) {});
  for (const sy_dtype dtype :
       {SY_INT8, SY_INT16, SY_INT32, SY_INT64, SY_UINT8, SY_UINT16, SY_UINT32, SY_UINT64}) {
    const Value input = from_doubles(dtype, {3}, {0, 1, 100});
    EXPECT_EQ(as_doubles(OneNode("Abs").input(spaced(input)).output(dtype, {3}).run()),
              (std::vector<double>{0, 1, 100}));
    EXPECT_EQ(as_doubles(OneNode("Sign").input(reversed(input)).output(dtype, {3}).run()),
              (std::vector<double>{0, 1, 1}));
  }
  EXPECT_EQ(numbers<int32_t>(
                OneNode("Erf").input(value<int32_t>({3}, {-9, 0, 9})).output(SY_INT32, {3}).run()),
            (std::vector<int32_t>{-1, 0, 1}));
  EXPECT_EQ(
      numbers<uint64_t>(
          OneNode("Relu").input(value<uint64_t>({1}, {UINT64_MAX})).output(SY_UINT64, {1}).run()),
      (std::vector<uint64_t>{UINT64_MAX}));
  const Value wide = value<int64_t>({2}, {INT64_MAX, INT64_MIN + 1});
  EXPECT_EQ(numbers<int64_t>(OneNode("Relu").input(wide).output(SY_INT64, {2}).run()),
            (std::vector<int64_t>{INT64_MAX, 0}));
}

TEST(UnaryBool, NotAndTheNanTests) {
  const Value flags = value<bool>({3}, {true, false, true});
  EXPECT_EQ(numbers<bool>(OneNode("Not").input(flags).output(SY_BOOL, {3}).run()),
            (std::vector<bool>{false, true, false}));
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_FLOAT8E5M2}) {
    Value input = from_doubles(dtype, {4}, {nan, infinity, -infinity, 1});
    if (dtype == SY_FLOAT8E5M2) input.bytes[1] = std::byte{0x7c}, input.bytes[2] = std::byte{0xfc};
    const auto run = [&](OneNode& node) {
      return numbers<bool>(node.input(input).output(SY_BOOL, {4}).run());
    };
    OneNode is_nan("IsNaN");
    EXPECT_EQ(run(is_nan), (std::vector<bool>{true, false, false, false}));
    OneNode is_inf("IsInf");
    is_inf.attribute("detect_positive", 1).attribute("detect_negative", 1);
    EXPECT_EQ(run(is_inf), (std::vector<bool>{false, true, true, false}));
    OneNode is_below("IsInf");
    is_below.attribute("detect_positive", 0).attribute("detect_negative", 1);
    EXPECT_EQ(run(is_below), (std::vector<bool>{false, false, true, false}));
  }
}

TEST(UnaryRefusals, NameTheReason) {
  EXPECT_EQ(OneNode("Exp").input(value<int32_t>({1}, {1})).output(SY_INT32, {1}).verdict().reason,
            SY_REASON_DTYPE);
  EXPECT_EQ(
      OneNode("NoSuchOp").input(value<float>({1}, {1})).output(SY_FLOAT32, {1}).verdict().reason,
      SY_REASON_OP);
  OneNode gelu("Gelu");
  gelu.attribute("approximate", "sigmoid").input(value<float>({1}, {1})).output(SY_FLOAT32, {1});
  EXPECT_EQ(gelu.verdict().reason, SY_REASON_ATTRIBUTE);
}

}  // namespace
}  // namespace cpu::testing
