#include "ops/op_by_name.hpp"

#include <gtest/gtest.h>

namespace switchyard {
namespace {

TEST(OpByName, FindsWhatDevicesMayTake) {
  EXPECT_EQ(find_op_by_name("Add"), find_op("", "Add"));
  EXPECT_EQ(find_op_by_name("AdamStep"), find_op("switchyard", "AdamStep"));
  EXPECT_EQ(find_op_by_name("QLinearAdd"), find_op("com.microsoft", "QLinearAdd"));
  EXPECT_EQ(find_op_by_name("Attention"), find_op("", "Attention"));
}

TEST(OpByName, FindsNoOpThatNoDeviceMeets) {
  EXPECT_EQ(find_op_by_name("QLinearSoftmax"), nullptr);
  EXPECT_EQ(find_op_by_name("Added"), nullptr);
}

}  // namespace
}  // namespace switchyard
