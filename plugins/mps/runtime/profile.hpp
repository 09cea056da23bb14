// What the device spent its time on, as the option `profile` asks: every command buffer, and every
// op where the device can time parts of one.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "seam/seam.hpp"

namespace mps {

// Any thread may call any member.
class Profile {
 public:
  // A command buffer that is done, and what its sections did. No times for them: the device cannot
  // tell them apart, so that they are only counted.
  void add(const seam::Interval& whole, std::span<const std::string> names,
           std::span<const seam::Interval> sections);

  // What took longest first.
  std::string text() const;

 private:
  struct Spent {
    std::string name;
    uint64_t count = 0;
    double seconds = 0;
  };

  std::vector<Spent> sorted() const;

  mutable std::mutex mutex_;
  std::map<std::string, Spent, std::less<>> by_name_;
  Spent buffers_;
  uint64_t untimed_ = 0;  // sections
};

}  // namespace mps
