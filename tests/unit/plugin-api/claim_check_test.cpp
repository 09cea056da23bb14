// Of several refusals of an op, which one a plugin gives.
#include "switchyard/plugin/claim_check.hpp"

#include <gtest/gtest.h>

#include "switchyard/plugin/guard.hpp"

namespace sy {
namespace {

sy_status refused(const NearestRefusal& refusals, sy_error& error) {
  return guard(&error, [&] { refusals.throw_refusal("Foo"); });
}

TEST(NearestRefusal, IsThatOfTheRowThatCameNearest) {
  NearestRefusal refusals;
  EXPECT_FALSE(refusals.tries([] { throw unsupported(SY_REASON_DTYPE, "no int4"); }));
  EXPECT_FALSE(refusals.tries([] { throw unsupported(SY_REASON_STRIDE, "no gaps"); }));
  EXPECT_FALSE(refusals.tries([] { throw unsupported(SY_REASON_OP, "no Bar"); }));
  sy_error error = {};
  error.struct_size = sizeof(error);
  EXPECT_EQ(refused(refusals, error), SY_UNSUPPORTED);
  EXPECT_EQ(error.reason, SY_REASON_STRIDE);
  EXPECT_STREQ(error.message, "Foo: no gaps");
}

TEST(NearestRefusal, WithoutARowIsThatOfTheOp) {
  sy_error error = {};
  error.struct_size = sizeof(error);
  EXPECT_EQ(refused({}, error), SY_UNSUPPORTED);
  EXPECT_EQ(error.reason, SY_REASON_OP);
  EXPECT_STREQ(error.message, "Foo: the plugin has no kernel for it");
}

}  // namespace
}  // namespace sy
