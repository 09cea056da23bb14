// Linear algebra: PyTorch's values and gradients, and errors.
#include <gmock/gmock.h>

#include <cmath>
#include <switchyard/autocast.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/golden/torch_golden.hpp"
#include "functions/matrix_inputs.hpp"
#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using linalg::MatrixNorm;
using testing::HasSubstr;

Tensor transposed(const Tensor& x) { return transpose(x, -2, -1); }
Tensor as_float32(const Tensor& x) { return x.to(DType::float32); }

void add_squares(GoldenCases& cases) {
  const std::pair<const char*, Tensor> inputs[] = {{"one", square_matrices({}, 1)},
                                                   {"square", square_matrices({}, 3)},
                                                   {"stack", square_matrices({2, 2}, 3)},
                                                   {"float32", as_float32(square_matrices({2}, 4))},
                                                   {"turned", transposed(square_matrices({}, 4))},
                                                   {"large", square_matrices({}, 20)},
                                                   {"nothing", zeros({2, 0, 0})},
                                                   {"empty", zeros({0, 3, 3})}};
  const std::pair<const char*, std::int64_t> powers[] = {
      {"0", 0}, {"1", 1}, {"2", 2}, {"5", 5}, {"minus_1", -1}, {"minus_3", -3}};
  for (const auto& [word, input] : inputs) {
    const Tensor x = input;
    const std::string name = word;
    cases["det_" + name] = [=] { return linalg::det(x); };
    cases["slogdet_sign_" + name] = [=] { return linalg::slogdet(x).sign; };
    cases["slogdet_logarithm_" + name] = [=] { return linalg::slogdet(x).logarithm; };
    cases["inv_" + name] = [=] { return linalg::inv(x); };
    for (const auto& [power, number] : powers) {
      const std::int64_t n = number;
      cases[std::string("matrix_power_") + power + "_" + name] = [=] {
        return linalg::matrix_power(x, n);
      };
    }
  }
  const Tensor singular = tensor({{1., 2.}, {2., 4.}}), pair = square_matrices({2}, 3);
  cases["det_singular"] = [=] { return linalg::det(singular); };
  cases["slogdet_sign_singular"] = [=] { return linalg::slogdet(singular).sign; };
  cases["slogdet_logarithm_singular"] = [=] { return linalg::slogdet(singular).logarithm; };
  cases["inv_integers"] = [] { return linalg::inv(tensor({{2, 1}, {1, 1}})); };
  cases["gradient_det"] = [=] { return weighted_gradient(linalg::det, pair); };
  cases["gradient_det_large"] = [] {
    return weighted_gradient([](const Tensor& t) { return linalg::det(div(t, 4)); },
                             square_matrices({2}, 10));
  };
  cases["gradient_slogdet"] = [=] {
    return weighted_gradient([](const Tensor& t) { return linalg::slogdet(t).logarithm; }, pair);
  };
  cases["gradient_inv"] = [=] { return weighted_gradient(linalg::inv, pair); };
  cases["gradient_matrix_power"] = [] {
    return weighted_gradient([](const Tensor& t) { return linalg::matrix_power(t, -3); },
                             square_matrices({}, 3));
  };
}

void add_factors_of(GoldenCases& cases, const std::string& name, const Tensor& x) {
  cases["qr_q_" + name] = [=] { return linalg::qr(x).q; };
  cases["qr_r_" + name] = [=] { return linalg::qr(x).r; };
  cases["svd_u_" + name] = [=] { return abs(linalg::svd(x).u); };
  cases["svd_s_" + name] = [=] { return linalg::svd(x).s; };
  cases["svd_vh_" + name] = [=] { return abs(linalg::svd(x).vh); };
  cases["svdvals_" + name] = [=] { return linalg::svdvals(x); };
  cases["pinv_" + name] = [=] { return linalg::pinv(x); };
  cases["matrix_rank_" + name] = [=] { return linalg::matrix_rank(x); };
}

void add_gradients_of_factors(GoldenCases& cases, const std::string& name, const Tensor& x) {
  cases["gradient_qr_" + name] = [=] {
    return weighted_gradient_of_all(
        [](const Tensor& t) {
          const auto [q, r] = linalg::qr(t);
          return std::vector<Tensor>{q, r};
        },
        x);
  };
  cases["gradient_svd_" + name] = [=] {
    return weighted_gradient_of_all(
        [](const Tensor& t) {
          const auto [u, s, vh] = linalg::svd(t);
          return std::vector<Tensor>{square(u), square(vh)};
        },
        x);
  };
  cases["gradient_svdvals_" + name] = [=] { return weighted_gradient(linalg::svdvals, x); };
  cases["gradient_pinv_" + name] = [=] {
    return weighted_gradient([](const Tensor& t) { return linalg::pinv(t); }, x);
  };
}

void add_factors(GoldenCases& cases) {
  const std::pair<const char*, Dims> shapes[] = {
      {"one", {1, 1}},     {"tall", {4, 2}},       {"wide", {2, 5}},
      {"square", {3, 3}},  {"stack", {2, 3, 4}},   {"empty_stack", {0, 3, 2}},
      {"no_rows", {0, 3}}, {"no_columns", {2, 0}}, {"nothing", {2, 0, 0}}};
  for (const auto& [name, shape] : shapes) add_factors_of(cases, name, counted(shape));
  for (const std::size_t with_gradient : {1, 2, 3, 4}) {
    const auto& [name, shape] = shapes[with_gradient];
    add_gradients_of_factors(cases, name, counted(shape));
  }
  const Tensor poor = matmul(counted({4, 2}), counted({2, 3})), x = square_matrices({}, 3);
  cases["matrix_rank_poor"] = [=] { return linalg::matrix_rank(poor); };
  cases["matrix_rank_atol"] = [=] { return linalg::matrix_rank(x, 3); };
  cases["matrix_rank_rtol"] = [=] { return linalg::matrix_rank(x, {}, 0.9); };
  cases["pinv_poor"] = [=] { return linalg::pinv(poor); };
  cases["pinv_atol"] = [=] { return linalg::pinv(x, 3); };
  cases["pinv_rtol"] = [=] { return linalg::pinv(x, {}, 0.5); };
  cases["pinv_float32"] = [] { return linalg::pinv(as_float32(counted({2, 3}))); };
  cases["gradient_pinv_unit"] = [] {
    return weighted_gradient([](const Tensor& t) { return linalg::pinv(t); }, eye(3));
  };
}

void add_symmetric(GoldenCases& cases) {
  const std::pair<const char*, Tensor> inputs[] = {
      {"one", definite_matrices({}, 1)},
      {"square", definite_matrices({}, 3)},
      {"stack", definite_matrices({2, 2}, 3)},
      {"float32", as_float32(definite_matrices({2}, 3))},
      {"nothing", zeros({2, 0, 0})}};
  for (const auto& [word, input] : inputs) {
    const Tensor x = input;
    const std::string name = word;
    cases["cholesky_" + name] = [=] { return linalg::cholesky(x); };
    cases["cholesky_upper_" + name] = [=] { return linalg::cholesky(x, true); };
    cases["eigh_values_" + name] = [=] { return linalg::eigh(x).values; };
    cases["eigh_vectors_" + name] = [=] { return abs(linalg::eigh(x).vectors); };
    cases["eigvalsh_" + name] = [=] { return linalg::eigvalsh(x); };
  }
  const Tensor mixed = square_matrices({}, 3), pair = definite_matrices({2}, 3);
  cases["eigvalsh_lower_triangle"] = [=] { return linalg::eigvalsh(mixed); };
  cases["eigvalsh_upper_triangle"] = [=] { return linalg::eigvalsh(mixed, true); };
  cases["gradient_cholesky"] = [=] {
    return weighted_gradient([](const Tensor& t) { return linalg::cholesky(symmetric(t)); }, pair);
  };
  cases["gradient_cholesky_upper"] = [] {
    return weighted_gradient([](const Tensor& t) { return linalg::cholesky(symmetric(t), true); },
                             definite_matrices({}, 3));
  };
  cases["gradient_eigh"] = [=] {
    return weighted_gradient_of_all(
        [](const Tensor& t) {
          const auto [values, vectors] = linalg::eigh(symmetric(t));
          return std::vector<Tensor>{square(vectors), values};
        },
        pair);
  };
  cases["gradient_eigvalsh"] = [=] {
    return weighted_gradient([](const Tensor& t) { return linalg::eigvalsh(symmetric(t)); }, pair);
  };
}

void add_triangles(GoldenCases& cases, const Tensor& a, const Tensor& stack, const Tensor& more) {
  for (const bool upper : {false, true}) {
    for (const bool left : {false, true}) {
      for (const bool unit : {false, true}) {
        const std::string name = std::string(upper ? "upper" : "lower") +
                                 (left ? "_left" : "_right") + (unit ? "_unit" : "");
        const Tensor b = left ? more : transposed(more);
        const auto solved = [=](const Tensor& t) {
          return linalg::solve_triangular(t, b,
                                          {.left = left, .unitriangular = unit, .upper = upper});
        };
        // The other triangle does not count.
        cases["solve_triangular_" + name] = [=] { return solved(stack); };
        cases["gradient_solve_triangular_" + name] = [=] { return weighted_gradient(solved, a); };
      }
    }
  }
}

void add_systems(GoldenCases& cases) {
  const Tensor a = square_matrices({}, 3), stack = square_matrices({2, 1}, 3);
  const Tensor line = counted({3}, 5), sides = counted({3, 2}, 5), more = counted({2, 3, 2}, 5);
  const Tensor rows = transposed(sides);
  cases["solve"] = [=] { return linalg::solve(a, sides); };
  cases["solve_line"] = [=] { return linalg::solve(a, line); };
  cases["solve_stack"] = [=] { return linalg::solve(stack, more); };
  cases["solve_lines"] = [=] { return linalg::solve(square_matrices({2}, 3), rows); };
  cases["solve_line_of_stack"] = [=] { return linalg::solve(square_matrices({2}, 3), line); };
  cases["solve_right"] = [=] { return linalg::solve(a, rows, false); };
  cases["solve_turned"] = [=] { return linalg::solve(a.t(), sides); };
  cases["solve_float32"] = [=] { return linalg::solve(as_float32(a), as_float32(sides)); };
  cases["solve_no_sides"] = [=] { return linalg::solve(a, zeros({3, 0})); };
  cases["solve_empty"] = [] { return linalg::solve(zeros({0, 3, 3}), zeros({3, 2})); };
  cases["gradient_solve"] = [=] {
    return weighted_gradient([=](const Tensor& t) { return linalg::solve(t, more); }, stack);
  };
  cases["gradient_solve_sides"] = [=] {
    return weighted_gradient([=](const Tensor& t) { return linalg::solve(stack, t); }, sides);
  };
  cases["gradient_solve_right"] = [=] {
    return weighted_gradient([=](const Tensor& t) { return linalg::solve(t, rows, false); }, a);
  };
  add_triangles(cases, a, stack, more);
}

void add_least_squares(GoldenCases& cases) {
  const std::tuple<const char*, Tensor, Tensor> systems[] = {
      {"tall", counted({5, 2}), counted({5, 3}, 5)},
      {"wide", counted({2, 4}), counted({2, 3}, 5)},
      {"stack", counted({2, 4, 3}), counted({2, 4, 1}, 5)}};
  for (const auto& [word, matrices, sides] : systems) {
    const std::string name = word;
    const Tensor a = matrices, b = sides;
    cases["lstsq_" + name] = [=] { return linalg::lstsq(a, b).solution; };
    cases["lstsq_residuals_" + name] = [=] { return linalg::lstsq(a, b).residuals; };
    cases["gradient_lstsq_" + name] = [=] {
      return weighted_gradient([=](const Tensor& t) { return linalg::lstsq(t, b).solution; }, a);
    };
  }
  cases["lstsq_line"] = [] { return linalg::lstsq(counted({5, 2}), counted({5}, 5)).solution; };
}

void add_matrix_norms(GoldenCases& cases) {
  const Tensor x = counted({3, 4}), stack = counted({2, 3, 4});
  const auto add_order = [&](const std::string& name, auto order) {
    const auto of = [=](const Tensor& t) { return linalg::matrix_norm(t, order); };
    cases["matrix_norm_" + name] = [=] { return of(x); };
    cases["matrix_norm_dims_" + name] = [=] { return linalg::matrix_norm(stack, order, {2, 0}); };
    cases["matrix_norm_keep_" + name] = [=] {
      return linalg::matrix_norm(stack, order, {-3, 1}, true);
    };
    cases["norm_" + name] = [=] { return linalg::norm(x, order); };
    cases["gradient_matrix_norm_" + name] = [=] {
      return weighted_gradient(of, square_matrices({}, 3));
    };
  };
  const std::pair<const char*, double> numbers[] = {
      {"1", 1}, {"minus_1", -1}, {"2", 2}, {"minus_2", -2}, {"inf", kInf}, {"minus_inf", -kInf}};
  for (const auto& [name, order] : numbers) add_order(name, order);
  add_order("frobenius", MatrixNorm::frobenius);
  add_order("nuclear", MatrixNorm::nuclear);
}

void add_vector_norms(GoldenCases& cases) {
  const Tensor x = counted({3, 4}), stack = counted({2, 3, 4});
  const std::pair<const char*, double> orders[] = {{"0", 0}, {"1", 1},      {"2", 2},
                                                   {"3", 3}, {"half", 0.5}, {"inf", kInf}};
  for (const auto& [word, number] : orders) {
    const std::string name = word;
    const double order = number;
    cases["vector_norm_" + name] = [=] { return linalg::vector_norm(stack, order); };
    cases["vector_norm_dims_" + name] = [=] {
      return linalg::vector_norm(stack, order, {0, 2}, true);
    };
    cases["norm_line_" + name] = [=] { return linalg::norm(x[0], order); };
    cases["norm_dim_" + name] = [=] { return linalg::norm(x, order, {0}); };
  }
  cases["norm_all"] = [=] { return linalg::norm(stack); };
  cases["norm_of_dims"] = [=] { return linalg::norm(stack, {}, {0, 1}); };
}

void add_products(GoldenCases& cases) {
  const Tensor a = counted({2, 5}), b = counted({5, 3}), c = counted({3, 4}), d = counted({4, 6});
  const Tensor column = select(d, 1, 0);
  cases["multi_dot"] = [=] { return linalg::multi_dot({a, b, c, d}); };
  cases["multi_dot_two"] = [=] { return linalg::multi_dot({a, b}); };
  cases["multi_dot_row"] = [=] { return linalg::multi_dot({a[0], b, c}); };
  cases["multi_dot_column"] = [=] { return linalg::multi_dot({b, c, column}); };
  cases["multi_dot_number"] = [=] { return linalg::multi_dot({a[0], b, c, column}); };
  cases["gradient_multi_dot"] = [=] {
    return weighted_gradient([=](const Tensor& t) { return linalg::multi_dot({t, b, c, d}); }, a);
  };
}

TEST(Linalg, IsWhatPyTorchGives) {
  GoldenCases cases;
  add_squares(cases);
  add_factors(cases);
  add_symmetric(cases);
  add_systems(cases);
  add_least_squares(cases);
  add_matrix_norms(cases);
  add_vector_norms(cases);
  add_products(cases);
  check_golden("linalg_golden.txt", cases, 1e-5);
}

/// One matrix of a stack is singular: the error says which.
TEST(Linalg, NamesTheMatrixThatHasNoAnswer) {
  const Tensor stack = square_matrices({2, 2}, 3).clone();
  select(select(stack, 0, 1), 0, 0).fill_(1);
  const auto has_said = [](const char* op, const char* why) {
    return AllOf(HasSubstr(op), HasSubstr("matrix [1, 0] of the stack"), HasSubstr(why));
  };
  EXPECT_THAT(thrown([&] { linalg::inv(stack); }), has_said("Inverse", "is singular"));
  EXPECT_THAT(thrown([&] { linalg::solve(stack, ones({3, 1})); }), has_said("Solve", "singular"));
  EXPECT_THAT(thrown([&] {
                linalg::solve_triangular(mul(stack, 0), ones({3, 1}));
              }),
              HasSubstr("TriangularSolve: matrix [0, 0] of the stack is singular"));
  EXPECT_THAT(thrown([&] {
                linalg::cholesky(mul(stack, tensor({1., 1., -1.}).reshape({3, 1})));
              }),
              HasSubstr("is not positive definite"));
  EXPECT_THAT(thrown([] {
                linalg::inv(zeros({2, 2}));
              }),
              HasSubstr("Inverse: the matrix is singular"));
  try {
    linalg::inv(zeros({2, 2}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error.function(), "inv");
  }
}

/// NaN throughout, but only where a matrix holds something that is not finite.
TEST(Linalg, CarriesOnWhatIsNotFinite) {
  for (const double odd : {kNan, kInf, -kInf}) {
    const Tensor stack = definite_matrices({2}, 3).clone(), fine = stack[1].clone();
    select(select(stack[0], 0, 1), 0, 1).fill_(odd);
    const auto expect_kept = [&](const std::function<Tensor(const Tensor&)>& function) {
      const Tensor both = function(stack);
      EXPECT_TRUE(all(isnan(both[0])).item() != 0);
      EXPECT_TRUE(allclose(both[1], function(fine)));
    };
    expect_kept(linalg::inv);
    expect_kept([](const Tensor& x) { return linalg::cholesky(x); });
    expect_kept([](const Tensor& x) { return linalg::pinv(x); });
    expect_kept([](const Tensor& x) { return linalg::qr(x).r; });
    expect_kept([](const Tensor& x) { return linalg::svd(x).u; });
    expect_kept(linalg::svdvals);
    expect_kept([](const Tensor& x) { return linalg::eigh(x).vectors; });
    expect_kept([](const Tensor& x) { return linalg::slogdet(x).logarithm; });
    expect_kept([](const Tensor& x) {
      return linalg::solve(x, ones({3, 2}, {.dtype = DType::float64}));
    });
  }
  // What a triangle does not read does not count.
  const Tensor lower = definite_matrices({}, 3), mixed = lower.clone();
  select(select(mixed, 0, 0), 0, 2).fill_(kNan);
  EXPECT_TRUE(equal(linalg::cholesky(mixed), linalg::cholesky(lower)));
  EXPECT_TRUE(equal(linalg::eigvalsh(mixed), linalg::eigvalsh(lower)));
  const Tensor sides = ones({3, 1}, {.dtype = DType::float64});
  EXPECT_TRUE(
      equal(linalg::solve_triangular(mixed, sides), linalg::solve_triangular(lower, sides)));
}

/// Of a matrix with two equal rows det is 0 and its gradient is not: that of either row, times any
/// numbers, is the determinant of the matrix with these in the row's place.
TEST(Linalg, GivesTheGradientOfDetWhereTheMatrixIsSingular) {
  for (const std::int64_t n : {2, 3, 8, 9, 12}) {
    const Tensor x = square_matrices({}, n).clone();
    select(x, 0, 1).copy_(select(x, 0, 0));
    const Tensor leaf = x.clone().requires_grad_();
    linalg::det(leaf).backward();
    const Tensor numbers = counted({n}, 5), replaced = x.clone();
    select(replaced, 0, 1).copy_(numbers);
    const double expected = linalg::det(replaced).item();
    const Tensor of_row = select(leaf.grad(), 0, 1);
    EXPECT_NEAR(sum(mul(of_row, numbers)).item(), expected, 1e-9 * std::abs(expected)) << n;
    EXPECT_TRUE(allclose(select(leaf.grad(), 0, 0), neg(of_row))) << n;
    if (n == 2) continue;
    const double others = abs(narrow(leaf.grad(), 0, 2, n - 2)).max().item();
    EXPECT_LT(others, 1e-9 * std::abs(expected)) << n << ": each has a row twice";
  }
}

/// Stacks that are turned, cut out of larger ones, or the same matrix many times.
TEST(Linalg, ReadsAnyStrides) {
  const Tensor whole = square_matrices({3}, 6), cut = slice(narrow(whole, -1, 1, 4), -2, 2, 6);
  const Tensor turned = permute(cut, {2, 0, 1}), sides = expand(counted({4, 1}), {4, 3});
  EXPECT_TRUE(allclose(linalg::inv(cut), linalg::inv(cut.clone())));
  EXPECT_TRUE(equal(linalg::svdvals(turned), linalg::svdvals(turned.contiguous())));
  const Tensor one = expand(square_matrices({}, 4), {5, 4, 4});
  EXPECT_TRUE(equal(linalg::solve(one, sides)[3], linalg::solve(one[0], sides)));
  EXPECT_TRUE(allclose(matmul(one, linalg::inv(one)),
                       expand(eye(4, {}, {.dtype = DType::float64}), {5, 4, 4})));
}

TEST(Linalg, PutsFactorsTogetherAgain) {
  const DType dtypes[] = {DType::float32, DType::float64};
  for (const DType dtype : dtypes) {
    const double tolerance = dtype == DType::float32 ? 1e-5 : 1e-13;
    for (const Dims& shape : {Dims{70, 40}, Dims{40, 70}, Dims{3, 5, 5}}) {
      const Tensor x = counted(shape, 13).to(dtype);
      const auto [q, r] = linalg::qr(x);
      EXPECT_LT(abs(sub(matmul(q, r), x)).max().item(), 100 * tolerance);
      const auto [u, s, vh] = linalg::svd(x);
      const Tensor product = matmul(mul(u, unsqueeze(s, -2)), vh);
      EXPECT_LT(abs(sub(product, x)).max().item(), 100 * tolerance);
    }
  }
}

TEST(Linalg, RefusesNarrowTypesButInAutocast) {
  const Tensor narrow = eye(2, {}, {.dtype = DType::float16});
  EXPECT_THAT(thrown([&] { linalg::inv(narrow); }), HasSubstr("float16"));
  const Autocast scope(DType::float16);
  EXPECT_EQ(linalg::inv(narrow).dtype(), DType::float32);
}

}  // namespace
}  // namespace switchyard
