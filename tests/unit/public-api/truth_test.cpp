// What `if (tensor)` means: the truth of its one element, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/switchyard.hpp>
#include <type_traits>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
concept HasTruth = requires(const T& value) {
  value ? 1 : 0;
};

static_assert(HasTruth<Tensor>);
static_assert(!HasTruth<Mask>, "if (a == b) must say which elements count");
static_assert(!std::is_convertible_v<Tensor, bool>, "a tensor is not a number by itself");
static_assert(std::is_same_v<decltype(Tensor() < 1), Mask>);
static_assert(std::is_same_v<decltype((Tensor() < 1) & (Tensor() > 1)), Mask>);
static_assert(std::is_same_v<decltype((Tensor() < 1) | (Tensor() > 1)), Mask>);
static_assert(std::is_same_v<decltype((Tensor() < 1) ^ (Tensor() > 1)), Mask>);
static_assert(std::is_same_v<decltype(~(Tensor() == 1)), Mask>);
static_assert(std::is_same_v<decltype(!(Tensor() == 1)), Mask>);
static_assert(std::is_same_v<decltype(all(Tensor() == 1)), Tensor>);

TEST(Truth, IsThatOfTheOnlyElement) {
  EXPECT_FALSE(static_cast<bool>(zeros({1})));
  EXPECT_TRUE(static_cast<bool>(ones({1, 1})));
  EXPECT_TRUE(static_cast<bool>(tensor(-0.5)));
  EXPECT_TRUE(static_cast<bool>(tensor(NAN))) << "as in PyTorch, and C";
  EXPECT_FALSE(static_cast<bool>(tensor(false)));
  EXPECT_TRUE(static_cast<bool>(Tensor(3)));
  const Tensor a = tensor({1., 2.}), b = tensor({3., 4.});
  EXPECT_FALSE(static_cast<bool>((a > b).sum()));
}

TEST(Truth, OfAllAndAnyAsksForTheElementsThatCount) {
  const Tensor a = tensor({1., 2.}), b = tensor({1., 4.});
  EXPECT_TRUE(static_cast<bool>(any(a == b)));
  EXPECT_FALSE(static_cast<bool>(all(a == b)));
  EXPECT_TRUE(static_cast<bool>((a == b).any()));
  EXPECT_TRUE(static_cast<bool>(all(zeros({0}) == 1))) << "of nothing";
}

TEST(Truth, OfSeveralElementsIsAnError) {
  EXPECT_THAT(thrown([] {
                return static_cast<bool>(ones({2, 3}));
              }),
              testing::AllOf(HasSubstr("float32[2, 3]"), HasSubstr("all(x) or any(x)")));
  EXPECT_THAT(thrown([] { return static_cast<bool>(ones({0})); }), HasSubstr("has 0"));
}

TEST(Truth, OfNoTensorIsAnError) {
  EXPECT_THAT(thrown([] { return static_cast<bool>(Tensor()); }), HasSubstr("holds nothing"));
  EXPECT_FALSE(Tensor().defined());
  EXPECT_TRUE(zeros({1}).defined());
}

TEST(Masks, CombineElementByElement) {
  const Mask a(tensor({true, true, false, false})), b(tensor({true, false, true, false}));
  EXPECT_THAT((a & b).to_vector<bool>(), ElementsAre(true, false, false, false));
  EXPECT_THAT((a | b).to_vector<bool>(), ElementsAre(true, true, true, false));
  EXPECT_THAT((a ^ b).to_vector<bool>(), ElementsAre(false, true, true, false));
  EXPECT_THAT((~a).to_vector<bool>(), ElementsAre(false, false, true, true));
  EXPECT_THAT((!a).to_vector<bool>(), ElementsAre(false, false, true, true));
}

}  // namespace
}  // namespace switchyard
