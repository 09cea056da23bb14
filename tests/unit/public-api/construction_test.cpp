// Tensors of what a program has in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

static_assert(Element<float> && Element<double> && Element<bool> && Element<float16>);
static_assert(Element<long> && Element<long long> && Element<unsigned long long>);
static_assert(!Element<char> && !Element<wchar_t> && !Element<std::string> && !Element<int*>);
static_assert(DTypeOf<long long>::value == DType::int64 && DTypeOf<long>::value == DType::int64);

template <typename T>
concept MakesATensor = requires(const std::vector<T>& list) {
  tensor(list);
};
static_assert(MakesATensor<float> && MakesATensor<bool> && MakesATensor<std::uint16_t>);
static_assert(!MakesATensor<char> && !MakesATensor<std::string>);

TEST(Construction, TakesVectorsArraysAndSpans) {
  const std::vector<float> list = {1, 2, 3, 4};
  EXPECT_EQ(tensor(list).shape(), Dims{4});
  EXPECT_EQ(tensor(list, {2, 2}).shape(), (Dims{2, 2}));
  EXPECT_THAT(tensor(std::span<const float>(list).subspan(1)).to_vector<float>(),
              ElementsAre(2, 3, 4));
  EXPECT_THAT(tensor(std::array<std::int32_t, 2>{5, 6}).to_vector<std::int32_t>(),
              ElementsAre(5, 6));
  EXPECT_THAT(tensor(std::vector<bool>{true, false}).to_vector<bool>(), ElementsAre(true, false));
  EXPECT_EQ(tensor(std::vector<long long>{1}).dtype(), DType::int64);
  EXPECT_EQ(tensor(std::vector<double>{1}).dtype(), DType::float64);
  EXPECT_EQ(tensor(std::vector<float>{}).shape(), Dims{0});
  EXPECT_EQ(tensor(std::vector<float>{}, {0, 3}).shape(), (Dims{0, 3}));
}

TEST(Construction, ListsOfBracesStayWhatTheyAre) {
  EXPECT_EQ(tensor({1, 2}).dtype(), DType::int64);
  EXPECT_EQ(tensor({1., 2.}).dtype(), DType::float32);
  EXPECT_EQ(tensor({true, false}).dtype(), DType::bool_);
  EXPECT_EQ(tensor({{1, 2}, {3, 4}}).shape(), (Dims{2, 2}));
  EXPECT_EQ(tensor(2.5).shape(), Dims{});
}

TEST(Construction, EmptyBracesAreNoOptions) {
  const std::vector<float> list = {1, 2};
  EXPECT_EQ(tensor(list, {}).shape(), Dims{2});
  EXPECT_EQ(tensor(std::vector<bool>{true}, {}).dtype(), DType::bool_);
  EXPECT_EQ(tensor({1, 2}, {}).dtype(), DType::int64);
  EXPECT_EQ(full_like(ones({2}), 0, {}).shape(), Dims{2});
  EXPECT_EQ(arange(3, {}).size(), 3);
  EXPECT_EQ(arange(1, 3, {}).size(), 2);
  EXPECT_EQ(arange(1, 3, {.dtype = DType::float64}).dtype(), DType::float64);
}

TEST(Construction, OfATensorLikeAnother) {
  const Tensor x = tensor({1., 2.}, {.dtype = DType::float16}).requires_grad_();
  for (const Tensor& y :
       {x.new_zeros({2, 3}), x.new_ones({2, 3}), x.new_full({2, 3}, 2.5), x.new_empty({2, 3})}) {
    EXPECT_EQ(y.dtype(), DType::float16);
    EXPECT_EQ(y.device(), x.device());
    EXPECT_EQ(y.shape(), (Dims{2, 3}));
    EXPECT_FALSE(y.requires_grad());
  }
  EXPECT_EQ(x.new_full({}, 2.5).item(), 2.5);
  EXPECT_EQ(x.new_zeros({2}, {}).sum().item(), 0);
  const Tensor y = x.new_ones(3, {.dtype = DType::int64});
  EXPECT_THAT(y.to_vector<std::int64_t>(), ElementsAre(1, 1, 1));
  EXPECT_TRUE(x.new_zeros({2}, {.requires_grad = true}).requires_grad());
}

TEST(Construction, FollowsTheOptions) {
  const std::vector<double> list = {1, 2};
  const Tensor x = tensor(list, {.dtype = DType::float16, .requires_grad = true});
  EXPECT_EQ(x.dtype(), DType::float16);
  EXPECT_TRUE(x.requires_grad());
  EXPECT_EQ(x.device(), current_device());
  EXPECT_TRUE(x.is_leaf());
  x.detach().add_(1);
  EXPECT_EQ(x.to(DType::float32).sum().item(), 5);
}

TEST(Construction, CountsTheElements) {
  EXPECT_THAT(thrown([] {
                return tensor(std::vector<float>(5), {2, 3});
              }),
              HasSubstr("shape [2, 3] of float32 needs 24 bytes, got 20"));
  EXPECT_THAT(thrown([] { return tensor(std::vector<float>(5), {-5}); }), HasSubstr("negative"));
  EXPECT_THAT(thrown([] { return text_tensor({"a"}, {2}); }), HasSubstr("2 texts, got 1"));
}

TEST(Construction, TextStaysWithTheHost) {
  const std::string reason = "text tensors stay with the host";
  const TensorOptions text{.dtype = DType::string};
  EXPECT_THAT(thrown([&] { return empty({2}, text); }), HasSubstr(reason));
  EXPECT_THAT(thrown([&] { return zeros({0}, text); }), HasSubstr(reason));
  EXPECT_THAT(thrown([&] { return empty_like(ones({2}), text); }), HasSubstr(reason));
  EXPECT_THAT(thrown([] { return text_tensor({"a"}, {1}).to(current_device()); }),
              HasSubstr(reason));
}

TEST(Construction, TakesBytesOfTypesThatCPlusPlusLacks) {
  const std::array<std::byte, 2> codes = {std::byte{0x21}, std::byte{0x43}};
  const Tensor x = tensor_from_bytes(DType::uint4, codes, {4});
  EXPECT_THAT(x.to(DType::int32).to_vector<std::int32_t>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(thrown([&] { return tensor_from_bytes(DType::string, codes, {2}); }),
              HasSubstr("text_tensor()"));
}

TEST(Float16, RoundsAsDevicesDo) {
  for (int i = -40000; i < 40000; ++i) {
    const float value = std::ldexp(static_cast<float>(i), i % 37 - 30);
    const Tensor x = tensor(std::vector<float>{value});
    EXPECT_EQ(float16(value).bits(), x.to(DType::float16).item<float16>().bits()) << value;
    EXPECT_EQ(bfloat16(value).bits(), x.to(DType::bfloat16).item<bfloat16>().bits()) << value;
    if (i % 101 != 0) i += 100;  // a call of a device each
  }
}

TEST(Float16, ComesBackFromEachCode) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    const float half = float16::from_bits(bits), brain = bfloat16::from_bits(bits);
    if (std::isnan(half)) {
      EXPECT_TRUE(std::isnan(float(float16(half))));
    } else {
      EXPECT_EQ(float16(half).bits(), bits);
    }
    if (std::isnan(brain)) {
      EXPECT_TRUE(std::isnan(float(bfloat16(brain))));
    } else {
      EXPECT_EQ(bfloat16(brain).bits(), bits);
    }
  }
  EXPECT_EQ(float16(65504.F), 65504.F);
  EXPECT_EQ(float16(65519.F), 65504.F);
  EXPECT_TRUE(std::isinf(float(float16(65520.F))));
  static_assert(float16(1.5F) == 1.5F && bfloat16(-2.F) == -2.F);
}

TEST(Float16, IsAnElementAndANumber) {
  const Tensor x = tensor(std::vector<float16>{float16(1.5F), float16(2)});
  EXPECT_EQ(x.dtype(), DType::float16);
  EXPECT_EQ((x * bfloat16(2)).dtype(), DType::float16) << "a number's dtype gives way";
  EXPECT_EQ((x + float16(1)).to_vector<float16>()[0], 2.5F);
}

}  // namespace
}  // namespace switchyard
