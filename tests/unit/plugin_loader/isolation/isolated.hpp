// Runtimes whose plugins run in processes of their own.
#pragma once

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "device/plugin_report.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {

// The configuration of `setup` with the plugins `names` isolated; `more` are lines of their
// sections.
inline std::string isolating(const Setup& setup, const std::vector<std::string>& names,
                             const std::string& more = "") {
  std::string text = config_text(setup);
  for (const std::string& name : names) {
    const std::string section = "[plugins." + name + "]\n";
    text.insert(text.find(section) + section.size(), "isolation = \"process\"\n" + more);
  }
  return text;
}

// All plugins of the order isolated but cpu, which takes over; cpu too where it is alone.
inline Runtime start_isolated(const Setup& setup, const std::string& more = "") {
  std::vector<std::string> names;
  for (const std::string& device : setup.order) {
    const std::string plugin = device.substr(0, device.find(':'));
    if (std::find(names.begin(), names.end(), plugin) != names.end()) continue;
    if (plugin != "cpu" || plugin == setup.order.front()) names.push_back(plugin);
  }
  return Runtime::from_text(isolating(setup, names, more));
}

// The process that serves a device's plugin.
inline pid_t process_of(const Device& device) {
  const std::string report = plugin_report(device.open()->plugin(), nullptr);
  const std::string before = "process of its own, ";
  const std::size_t start = report.find(before);
  return start == report.npos ? -1 : std::atoi(report.c_str() + start + before.size());
}

// Whether the process has gone, which takes it a moment.
inline bool is_gone_soon(pid_t process) {
  for (int looks = 0; looks < 1000; ++looks) {
    if (::kill(process, 0) != 0 && errno == ESRCH) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace switchyard
