#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

const sy_dtype every_dtype[] = {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16,
                                SY_INT8,    SY_INT16,   SY_INT32,   SY_INT64,
                                SY_UINT8,   SY_UINT16,  SY_UINT32,  SY_UINT64};

Shape batch_of(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape made(rank, 1);
  for (const Shape* shape : {&a, &b}) {
    for (size_t i = 0; i < shape->size(); ++i) {
      int64_t& extent = made[rank - shape->size() + i];
      if ((*shape)[i] != 1) extent = (*shape)[i];
    }
  }
  return made;
}

struct MatMulReference {
  Shape shape;
  std::vector<double> elements;
};

MatMulReference matmul_reference(const Value& left, const Value& right) {
  Value a = left;
  Value b = right;
  if (left.shape.size() == 1) a = from_doubles(a.dtype, {1, a.shape[0]}, as_doubles(a));
  if (right.shape.size() == 1) b = from_doubles(b.dtype, {b.shape[0], 1}, as_doubles(b));
  const int64_t m = a.shape[a.shape.size() - 2], k = a.shape.back(), n = b.shape.back();
  const Shape batch = batch_of(Shape(a.shape.begin(), a.shape.end() - 2),
                               Shape(b.shape.begin(), b.shape.end() - 2));
  const auto spread = [&](const Value& value, int64_t rows, int64_t columns) {
    Shape shape = batch;
    shape.insert(shape.end(), {rows, columns});
    return as_doubles(broadcast(value, shape));
  };
  const std::vector<double> x = spread(a, m, k), y = spread(b, k, n);
  MatMulReference made;
  for (int64_t i = 0; i < sy::element_count(batch); ++i) {
    const auto part = product_of(x.data() + i * m * k, y.data() + i * k * n, m, n, k);
    made.elements.insert(made.elements.end(), part.begin(), part.end());
  }
  made.shape = batch;
  if (left.shape.size() > 1) made.shape.push_back(m);
  if (right.shape.size() > 1) made.shape.push_back(n);
  return made;
}

void expect_matmul(const Value& a, const Value& b, double absolute = 0) {
  const MatMulReference expected = matmul_reference(a, b);
  const Value y = OneNode("MatMul", 13).input(a).input(b).output(a.dtype, expected.shape).run();
  expect_near(y, expected.elements, 0, absolute);
}

const std::vector<std::pair<Shape, Shape>>& matrix_shapes() {
  static const std::vector<std::pair<Shape, Shape>> all = {
      {{1, 1}, {1, 1}},    {{2, 3}, {3, 4}},    {{13, 7}, {7, 33}},        {{5}, {5}},
      {{5}, {5, 6}},       {{4, 5}, {5}},       {{2, 3, 5}, {5}},          {{5}, {2, 5, 3}},
      {{2, 3, 4}, {4, 5}}, {{3, 4}, {2, 4, 5}}, {{2, 1, 3, 4}, {3, 4, 2}}, {{6, 1, 9}, {6, 9, 4}},
      {{7, 1, 9}, {9, 4}}, {{1, 17}, {17, 70}}, {{70, 17}, {17, 1}},       {{0, 3}, {3, 4}},
      {{2, 0}, {0, 4}},    {{2, 3}, {3, 0}},    {{0, 2, 3}, {3, 2}},       {{2, 1, 3}, {2, 3, 1}},
  };
  return all;
}

TEST(MatMul, EveryShapeAndDtype) {
  for (const sy_dtype dtype : every_dtype) {
    for (const auto& [left, right] : matrix_shapes()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), left, " by ", right));
      expect_matmul(whole(dtype, left, 1), whole(dtype, right, 2));
    }
  }
}

TEST(MatMul, EveryLayout) {
  for (const sy_dtype dtype :
       {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT8, SY_INT64}) {
    for (const auto& [left, right] :
         {std::pair<Shape, Shape>{{2, 3, 5}, {2, 5, 4}}, {{9, 37}, {37, 50}}, {{1, 9}, {9, 5}}}) {
      for (const Value& a : layouts_of(whole(dtype, left, 3))) {
        for (const Value& b : layouts_of(whole(dtype, right, 4))) expect_matmul(a, b);
      }
    }
  }
}

TEST(MatMul, StridedOutputs) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_BFLOAT16, SY_INT32, SY_UINT64}) {
    const Value a = whole(dtype, {2, 14, 6}, 5);
    const Value b = whole(dtype, {6, 35}, 6);
    const MatMulReference expected = matmul_reference(a, b);
    for (const Value& layout : layouts_of(whole(dtype, expected.shape, 7))) {
      const Value y = OneNode("MatMul", 13)
                          .input(a)
                          .input(b)
                          .output(dtype, expected.shape, layout.strides, layout.offset)
                          .run();
      expect_near(y, expected.elements, 0);
    }
  }
}

TEST(MatMul, RepeatedByStridesOfZero) {
  const Value row = random(SY_FLOAT32, {1, 40}, 8);
  const Value b = random(SY_FLOAT32, {40, 30}, 9);
  expect_matmul(broadcast(row, {20, 40}), b, 1e-5);
  expect_matmul(b, broadcast(random(SY_FLOAT32, {30, 1}, 1), {30, 50}), 1e-5);
}

TEST(MatMul, Large) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    const double absolute = dtype == SY_FLOAT16 ? 2e-2 : dtype == SY_BFLOAT16 ? 2e-1 : 1e-4;
    for (const auto& [m, n, k] : {std::array<int64_t, 3>{301, 257, 515},
                                  {1, 1300, 777},
                                  {1300, 1, 777},
                                  {5, 1100, 300},
                                  {40, 1100, 40}}) {
      expect_matmul(random(dtype, {m, k}, 1), random(dtype, {k, n}, 2), absolute);
      expect_matmul(transposed(random(dtype, {m, k}, 1), {1, 0}),
                    transposed(random(dtype, {k, n}, 2), {1, 0}), absolute);
    }
  }
}

TEST(MatMul, IntegersWrap) {
  const Value big = value<int32_t>({1, 2}, {0x7fffffff, 2});
  const Value y = OneNode("MatMul", 13)
                      .input(big)
                      .input(value<int32_t>({2, 1}, {2, 3}))
                      .output(SY_INT32, {1, 1})
                      .run();
  EXPECT_EQ(numbers<int32_t>(y), (std::vector<int32_t>{4}));
}

TEST(MatMul, ConstantsArePackedForEveryShapeOfTheOtherInput) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT16, SY_INT32, SY_FLOAT64}) {
    for (const auto& [left, right] : matrix_shapes()) {
      const Value a = whole(dtype, left, 1);
      const Value b = whole(dtype, right, 2);
      const MatMulReference expected = matmul_reference(a, b);
      static uint64_t id = 1000;
      for (const bool hidden : {false, true}) {
        OneNode node("MatMul", 13);
        node.input(a).constant(b, ++id).output(dtype, expected.shape);
        if (hidden) node.hide_shapes();
        expect_near(node.run(), expected.elements, 0);
      }
    }
  }
}

TEST(MatMul, TwoThreadsAtOnce) {
  const Value a = random(SY_FLOAT32, {150, 200}, 1);
  const Value b = random(SY_FLOAT32, {200, 170}, 2);
  const MatMulReference expected = matmul_reference(a, b);
  const auto work = [&] {
    for (int i = 0; i < 20; ++i) {
      const Value y = OneNode("MatMul", 13).input(a).input(b).output(SY_FLOAT32, {150, 170}).run();
      expect_near(y, expected.elements, 0, 1e-4);
    }
  };
  std::thread other(work);
  work();
  other.join();
}

std::vector<double> gemm_reference(Value a, Value b, bool left_turned, bool right_turned,
                                   const std::vector<double>& addend, double alpha, double beta) {
  if (left_turned) std::swap(a.shape[0], a.shape[1]);
  if (left_turned) a.strides = {1, a.shape[0]};
  if (right_turned) std::swap(b.shape[0], b.shape[1]);
  if (right_turned) b.strides = {1, b.shape[0]};
  std::vector<double> made =
      product_of(as_doubles(a).data(), as_doubles(b).data(), a.shape[0], b.shape[1], a.shape[1]);
  for (size_t i = 0; i < made.size(); ++i) made[i] = alpha * made[i] + beta * addend[i];
  return made;
}

TEST(Gemm, TransposedScaledAndAdded) {
  constexpr int64_t m = 14, n = 37, k = 9;
  static uint64_t id = 9000;
  for (const sy_dtype dtype :
       {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT32, SY_UINT64}) {
    for (int turns = 0; turns < 4; ++turns) {
      for (const Shape& shape : {Shape{m, n}, Shape{n}, Shape{m, 1}, Shape{}}) {
        const bool left = (turns & 1) != 0, right = (turns & 2) != 0;
        const Value a = whole(dtype, left ? Shape{k, m} : Shape{m, k}, 1);
        const Value b = whole(dtype, right ? Shape{n, k} : Shape{k, n}, 2);
        const Value c = whole(dtype, shape, 3);
        const auto expected =
            gemm_reference(a, b, left, right, as_doubles(broadcast(c, {m, n})), 2, 3);
        for (const bool constant : {false, true}) {
          OneNode node("Gemm", 13);
          node.attribute("alpha", 2.0).attribute("beta", 3.0);
          node.attribute("transA", left ? 1 : 0).attribute("transB", right ? 1 : 0).input(a);
          constant ? node.constant(b, ++id) : node.input(b);
          node.input(c).output(dtype, {m, n});
          expect_near(node.run(), expected, dtype == SY_BFLOAT16 ? 0.5 : 0);
        }
      }
    }
  }
}

TEST(Gemm, WithoutAddendAndInPlace) {
  const Value a = whole(SY_FLOAT32, {3, 4}, 1), b = whole(SY_FLOAT32, {4, 5}, 2);
  const Value c = whole(SY_FLOAT32, {3, 5}, 3);
  const auto zeros = std::vector<double>(15, 0.0);
  const Value plain = OneNode("Gemm", 13).input(a).input(b).output(SY_FLOAT32, {3, 5}).run();
  expect_near(plain, gemm_reference(a, b, false, false, zeros, 1, 0), 0);
  const Value nothing = OneNode("Gemm", 13)
                            .attribute("beta", 0.0)
                            .input(a)
                            .input(b)
                            .input(c)
                            .output(SY_FLOAT32, {3, 5})
                            .run();
  expect_near(nothing, gemm_reference(a, b, false, false, zeros, 1, 0), 0);
  const Value over = OneNode("Gemm", 13).input(a).input(b).input(c).output_over(2).run();
  expect_near(over, gemm_reference(a, b, false, false, as_doubles(c), 1, 1), 0);
}

TEST(Gemm, EmptySumIsTheAddend) {
  const Value c = whole(SY_FLOAT32, {2, 3}, 1);
  const Value y = OneNode("Gemm", 13)
                      .input(blank(SY_FLOAT32, {2, 0}))
                      .input(blank(SY_FLOAT32, {0, 3}))
                      .input(c)
                      .output(SY_FLOAT32, {2, 3})
                      .run();
  EXPECT_EQ(as_doubles(y), as_doubles(c));
}

TEST(Gemm, FractionsOfIntegersAreRefused) {
  OneNode node("Gemm", 13);
  node.attribute("alpha", 0.5).input(whole(SY_INT32, {2, 2}, 1)).input(whole(SY_INT32, {2, 2}, 2));
  node.output(SY_INT32, {2, 2});
  const sy_verdict verdict = node.verdict();
  EXPECT_EQ(verdict.kind, SY_REFUSED);
  EXPECT_EQ(verdict.reason, SY_REASON_ATTRIBUTE);
}

}  // namespace
}  // namespace cpu::testing
