// A data set whose examples are their own numbers, and what a pass over a loader gives of it.
#pragma once

#include <functional>
#include <switchyard/data.hpp>
#include <utility>
#include <vector>

#include "tensor/host_tensor.hpp"

namespace switchyard {

/// Example i is i, with target 10 * i; `on_get` may throw or wait.
class NumberedSet : public Dataset {
 public:
  explicit NumberedSet(std::int64_t size, std::function<void(std::int64_t)> on_get = {})
      : size_(size), on_get_(std::move(on_get)) {}

  std::int64_t size() const override { return size_; }
  Example get(std::int64_t index) const override {
    if (on_get_) on_get_(index);
    return {host_tensor<std::int64_t>({}, std::vector{index}),
            host_tensor<std::int64_t>({1}, std::vector{10 * index})};
  }

 private:
  std::int64_t size_;
  std::function<void(std::int64_t)> on_get_;
};

using Numbers = std::vector<std::int64_t>;

inline std::vector<Numbers> pass_of(DataLoader& loader) {
  std::vector<Numbers> batches;
  for (const Batch& batch : loader) batches.push_back(batch.input().to_vector<std::int64_t>());
  return batches;
}

}  // namespace switchyard
