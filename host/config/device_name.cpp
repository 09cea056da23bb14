#include "config/device_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace switchyard {

std::string to_text(const DeviceName& device) {
  return fmt::format("{}:{}", device.plugin, device.index);
}

bool is_plugin_name(std::string_view text) {
  const bool fits = !text.empty() && text.size() <= kMostPluginNameBytes;
  return fits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
         });
}

std::optional<DeviceName> parse_device_name(std::string_view text) {
  const std::size_t colon = text.find(':');
  DeviceName device{std::string(text.substr(0, colon)), 0};
  if (!is_plugin_name(device.plugin)) return std::nullopt;
  if (colon == std::string_view::npos) return device;

  const std::string_view digits = text.substr(colon + 1);
  const char* end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, device.index);
  if (failure != std::errc() || stop != end || digits[0] == '-') return std::nullopt;
  return device;
}

}  // namespace switchyard
