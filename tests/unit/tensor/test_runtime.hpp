// Runtimes over this build's plugins: a fake of tests/fake-plugins goes by its variant's name, a
// real plugin by its own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <switchyard/runtime.hpp>
#include <vector>

#include "device/devices.hpp"
#include "tensor/engine.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {

using Floats = std::vector<float>;
using Integers = std::vector<std::int64_t>;

struct Setup {
  std::vector<std::string> order;  // plugins, or devices of them: "two_devices:1"; twice is once
  std::string routing = "";        // more lines of [routing]
  std::string sections = "";       // further sections
  std::vector<std::string> more = {};       // plugins that are not in the order
  std::vector<std::string> validated = {};  // plugins behind the validation layer
  std::vector<std::string> isolated = {};   // plugins in processes that may take 2 s for a call
};

inline std::string plugin_section(const std::string& name) {
  constexpr std::array kReal = {"template", "template_c", "null", "cpu", "mps"};
  const bool is_real = std::find(kReal.begin(), kReal.end(), name) != kReal.end();
  return fmt::format("[plugins.{}]\nlibrary = \"{}\"\n", name,
                     (is_real ? plugin_library(name) : fake_library(name)).string());
}

inline std::string config_text(const Setup& setup) {
  std::string order, sections;
  std::vector<std::string> seen;
  const auto add = [&](const std::string& device) {
    const std::string plugin = device.substr(0, device.find(':'));
    if (std::find(seen.begin(), seen.end(), plugin) != seen.end()) return;
    seen.push_back(plugin);
    sections += plugin_section(plugin);
    const auto is_among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), plugin) != names.end();
    };
    if (is_among(setup.validated)) sections += "validate = true\n";
    if (is_among(setup.isolated)) sections += "isolation = \"process\"\ndeadline_seconds = 2\n";
  };
  for (const std::string& device : setup.order) {
    if (order.find(fmt::format("\"{}\"", device)) != std::string::npos) continue;
    order += fmt::format("\"{}\", ", device);
    add(device);
  }
  for (const std::string& plugin : setup.more) add(plugin);
  return fmt::format("[host]\nlog_level = \"error\"\n[routing]\norder = [{}]\n{}\n{}{}", order,
                     setup.routing, sections, setup.sections);
}

inline Runtime start(const Setup& setup) { return Runtime::from_text(config_text(setup)); }

// What `call` throws; fails the test if it throws nothing.
inline Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorKind::internal, "nothing was thrown");
}

inline Tensor floats(const Dims& shape, const Floats& values) {
  return host_tensor<float>(shape, values);
}
inline Tensor integers(const Integers& values) {
  return host_tensor<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

// 0, 1, 2, ... in this shape.
inline Tensor counting(const Dims& shape) {
  Floats values(static_cast<std::size_t>(element_count(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return floats(shape, values);
}

// What a plugin's `report` writes of a device.
inline std::string report_of(const Device& device) {
  std::string text;
  sy_writer writer{};
  writer.struct_size = sizeof(writer);
  writer.context = &text;
  writer.write = [](void* context, const char* piece, std::uint64_t size) -> sy_status {
    static_cast<std::string*>(context)->append(piece, size);
    return SY_OK;
  };
  sy_report_args args{};
  args.struct_size = sizeof(args);
  args.device = device.open()->handle();
  args.writer = &writer;
  device.open()->api().report(&args, nullptr);
  return text;
}

}  // namespace switchyard
