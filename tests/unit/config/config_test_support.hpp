// What the tests of the module config share: reading a text, and the error that a text gives.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/config.hpp"

namespace switchyard {

inline ConfigFlag set(const std::string& text) { return {ConfigFlag::Kind::set, text}; }
inline ConfigFlag order(const std::string& text) { return {ConfigFlag::Kind::order, text}; }

// Two plugins and an order; the line after it is line 7.
inline const std::string two_plugins =
    "[plugins.a]\n"
    "[plugins.b]\n"
    "\n"
    "[routing]\n"
    "order = [\"a\", \"b:1\"]\n"
    "\n";

inline Config parse(const std::string& text, const std::vector<ConfigFlag>& flags = {},
                    const Environment& environment = {}) {
  return parse_config(text, "t.toml", flags, environment);
}

// The line of the Error that `action` throws; anything but an Error of that kind fails the test.
template <typename Action>
std::string error_of(Action action, ErrorKind kind = ErrorKind::config) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

inline std::string parse_error(const std::string& text, const std::vector<ConfigFlag>& flags = {},
                               const Environment& environment = {}) {
  return error_of([&] { parse(text, flags, environment); });
}

inline std::string origin_of(const Config& config, const std::string& key) {
  const Setting* setting = config.find_setting(key);
  return setting == nullptr ? "absent" : describe_origin(*setting);
}

}  // namespace switchyard
