#include "plugin_loader/plugin_call.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <exception>

namespace switchyard {

std::string status_name(sy_status status) {
  constexpr std::array<const char*, 8> names = {
      "SY_OK",        "SY_UNSUPPORTED", "SY_INVALID", "SY_OUT_OF_MEMORY",
      "SY_TRANSIENT", "SY_DEVICE_LOST", "SY_BUG",     "SY_PEER_LOST"};
  const auto index = static_cast<std::size_t>(status);
  return index < names.size() ? names[index] : fmt::format("status {}", status);
}

namespace detail {

PluginCallOutcome describe_call(sy_status status, const sy_error& error) {
  if (status == SY_OK) return {};
  const std::string message(error.message, ::strnlen(error.message, sizeof(error.message)));
  return {status, message.empty() ? fmt::format("returned {} without a word", status_name(status))
                                  : fmt::format("returned {}: {}", status_name(status), message)};
}

PluginCallOutcome describe_exception() {
  try {
    throw;
  } catch (const std::exception& exception) {
    return {SY_BUG, fmt::format("threw an exception, which no plugin may: {}", exception.what())};
  } catch (...) {
    return {SY_BUG, "threw something that is not a std::exception, which no plugin may"};
  }
}

}  // namespace detail
}  // namespace switchyard
