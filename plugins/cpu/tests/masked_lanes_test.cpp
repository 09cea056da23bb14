// The end of a tensor, where a vector is not full, on processors without masked instructions.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <vector>

#include "harness.hpp"

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

}  // namespace
}  // namespace cpu::testing
