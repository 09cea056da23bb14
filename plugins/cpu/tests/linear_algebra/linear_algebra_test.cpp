// Cholesky, Inverse, Solve, TriangularSolve, SlogDet, Qr, Svd, PseudoInverse and Eigh: what comes
// out is put together again, for every layout and both types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"

namespace cpu::testing {
namespace {

using ::testing::HasSubstr;
using Numbers = std::vector<double>;

constexpr sy_dtype matrix_dtypes[] = {SY_FLOAT32, SY_FLOAT64};

double tolerance(sy_dtype dtype) { return dtype == SY_FLOAT32 ? 1e-4 : 1e-12; }

OneNode node(const char* op) { return OneNode(op, 1, switchyard_domain); }

// A stack of `count` matrices m x n, row-major.
struct Stack {
  size_t count, m, n;
  Numbers numbers;

  double at(size_t i, size_t row, size_t column) const {
    return numbers[(i * m + row) * n + column];
  }
  Value value(sy_dtype dtype) const {
    return from_doubles(dtype, {int64_t(count), int64_t(m), int64_t(n)}, numbers);
  }
};

// Numbers from -1 to 1, and `diagonal` more on the diagonals.
Stack made_up(size_t count, size_t m, size_t n, double diagonal = 0) {
  Stack made{count, m, n, Numbers(count * m * n)};
  for (size_t i = 0; i < made.numbers.size(); ++i) {
    made.numbers[i] = std::sin(static_cast<double>(i * i % 101 + i));
    if (i % (m * n) / n == i % n) made.numbers[i] += diagonal;
  }
  return made;
}

Stack stack_of(const Value& value) {
  const auto extent = [&](size_t i) { return static_cast<size_t>(value.shape[i]); };
  return {extent(0), extent(1), extent(2), as_doubles(value)};
}

Stack turned(const Stack& x) {
  Stack made{x.count, x.n, x.m, {}};
  for (size_t i = 0; i < x.count; ++i) {
    for (size_t column = 0; column < x.n; ++column) {
      for (size_t row = 0; row < x.m; ++row) made.numbers.push_back(x.at(i, row, column));
    }
  }
  return made;
}

// A stack of one broadcasts.
Stack product(const Stack& a, const Stack& b) {
  Stack made{std::max(a.count, b.count), a.m, b.n, {}};
  for (size_t i = 0; i < made.count; ++i) {
    for (size_t row = 0; row < a.m; ++row) {
      for (size_t column = 0; column < b.n; ++column) {
        double sum = 0;
        for (size_t k = 0; k < a.n; ++k) {
          sum += a.at(a.count == 1 ? 0 : i, row, k) * b.at(b.count == 1 ? 0 : i, k, column);
        }
        made.numbers.push_back(sum);
      }
    }
  }
  return made;
}

// Each column times one of the numbers, of which every matrix has n.
Stack scaled(Stack x, const Numbers& factors) {
  for (size_t i = 0; i < x.numbers.size(); ++i) {
    x.numbers[i] *= factors[i / (x.m * x.n) * x.n + i % x.n];
  }
  return x;
}

Stack unit(size_t count, size_t n) {
  Stack made{count, n, n, Numbers(count * n * n)};
  for (size_t i = 0; i < made.numbers.size(); ++i) made.numbers[i] = i % (n * n) / n == i % n;
  return made;
}

void expect_close(const Stack& actual, const Stack& expected, double tolerance) {
  ASSERT_EQ(actual.numbers.size(), expected.numbers.size());
  for (size_t i = 0; i < actual.numbers.size(); ++i) {
    ASSERT_NEAR(actual.numbers[i], expected.numbers[i], tolerance) << "element " << i;
  }
}

// Runs a check for both types and every layout of the input, the output laid likewise.
void for_each_layout(const Stack& x, const std::function<void(const Value&, size_t)>& check) {
  for (const sy_dtype dtype : matrix_dtypes) {
    const std::vector<Value> layouts = layouts_of(x.value(dtype));
    for (size_t i = 0; i < layouts.size(); ++i) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), ", layout ", i));
      check(layouts[i], i);
    }
  }
}

// A node's output of that shape, in one of the layouts.
void add_output(OneNode& node, sy_dtype dtype, const Shape& shape, size_t layout) {
  const Value laid = layouts_of(blank(dtype, shape))[layout];
  node.output(dtype, shape, laid.strides, laid.offset);
}

Value run(const char* op, const Value& x, const Shape& shape, size_t layout) {
  OneNode made = node(op);
  made.input(x);
  add_output(made, x.dtype, shape, layout);
  return made.run();
}

TEST(LinearAlgebra, InverseTimesMatrixIsTheUnit) {
  for (const size_t n : {1, 2, 5, 40}) {
    const Stack x = made_up(3, n, n, 2 + static_cast<double>(n));
    for_each_layout(x, [&](const Value& laid, size_t layout) {
      const Stack inverse = stack_of(run("Inverse", laid, laid.shape, layout));
      expect_close(product(x, inverse), unit(3, n), tolerance(laid.dtype));
    });
  }
}

TEST(LinearAlgebra, SolveBroadcastsEitherStack) {
  for (const size_t of_a : {1, 3}) {
    for (const size_t of_b : {1, 3}) {
      const Stack a = made_up(of_a, 4, 4, 6), b = made_up(of_b, 4, 2);
      const int64_t count = static_cast<int64_t>(std::max(of_a, of_b));
      for_each_layout(a, [&](const Value& laid, size_t layout) {
        OneNode solve = node("Solve");
        solve.input(laid).input(layouts_of(b.value(laid.dtype))[layout]);
        add_output(solve, laid.dtype, {count, 4, 2}, layout);
        const Stack back = product(a, stack_of(solve.run()));
        expect_close(back, product(unit(of_a, 4), b), tolerance(laid.dtype));
      });
    }
  }
}

TEST(LinearAlgebra, TriangularSolveReadsItsTriangle) {
  const Stack a = made_up(2, 4, 4, 6), b = made_up(2, 4, 3);
  for (const int upper : {0, 1}) {
    for (const int unit_diagonal : {0, 1}) {
      Stack triangle = a;
      for (size_t i = 0; i < triangle.numbers.size(); ++i) {
        const size_t row = i % 16 / 4, column = i % 4;
        if (upper ? row > column : row < column) triangle.numbers[i] = 0;
        if (unit_diagonal && row == column) triangle.numbers[i] = 1;
      }
      for_each_layout(a, [&](const Value& laid, size_t layout) {
        OneNode solve = node("TriangularSolve");
        solve.attribute("upper", upper).attribute("unit", unit_diagonal);
        solve.input(laid).input(b.value(laid.dtype));
        add_output(solve, laid.dtype, {2, 4, 3}, layout);
        expect_close(product(triangle, stack_of(solve.run())), b, tolerance(laid.dtype));
      });
    }
  }
}

TEST(LinearAlgebra, CholeskyTimesItsTransposeIsTheMatrix) {
  const Stack any = made_up(2, 5, 5), x = product(any, turned(any));
  for_each_layout(x, [&](const Value& laid, size_t layout) {
    const Stack l = stack_of(run("Cholesky", laid, laid.shape, layout));
    expect_close(product(l, turned(l)), x, tolerance(laid.dtype));
    for (size_t column = 1; column < 5; ++column) EXPECT_EQ(l.at(1, 0, column), 0);
  });
}

TEST(LinearAlgebra, SlogDetIsTheLogarithmOfDet) {
  for (const size_t n : {0, 1, 3, 6}) {
    const Stack x = made_up(4, n, n);
    for (const sy_dtype dtype : matrix_dtypes) {
      const Value determinants = OneNode("Det", 11).input(x.value(dtype)).output(dtype, {4}).run();
      const std::vector<Value> both =
          node("SlogDet").input(x.value(dtype)).output(dtype, {4}).output(dtype, {4}).run_all();
      const Numbers signs = as_doubles(both[0]), logarithms = as_doubles(both[1]);
      const Numbers expected = as_doubles(determinants);
      for (size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(signs[i] * std::exp(logarithms[i]), expected[i], tolerance(dtype));
      }
    }
  }
}

TEST(LinearAlgebra, QrIsOrthonormalTimesATriangle) {
  for (const auto& [m, n] : {std::pair<size_t, size_t>{5, 3}, {3, 5}, {4, 4}, {1, 1}, {40, 30}}) {
    const size_t least = std::min(m, n);
    const Stack x = made_up(2, m, n);
    for_each_layout(x, [&, m = m, n = n](const Value& laid, size_t layout) {
      OneNode qr = node("Qr");
      qr.input(laid);
      add_output(qr, laid.dtype, {2, int64_t(m), int64_t(least)}, layout);
      add_output(qr, laid.dtype, {2, int64_t(least), int64_t(n)}, layout);
      const std::vector<Value> both = qr.run_all();
      const Stack q = stack_of(both[0]), r = stack_of(both[1]);
      expect_close(product(q, r), x, tolerance(laid.dtype));
      expect_close(product(turned(q), q), unit(2, least), tolerance(laid.dtype));
      for (size_t row = 1; row < least; ++row) EXPECT_EQ(r.at(1, row, 0), 0);
    });
  }
}

TEST(LinearAlgebra, SvdIsTheMatrixAgain) {
  for (const auto& [m, n] : {std::pair<size_t, size_t>{5, 3}, {3, 5}, {4, 4}, {1, 1}, {40, 30}}) {
    const size_t least = std::min(m, n);
    const Stack x = made_up(2, m, n);
    for_each_layout(x, [&, m = m, n = n](const Value& laid, size_t layout) {
      OneNode svd = node("Svd");
      svd.input(laid).output(laid.dtype, {2, int64_t(least)});
      add_output(svd, laid.dtype, {2, int64_t(m), int64_t(least)}, layout);
      add_output(svd, laid.dtype, {2, int64_t(least), int64_t(n)}, layout);
      const std::vector<Value> all = svd.run_all();
      const Stack u = stack_of(all[1]), vh = stack_of(all[2]);
      const Numbers s = as_doubles(all[0]);
      expect_close(product(scaled(u, s), vh), x, tolerance(laid.dtype));
      for (size_t i = 0; i < s.size(); ++i) {
        EXPECT_GE(s[i], i % least == least - 1 ? 0 : s[i + 1]);
      }
      const Value alone = node("Svd").input(laid).output(laid.dtype, {2, int64_t(least)}).run();
      expect_near(alone, s, 0, tolerance(laid.dtype));
    });
  }
}

TEST(LinearAlgebra, PseudoInverseLeavesOutWhatCountsAsZero) {
  const Stack x = product(made_up(2, 5, 2), made_up(2, 2, 3));  // of rank 2
  for_each_layout(x, [&](const Value& laid, size_t layout) {
    const Stack y = stack_of(run("PseudoInverse", laid, {2, 3, 5}, layout));
    expect_close(product(product(x, y), x), x, 10 * tolerance(laid.dtype));
    expect_close(product(product(y, x), y), y, 10 * tolerance(laid.dtype));
  });
  const Value all = node("PseudoInverse")
                        .attribute("atol", 1e9)
                        .input(x.value(SY_FLOAT32))
                        .output(SY_FLOAT32, {2, 3, 5})
                        .run();
  EXPECT_EQ(as_doubles(all), Numbers(30, 0.0));
}

TEST(LinearAlgebra, EighReadsTheLowerTriangle) {
  const Stack any = made_up(2, 5, 5);
  Stack symmetric = any;
  for (size_t i = 0; i < any.numbers.size(); ++i) {
    const size_t row = i % 25 / 5, column = i % 5;
    if (row < column) symmetric.numbers[i] = any.at(i / 25, column, row);
  }
  for_each_layout(any, [&](const Value& laid, size_t layout) {
    OneNode eigh = node("Eigh");
    eigh.input(laid).output(laid.dtype, {2, 5});
    add_output(eigh, laid.dtype, {2, 5, 5}, layout);
    const std::vector<Value> both = eigh.run_all();
    const Stack v = stack_of(both[1]);
    const Numbers w = as_doubles(both[0]);
    expect_close(product(scaled(v, w), turned(v)), symmetric, tolerance(laid.dtype));
    for (size_t i = 0; i < 10; ++i) EXPECT_LE(w[i], i % 5 == 4 ? w[i] : w[i + 1]);
    expect_near(node("Eigh").input(laid).output(laid.dtype, {2, 5}).run(), w, 0,
                tolerance(laid.dtype));
  });
}

TEST(LinearAlgebra, OfNothingIsNothing) {
  const Value none = blank(SY_FLOAT32, {0, 2, 2}), flat = blank(SY_FLOAT32, {2, 0, 3});
  EXPECT_EQ(node("Inverse").input(none).output(SY_FLOAT32, {0, 2, 2}).run().size(), 0);
  EXPECT_EQ(node("Cholesky").input(none).output(SY_FLOAT32, {0, 2, 2}).run().size(), 0);
  node("Qr").input(flat).output(SY_FLOAT32, {2, 0, 0}).output(SY_FLOAT32, {2, 0, 3}).run_all();
  node("Svd").input(flat).output(SY_FLOAT32, {2, 0}).run();
  node("PseudoInverse").input(flat).output(SY_FLOAT32, {2, 3, 0}).run();
  node("Eigh").input(blank(SY_FLOAT32, {2, 0, 0})).output(SY_FLOAT32, {2, 0}).run();
  const Value sides = blank(SY_FLOAT32, {3, 0});
  node("Solve").input(blank(SY_FLOAT32, {3, 3})).input(sides).output(SY_FLOAT32, {3, 0}).run();
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const sy::Failure& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST(LinearAlgebra, NamesTheFirstMatrixThatHasNoAnswer) {
  Numbers numbers(1000 * 4, 0.0);
  for (size_t i = 0; i < numbers.size(); i += 4) {
    numbers[i] = numbers[i + 3] = i == 4 * 123 || i == 4 * 877 ? 0 : 1;
  }
  const Value many = from_doubles(SY_FLOAT32, {10, 100, 2, 2}, numbers);
  EXPECT_EQ(refusal([&] { node("Inverse").input(many).output(SY_FLOAT32, many.shape).run(); }),
            "Inverse: matrix [1, 23] of the stack is singular");
  EXPECT_EQ(refusal([&] { node("Cholesky").input(many).output(SY_FLOAT32, many.shape).run(); }),
            "Cholesky: matrix [1, 23] of the stack is not positive definite");
}

TEST(LinearAlgebra, RefusesMoreThanLapackCounts) {
  const int64_t many = int64_t{1} << 31;
  OneNode solve = node("Solve");
  solve.input(broadcast(blank(SY_FLOAT32, {1, 1}), {many, many}));
  solve.input(blank(SY_FLOAT32, {many, 0})).output(SY_FLOAT32, {many, 0});
  EXPECT_THAT(refusal([&] { solve.run(); }),
              HasSubstr("an extent of 2147483648 is more than LAPACK counts"));
}

}  // namespace
}  // namespace cpu::testing
