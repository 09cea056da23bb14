// The check of gradients itself, element by element and along directions.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

/// x^2, half of whose gradient is lost.
Tensor half_lost(std::span<const Tensor> in) { return mul(in[0], in[0].detach()); }

/// With SWITCHYARD_TESTS as given; as it was afterwards.
class Gradcheck : public ::testing::TestWithParam<const char*> {
 protected:
  Gradcheck() {
    if (const char* said = std::getenv(kName)) before_ = said;
    setenv(kName, GetParam(), 1);
  }
  ~Gradcheck() override { setenv(kName, before_.c_str(), 1); }

 private:
  static constexpr const char* kName = "SWITCHYARD_TESTS";
  std::string before_;
};

TEST_P(Gradcheck, AcceptsARightGradient) {
  EXPECT_EQ(gradient_flaw(of_one(square), {scattered({3, 4})}), "");
}

TEST_P(Gradcheck, FindsAWrongGradient) {
  EXPECT_NE(gradient_flaw(half_lost, {scattered({3, 4})}), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, Gradcheck, ::testing::Values("", "short"));

}  // namespace
}  // namespace switchyard
