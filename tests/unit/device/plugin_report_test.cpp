// What a plugin says of itself and of a device.
#include "device/plugin_report.hpp"

#include <gtest/gtest.h>

#include "device/devices.hpp"

namespace switchyard {
namespace {

TEST(PluginReport, IsTheDevicesText) {
  const auto device = open_plugin("template");
  EXPECT_EQ(plugin_report(device->plugin(), device->handle()), "storages hold 0 bytes\n");
  const std::uint64_t block = device->allocate_block(1000).handle;
  EXPECT_EQ(plugin_report(device->plugin(), device->handle()), "storages hold 1000 bytes\n");
  device->release_block(block);
  const auto fake = open_fake("good");
  EXPECT_EQ(plugin_report(fake->plugin(), fake->handle()), "0 runs, 0 packed constants\n");
}

TEST(PluginReport, IsEmptyWhereNothingIsSaid) {
  const auto device = open_plugin("template");
  EXPECT_EQ(plugin_report(device->plugin()), "");
  const auto silent = open_plugin("null");  // its table lacks the slot
  EXPECT_EQ(plugin_report(silent->plugin(), silent->handle()), "");
}

}  // namespace
}  // namespace switchyard
