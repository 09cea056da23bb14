// Which elements there are and how often, and where values would stand among them: PyTorch's values
// and errors.
#include <gmock/gmock.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/family_inputs.hpp"
#include "functions/golden/torch_golden.hpp"
#include "functions/thrown.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Tensor ascending() { return tensor({1., 3., 3., 5., 7.}); }
Tensor sought_values() { return tensor({{0., 1., 3.}, {4., 7., 9.}, {kInf, -kInf, kNan}}); }

void add_searches(GoldenCases& cases, const std::string& word, bool right) {
  const Tensor sequence = ascending(), found = sought_values();
  const Tensor rows = tensor({{1, 3, 5, 7, 9}, {2, 4, 4, 8, 10}});
  const Tensor sought = tensor({{3, 6, 9}, {4, 6, 11}});
  cases["searchsorted_" + word] = [=] { return searchsorted(sequence, found, {.right = right}); };
  cases["searchsorted_rows_" + word] = [=] { return searchsorted(rows, sought, {.right = right}); };
  cases["searchsorted_turned_" + word] = [=] {
    return searchsorted(rows.t().contiguous().t(), sought.t().contiguous().t(), {.right = right});
  };
  cases["searchsorted_number_" + word] = [=] {
    return searchsorted(sequence, 3., {.right = right});
  };
  cases["searchsorted_int32_" + word] = [=] {
    return searchsorted(sequence, found, {.out_int32 = true, .right = right});
  };
  cases["searchsorted_sorter_" + word] = [=] {
    return searchsorted(tensor({5., 1., 7., 3., 3.}), found,
                        {.right = right, .sorter = tensor({1, 3, 4, 0, 2})});
  };
  cases["searchsorted_empty_" + word] = [=] {
    return searchsorted(zeros({0}), found, {.right = right});
  };
  cases["searchsorted_no_values_" + word] = [=] {
    return searchsorted(sequence, zeros({0, 2}), {.right = right});
  };
  cases["bucketize_" + word] = [=] { return bucketize(found, sequence, {.right = right}); };
  cases["bucketize_number_" + word] = [=] {
    return bucketize(full({}, 4), tensor({1, 4, 6}), {.out_int32 = true, .right = right});
  };
}

void add_membership(GoldenCases& cases, const std::string& word, bool invert) {
  const Tensor tests = tensor({2., 0., kNan, 4.});
  cases["isin_" + word] = [=] { return isin(small_matrix(), tests, invert); };
  cases["isin_integers_" + word] = [=] {
    return isin(whole_matrix(), tensor({4, -6}).reshape({2, 1}), invert);
  };
  cases["isin_number_" + word] = [=] { return isin(whole_matrix(), 3, invert); };
  cases["isin_odd_" + word] = [=] { return isin(odd_matrix(), tensor({kNan, kInf}), invert); };
  cases["isin_none_" + word] = [=] { return isin(small_matrix(), zeros({0}), invert); };
  cases["isin_of_none_" + word] = [=] { return isin(zeros({0, 3}), tests, invert); };
}

void add_counts(GoldenCases& cases) {
  const Tensor numbers = tensor({3, 1, 1, 0, 5}), weights = tensor({0.5, 1., 2., -1., 4.});
  cases["bincount"] = [=] { return bincount(numbers); };
  cases["bincount_minlength"] = [=] { return bincount(numbers, {}, 8); };
  cases["bincount_less"] = [=] { return bincount(numbers, {}, 2); };
  cases["bincount_weights"] = [=] { return bincount(numbers, weights); };
  cases["bincount_double"] = [=] { return bincount(numbers, weights.to(DType::float64), 7); };
  cases["bincount_integers"] = [=] { return bincount(numbers, tensor({1, 2, 3, 4, 5})); };
  cases["bincount_uint8"] = [=] { return bincount(numbers.to(DType::uint8)); };
  cases["bincount_strided"] = [] {
    return bincount(select(tensor({{1, 9}, {2, 9}, {1, 9}}), 1, 0));
  };
  cases["bincount_none"] = [] { return bincount(zeros({0}, {.dtype = DType::int64}), {}, 3); };
}

void add_histograms(GoldenCases& cases) {
  const Tensor x = small_matrix();
  cases["histc"] = [=] { return histc(x, 4); };
  cases["histc_bounds"] = [=] { return histc(x, 5, -2, 3); };
  cases["histc_turned"] = [=] { return histc(x.t(), 3, 0, 4); };
  cases["histc_infinite"] = [] { return histc(tensor({1., kInf, 2., -kInf, 1.5, -1.}), 4, -1, 2); };
  cases["histc_equal"] = [] { return histc(full({4}, 2.0), 4); };
  cases["histc_default"] = [=] { return histc(x); };
  cases["histc_double"] = [=] { return histc(x.to(DType::float64), 6, 0, 3); };
  cases["histc_none"] = [] { return histc(zeros({0}), 3); };
}

void add_distinct(GoldenCases& cases, const std::string& name, const Tensor& t,
                  std::optional<std::int64_t> dim) {
  const std::string at = name + (dim ? "_" + std::to_string(*dim) : "");
  const auto all = [=] {
    return unique(t, {.dim = dim, .return_counts = true, .return_inverse = true});
  };
  const auto runs = [=] {
    return unique_consecutive(t, {.dim = dim, .return_counts = true, .return_inverse = true});
  };
  cases["unique_" + at + "_values"] = [=] { return all().values; };
  cases["unique_" + at + "_inverse"] = [=] { return all().inverse; };
  cases["unique_" + at + "_counts"] = [=] { return all().counts; };
  cases["unique_consecutive_" + at + "_values"] = [=] { return runs().values; };
  cases["unique_consecutive_" + at + "_inverse"] = [=] { return runs().inverse; };
  cases["unique_consecutive_" + at + "_counts"] = [=] { return runs().counts; };
}

TEST(Counting, IsWhatPyTorchGives) {
  GoldenCases cases;
  add_searches(cases, "left", false);
  add_searches(cases, "right", true);
  add_membership(cases, "in", false);
  add_membership(cases, "out", true);
  add_counts(cases);
  add_histograms(cases);
  const Tensor repeated = tensor({{2., 1., 2.}, {3., 1., 1.}, {2., 1., 2.}});
  const std::pair<const char*, Tensor> inputs[] = {
      {"x", small_matrix()},
      {"repeated", repeated},
      {"turned", narrow(repeated.t(), 0, 1, 2)},
      {"whole", tensor({{1, 1, 1}, {1, 1, 1}, {2, 0, 0}, {1, 1, 1}})},
      {"bools", tensor({true, true, false, true})},
      {"none", zeros({0, 3})},
      {"scalar", lone_number()}};
  for (const auto& [name, t] : inputs) {
    add_distinct(cases, name, t, {});
    if (t.dim() < 2 || t.size() == 0) continue;
    for (const std::int64_t dim : {0, 1}) add_distinct(cases, name, t, dim);
  }
  cases["unique_consecutive_nan"] = [] {
    return unique_consecutive(tensor({1., kNan, kNan, 2., 2.})).values;
  };
  check_golden("counting_golden.txt", cases);
}

TEST(Counting, GivesWhatTheOptionsAskFor) {
  const Tensor x = tensor({3, 1, 3});
  EXPECT_FALSE(unique(x).inverse.defined());
  EXPECT_FALSE(unique(x).counts.defined());
  EXPECT_FALSE(unique_consecutive(x).inverse.defined());
  EXPECT_EQ(values(unique(x, {.sorted = false}).values), (std::vector<double>{3, 1}));
}

TEST(Counting, OfDistinctElementsHasGradients) {
  const Tensor x = tensor({2., 1., 2., 3.}).requires_grad_();
  const Tensor found = mul(unique(x).values, tensor({10., 20., 30.}));
  sum(found).backward();
  EXPECT_EQ(values(x.grad()), (std::vector<double>{20, 10, 0, 30}));
  CHECK_GRADIENTS(
      [](auto in) {
        return square(bincount(tensor({0, 2, 2}), in[0]));
      },
      {scattered({3})});
}

TEST(Counting, CountsNansOnceAndLast) {
  const UniqueElements found =
      unique(tensor({kNan, 1., kNan, -kInf}), {.return_counts = true, .return_inverse = true});
  EXPECT_EQ(values(found.inverse), (std::vector<double>{2, 1, 2, 0}));
  EXPECT_EQ(values(found.counts), (std::vector<double>{1, 1, 2}));
}

TEST(Counting, LeavesNansOutOfHistograms) {
  EXPECT_EQ(values(histc(tensor({kNan, 0., 1.}), 2, 0, 1)), (std::vector<double>{1, 1}));
}

TEST(Counting, SearchesSequencesOfEveryLength) {
  for (std::int64_t length = 1; length < 40; ++length) {
    const Tensor sequence = mul(arange(length), 2);
    const Tensor sought = arange(-1, 2 * length + 1);
    const std::vector<double> left = values(searchsorted(sequence, sought));
    const std::vector<double> right = values(searchsorted(sequence, sought, {.right = true}));
    for (std::int64_t v = -1; v <= 2 * length; ++v) {
      const auto at = static_cast<std::size_t>(v + 1);
      EXPECT_EQ(left[at], std::min<std::int64_t>((v + 1) / 2, length)) << length << " " << v;
      EXPECT_EQ(right[at], std::min<std::int64_t>((v + 2) / 2, length)) << length << " " << v;
    }
  }
}

TEST(Counting, SearchesAcrossTypes) {
  EXPECT_EQ(values(searchsorted(tensor({1, 2, 3}), tensor({1.5, 2.}))),
            (std::vector<double>{1, 1}));
  EXPECT_EQ(values(bucketize(tensor({false, true}), tensor({true}))), (std::vector<double>{0, 0}));
  EXPECT_EQ(values(isin(tensor({1, 2, 3}), tensor({2.5, 3.}))), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(values(isin(bool_matrix(), tensor({false}))), (std::vector<double>{0, 1, 0, 0}));
}

TEST(Counting, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(thrown([] { bincount(tensor({1, -2})); }), HasSubstr("[bincount] cannot count -2"));
  EXPECT_THAT(thrown([] { bincount(tensor({1., 2.})); }), HasSubstr("[bincount] counts integers"));
  EXPECT_THAT(thrown([] { bincount(tensor({1, 2}), ones({3})); }), HasSubstr("[bincount] weights"));
  EXPECT_THAT(thrown([] { histc(odd_matrix()); }), HasSubstr("[histc] no range"));
  EXPECT_THAT(thrown([] { histc(ones({2}), 4, 2, 1); }), HasSubstr("[histc] no range"));
  EXPECT_THAT(thrown([] {
                searchsorted(ones({2, 3}), ones({3, 3}));
              }),
              HasSubstr("[searchsorted] sequences [2, 3]"));
  EXPECT_THAT(thrown([] { bucketize(ones({2}), ones({2, 2})); }), HasSubstr("[bucketize]"));
  EXPECT_THAT(thrown([] { unique(ones({2}), {.dim = 1}); }), HasSubstr("[unique] dimension 1"));
}

}  // namespace
}  // namespace switchyard
