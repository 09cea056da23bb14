// Products, extrema and logarithms of sums on the way, and differences: PyTorch's values, gradients
// to second order, and errors.
#include <gmock/gmock.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/family_inputs.hpp"
#include "functions/golden/torch_golden.hpp"
#include "functions/thrown.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

void add_cumulative(GoldenCases& cases, const std::string& name, const Tensor& t,
                    std::int64_t dim) {
  const std::string at = name + "_" + std::to_string(dim);
  cases["cumprod_" + at] = [=] { return cumprod(t, dim); };
  cases["cummax_values_" + at] = [=] { return cummax(t, dim).values; };
  cases["cummax_indices_" + at] = [=] { return cummax(t, dim - 2).indices; };
  cases["cummin_values_" + at] = [=] { return cummin(t, dim).values; };
  cases["cummin_indices_" + at] = [=] { return cummin(t, dim).indices; };
  cases["diff_" + at] = [=] { return diff(t, 1, dim); };
  if (t.dtype() == DType::float32) {
    cases["logcumsumexp_" + at] = [=] { return logcumsumexp(t, dim); };
  }
}

void add_cumulative_of_few(GoldenCases& cases) {
  const Tensor x = small_matrix(), scalar = lone_number();
  cases["logcumsumexp_of_large"] = [] {
    return logcumsumexp(tensor({1000., 999., -1000., 1001.}), 0);
  };
  cases["cumprod_of_halves"] = [] {
    return cumprod(tensor({3., 0.5, 7.}, {.dtype = DType::float16}), 0);
  };
  cases["cumprod_of_scalar"] = [=] { return cumprod(scalar, 0); };
  cases["cummax_values_of_scalar"] = [=] { return cummax(scalar, 0).values; };
  cases["cummin_indices_of_scalar"] = [=] { return cummin(scalar, 0).indices; };
  cases["logcumsumexp_of_scalar"] = [=] { return logcumsumexp(scalar, -1); };
  cases["diff_twice"] = [=] { return diff(x, 2); };
  cases["diff_not"] = [=] { return diff(x, 0); };
  cases["diff_beyond"] = [=] { return diff(x, 9); };
  cases["diff_prepend"] = [=] { return diff(x, 1, -1, zeros({3, 1})); };
  cases["diff_both"] = [=] {
    return diff(x, 2, 0, narrow(x, 0, 0, 1), mul(narrow(x, 0, 1, 2), 2));
  };
  cases["diff_promotes"] = [] {
    return diff(whole_matrix(), 1, -1, {}, tensor({0.5, 1.5}).reshape({2, 1}));
  };
  cases["diff_of_uint8"] = [] { return diff(tensor({5, 3, 200}, {.dtype = DType::uint8})); };
  cases["diff_of_bools_twice"] = [] { return diff(tensor({true, true, false, false, true}), 2); };
}

void add_cumulative_gradients(GoldenCases& cases) {
  const std::pair<const char*, OfTensor> functions[] = {
      {"cumprod", [](const Tensor& t) { return cumprod(t, 1); }},
      {"cummax", [](const Tensor& t) { return cummax(t, 1).values; }},
      {"cummin", [](const Tensor& t) { return cummin(t, 0).values; }},
      {"logcumsumexp", [](const Tensor& t) { return logcumsumexp(t, 1); }},
      {"diff", [](const Tensor& t) { return diff(t, 2); }}};
  for (const auto& [name, f] : functions) {
    const std::string key = std::string("gradient_") + name;
    cases[key] = [f = f] { return weighted_gradient(f, small_matrix()); };
    cases[key + "_zeros"] = [f = f] { return weighted_gradient(f, matrix_with_zeros()); };
  }
}

TEST(Cumulative, IsWhatPyTorchGives) {
  GoldenCases cases;
  const std::pair<const char*, Tensor> inputs[] = {
      {"x", small_matrix()},     {"turned", small_matrix().t()}, {"odd", odd_matrix()},
      {"ties", tied_matrix()},   {"whole", whole_matrix()},      {"small", int8_matrix()},
      {"truths", bool_matrix()}, {"none", zeros({0, 3})}};
  for (const auto& [name, t] : inputs) {
    for (const std::int64_t dim : {0, 1}) add_cumulative(cases, name, t, dim);
  }
  add_cumulative_of_few(cases);
  add_cumulative_gradients(cases);
  check_golden("cumulative_golden.txt", cases);
}

TEST(Cumulative, HasGradientsToSecondOrder) {
  const Tensor x = strided(scattered({3, 4}));
  CHECK_GRADIENTS([](auto in) { return square(cumprod(in[0], 1)); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(cummax(in[0], 0).values); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(cummin(in[0], 1).values); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(logcumsumexp(in[0], 1)); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(diff(in[0], 2, 0, in[1])); },
                  {x, scattered({1, 4}, -1, 1, 1)});
}

TEST(Cumulative, LogarithmsOfSumsKeepTheirDigits) {
  // Far below the largest: what is taken off first would leave nothing of them.
  const Tensor x = tensor({-300., -301., 0., 1.}, {.dtype = DType::float64});
  const std::vector<double> sums = values(logcumsumexp(x, 0));
  EXPECT_EQ(sums[0], -300);
  EXPECT_NEAR(sums[1], -300 + std::log1p(std::exp(-1)), 1e-12);
  EXPECT_NEAR(sums[3], std::log1p(std::exp(1)), 1e-12);
}

TEST(Cumulative, LogarithmsOfNothingHaveFiniteDerivatives) {
  const Tensor x = tensor({-kInf, -kInf, 0.}).requires_grad_();
  sum(logcumsumexp(x, 0).narrow(0, 2, 1)).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{0, 0, 1}));
}

TEST(Cumulative, OfLongLinesIsExact) {
  const Tensor x = remainder(mul(arange(1000), 617), 1009);
  const std::vector<double> all = values(x), most = values(cummax(x, 0).values);
  double expected = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    expected = std::max(expected, all[i]);
    ASSERT_EQ(most[i], expected) << i;
  }
}

TEST(Cumulative, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(thrown([] { diff(small_matrix(), -1); }),
              HasSubstr("[diff] n is -1; it must be at least 0"));
  EXPECT_THAT(thrown([] { diff(lone_number()); }), HasSubstr("[diff]"));
  EXPECT_THAT(thrown([] { diff(small_matrix(), 1, 0, ones({4})); }), HasSubstr("[diff]"));
  EXPECT_THAT(thrown([] { cummax(small_matrix(), 2); }), HasSubstr("[cummax] dimension 2"));
}

}  // namespace
}  // namespace switchyard
