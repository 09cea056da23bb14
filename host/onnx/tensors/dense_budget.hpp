#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/limits.hpp"

namespace switchyard {

/// What the dense forms of a model's sparse tensors may take together: their zeros are not in the
/// file, so that a few bytes of it could fill any memory. It is limits.value_bytes, or half of the
/// memory where that is 0.
class DenseBudget {
 public:
  explicit DenseBudget(const LimitsConfig& limits) : limit_(limits.value_bytes) {}

  /// Throws Error(model) beginning with `where` if more is asked for than is left.
  void take(std::uint64_t bytes, const std::string& where);

 private:
  std::uint64_t limit_;
  std::optional<std::uint64_t> bytes_left_;  // none before the first sparse tensor
};

}  // namespace switchyard
