// Which of some things must come before which others, kept complete as things are joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mps {

class Precedence {
 public:
  explicit Precedence(size_t count);

  // `first`, and all that is before it, is before `second` and all that is after that.
  void add(size_t first, size_t second);
  bool is_before(size_t first, size_t second) const { return has(before_[second], first); }
  // True if something must come after the one and before the other: then they cannot be one.
  bool has_between(size_t a, size_t b) const;
  // `gone` becomes part of `kept`; nothing may be between them.
  void join(size_t kept, size_t gone);

 private:
  using Set = std::vector<uint64_t>;
  static bool has(const Set& set, size_t i) { return (set[i / 64] >> (i % 64) & 1) != 0; }
  static void put(Set& set, size_t i) { set[i / 64] |= uint64_t{1} << (i % 64); }
  static void drop(Set& set, size_t i) { set[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  static bool meet(const Set& a, const Set& b);

  std::vector<Set> before_;  // of each: what comes before it
  std::vector<Set> after_;
};

}  // namespace mps
