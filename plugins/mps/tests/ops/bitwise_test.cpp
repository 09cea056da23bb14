// BitwiseAnd, BitwiseOr and BitwiseXor of integers, broadcast.
#include <gtest/gtest.h>

#include <functional>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class Bitwise : public testing::Test {
 protected:
  template <typename Function>
  void expect(const char* op, const Function& function) {
    const std::vector<T> x = {T(0), T(1), T(6), T(-1), T(85), T(-128)};
    const std::vector<T> y = {T(3), T(-4), T(127)};
    std::vector<T> expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
      expected.push_back(static_cast<T>(function(x[i], y[i % 3])));
    }
    Case(op, 18).input<T>({2, 3}, x).template input<T>({3}, y).expect({2, 3}, expected);
  }
};
using Whole = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Bitwise, Whole);

TYPED_TEST(Bitwise, And) { this->expect("BitwiseAnd", std::bit_and<TypeParam>()); }
TYPED_TEST(Bitwise, Or) { this->expect("BitwiseOr", std::bit_or<TypeParam>()); }
TYPED_TEST(Bitwise, Xor) { this->expect("BitwiseXor", std::bit_xor<TypeParam>()); }

TYPED_TEST(Bitwise, OfNothing) {
  Case("BitwiseAnd", 18)
      .template input<TypeParam>({0, 3}, std::vector<TypeParam>{})
      .template input<TypeParam>({3}, numbers<TypeParam>(3))
      .expect({0, 3}, std::vector<TypeParam>{});
}

}  // namespace
}  // namespace mps::op_tests
