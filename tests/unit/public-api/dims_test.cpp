// Lists of extents: what they are made of, and what lies beyond their ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <switchyard/switchyard.hpp>
#include <type_traits>
#include <vector>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

static_assert(!std::is_convertible_v<bool, Dims>);
static_assert(!std::is_convertible_v<char, Dims>, "zeros('a')");
static_assert(!std::is_convertible_v<double, Dims>);
static_assert(std::is_convertible_v<std::vector<std::int64_t>, Dims>);

TEST(DimsOf, AnyIntegers) {
  const std::size_t batch = 4;
  const int width = 3;
  EXPECT_EQ(zeros({batch, width}).shape(), (Dims{4, 3}));
  EXPECT_EQ(Dims(2, 3), (Dims{2, 3})) << "round brackets say the same";
  EXPECT_EQ(Dims::filled(2, 3), (Dims{3, 3}));
  EXPECT_EQ(Dims(), Dims{});
  EXPECT_EQ((Dims{1, 2, 3, 4, 5, 6, 7, 8}).size(), 8u);
}

TEST(DimsOf, ListsMadeAtRunTime) {
  const std::vector<std::int64_t> list = {3, 2};
  EXPECT_EQ(zeros(list).shape(), list);
  EXPECT_EQ(zeros({6}).reshape(list).shape(), (Dims{3, 2}));
  const std::array<std::int64_t, 2> array = {2, 3};
  EXPECT_EQ(zeros(std::span<const std::int64_t>(array)).shape(), (Dims{2, 3}));
}

// Braces are extents, and no copy of the layer, for each layer that takes extents first.
template <typename Layer>
concept TakesExtents = requires(std::size_t size, int count, std::int64_t extent) {
  Layer({size});
  Layer({count, count});
  Layer({extent, size});
  Layer({2, extent});
  Layer({size, size}, typename Layer::Options{});
};
static_assert(TakesExtents<nn::LayerNorm> && TakesExtents<nn::RMSNorm>);
static_assert(TakesExtents<nn::MaxPool1d> && TakesExtents<nn::MaxPool2d>);
static_assert(TakesExtents<nn::AvgPool1d> && TakesExtents<nn::AvgPool2d>);
template <typename Layer>
concept TakesTruths = requires {
  Layer({true, false});
};
static_assert(!TakesTruths<nn::LayerNorm> && !TakesTruths<nn::AdaptiveAvgPool2d>);

TEST(DimsOf, BracesOfALayer) {
  const std::size_t size = 4;
  EXPECT_EQ(nn::LayerNorm({size}).normalized_shape, (Dims{4}));
  EXPECT_EQ(nn::LayerNorm({size, size}, {.bias = false}).normalized_shape, (Dims{4, 4}));
  EXPECT_EQ(nn::LayerNorm({3, size}).normalized_shape, (Dims{3, 4}));
  EXPECT_EQ(nn::MaxPool2d({size}).kernel_size, (Dims{4}));
  EXPECT_EQ(nn::AdaptiveAvgPool2d({size, size}).output_size, (Dims{4, 4}));
  EXPECT_EQ(nn::AdaptiveAvgPool2d({2U}).output_size, (Dims{2}));
}

TEST(DimsIndex, CountsFromTheEndToo) {
  const Tensor x = zeros({2, 3});
  EXPECT_EQ(x.shape()[-1], 3);
  EXPECT_EQ(x.shape()[-2], 2);
  EXPECT_EQ(x.shape()[1U], 3);
  EXPECT_EQ(x.shape().back(), 3);
}

TEST(DimsIndex, BeyondEitherEndIsAnError) {
  const Dims dims = {2, 3};
  EXPECT_THAT(thrown([&] { return dims[2]; }), HasSubstr("entry 2 of a list of 2"));
  EXPECT_THAT(thrown([&] { return dims[-3]; }), HasSubstr("entry -3 of a list of 2"));
  EXPECT_THAT(thrown([&] { return dims[std::size_t{1} << 63U]; }), HasSubstr("of a list of 2"));
  EXPECT_THAT(thrown([&] { return Dims().back(); }), HasSubstr("of a list of 0"));
  EXPECT_THAT(thrown([&] { Dims(dims).erase(2); }), HasSubstr("entry 2"));
  EXPECT_THAT(thrown([&] { Dims(dims).insert(3, 1); }), HasSubstr("entry 3"));
}

/// The tensor of a temporary goes, and its memory is another's.
TEST(Shapes, OfTemporariesAreCopies) {
  const Dims& shape = (zeros({3, 4}) + 1).shape();
  const Dims& strides = zeros({3, 4}).t().strides();
  const std::vector<Tensor> others(20, ones({9, 9, 9}) * 2);
  EXPECT_EQ(shape, Dims(3, 4));
  EXPECT_EQ(strides, Dims(1, 4));
  Dims seen;
  for (const std::int64_t extent : zeros({2, 3, 4}).permute({2, 0, 1}).shape()) {
    static_cast<void>(ones({9, 9, 9}));
    seen.push_back(extent);
  }
  EXPECT_EQ(seen, Dims(4, 2, 3));
}

}  // namespace
}  // namespace switchyard
