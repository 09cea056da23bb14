// Numbers beside float16 and bfloat16 tensors count as they are, also those that 16 bits do not
// hold: arithmetic computes in float32 there, as PyTorch's kernels do, and rounds the result alone.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/print.hpp>

#include "functions/creation/new_tensor.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constexpr DType kNarrow[] = {DType::float16, DType::bfloat16};
constexpr double kLarge = 70000;  // float16 ends at 65504
constexpr double kTiny = 1e-8;    // and starts at 6e-8
constexpr double kTenth = 0.1;

Tensor narrow(DType dtype) { return tensor({-50000., -3., -0.5, 0.25, 1.5, 40000.}).to(dtype); }

using Formula = std::function<double(double)>;

struct OfNumbers {
  const char* name;
  std::function<Tensor(const Tensor&)> function;
  Formula expected, derivative;
};

double floored_remainder(double x, double y) { return x - std::floor(x / y) * y; }

const OfNumbers kFunctions[] = {
    {"division by a large number", [](const Tensor& x) { return x / kLarge; },
     [](double x) { return x / kLarge; }, [](double) { return 1 / kLarge; }},
    {"division of a large number", [](const Tensor& x) { return 2 * kLarge / x; },
     [](double x) { return 2 * kLarge / x; }, [](double x) { return -2 * kLarge / (x * x); }},
    {"product with a tiny number", [](const Tensor& x) { return x * kTiny; },
     [](double x) { return x * kTiny; }, [](double) { return kTiny; }},
    {"product with a fraction", [](const Tensor& x) { return kTenth * x; },
     [](double x) { return x * kTenth; }, [](double) { return kTenth; }},
    {"sum with a large integer", [](const Tensor& x) { return x + 70000; },
     [](double x) { return x + kLarge; }, [](double) { return 1; }},
    {"difference from a large number", [](const Tensor& x) { return kLarge - x; },
     [](double x) { return kLarge - x; }, [](double) { return -1; }},
    {"sum with alpha", [](const Tensor& x) { return add(x, x, kTenth); },
     [](double x) { return x + kTenth * x; }, [](double) { return 1 + kTenth; }},
    {"difference with alpha", [](const Tensor& x) { return sub(x, x, 4); },
     [](double x) { return x - 4 * x; }, [](double) { return -3; }},
    {"power", [](const Tensor& x) { return pow(abs(x), kTenth); },
     [](double x) { return std::pow(std::abs(x), kTenth); },
     [](double x) { return std::copysign(kTenth * std::pow(std::abs(x), kTenth - 1), x); }},
    {"remainder", [](const Tensor& x) { return remainder(x, kLarge); },
     [](double x) { return floored_remainder(x, kLarge); }, [](double) { return 1; }},
    {"remainder as in C", [](const Tensor& x) { return fmod(x, kTenth); },
     [](double x) { return std::fmod(x, static_cast<double>(static_cast<float>(kTenth))); },
     [](double) { return 1; }},
    {"quotient in integers", [](const Tensor& x) { return floor_divide(x, kLarge); },
     [](double x) { return std::floor(x / kLarge); }, [](double) { return 0; }},
    {"lerp", [](const Tensor& x) { return lerp(x, x * 0, kTenth); },
     [](double x) { return x - kTenth * x; }, [](double) { return 1 - kTenth; }},
    {"addcmul", [](const Tensor& x) { return addcmul(x, x, x, kTiny); },
     [](double x) { return x + kTiny * x * x; }, [](double x) { return 1 + 2 * kTiny * x; }},
    {"addcdiv", [](const Tensor& x) { return addcdiv(x, x, full_like(x, 2), kLarge); },
     [](double x) { return x + kLarge * x / 2; }, [](double) { return 1 + kLarge / 2; }},
    {"angle", [](const Tensor& x) { return atan2(x, kLarge); },
     [](double x) { return std::atan2(x, kLarge); },
     [](double x) { return kLarge / (x * x + kLarge * kLarge); }},
};

Tensor mapped(const Tensor& x, const Formula& formula) {
  std::vector<double> numbers = x.detach().to(DType::float64).to_vector<double>();
  for (double& number : numbers) number = formula(number);
  return place(host_tensor(x.shape(), numbers)).to(x.dtype());
}

/// Equal, or neighbours in the type: float32 rounds once before.
void expect_rounded_once(const Tensor& actual, const Tensor& expected, const std::string& of) {
  ASSERT_EQ(actual.dtype(), expected.dtype()) << of;
  const double step = actual.dtype() == DType::float16 ? 0x1p-10 : 0x1p-7;
  EXPECT_TRUE(allclose(actual.detach().to(DType::float64), expected.to(DType::float64), step, 6e-8))
      << of << ": " << actual << " is not " << expected;
}

TEST(NarrowNumbers, CountAsTheyAre) {
  for (const OfNumbers& each : kFunctions) {
    for (const DType dtype : kNarrow) {
      const Tensor x = narrow(dtype);
      expect_rounded_once(each.function(x), mapped(x, each.expected), each.name);
    }
  }
}

TEST(NarrowNumbers, CountAsTheyAreInGradients) {
  for (const OfNumbers& each : kFunctions) {
    for (const DType dtype : kNarrow) {
      const Tensor x = narrow(dtype).requires_grad_();
      const Tensor y = each.function(x);
      const Tensor gradient = grad(y, x, {.grad_outputs = {ones(y.shape(), {.dtype = dtype})}});
      expect_rounded_once(gradient, mapped(x, each.derivative), each.name);
    }
  }
}

struct InPlace {
  const char* name;
  std::function<void(const Tensor&)> write;
  Formula expected;
};

const InPlace kInPlace[] = {
    {"div_", [](const Tensor& x) { x.div_(kLarge); }, [](double x) { return x / kLarge; }},
    {"mul_", [](const Tensor& x) { x *= kTiny; }, [](double x) { return x * kTiny; }},
    {"add_", [](const Tensor& x) { x.add_(kLarge); }, [](double x) { return x + kLarge; }},
    {"add_ with alpha", [](const Tensor& x) { x.add_(ones_like(x), kLarge); },
     [](double x) { return x + kLarge; }},
    {"sub_ with alpha", [](const Tensor& x) { x.sub_(x, kTenth); },
     [](double x) { return x - kTenth * x; }},
    {"pow_", [](const Tensor& x) { x.abs_().pow_(kTenth); },
     [](double x) { return std::pow(std::abs(x), kTenth); }},
    {"lerp_", [](const Tensor& x) { x.lerp_(zeros_like(x), kTenth); },
     [](double x) { return x - kTenth * x; }},
    {"addcmul_", [](const Tensor& x) { x.addcmul_(x, x, kTiny); },
     [](double x) { return x + kTiny * x * x; }},
    {"addcdiv_", [](const Tensor& x) { x.addcdiv_(x, full_like(x, 2), kLarge); },
     [](double x) { return x + kLarge * x / 2; }},
};

TEST(NarrowNumbers, CountAsTheyAreInPlace) {
  for (const InPlace& each : kInPlace) {
    for (const DType dtype : kNarrow) {
      const Tensor x = narrow(dtype);
      const Tensor expected = mapped(x, each.expected);
      each.write(x);
      expect_rounded_once(x, expected, each.name);
    }
  }
}

TEST(NarrowNumbers, InPlaceHaveGradients) {
  const Tensor x = narrow(DType::float16).requires_grad_();
  const Tensor y = x.clone();
  y.mul_(kTiny).add_(x, kTenth);
  const Tensor gradient =
      grad(y, x, {.grad_outputs = {full(x.shape(), 64., {.dtype = x.dtype()})}});
  expect_rounded_once(gradient, mapped(x, [](double) { return 64 * (kTiny + kTenth); }),
                      "in place");
}

TEST(NarrowNumbers, OfTensorsOfRankZeroCountAsTheyAre) {
  const Tensor x = narrow(DType::float16);
  const Tensor expected = mapped(x, [](double v) { return v / kLarge; });
  for (const Tensor& divisor : {full({}, kLarge), full({}, kLarge, {.dtype = DType::float64}),
                                full({}, 70000, {.dtype = DType::int64})}) {
    expect_rounded_once(x / divisor, expected, std::string(name_of(divisor.dtype())));
  }
}

/// 2 * 49984, the nearest to 50000, is not an infinity before 49984 is taken off.
TEST(NarrowNumbers, ProductsOnTheWayAreNotRounded) {
  const Tensor x = tensor({-50000.}).to(DType::float16), y = tensor({50000.}).to(DType::float16);
  EXPECT_EQ(add(x, y, 2).item(), 49984);
  EXPECT_EQ(addcmul(x, y, full_like(y, 2)).item(), 49984);
  const Tensor row = full({1, 9}, 100, {.dtype = DType::float16});
  EXPECT_EQ(addmm(zeros({1, 1}, {.dtype = DType::float16}), row, row.t(), 0, 0.001).item(), 90);
}

TEST(NarrowNumbers, LeastLengthsAreNotRounded) {
  const Tensor nothing = zeros({2, 3}, {.dtype = DType::float16});
  EXPECT_TRUE(equal(normalize(nothing), nothing));
  EXPECT_TRUE(equal(cosine_similarity(nothing, ones_like(nothing)), nothing.select(1, 0)));
}

}  // namespace
}  // namespace switchyard
