#include <gtest/gtest.h>

#include <vector>

#include "plugin-api/plugin_driver.hpp"

namespace {

using driver::Operand;
using Floats = std::vector<float>;

TEST(TemplateWithSub, ClaimsPreparesAndComputesTheAddedOp) {
  const driver::Host host;
  const sy_plugin* plugin = nullptr;
  ASSERT_EQ(host.try_enter(driver::find_entry(TEMPLATE_WITH_SUB), SY_ABI_VERSION, &plugin, nullptr),
            SY_OK);
  auto probe = driver::make<sy_probe_args>();
  probe.host = &host.raw();
  ASSERT_EQ(plugin->probe(&probe, nullptr), SY_OK);
  EXPECT_EQ(probe.devices->claim_count, 4u);

  driver::Device device(host.raw(), *plugin);
  const Operand a = {.shape = {3}, .storage = device.upload({5, 7, 9})};
  const Operand b = {.shape = {1}, .storage = device.upload({2})};
  const Operand output = {.shape = {3}, .storage = device.allocate(12)};
  const driver::Program program("Sub", 14, {a, b}, output);
  EXPECT_EQ(device.judge(program).kind, SY_SUPPORTED);
  const driver::Prepared prepared = device.prepare(program);
  ASSERT_EQ(prepared.status, SY_OK) << prepared.message;
  device.run(prepared.kernel, {a, b}, output);
  EXPECT_EQ(device.download(output), (Floats{3, 5, 7}));
  device.destroy(prepared.kernel);
}

}  // namespace
