#include "cli/terminal/dtype_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/dtype.hpp>

namespace switchyard::cli {
namespace {

std::uint64_t mask(std::initializer_list<DType> dtypes) {
  std::uint64_t bits = 0;
  for (const DType dtype : dtypes) bits |= std::uint64_t{1} << static_cast<int>(dtype);
  return bits;
}

TEST(DtypeList, PutsWidthsOfOneKindTogether) {
  EXPECT_EQ(dtype_list(mask({DType::float64, DType::bool_, DType::float32, DType::bfloat16})),
            "float32/64 bfloat16 bool");
  EXPECT_EQ(dtype_list(mask({DType::int64, DType::uint8, DType::int4})), "int4/64 uint8");
  EXPECT_EQ(dtype_list(mask({DType::float8e4m3fn, DType::float8e5m2})), "float8e4m3fn float8e5m2");
  EXPECT_EQ(dtype_list(0), "-");
}

TEST(DtypeList, LeavesNoTypeOut) {
  for (int bit = 1; bit <= static_cast<int>(kLastDType); ++bit) {
    EXPECT_EQ(dtype_list(std::uint64_t{1} << bit), name_of(static_cast<DType>(bit)));
  }
}

}  // namespace
}  // namespace switchyard::cli
