// What the host did against the contract of plugin.h, counted and kept for the plugin's report.
#pragma once

#include <string>

#include "switchyard/plugin/text.hpp"

namespace checking {

void add_violation(const std::string& text);

// Any thread may report one. Goes to stderr too, as long as there are few.
template <typename... Pieces>
void violation(const Pieces&... pieces) {
  add_violation(sy::text(pieces...));
}

// One line each, the first ones; empty if there was none.
std::string violations();

}  // namespace checking
