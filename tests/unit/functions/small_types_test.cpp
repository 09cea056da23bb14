// Numbers beside elements of 8 bits and fewer, beyond int8 and uint8, are what Cast makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/functions.hpp>

#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr DType kSmallFloats[] = {DType::float8e4m3fn,   DType::float8e4m3fnuz, DType::float8e5m2,
                                  DType::float8e5m2fnuz, DType::float8e8m0,     DType::float4e2m1};
constexpr DType kSmallIntegers[] = {DType::int4, DType::uint4, DType::int2, DType::uint2};

TEST(SmallTypes, AFloatingNumberIsWhatCastMakesOfIt) {
  for (const DType dtype : kSmallFloats) {
    for (const double number : {0.0, 1.0, -1.0, 0.3, 2.5, 17.0, -19.0, 0.001, 500.0, 1e6, 1e300}) {
      SCOPED_TRACE(std::string(name_of(dtype)) + " " + std::to_string(number));
      const Tensor cast = tensor({number}, {.dtype = DType::float64}).to(dtype);
      EXPECT_EQ(values(full({1}, number, {.dtype = dtype})), values(cast));
      EXPECT_EQ(full({1}, number, {.dtype = dtype}).item(), values(cast)[0]);
    }
    EXPECT_EQ(std::isnan(full({1}, NAN, {.dtype = dtype}).item()), dtype != DType::float4e2m1);
  }
}

TEST(SmallTypes, AnIntegerHasAPositionOrIsRefused) {
  for (const DType dtype : kSmallIntegers) {
    EXPECT_THAT(values(ones({3}, {.dtype = dtype})), ElementsAre(1, 1, 1)) << name_of(dtype);
    EXPECT_EQ(ones({1}, {.dtype = dtype}).item(), 1) << name_of(dtype);
    EXPECT_THAT(thrown([&] { full({1}, 16, {.dtype = dtype}); }), HasSubstr("cannot hold 16"));
  }
  EXPECT_THAT(values(full({5}, -8, {.dtype = DType::int4})), ElementsAre(-8, -8, -8, -8, -8));
  EXPECT_THAT(values(full({2}, 15, {.dtype = DType::uint4})), ElementsAre(15, 15));
  EXPECT_THAT(values(full({2}, -2, {.dtype = DType::int2})), ElementsAre(-2, -2));
  EXPECT_THAT(thrown([] { full({1}, 8, {.dtype = DType::int4}); }), HasSubstr("cannot hold 8"));
}

TEST(SmallTypes, AWriteLeavesTheNeighboursInTheByteAlone) {
  const Tensor all = full({4}, 3, {.dtype = DType::int4});
  all.narrow(0, 0, 3).fill_(-1);
  EXPECT_THAT(values(all), ElementsAre(-1, -1, -1, 3));
  all.narrow(0, 2, 1).copy_(tensor({5.}));
  EXPECT_THAT(values(all), ElementsAre(-1, -1, 5, 3));
  const Tensor pairs = ones({4}, {.dtype = DType::uint2});
  pairs.narrow(0, 0, 1).fill_(2);
  EXPECT_THAT(values(pairs), ElementsAre(2, 1, 1, 1));
}

TEST(SmallTypes, ElementsAreChosenBesideNumbers) {
  const Tensor mask = tensor({true, false});
  for (const DType dtype : {DType::float8e4m3fn, DType::int4}) {
    const Tensor x = ones({2}, {.dtype = dtype});
    EXPECT_THAT(values(where(mask, x, 2)), ElementsAre(1, 2)) << name_of(dtype);
    EXPECT_THAT(values(masked_fill(x, mask, 0)), ElementsAre(0, 1)) << name_of(dtype);
    EXPECT_EQ(where(mask, x, 2).dtype(), dtype);
  }
}

TEST(SmallTypes, FloatingOnesGiveWayToFloatsAlone) {
  const Tensor x = ones({2}, {.dtype = DType::float8e5m2});
  EXPECT_EQ(result_type(x, ones({2}, {.dtype = DType::float16})), DType::float16);
  EXPECT_EQ(result_type(x, ones({2}, {.dtype = DType::int32})), DType::float8e5m2);
  EXPECT_EQ(result_type(x, ones({2}, {.dtype = DType::float8e4m3fn})), DType::float32);
  EXPECT_EQ(result_type(ones({2}, {.dtype = DType::uint4}), ones({2}, {.dtype = DType::int4})),
            DType::int8);
}

TEST(SmallTypes, ComplexNumbersAreHeldAndNotComputedWith) {
  const Tensor x = ones({2}, {.dtype = DType::complex64});
  EXPECT_EQ(x.size_bytes(), 16u);
  EXPECT_THAT(thrown([&] { x + x; }), HasSubstr("complex64"));
}

}  // namespace
}  // namespace switchyard
