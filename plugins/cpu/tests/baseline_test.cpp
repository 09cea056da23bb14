// What Highway lacks on processors that are older than AVX2: masked instructions, which keep to the
// end of a tensor, and conversions of float16.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>
#include <vector>

#include "harness/harness.hpp"

namespace cpu::testing {
namespace {

// What Highway compiles for the processor that the compiler presumes: the oldest that there is.
class OnTheBaseline : public ::testing::Test {
 protected:
  OnTheBaseline() { hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET); }
  ~OnTheBaseline() override { hwy::SetSupportedTargetsForTest(0); }

  static Value five() { return value<float>({5}, {1, -2, 3, -4, 5}); }
};

// The address sanitizer sees what is touched behind them: memory ends with the last element.
TEST_F(OnTheBaseline, OpsKeepToTheirTensors) {
  const Value abs = OneNode("Abs", 13).input(five()).output(SY_FLOAT32, {5}).run();
  EXPECT_EQ(numbers<float>(abs), (std::vector<float>{1, 2, 3, 4, 5}));
  const Value add = OneNode("Add", 14).input(five()).input(five()).output(SY_FLOAT32, {5}).run();
  EXPECT_EQ(numbers<float>(add), (std::vector<float>{2, -4, 6, -8, 10}));
  const Value product = OneNode("MatMul", 13)
                            .input(value<float>({1, 1}, {2}))
                            .input(value<float>({1, 5}, {1, -2, 3, -4, 5}))
                            .output(SY_FLOAT32, {1, 5})
                            .run();
  EXPECT_EQ(numbers<float>(product), (std::vector<float>{2, -4, 6, -8, 10}));
  const Value sum = OneNode("ReduceSum", 13)
                        .attribute("keepdims", 0)
                        .input(five())
                        .host_input(integers({0}))
                        .output(SY_FLOAT32, {})
                        .run();
  EXPECT_EQ(numbers<float>(sum), (std::vector<float>{3}));
}

TEST_F(OnTheBaseline, Float16IsRoundedAndKeepsNan) {
  std::vector<float> numbers(16, -2.4F);  // -2.400390625 is nearer than -2.3984375
  numbers[1] = -1e-9F;
  numbers[2] = std::numeric_limits<float>::quiet_NaN();
  const Value cast = OneNode("Cast", 19)
                         .attribute("to", SY_FLOAT16)
                         .input(value<float>({16}, numbers))
                         .output(SY_FLOAT16, {16})
                         .run();
  const std::vector<double> found = as_doubles(cast);
  EXPECT_EQ(found[0], -2.400390625);
  EXPECT_TRUE(found[1] == 0 && std::signbit(found[1]));
  EXPECT_TRUE(std::isnan(found[2]));
}

}  // namespace
}  // namespace cpu::testing
