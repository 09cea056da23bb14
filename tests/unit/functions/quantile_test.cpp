// Medians and quantiles: PyTorch's values, gradients to second order, and errors.
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

const std::pair<const char*, QuantileInterpolation> kQuantileInterpolations[] = {
    {"linear", QuantileInterpolation::linear},
    {"lower", QuantileInterpolation::lower},
    {"higher", QuantileInterpolation::higher},
    {"midpoint", QuantileInterpolation::midpoint},
    {"nearest", QuantileInterpolation::nearest}};

Tensor rows_with_nans() {
  return tensor({{1., kNan, 2., 0.}, {kInf, 1., -kInf, 5.}, {kNan, kNan, kNan, kNan}});
}
Tensor shares_of(DType dtype) { return tensor({0., 0.3, 0.5, 1.}, {.dtype = dtype}); }

void add_medians(GoldenCases& cases) {
  const std::pair<const char*, Tensor> inputs[] = {
      {"x", small_matrix()},     {"turned", small_matrix().t()}, {"odd", rows_with_nans()},
      {"whole", whole_matrix()}, {"small", int8_matrix()},       {"ties", tied_matrix()}};
  for (const auto& [name, of] : inputs) {
    const Tensor t = of;
    cases[std::string("median_") + name] = [=] { return median(t); };
    cases[std::string("nanmedian_") + name] = [=] { return nanmedian(t); };
    for (const std::int64_t dim : {0, 1}) {
      const std::string at = std::string(name) + "_" + std::to_string(dim);
      cases["median_" + at] = [=] { return median(t, dim).values; };
      cases["nanmedian_" + at] = [=] { return nanmedian(t, dim - 2, true).values; };
    }
  }
  const Tensor rows = tensor({{3., 1., 2.}, {4., 7., kNan}});
  cases["median_indices"] = [=] { return median(rows, 1).indices; };
  cases["nanmedian_indices"] = [=] { return nanmedian(rows, 1, true).indices; };
  cases["median_of_scalar"] = [] { return median(lone_number()); };
  cases["median_of_scalar_0"] = [] { return median(lone_number(), 0).values; };
  cases["median_of_halves"] = [] {
    return median(tensor({400., -300., 350., 10.}, {.dtype = DType::float16}));
  };
}

void add_quantiles(GoldenCases& cases, const std::string& word, QuantileInterpolation by) {
  const Tensor odd = rows_with_nans(), q = shares_of(DType::float32);
  const std::pair<const char*, Tensor> inputs[] = {{"x", small_matrix()},
                                                   {"turned", small_matrix().t()},
                                                   {"ties", tied_matrix()},
                                                   {"double", small_matrix().to(DType::float64)}};
  for (const auto& [name, of] : inputs) {
    const Tensor t = of, shares = shares_of(t.dtype());
    const std::string at = "quantile_" + word + "_" + name;
    cases[at] = [=] { return quantile(t, 0.4, {}, false, by); };
    cases[at + "_1"] = [=] { return quantile(t, 0.4, 1, true, by); };
    cases[at + "_q"] = [=] { return quantile(t, shares, 0, false, by); };
    cases[at + "_q_keep"] = [=] { return quantile(t, shares, -1, true, by); };
    cases[at + "_flat_keep"] = [=] { return quantile(t, shares, {}, true, by); };
  }
  cases["quantile_" + word + "_cube"] = [=] { return quantile(counted_cube(), q, 1, true, by); };
  cases["quantile_" + word + "_odd"] = [=] { return quantile(odd, 0.4, 1, false, by); };
  cases["nanquantile_" + word + "_odd"] = [=] { return nanquantile(odd, q, 1, false, by); };
  cases["nanquantile_" + word + "_flat"] = [=] { return nanquantile(odd, 0.4, {}, false, by); };
  cases["nanquantile_" + word + "_x"] = [=] {
    return nanquantile(small_matrix(), 0.7, 0, true, by);
  };
  cases["gradient_quantile_" + word] = [=] {
    return weighted_gradient([&](const Tensor& t) { return quantile(t, q, 1, false, by); },
                             small_matrix());
  };
  cases["gradient_nanquantile_" + word] = [=] {
    return weighted_gradient([&](const Tensor& t) { return nanquantile(t, q, 0, false, by); },
                             narrow(odd, 0, 0, 2));
  };
}

void add_quantile_gradients(GoldenCases& cases) {
  const std::pair<const char*, Tensor> inputs[] = {
      {"x", small_matrix()}, {"ties", tied_matrix()}, {"odd", rows_with_nans()}};
  for (const auto& [name, of] : inputs) {
    const Tensor t = of;
    cases[std::string("gradient_median_") + name] = [=] {
      return weighted_gradient([](const Tensor& x) { return median(x); }, t);
    };
    cases[std::string("gradient_nanmedian_") + name] = [=] {
      return weighted_gradient([](const Tensor& x) { return nanmedian(x); }, t);
    };
  }
  cases["gradient_median_1"] = [] {
    return weighted_gradient([](const Tensor& x) { return median(x, 1).values; },
                             tensor({{3., 1., 2.}, {4., 7., 6.}}));
  };
  cases["gradient_quantile_by_q"] = [] {
    return weighted_gradient([](const Tensor& q) { return quantile(small_matrix(), q, 1); },
                             narrow(shares_of(DType::float32), 0, 1, 1));
  };
}

TEST(Quantile, IsWhatPyTorchGives) {
  GoldenCases cases;
  add_medians(cases);
  for (const auto& [word, by] : kQuantileInterpolations) add_quantiles(cases, word, by);
  cases["quantile_of_scalar"] = [] { return quantile(lone_number(), 0.3); };
  cases["quantile_of_scalar_0"] = [] {
    return quantile(lone_number(), shares_of(DType::float32), 0);
  };
  add_quantile_gradients(cases);
  check_golden("quantile_golden.txt", cases);
}

TEST(Quantile, HasGradientsToSecondOrder) {
  const Tensor x = strided(scattered({3, 5}));
  const Tensor q = tensor({0.2, 0.55, 0.9}, {.dtype = DType::float64});
  for (const auto& [word, interpolation] : kQuantileInterpolations) {
    SCOPED_TRACE(word);
    CHECK_GRADIENTS(
        [&, by = interpolation](auto in) { return square(quantile(in[0], q, 1, false, by)); }, {x});
  }
  CHECK_GRADIENTS([](auto in) { return square(median(in[0])); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(nanmedian(in[0], 0).values); }, {x});
}

TEST(Quantile, OfNarrowTypesIsRoundedOnce) {
  const Tensor x = tensor({1., 2., 4., 8.});
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor found = quantile(x.to(dtype), 0.5);
    EXPECT_EQ(found.dtype(), dtype);
    EXPECT_EQ(found.item(), 3);
  }
}

/// As PyTorch has it, which takes differences of what lies at a place and itself.
TEST(Quantile, OfAnInfinityIsNanBetweenElementsOnly) {
  const Tensor x = tensor({1., kInf, 2.});
  for (const auto& [word, interpolation] : kQuantileInterpolations) {
    SCOPED_TRACE(word);
    const bool is_between = interpolation == QuantileInterpolation::linear ||
                            interpolation == QuantileInterpolation::midpoint;
    const double last = quantile(x, 1., {}, false, interpolation).item();
    const double first = nanquantile(neg(x), 0., {}, false, interpolation).item();
    EXPECT_TRUE(is_between ? std::isnan(last) : last == kInf) << last;
    EXPECT_TRUE(is_between ? std::isnan(first) : first == -kInf) << first;
    EXPECT_EQ(quantile(x, 0., {}, false, interpolation).item(), 1);
  }
}

TEST(Quantile, RefusesWhatIsNone) {
  EXPECT_THAT(thrown([] { median(zeros({0})); }), HasSubstr("[median] dimension 0"));
  EXPECT_THAT(thrown([] { nanmedian(zeros({2, 0}), 1); }), HasSubstr("[nanmedian] dimension 1"));
  EXPECT_THAT(thrown([] { quantile(zeros({0}), 0.5); }), HasSubstr("[quantile] dimension 0"));
  EXPECT_THAT(thrown([] { quantile(ones({2}), 1.5); }), HasSubstr("[quantile] q is 1.5"));
  EXPECT_THAT(thrown([] {
                nanquantile(ones({2}), tensor({0.5, kNan}));
              }),
              HasSubstr("[nanquantile] q"));
  EXPECT_THAT(thrown([] {
                quantile(tensor({1, 2}), 0.5);
              }),
              HasSubstr("[quantile] needs a floating"));
}

}  // namespace
}  // namespace switchyard
