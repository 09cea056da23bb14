// Dtypes of results: every pair of dtypes, of tensors, of rank 0 and of numbers, as in PyTorch.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/creation/new_tensor.hpp"
#include "functions/thrown.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr DType kDTypes[] = {DType::float32, DType::float64, DType::float16, DType::bfloat16,
                             DType::int8,    DType::uint8,   DType::int16,   DType::int32,
                             DType::int64,   DType::bool_};

DType dtype_named(const std::string& name) {
  for (const DType dtype : kDTypes) {
    if (name_of(dtype) == name) return dtype;
  }
  ADD_FAILURE() << name;
  return DType::undefined;
}

Tensor operand(const std::string& kind, const std::string& dtype) {
  if (kind == "tensor") return ones({2}, {.dtype = dtype_named(dtype)});
  if (kind == "scalar") return ones({}, {.dtype = dtype_named(dtype)});
  if (dtype == "bool") return true;
  return dtype == "int64" ? Tensor(1) : Tensor(1.0);
}

TEST(Promotion, IsPyTorchsForEveryPair) {
  std::ifstream file(SWITCHYARD_SOURCE_DIR "/tests/unit/functions/golden/promotion_golden.txt");
  std::string line;
  int count = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kind, dtype, other_kind, other, expected;
    words >> kind >> dtype >> other_kind >> other >> expected;
    const Tensor a = operand(kind, dtype), b = operand(other_kind, other);
    EXPECT_EQ(name_of(result_type(a, b)), expected) << line;
    EXPECT_EQ(name_of(maximum(a, b).dtype()), expected) << line;
    ++count;
  }
  EXPECT_EQ(count, 23 * 23);
}

TEST(Promotion, OfDivisionAndOfFunctionsWithFractionsIsFloating) {
  for (const DType dtype : kDTypes) {
    const Tensor x = ones({2}, {.dtype = dtype});
    const bool floats = result_type(x, 1.5) == dtype;
    const DType expected = floats ? dtype : DType::float32;
    EXPECT_EQ(div(x, x).dtype(), expected) << name_of(dtype);
    EXPECT_EQ(exp(x).dtype(), expected) << name_of(dtype);
    EXPECT_EQ(atan2(x, x).dtype(), expected) << name_of(dtype);
    EXPECT_EQ(expm1(x).dtype(), expected) << name_of(dtype);
    EXPECT_EQ(lerp(x, 2, 0.5).dtype(), expected) << name_of(dtype);
    EXPECT_EQ(eq(x, x).dtype(), DType::bool_) << name_of(dtype);
    EXPECT_EQ(logical_and(x, x).dtype(), DType::bool_) << name_of(dtype);
  }
}

TEST(Promotion, NumbersKeepTheirDigits) {
  const Tensor doubles = ones({1}, {.dtype = DType::float64});
  EXPECT_EQ(mul(doubles, 0.1).item(), 0.1);
  EXPECT_EQ(add(doubles, 1e-15).item(), 1 + 1e-15);
  EXPECT_EQ(
      (ones({1}, {.dtype = DType::int64}) * ((std::int64_t{1} << 53) + 1)).item<std::int64_t>(),
      (std::int64_t{1} << 53) + 1);
  EXPECT_EQ(where(tensor({true}), doubles, 0.1).dtype(), DType::float64);
  EXPECT_EQ(clamp(mul(doubles, 0), 0.1, 0.1).item(), 0.1);
}

TEST(Promotion, NumbersThatElementsCannotHoldAreComparedAsTheyAre) {
  const Tensor small = tensor({50}, {.dtype = DType::int8});
  EXPECT_TRUE(lt(small, 300).item<bool>());
  EXPECT_FALSE(eq(small, 306).item<bool>());
  EXPECT_TRUE(ne(small, 306).item<bool>());
  EXPECT_TRUE(gt(-300, small).item<bool>() == false);
  EXPECT_FALSE(isclose(small, 306).item<bool>());
  const Tensor byte = tensor({255}, {.dtype = DType::uint8});
  EXPECT_FALSE(eq(byte, -1).item<bool>());
  EXPECT_TRUE(gt(byte, -1).item<bool>());
  const Tensor wide = tensor({1}, {.dtype = DType::int32});
  EXPECT_FALSE(eq(wide, (std::int64_t{1} << 32) + 1).item<bool>());
  EXPECT_TRUE(gt(tensor({7}, {.dtype = DType::uint64}), -1).item<bool>());
  EXPECT_THAT(thrown([&] { clamp(byte, 0, 300); }), HasSubstr("[clamp] uint8 elements"));
  EXPECT_THAT(thrown([&] { maximum(byte, 300); }), HasSubstr("[maximum] uint8 elements"));
}

TEST(Promotion, OfJoinedTensorsIsTheWidest) {
  const Tensor small = ones({1}, {.dtype = DType::int8}),
               half = ones({1}, {.dtype = DType::float16});
  EXPECT_EQ(cat({small, half}).dtype(), DType::float16);
  EXPECT_EQ(cat({tensor({true}), small, tensor({1})}).dtype(), DType::int64);
  EXPECT_EQ(stack({half, ones({1}, {.dtype = DType::bfloat16})}).dtype(), DType::float32);
}

TEST(Promotion, UnsignedLongsBesideSignedOnesAreRefused) {
  const Tensor a = tensor(std::vector<std::uint64_t>{1}, {1});
  EXPECT_THAT(thrown([&] { add(a, tensor({1})); }),
              AllOf(HasSubstr("uint64"), HasSubstr("int64"), HasSubstr("convert")));
  EXPECT_EQ(result_type(a, tensor(std::vector<std::uint32_t>{1}, {1})), DType::uint64);
}

}  // namespace
}  // namespace switchyard
