// Memory over the length of a soak.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace switchyard::soak {

/// Samples of one quantity in bytes, in the order of time.
class Samples {
 public:
  void add(std::size_t bytes) { all_.push_back(bytes); }
  std::size_t count() const { return all_.size(); }

  /// The median of the samples of a third: 0, 1 or 2.
  std::size_t of_third(std::size_t third) const;

  /// What to say if the last third has more than the first, and the margin that is allowed: a tenth
  /// and `slack`. "" if it has not.
  std::string growth(const std::string& name, std::size_t slack) const;

 private:
  std::vector<std::size_t> all_;
};

/// What this process has in memory, once what is free has gone back to the system; 0 where the
/// system does not tell, or a sanitizer keeps what is freed.
std::size_t resident_bytes();

}  // namespace switchyard::soak
