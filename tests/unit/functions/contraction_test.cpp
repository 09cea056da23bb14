// Products of tensors of any rank, and distances of all rows from each other: PyTorch's values,
// gradients to second order, and errors.
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

Tensor left_factor() { return div(arange(24.0).reshape({2, 3, 4}), 8); }
Tensor right_factor() { return sub(div(arange(36.0).reshape({4, 3, 3}), 4), 3); }

void add_tensordots(GoldenCases& cases) {
  const Tensor a = left_factor(), b = right_factor();
  cases["tensordot"] = [=] { return tensordot(a, permute(b, {1, 0, 2})); };
  cases["tensordot_1"] = [=] { return tensordot(a, b, 1); };
  cases["tensordot_0"] = [=] { return tensordot(a[0], b[0], 0); };
  cases["tensordot_3"] = [=] { return tensordot(a, a, 3); };
  cases["tensordot_dims"] = [=] { return tensordot(a, b, {2, 1}, {0, 1}); };
  cases["tensordot_negative"] = [=] { return tensordot(a, b, {-2}, {-1}); };
  cases["tensordot_none"] = [=] { return tensordot(a[0], b[0], {}, {}); };
  cases["tensordot_integers"] = [] { return tensordot(whole_matrix(), whole_matrix().t(), 1); };
  cases["tensordot_of_nothing"] = [] { return tensordot(zeros({2, 0}), zeros({0, 3}), 1); };
  cases["tensordot_empty"] = [] { return tensordot(zeros({0, 3}), ones({3, 2}), 1); };
}

void add_krons(GoldenCases& cases) {
  const Tensor x = small_matrix();
  cases["kron"] = [=] { return kron(x, tied_matrix()); };
  cases["kron_ranks"] = [] { return kron(left_factor(), tied_matrix()); };
  cases["kron_ranks_back"] = [] { return kron(tied_matrix()[0], left_factor()); };
  cases["kron_scalar"] = [=] { return kron(lone_number(), x); };
  cases["kron_integers"] = [] { return kron(whole_matrix(), int8_matrix()); };
  cases["kron_odd"] = [] { return kron(odd_matrix(), tensor({1., 0.}).reshape({1, 2})); };
  cases["kron_empty"] = [=] { return kron(zeros({0, 3}), x); };
}

void add_batches(GoldenCases& cases) {
  const Tensor p = left_factor(), q = sub(div(arange(16.0).reshape({2, 4, 2}), 4), 1);
  const Tensor whole = unsqueeze(whole_matrix(), 0);
  cases["baddbmm"] = [=] { return baddbmm(ones({2, 3, 2}), p, q); };
  cases["baddbmm_scaled"] = [=] { return baddbmm(ones({3, 1}), p, q, 0.25, -2); };
  cases["baddbmm_scalar"] = [=] { return baddbmm(full({}, 2.0), p, q, 3); };
  cases["baddbmm_without_input"] = [=] { return baddbmm(full({2, 3, 2}, kNan), p, q, 0, 0.5); };
  cases["baddbmm_integers"] = [=] {
    return baddbmm(ones({1, 2, 2}, {.dtype = DType::int64}), whole, transpose(whole, 1, 2), 2, 3);
  };
  cases["baddbmm_of_nothing"] = [] {
    return baddbmm(ones({2, 3, 1}), zeros({2, 3, 0}), zeros({2, 0, 2}));
  };
  cases["gradient_baddbmm"] = [] {
    return weighted_gradient(
        [](const Tensor& t) {
          return baddbmm(narrow(t, 1, 0, 3), unsqueeze(t, 0), unsqueeze(t.t(), 0), 2, 3);
        },
        small_matrix());
  };
}

void add_distances(GoldenCases& cases) {
  const Tensor rows = small_matrix(), others = tensor({{3., -1., 2., 2.}, {1., 0., 0., 2.}});
  const Tensor batch = stack({others, mul(others, 2)});
  const std::pair<const char*, double> orders[] = {
      {"0", 0}, {"0_5", 0.5}, {"1", 1}, {"1_5", 1.5}, {"2", 2}, {"3", 3}, {"inf", kInf}};
  for (const auto& [word, order] : orders) {
    const double p = order;
    const Tensor apart = p == kInf ? add(rows, tensor({0., 0.125, 0.25, 0.375})) : rows;
    const std::string at = std::string("cdist_") + word;
    cases[at] = [=] { return cdist(rows, others, p); };
    cases[std::string("cdist_batches_") + word] = [=] { return cdist(rows, batch, p); };
    cases[std::string("cdist_empty_") + word] = [=] {
      return cdist(zeros({2, 0}), zeros({3, 0}), p);
    };
    cases["gradient_" + at] = [=] {
      return weighted_gradient([&](const Tensor& t) { return cdist(t, others, p); }, apart);
    };
    cases[std::string("gradient_cdist_right_") + word] = [=] {
      return weighted_gradient([&](const Tensor& t) { return cdist(apart, t, p); }, others);
    };
  }
  cases["cdist_no_rows"] = [=] { return cdist(zeros({0, 4}), others); };
  cases["cdist_far"] = [] {
    return cdist(tensor({kInf, 0.}).reshape({1, 2}), tensor({1., 0.}).reshape({1, 2}));
  };
}

TEST(Contraction, IsWhatPyTorchGives) {
  GoldenCases cases;
  add_tensordots(cases);
  add_krons(cases);
  add_batches(cases);
  add_distances(cases);
  cases["gradient_tensordot"] = [] {
    return weighted_gradient([](const Tensor& t) { return tensordot(t, t.t(), 1); },
                             small_matrix());
  };
  cases["gradient_kron"] = [] {
    return weighted_gradient([](const Tensor& t) { return kron(t, narrow(t, 0, 0, 2)); },
                             small_matrix());
  };
  check_golden("contraction_golden.txt", cases);
}

TEST(Contraction, HasGradientsToSecondOrder) {
  const Tensor a = strided(scattered({2, 3, 4})), b = scattered({4, 3, 2}, -1, 1, 1);
  const GradcheckOptions by_zeros{.spread = false};
  CHECK_GRADIENTS(
      [](auto in) {
        return square(tensordot(in[0], in[1], {2, 1}, {0, 1}));
      },
      {a, b}, by_zeros);
  CHECK_GRADIENTS([](auto in) { return square(kron(in[0], in[1])); }, {a, scattered({2, 2})});
  CHECK_GRADIENTS(
      [](auto in) { return square(baddbmm(in[2], in[0], transpose(in[1], 0, 2), 0.5, 2)); },
      {a, scattered({5, 4, 2}, -1, 1, 1), scattered({3, 1}, -1, 1, 2)}, by_zeros);
  for (const double p : {1.5, 2.0, 3.0}) {
    CHECK_GRADIENTS([p](auto in) { return square(cdist(in[0], in[1], p)); },
                    {strided(scattered({3, 4})), scattered({2, 4}, 1, 2, 1)});
  }
}

TEST(Contraction, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(thrown([] {
                tensordot(ones({2, 3}), ones({2, 3}), 1);
              }),
              HasSubstr("[tensordot] dimensions [1] of [2, 3] and [0] of [2, 3]"));
  EXPECT_THAT(thrown([] { tensordot(ones({2}), ones({2}), 2); }),
              HasSubstr("[tensordot] cannot sum over 2 dimensions"));
  EXPECT_THAT(thrown([] {
                baddbmm(ones({4}), ones({1, 2, 3}), ones({1, 3, 2}));
              }),
              HasSubstr("[baddbmm]"));
  EXPECT_THAT(thrown([] {
                cdist(ones({2, 3}), ones({2, 4}));
              }),
              HasSubstr("[cdist] the rows of [2, 3] and [2, 4] are not of one length"));
  EXPECT_THAT(thrown([] { cdist(ones({2, 3}), ones({2, 3}), -1); }), HasSubstr("[cdist] p"));
}

}  // namespace
}  // namespace switchyard
