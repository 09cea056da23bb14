#include <cmath>
#include <limits>

#include "infer_op.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

TEST(MatMulTest, VectorsMatricesAndStacks) {
  EXPECT_EQ(InferOp("MatMul").input({2, 3}).input({3, 4}).output(), "float32 [2, 4]");
  EXPECT_EQ(InferOp("MatMul").input({3}).input({3, 4}).output(), "float32 [4]");
  EXPECT_EQ(InferOp("MatMul").input({2, 3}).input({3}).output(), "float32 [2]");
  EXPECT_EQ(InferOp("MatMul").input({3}).input({3}).output(), "float32 []");
  EXPECT_EQ(InferOp("MatMul").input({5, 1, 2, 3}).input({7, 3, 4}).output(),
            "float32 [5, 7, 2, 4]");
  EXPECT_EQ(InferOp("MatMul").input({kUnknown, 2, kUnknown}).input({3, 4}).output(),
            "float32 [?, 2, 4]");
  EXPECT_EQ(
      InferOp("MatMulInteger").input(DType::uint8, {2, 3}).input(DType::int8, {3, 4}).output(),
      "int32 [2, 4]");
}

TEST(MatMulTest, InnerExtentsAgree) {
  EXPECT_THAT(
      InferOp("MatMul").input({2, 3}).input({4, 5}).error(),
      HasSubstr("[MatMul] shapes [2, 3] and [4, 5] do not multiply: inner extents are 3 and 4"));
  EXPECT_THAT(InferOp("MatMul").input({}).input({4, 5}).error(),
              HasSubstr("neither may be a scalar"));
  EXPECT_THAT(InferOp("MatMul").input({2, 2, 3}).input({3, 3, 4}).error(),
              HasSubstr("do not broadcast"));
}

TEST(GemmTest, TransposesAndChecksTheBias) {
  const std::int64_t yes = 1;
  EXPECT_EQ(InferOp("Gemm").input({2, 3}).input({3, 4}).input({4}).output(), "float32 [2, 4]");
  EXPECT_EQ(
      InferOp("Gemm", with("transA", yes, "transB", yes)).input({3, 2}).input({4, 3}).output(),
      "float32 [2, 4]");
  EXPECT_EQ(InferOp("Gemm").input_of_unknown_rank().input({3, 4}).output(), "float32 [?, 4]");
  EXPECT_THAT(InferOp("Gemm").input({2, 3}).input({3, 4}).input({3}).error(),
              HasSubstr("it must be one that broadcasts to [2, 4]"));
  EXPECT_THAT(InferOp("Gemm", with("transB", yes)).input({2, 3}).input({3, 4}).error(),
              HasSubstr("inner extents are 3 and 4"));
  EXPECT_THAT(InferOp("Gemm").input({2, 3, 1}).input({3, 4}).error(),
              HasSubstr("must be a matrix"));
}

TEST(GemmTest, ScalesIntegersByFactorsWithoutFractionsAlone) {
  const auto product = [](DType dtype, const std::string& name, float factor) {
    return InferOp("Gemm", with(name, factor)).input(dtype, {2, 3}).input(dtype, {3, 4});
  };
  EXPECT_EQ(product(DType::int64, "alpha", -2).output(), "int64 [2, 4]");
  EXPECT_EQ(product(DType::float32, "alpha", 0.5).output(), "float32 [2, 4]");
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float factor : {0.5F, 1e30F, kInfinity, -kInfinity, std::nanf("")}) {
    EXPECT_THAT(product(DType::int32, "alpha", factor).error(), HasSubstr("whole factors"));
    EXPECT_THAT(product(DType::uint64, "beta", factor).error(), HasSubstr("whole factors"));
  }
}

std::string einsum(const std::string& equation, std::vector<Dims> shapes) {
  InferOp op("Einsum", with("equation", equation));
  for (Dims& shape : shapes) op.input(std::move(shape));
  return op.output();
}

TEST(EinsumTest, ReadsEquations) {
  EXPECT_EQ(einsum("ij,jk->ik", {{2, 3}, {3, 4}}), "float32 [2, 4]");
  EXPECT_EQ(einsum(" b i j , b j k -> b i k ", {{5, 2, 3}, {5, 3, 4}}), "float32 [5, 2, 4]");
  EXPECT_EQ(einsum("ii->i", {{3, 3}}), "float32 [3]");
  EXPECT_EQ(einsum("ij->", {{2, 3}}), "float32 []");
  EXPECT_EQ(einsum("i,i->i", {{1}, {4}}), "float32 [4]");
}

TEST(EinsumTest, WithoutAnArrowTheResultIsImplied) {
  EXPECT_EQ(einsum("bj,ab", {{2, 3}, {4, 2}}), "float32 [4, 3]");
  EXPECT_EQ(einsum("ba", {{2, 3}}), "float32 [3, 2]");
}

TEST(EinsumTest, AnEllipsisBroadcasts) {
  EXPECT_EQ(einsum("...ij,...jk->...ik", {{7, 1, 2, 3}, {5, 3, 4}}), "float32 [7, 5, 2, 4]");
  EXPECT_EQ(einsum("i...->...", {{2, 3}}), "float32 [3]");
  EXPECT_EQ(einsum("...i,i", {{2, 3}, {3}}), "float32 [2]");
}

TEST(EinsumTest, RefusesWhatDoesNotFit) {
  const auto error = [](const std::string& equation, Dims a, Dims b) {
    return InferOp("Einsum", with("equation", equation))
        .input(std::move(a))
        .input(std::move(b))
        .error();
  };
  EXPECT_THAT(error("ij,jk->ik", {2, 3}, {4, 5}), HasSubstr("\"j\" stands for extents 3 and 4"));
  EXPECT_THAT(error("ij->i", {2, 3}, {4, 5}), HasSubstr("1 terms, but the node has 2 inputs"));
  EXPECT_THAT(error("ij,jk->il", {2, 3}, {3, 5}), HasSubstr("\"l\" of the result is in no input"));
  EXPECT_THAT(error("ij,jk->ii", {2, 3}, {3, 5}), HasSubstr("twice in its result"));
  EXPECT_THAT(error("ij,j1->i", {2, 3}, {3, 5}), HasSubstr("is not a term"));
  EXPECT_THAT(error("ijk,j->i", {2, 3}, {3}), HasSubstr("does not go with 3 subscripts"));
}

TEST(DetTest, TakesSquareMatrices) {
  EXPECT_EQ(InferOp("Det").input({5, 3, 3}).output(), "float32 [5]");
  EXPECT_EQ(InferOp("Det").input({3, kUnknown}).output(), "float32 []");
  EXPECT_THAT(InferOp("Det").input({3, 4}).error(), HasSubstr("must be a square matrix"));
}

}  // namespace
}  // namespace switchyard
