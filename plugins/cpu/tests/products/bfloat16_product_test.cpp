// Products in bfloat16: by the processor's own instructions where it has them, else in float32.
// What is expected here holds for both.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>
#include <utility>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/shape.hpp"
#ifdef SWITCHYARD_CPU_ONEDNN
#include "onednn/primitive.hpp"
#endif

namespace cpu::testing {
namespace {

// What ARITHMETIC.md promises: the sum's error in float32, and one rounding at the end.
constexpr double rounding = 0x1p-8;
constexpr double summing = 0x1p-22;

struct Reference {
  Shape shape;
  std::vector<double> products;
  std::vector<double> magnitudes;  // the same sums of absolute values
};

Shape stack_of(const Value& value) { return {value.shape.begin(), value.shape.end() - 2}; }

Shape broadcast_stack(const Shape& a, const Shape& b) {
  Shape made(std::max(a.size(), b.size()), 1);
  for (const Shape* shape : {&a, &b}) {
    for (size_t i = 0; i < shape->size(); ++i) {
      int64_t& extent = made[made.size() - shape->size() + i];
      if ((*shape)[i] != 1) extent = (*shape)[i];
    }
  }
  return made;
}

std::vector<double> absolute(std::vector<double> numbers) {
  for (double& number : numbers) number = std::abs(number);
  return numbers;
}

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Reference product_reference(const Value& a, const Value& b) {
  const int64_t m = a.shape[a.shape.size() - 2], k = a.shape.back(), n = b.shape.back();
  Reference made{broadcast_stack(stack_of(a), stack_of(b)), {}, {}};
  const int64_t count = sy::element_count(made.shape);
  const auto spread = [&](const Value& value, int64_t rows, int64_t columns) {
    Shape shape = made.shape;
    shape.insert(shape.end(), {rows, columns});
    return as_doubles(broadcast(value, shape));
  };
  const std::vector<double> x = spread(a, m, k), y = spread(b, k, n);
  const std::vector<double> x_size = absolute(x), y_size = absolute(y);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t left = i * m * k, right = i * k * n;
    append(made.products, product_of(x.data() + left, y.data() + right, m, n, k));
    append(made.magnitudes, product_of(x_size.data() + left, y_size.data() + right, m, n, k));
  }
  made.shape.insert(made.shape.end(), {m, n});
  return made;
}

void expect_within(const Value& y, const Reference& expected) {
  const std::vector<double> got = as_doubles(y);
  ASSERT_EQ(got.size(), expected.products.size());
  const double end = y.dtype == SY_BFLOAT16 ? rounding : 0x1p-24;
  for (size_t i = 0; i < got.size(); ++i) {
    const double right = expected.products[i];
    ASSERT_NEAR(got[i], right, std::abs(right) * end + expected.magnitudes[i] * summing)
        << "element " << i;
  }
}

Value multiply(const Value& a, const Value& b, const Shape& shape) {
  return OneNode("MatMul", 13).input(a).input(b).output(a.dtype, shape).run();
}

void expect_product(const Value& a, const Value& b) {
  const Reference expected = product_reference(a, b);
  expect_within(multiply(a, b, expected.shape), expected);
}

uint64_t next_id() {
  static uint64_t id = 770000;
  return ++id;
}

using Shapes = std::pair<Shape, Shape>;

const std::vector<Shapes>& shapes() {
  static const std::vector<Shapes> all = {
      {{32, 32}, {32, 32}},
      {{33, 47}, {47, 61}},
      {{64, 31}, {31, 64}},
      {{129, 200}, {200, 65}},
      {{257, 64}, {64, 300}},
      {{40, 1025}, {1025, 48}},
      {{31, 32}, {32, 32}},
      {{3, 40, 50}, {50, 33}},
      {{3, 40, 50}, {3, 50, 33}},
      {{40, 50}, {3, 50, 33}},
      {{1, 40, 50}, {4, 50, 33}},
      {{4, 1, 40, 50}, {3, 50, 33}},
      {{2, 3, 9, 50}, {50, 33}},
      {{2, 3, 40, 50}, {2, 1, 50, 33}},
      {{2, 3, 40, 50}, {3, 50, 33}},
      {{5, 7, 64}, {1, 64, 40}},
      {{2, 1, 2, 33, 34}, {2, 1, 34, 35}},
      {{0, 40, 50}, {50, 40}},
  };
  return all;
}

TEST(Bfloat16Product, EveryShape) {
  for (const auto& [left, right] : shapes()) {
    SCOPED_TRACE(sy::text(left, " by ", right));
    expect_product(random(SY_BFLOAT16, left, 1), random(SY_BFLOAT16, right, 2));
  }
}

TEST(Bfloat16Product, EveryLayout) {
  for (const auto& [left, right] : {Shapes{{45, 50}, {50, 66}}, Shapes{{3, 40, 50}, {3, 50, 33}},
                                    Shapes{{3, 40, 50}, {50, 33}}}) {
    for (const Value& a : layouts_of(random(SY_BFLOAT16, left, 3))) {
      for (const Value& b : layouts_of(random(SY_BFLOAT16, right, 4))) expect_product(a, b);
    }
  }
}

TEST(Bfloat16Product, StacksOfTurnedMatrices) {
  const std::vector<size_t> turned = {0, 1, 3, 2}, heads = {0, 2, 1, 3};
  const Value a = random(SY_BFLOAT16, {2, 3, 40, 50}, 5);
  const Value b = random(SY_BFLOAT16, {2, 3, 50, 60}, 6);
  const Value one = random(SY_BFLOAT16, {1, 1, 50, 60}, 7);
  for (const auto& order : {turned, heads}) {
    expect_product(transposed(a, order), b);
    expect_product(a, transposed(b, order));
    expect_product(transposed(a, order), transposed(b, order));
    expect_product(transposed(a, order), transposed(one, order));
  }
}

TEST(Bfloat16Product, RepeatedByStridesOfZero) {
  const Value b = random(SY_BFLOAT16, {40, 48}, 9);
  expect_product(broadcast(random(SY_BFLOAT16, {1, 40}, 8), {64, 40}), b);
  expect_product(b, broadcast(random(SY_BFLOAT16, {48, 1}, 1), {48, 50}));
}

TEST(Bfloat16Product, StridedOutputs) {
  const Value a = random(SY_BFLOAT16, {2, 34, 60}, 5);
  const Value b = random(SY_BFLOAT16, {60, 35}, 6);
  const Reference expected = product_reference(a, b);
  for (const Value& layout : layouts_of(random(SY_BFLOAT16, expected.shape, 7))) {
    OneNode node("MatMul", 13);
    node.input(a).input(b).output(SY_BFLOAT16, expected.shape, layout.strides, layout.offset);
    expect_within(node.run(), expected);
  }
}

TEST(Bfloat16Product, ConstantsAndHiddenShapes) {
  for (const auto& [left, right] : shapes()) {
    SCOPED_TRACE(sy::text(left, " by ", right));
    const Value a = random(SY_BFLOAT16, left, 1);
    const Value b = random(SY_BFLOAT16, right, 2);
    const Reference expected = product_reference(a, b);
    const uint64_t id = next_id();
    for (const bool hidden : {false, true}) {
      OneNode node("MatMul", 13);
      node.input(a).constant(b, id).output(SY_BFLOAT16, expected.shape);
      if (hidden) node.hide_shapes();
      expect_within(node.run(), expected);
    }
  }
}

// Sums that float32 keeps exactly: the only rounding is the last one.
TEST(Bfloat16Product, IsRoundedOnceToTheNearest) {
  const Value a = whole(SY_BFLOAT16, {70, 900}, 1);
  const Value b = whole(SY_BFLOAT16, {900, 80}, 2);
  const Reference expected = product_reference(a, b);
  const Value nearest = from_doubles(SY_BFLOAT16, expected.shape, expected.products);
  EXPECT_EQ(as_doubles(multiply(a, b, expected.shape)), as_doubles(nearest));
}

TEST(Bfloat16Product, InfinitiesAndNaNsStayInTheirRows) {
  Value a = random(SY_BFLOAT16, {40, 50}, 1);
  const Value b = from_doubles(SY_BFLOAT16, {50, 40}, std::vector<double>(2000, 0.5));
  std::vector<double> numbers = as_doubles(a);
  numbers[3 * 50 + 7] = INFINITY;
  numbers[8 * 50 + 1] = NAN;
  const std::vector<double> got =
      as_doubles(multiply(from_doubles(SY_BFLOAT16, {40, 50}, numbers), b, {40, 40}));
  for (size_t i = 0; i < got.size(); ++i) {
    const size_t row = i / 40;
    EXPECT_EQ(std::isinf(got[i]), row == 3) << i;
    EXPECT_EQ(std::isnan(got[i]), row == 8) << i;
  }
}

TEST(Bfloat16Product, DoesNotDependOnTheNumberOfThreadsIfItMustNot) {
  const int usual = thread_count();
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{300, 320, 310},
                                {32, 32, 20000},
                                {40, 64, 9000},
                                {64, 2000, 300},
                                {2000, 64, 300}}) {
    const Value a = random(SY_FLOAT32, {m, k}, 1), b = random(SY_FLOAT32, {k, n}, 2);
    std::vector<double> first;
    for (const int threads : {1, 2, 3, 16}) {
      set_thread_count(threads);
      OneNode node("MatMul", 13);
      node.math_flags(SY_MATH_BFLOAT16 | SY_MATH_DETERMINISTIC);
      node.input(a).input(b).output(SY_FLOAT32, {m, n});
      const std::vector<double> got = as_doubles(node.run());
      if (first.empty()) first = got;
      EXPECT_EQ(got, first) << m << " " << n << " " << k << " on " << threads;
    }
  }
  set_thread_count(usual);
}

TEST(Bfloat16Product, TwoThreadsAtOnce) {
  const Value a = random(SY_BFLOAT16, {250, 200}, 1);
  const Value b = random(SY_BFLOAT16, {200, 170}, 2);
  const Reference expected = product_reference(a, b);
  const auto work = [&] {
    for (int i = 0; i < 20; ++i) expect_within(multiply(a, b, {250, 170}), expected);
  };
  std::thread other(work);
  work();
  other.join();
}

Value rounded(const Value& value) {
  return from_doubles(SY_FLOAT32, value.shape,
                      as_doubles(from_doubles(SY_BFLOAT16, value.shape, as_doubles(value))));
}

bool rounds_operands() {
#ifdef SWITCHYARD_CPU_ONEDNN
  return onednn::multiplies_bfloat16();
#else
  return false;
#endif
}

TEST(ReducedPrecision, RoundsOnlyTheOperandsAndOnlyWhereItIsAllowed) {
  const Value a = random(SY_FLOAT32, {70, 300}, 1), b = random(SY_FLOAT32, {300, 64}, 2);
  const Reference exact = product_reference(a, b);
  const Reference reduced = product_reference(rounded(a), rounded(b));
  expect_within(multiply(a, b, exact.shape), exact);
  for (const bool constant : {false, true}) {
    OneNode node("MatMul", 13);
    node.math_flags(SY_MATH_BFLOAT16).input(a);
    constant ? node.constant(b, next_id()) : node.input(b);
    node.output(SY_FLOAT32, exact.shape);
    expect_within(node.run(), rounds_operands() ? reduced : exact);
  }
}

TEST(ReducedPrecision, EveryLayout) {
  for (const Value& a : layouts_of(random(SY_FLOAT32, {2, 45, 50}, 3))) {
    for (const Value& b : layouts_of(random(SY_FLOAT32, {2, 50, 66}, 4))) {
      const Reference expected =
          rounds_operands() ? product_reference(rounded(a), rounded(b)) : product_reference(a, b);
      OneNode node("MatMul", 13);
      node.math_flags(SY_MATH_BFLOAT16).input(a).input(b);
      expect_within(node.output(SY_FLOAT32, expected.shape).run(), expected);
    }
  }
}

TEST(ReducedPrecision, OtherDtypesStayExact) {
  const Value a = random(SY_FLOAT64, {40, 50}, 1), b = random(SY_FLOAT64, {50, 40}, 2);
  OneNode node("MatMul", 13);
  node.math_flags(SY_MATH_BFLOAT16).input(a).input(b).output(SY_FLOAT64, {40, 40});
  expect_near(node.run(), product_reference(a, b).products, 0, 1e-13);
}

// The matrix with rows and columns exchanged, contiguous.
Value turned(const Value& matrix) {
  const Value columns = transposed(matrix, {1, 0});
  const int64_t rows = matrix.shape[0];
  Value made = blank(matrix.dtype, {matrix.shape[1], rows});
  made.bytes = columns.bytes;
  return made;
}

struct GemmCase {
  sy_dtype dtype;
  bool left, right;  // turned
  double alpha, beta;
  Shape addend;
  bool constant;
};

void expect_gemm(const GemmCase& given) {
  constexpr int64_t m = 40, n = 70, k = 50;
  const Value a = whole(given.dtype, {m, k}, 1), b = whole(given.dtype, {k, n}, 2);
  const Value c = whole(given.dtype, given.addend, 3);
  const std::vector<double> addend = as_doubles(broadcast(c, {m, n}));
  Reference expected = product_reference(a, b);
  for (size_t i = 0; i < expected.products.size(); ++i) {
    double& sum = expected.products[i];
    sum = given.alpha * sum + given.beta * addend[i];
  }
  OneNode node("Gemm", 13);
  node.attribute("alpha", given.alpha).attribute("beta", given.beta);
  node.attribute("transA", given.left ? 1 : 0).attribute("transB", given.right ? 1 : 0);
  node.math_flags(SY_MATH_BFLOAT16).input(given.left ? turned(a) : a);
  const Value right = given.right ? turned(b) : b;
  given.constant ? node.constant(right, next_id()) : node.input(right);
  expect_within(node.input(c).output(given.dtype, {m, n}).run(), expected);
}

TEST(Bfloat16Product, GemmTransposedScaledAndAdded) {
  for (const sy_dtype dtype : {SY_BFLOAT16, SY_FLOAT32}) {
    for (int turns = 0; turns < 8; ++turns) {
      for (const auto& [alpha, beta] :
           {std::pair{1.0, 1.0}, {2.0, 3.0}, {0.5, 0.0}, {1.0, -0.25}}) {
        for (const Shape& addend : {Shape{40, 70}, Shape{70}, Shape{40, 1}, Shape{}}) {
          expect_gemm(
              {dtype, (turns & 1) != 0, (turns & 2) != 0, alpha, beta, addend, (turns & 4) != 0});
        }
      }
    }
  }
}

TEST(Bfloat16Product, GemmWithoutAddendAndInPlace) {
  const Value a = whole(SY_BFLOAT16, {40, 50}, 1), b = whole(SY_BFLOAT16, {50, 60}, 2);
  const Value c = whole(SY_BFLOAT16, {40, 60}, 3);
  Reference expected = product_reference(a, b);
  const Value plain = OneNode("Gemm", 13).input(a).input(b).output(SY_BFLOAT16, {40, 60}).run();
  expect_within(plain, expected);
  const std::vector<double> addend = as_doubles(c);
  for (size_t i = 0; i < addend.size(); ++i) expected.products[i] += addend[i];
  expect_within(OneNode("Gemm", 13).input(a).input(b).input(c).output_over(2).run(), expected);
}

}  // namespace
}  // namespace cpu::testing
