// Reductions: PyTorch's values, and errors.
#include <gmock/gmock.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/creation/new_tensor.hpp"
#include "functions/golden/torch_golden.hpp"
#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Tensor matrix() { return tensor({{3., -1., 2., 2.}, {0.5, 4., -4., 0.}, {-2., 1.5, 1., 3.}}); }
Tensor odd() { return tensor({{1., kNan, 2.}, {kInf, 1., -kInf}, {-kInf, -kInf, -kInf}}); }
Tensor ties() { return tensor({{2., 5., 5.}, {7., 7., 7.}}); }
Tensor with_zeros() { return tensor({{0., 2., 3.}, {0., 0., 4.}, {2., 3., 4.}}); }

Tensor gradient(const std::function<Tensor(const Tensor&)>& function, const Tensor& x) {
  const Tensor leaf = x.clone().requires_grad_();
  sum(function(leaf)).backward();
  return leaf.grad();
}

void add_extrema(GoldenCases& cases, const std::string& name, const Tensor& t) {
  cases["amax_" + name] = [=] { return amax(t); };
  cases["amax_0_" + name] = [=] { return amax(t, {0}); };
  cases["amin_keep_" + name] = [=] { return amin(t, {0, 1}, true); };
  cases["max_values_" + name] = [=] { return max(t, 1).values; };
  cases["max_indices_" + name] = [=] { return max(t, 1).indices; };
  cases["min_values_" + name] = [=] { return min(t, -2, true).values; };
  cases["min_indices_" + name] = [=] { return min(t, -2, true).indices; };
  cases["argmax_" + name] = [=] { return argmax(t); };
  cases["argmin_1_" + name] = [=] { return argmin(t, 1); };
}

void add_totals(GoldenCases& cases, const std::string& name, const Tensor& t) {
  cases["prod_" + name] = [=] { return prod(t); };
  cases["prod_1_" + name] = [=] { return prod(t, 1); };
  cases["logsumexp_" + name] = [=] { return logsumexp(t, {0, 1}); };
  cases["logsumexp_1_" + name] = [=] { return logsumexp(t, {1}, true); };
  cases["cumsum_0_" + name] = [=] { return cumsum(t, 0); };
  cases["cumsum_1_" + name] = [=] { return cumsum(t, 1); };
  cases["any_0_" + name] = [=] { return any(t, 0); };
  cases["all_1_" + name] = [=] { return all(t, 1, true); };
}

void add_moments(GoldenCases& cases, const std::string& name, const Tensor& t) {
  cases["var_" + name] = [=] { return var(t); };
  cases["var_0_" + name] = [=] { return var(t, {0}, 0, true); };
  cases["std_" + name] = [=] { return switchyard::std(t); };
  cases["std_1_" + name] = [=] { return switchyard::std(t, {1}); };
  const std::pair<const char*, double> orders[] = {
      {"0", 0},     {"1", 1},        {"2", 2},      {"3", 3},
      {"0_5", 0.5}, {"minus_1", -1}, {"inf", kInf}, {"minus_inf", -kInf}};
  for (const auto& [word, p] : orders) {
    cases[std::string("norm_") + word + "_" + name] = [=, p = p] { return norm(t, p); };
    cases[std::string("norm_") + word + "_1_" + name] = [=, p = p] { return norm(t, p, {1}); };
  }
}

void add_types(GoldenCases& cases) {
  const Tensor whole = tensor(std::vector<std::int64_t>{1, 2, 3, 4, 0, -6}, {2, 3});
  const Tensor small = tensor(std::vector<std::int8_t>{1, 2, 100, 0, 3, 120}, {2, 3});
  const Tensor truths = tensor(std::vector<bool>{true, false, true, true}, {2, 2});
  cases["prod_of_integers"] = [=] { return prod(whole, 1); };
  cases["prod_of_int8"] = [=] { return prod(small); };
  cases["prod_of_bools"] = [=] { return prod(truths, 0); };
  cases["cumsum_of_int8"] = [=] { return cumsum(small, 1); };
  cases["cumsum_of_bools"] = [=] { return cumsum(truths, 0); };
  cases["amax_of_integers"] = [=] { return amax(whole, {1}); };
  cases["max_of_int8"] = [=] { return max(small, 0).values; };
  cases["amin_of_bools"] = [=] { return amin(truths, {0}); };
  cases["max_of_bools"] = [=] { return max(truths, 1).indices; };
  cases["count_nonzero"] = [=] { return count_nonzero(whole); };
  cases["any_of_bools"] = [=] { return any(truths); };
  cases["all_of_bools"] = [=] { return all(truths); };
}

void add_without_elements(GoldenCases& cases) {
  const Tensor none = zeros({0, 3});
  cases["any_of_none"] = [=] { return any(none); };
  cases["all_of_none"] = [=] { return all(none); };
  cases["any_0_of_none"] = [=] { return any(none, 0); };
  cases["all_0_of_none"] = [=] { return all(none, 0); };
  cases["prod_of_none"] = [=] { return prod(none, 0); };
  cases["var_of_none"] = [=] { return var(none); };
  cases["logsumexp_of_none"] = [=] { return logsumexp(none, {0}); };
  cases["norm_of_none"] = [=] { return norm(none, 2, {0}); };
  cases["cumsum_of_none"] = [=] { return cumsum(none, 0); };
  cases["amax_1_of_none"] = [=] { return amax(none, {1}); };
  cases["argmax_1_of_none"] = [=] { return argmax(none, 1); };
}

void add_single_elements(GoldenCases& cases) {
  const Tensor scalar = full({}, -3.0);
  cases["amax_of_scalar"] = [=] { return amax(scalar); };
  cases["amax_dim_of_scalar"] = [=] { return amax(scalar, {-1}); };
  cases["argmax_of_scalar"] = [=] { return argmax(scalar, 0); };
  cases["max_values_of_scalar"] = [=] { return max(scalar, 0).values; };
  cases["max_indices_of_scalar"] = [=] { return max(scalar, 0).indices; };
  cases["prod_of_scalar"] = [=] { return prod(scalar, 0); };
  cases["cumsum_of_scalar"] = [=] { return cumsum(scalar, 0); };
  cases["var_of_scalar"] = [=] { return var(scalar, {}, 0); };
  cases["var_of_one"] = [] { return var(tensor({2.0})); };
  cases["norm_of_scalar"] = [=] { return norm(scalar, 3); };
  cases["logsumexp_of_scalar"] = [=] { return logsumexp(scalar, {0}); };
}

void add_gradients(GoldenCases& cases) {
  const auto add = [&](const char* name, std::function<Tensor(const Tensor&)> function,
                       const Tensor& x) {
    cases[std::string("gradient_") + name] = [=] { return gradient(function, x); };
  };
  add(
      "amax_ties", [](const Tensor& t) { return amax(t, {1}); }, ties());
  add(
      "max_ties", [](const Tensor& t) { return max(t); }, ties());
  add(
      "max_nan", [](const Tensor& t) { return max(t); }, odd());
  add(
      "max_dim_ties", [](const Tensor& t) { return max(t, 1).values; }, ties());
  add(
      "prod_zeros", [](const Tensor& t) { return prod(t, 1); }, with_zeros());
  add(
      "prod_all_zeros", [](const Tensor& t) { return prod(t); }, with_zeros());
  add(
      "norm_zero", [](const Tensor& t) { return norm(t); }, zeros({3}));
  add(
      "norm_inf", [](const Tensor& t) { return norm(t, kInf); }, tensor({1., -3., 3.}));
  add(
      "norm_half", [](const Tensor& t) { return norm(t, 0.5); }, tensor({0., 4., -1.}));
  add(
      "norm_3_zero", [](const Tensor& t) { return norm(t, 3); }, zeros({3}));
  add(
      "std_flat", [](const Tensor& t) { return switchyard::std(t); }, ones({3}));
  add(
      "logsumexp", [](const Tensor& t) { return logsumexp(t, {1}); }, matrix());
}

TEST(Reductions, GiveWhatPyTorchGives) {
  GoldenCases cases;
  const std::pair<const char*, Tensor> inputs[] = {
      {"x", matrix()}, {"turned", matrix().t()}, {"odd", odd()}, {"ties", ties()}};
  for (const auto& [name, t] : inputs) {
    add_extrema(cases, name, t);
    add_totals(cases, name, t);
    add_moments(cases, name, t);
  }
  add_types(cases);
  add_without_elements(cases);
  add_single_elements(cases);
  add_gradients(cases);
  cases["var_of_halves"] = [] {
    return var(tensor({400., -300., 350., 10.}, {.dtype = DType::float16}));
  };
  check_golden("reduction_golden.txt", cases);
}

TEST(Reductions, ChooseFromNothingOnlyWithAnError) {
  const Tensor none = zeros({0, 3});
  EXPECT_THAT(thrown([&] { amax(none); }),
              HasSubstr("[amax] dimension 0 of shape [0, 3] is empty"));
  EXPECT_THAT(thrown([&] { min(none, 0); }), HasSubstr("[min] dimension 0"));
  EXPECT_THAT(thrown([&] { argmax(none); }), HasSubstr("[argmax] dimension 0"));
  EXPECT_THAT(thrown([&] { norm(none, kInf); }), HasSubstr("[norm] dimension 0"));
}

TEST(Reductions, RefuseDimensionsAndTypesThatTheyDoNotHave) {
  EXPECT_THAT(thrown([] { amax(matrix(), {2}); }), HasSubstr("[amax] dimension 2 lies outside"));
  EXPECT_THAT(thrown([] {
                var(matrix(), {0, -2});
              }),
              HasSubstr("[var] dimension 0 is named twice"));
  EXPECT_THAT(thrown([] { argmin(full({}, 1), 1); }), HasSubstr("[argmin] dimension 1"));
  EXPECT_THAT(thrown([] { switchyard::std(tensor({1, 2})); }), HasSubstr("[std] needs a floating"));
  EXPECT_THAT(thrown([] { norm(tensor({1, 2})); }), HasSubstr("[norm] needs a floating"));
}

TEST(Reductions, AddNoGradientWhereAllIsMinusInfinity) {
  const Tensor x = gradient([](const Tensor& t) { return logsumexp(t, {0}); }, full({3}, -kInf));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 0, 0}));
}

TEST(Reduction, OverNoNamedDimensionsIsOverAll) {
  const Tensor x = tensor({{1., 2.}, {3., 6.}}), whole = tensor({{1, 2}, {3, 6}});
  EXPECT_EQ(sum(x, Dims{}).item(), 12);
  EXPECT_EQ(sum(whole, Dims{}).item<std::int64_t>(), 12);
  EXPECT_EQ(mean(x, Dims{}).item(), 3);
  EXPECT_EQ(amax(x, Dims{}).item(), 6);
  EXPECT_EQ(amin(x, Dims{}).item(), 1);
  EXPECT_NEAR(logsumexp(x, Dims{}).item(),
              std::log(std::exp(1) + std::exp(2) + std::exp(3) + std::exp(6)), 1e-5);
  EXPECT_NEAR(var(x, Dims{}).item(), 14. / 3, 1e-5);
  EXPECT_NEAR(switchyard::std(x, Dims{}).item(), std::sqrt(14. / 3), 1e-5);
  EXPECT_NEAR(norm(x, 2, Dims{}).item(), std::sqrt(50.), 1e-5);
  EXPECT_EQ(sum(x, Dims{}, true).shape(), (Dims{1, 1}));
  EXPECT_EQ(mean(x, Dims{}, true).shape(), (Dims{1, 1}));
  EXPECT_EQ(gradient([](const Tensor& t) { return mean(t, Dims{}); }, x).to_vector<float>(),
            std::vector<float>(4, 0.25F));
}

}  // namespace
}  // namespace switchyard
