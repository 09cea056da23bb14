// Products: shapes, types, factors, errors.
#include <gmock/gmock.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Products, BroadcastBatches) {
  const Tensor a = tensor({{1., 2.}, {3., 4.}}), v = tensor({1., -1.});
  EXPECT_THAT(values(matmul(a, a)), ElementsAre(7, 10, 15, 22));
  EXPECT_THAT(values(matmul(a.t(), a)), ElementsAre(10, 14, 14, 20));
  EXPECT_THAT(values(matmul(a, v)), ElementsAre(-1, -1));
  EXPECT_THAT(values(matmul(v, a)), ElementsAre(-2, -2));
  EXPECT_EQ(matmul(v, v).dim(), 0);
  EXPECT_EQ(matmul(ones({3, 1, 2, 4}), ones({5, 4, 6})).shape(), (Dims{3, 5, 2, 6}));
  EXPECT_EQ(matmul(ones({3, 2, 4}), ones({4})).shape(), (Dims{3, 2}));
  EXPECT_THAT(values(matmul(zeros({1, 0}), zeros({0, 2}))), ElementsAre(0, 0)) << "an empty sum";
  EXPECT_EQ(matmul(zeros({0, 2}), a).shape(), (Dims{0, 2}));
  EXPECT_THAT(values(outer(v, tensor({2., 3.}))), ElementsAre(2, 3, -2, -3));
  EXPECT_THAT(values(einsum("ij->ji", {a})), ElementsAre(1, 3, 2, 4));
}

TEST(Products, PromoteAndKeepTheDigitsOfDoubles) {
  const Tensor a = ones({1, 1}), wide = ones({1, 1}, {.dtype = DType::float64});
  EXPECT_EQ(matmul(a, wide).dtype(), DType::float64);
  EXPECT_EQ(addmm(wide, a, a).dtype(), DType::float64);
  EXPECT_EQ(addmm(wide, wide, wide, 0.1, 0.2).item(), 0.1 + 0.2);
  EXPECT_NEAR(addmm(a, a, a, 0.5, 2).item(), 2.5, 1e-6);
  EXPECT_THAT(values(matmul(tensor({3, 4}), tensor({2, -1}))), ElementsAre(2));
  EXPECT_EQ(matmul(tensor({3, 4}), tensor({2, -1})).dtype(), DType::int64);
}

TEST(Products, RefuseRanksAndExtents) {
  const Tensor a = ones({2, 3}), v = ones({3});
  EXPECT_THAT(thrown([&] { matmul(a, a); }), AllOf(HasSubstr("[matmul]"), HasSubstr("3 and 2")));
  EXPECT_THAT(thrown([&] { matmul(a, full({}, 1.0)); }), HasSubstr("[matmul]"));
  EXPECT_THAT(thrown([&] { mm(a, v); }), HasSubstr("[mm] needs a tensor of rank 2"));
  EXPECT_THAT(thrown([&] { matmul(a, Tensor()); }), HasSubstr("rank 1 or more, got none"));
  EXPECT_THAT(thrown([&] { bmm(a, a); }), HasSubstr("[bmm] needs a tensor of rank 3"));
  EXPECT_THAT(thrown([&] { mv(v, v); }), HasSubstr("[mv]"));
  EXPECT_THAT(thrown([&] { dot(v, ones({4})); }), AllOf(HasSubstr("3 and 4")));
  EXPECT_THAT(thrown([&] { outer(a, v); }), HasSubstr("[outer]"));
  EXPECT_THAT(thrown([&] { addmm(v, a, a); }), HasSubstr("[addmm]"));
  EXPECT_THAT(thrown([&] { linear(ones({2, 4}), a); }), HasSubstr("inner extents"));
  EXPECT_THAT(thrown([&] { einsum("ij,jk->ik", {a, a}); }), HasSubstr("[einsum]"));
}

}  // namespace
}  // namespace switchyard
