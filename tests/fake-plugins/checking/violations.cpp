#include "violations.hpp"

#include <cstdio>
#include <mutex>

namespace checking {
namespace {

constexpr int kMostTold = 20;

struct Record {
  std::mutex guard;
  int count = 0;
  std::string lines;
};

Record& record() {
  static Record& made = *new Record;
  return made;
}

}  // namespace

void add_violation(const std::string& text) {
  const std::lock_guard lock(record().guard);
  if (++record().count > kMostTold) return;
  std::fprintf(stderr, "violation: %s\n", text.c_str());
  record().lines += "violation: " + text + "\n";
}

std::string violations() {
  const std::lock_guard lock(record().guard);
  if (record().count <= kMostTold) return record().lines;
  return record().lines + sy::text("violations in all: ", record().count, "\n");
}

}  // namespace checking
