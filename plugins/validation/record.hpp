// What the host did against plugin.h with one plugin: counted, told in the log, and kept for the
// plugin's report.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "rules.hpp"

namespace validation {

// Any thread may use it.
class Record {
 public:
  void count_call() { calls_.fetch_add(1, std::memory_order_relaxed); }

  // Writes the first ones to the log of `host`, and keeps them.
  void add(Rule rule, const std::string& text, const sy_host& host);

  // How many calls were checked, how many violations each rule has, and the first ones; ends in a
  // newline.
  std::string report() const;

 private:
  std::atomic<uint64_t> calls_{0};
  mutable std::mutex guard_;
  uint64_t count_ = 0;
  std::array<uint64_t, rule_names.size()> by_rule_ = {};
  std::vector<std::string> first_;
};

}  // namespace validation
