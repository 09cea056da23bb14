#include "runtime/profile.hpp"

#include <algorithm>
#include <cstdio>

#include "switchyard/plugin/writer.hpp"

namespace mps {
namespace {

std::string milliseconds(double seconds) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.3f", seconds * 1e3);
  return digits;
}

}  // namespace

void Profile::add(const seam::Interval& whole, std::span<const std::string> names,
                  std::span<const seam::Interval> sections) {
  const std::lock_guard lock(mutex_);
  ++buffers_.count;
  buffers_.seconds += whole.end - whole.begin;
  for (size_t i = 0; i < names.size(); ++i) {
    Spent& spent = by_name_[names[i]];
    ++spent.count;
    if (i < sections.size()) {
      spent.seconds += sections[i].end - sections[i].begin;
    } else {
      ++untimed_;
    }
  }
}

std::vector<Profile::Spent> Profile::sorted() const {
  std::vector<Spent> all;
  for (const auto& [name, spent] : by_name_) all.push_back({name, spent.count, spent.seconds});
  std::stable_sort(all.begin(), all.end(),
                   [](const Spent& a, const Spent& b) { return a.seconds > b.seconds; });
  return all;
}

std::string Profile::text() const {
  const std::lock_guard lock(mutex_);
  std::string text = sy::text("time: ", buffers_.count, " command buffers, ",
                              milliseconds(buffers_.seconds), " ms of the device\n");
  for (const Spent& spent : sorted()) {
    text += sy::text("  ", spent.name, ": ", spent.count, " times, ", milliseconds(spent.seconds),
                     " ms\n");
  }
  if (untimed_ == 0) return text;
  return text + sy::text("  (", untimed_, " of these are counted but not timed: this device times ",
                         "whole command buffers alone)\n");
}

}  // namespace mps
