// A device of one of the plugins that are there to be copied, each test's own, with the options
// that it names.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plugin-api/plugin_driver.hpp"
#include "test_folders.hpp"

namespace template_device {

using driver::Numbers;
using driver::Operand;
using Floats = std::vector<float>;

// `plugin`: "template" or "template_c".
inline sy_plugin_entry entry_of(const std::string& plugin) {
  return driver::find_entry(SWITCHYARD_BUILD_DIR "/plugins/libswitchyard_" + plugin + ".so");
}

inline const sy_plugin& open_plugin(const std::string& name, const driver::Host& host) {
  const sy_plugin* plugin = nullptr;
  auto error = driver::make<sy_error>();
  EXPECT_EQ(host.try_enter(entry_of(name), SY_ABI_VERSION, &plugin, &error), SY_OK)
      << error.message;
  return *plugin;
}

struct Template {
  explicit Template(const std::vector<std::pair<const char*, int64_t>>& options = {},
                    const std::string& name = "template")
      : host(options), plugin(open_plugin(name, host)), device(host.raw(), plugin) {}

  Operand upload(Numbers shape, const Floats& values) {
    return {.shape = std::move(shape), .storage = device.upload(values)};
  }

  Operand allocate(Numbers shape) {
    uint64_t count = 1;
    for (const int64_t extent : shape) count *= static_cast<uint64_t>(extent);
    return {.shape = std::move(shape),
            .storage = device.allocate(4 * std::max<uint64_t>(count, 1))};
  }

  Floats compute(const char* op, const std::vector<Operand>& inputs, const Operand& output) {
    const driver::Program program(op, 14, inputs, output);
    const driver::Prepared prepared = device.prepare(program);
    EXPECT_EQ(prepared.status, SY_OK) << prepared.message;
    device.run(prepared.kernel, inputs, output);
    const Floats result = device.download(output);  // waits for the run too
    device.destroy(prepared.kernel);
    return result;
  }

  driver::Host host;
  const sy_plugin& plugin;
  driver::Device device;
};

}  // namespace template_device
