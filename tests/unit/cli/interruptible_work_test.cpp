#include "cli/process/interruptible_work.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace switchyard::cli {
namespace {

class Interrupts : public testing::Test {
 protected:
  void SetUp() override { sigaction(SIGINT, nullptr, &before_); }
  void TearDown() override { sigaction(SIGINT, &before_, nullptr); }

  static auto handler() {
    struct sigaction now = {};
    sigaction(SIGINT, nullptr, &now);
    return now.sa_handler;
  }

 private:
  struct sigaction before_ = {};
};

TEST_F(Interrupts, AreHandled) {
  signal(SIGINT, SIG_DFL);
  handle_interrupts();
  EXPECT_NE(handler(), SIG_DFL);
}

TEST_F(Interrupts, StayIgnoredWhereTheCallerIgnoredThem) {
  signal(SIGINT, SIG_IGN);
  handle_interrupts();
  EXPECT_EQ(handler(), SIG_IGN);
}

}  // namespace
}  // namespace switchyard::cli
