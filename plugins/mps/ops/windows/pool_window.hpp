// Windows of pools, as kernels/pool_window.h reads them. All are of three spatial axes; of fewer,
// the leading ones have the extent 1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ops/building/elementwise.hpp"
#include "switchyard/plugin/window.hpp"

namespace mps {

struct PoolWindow {
  using Three = std::array<int32_t, 3>;

  uint32_t channels = 1;
  uint32_t counts_padding = 0;
  Three input{1, 1, 1};
  Three output{1, 1, 1};
  Three size{1, 1, 1};
  Three strides{1, 1, 1};
  Three dilations{1, 1, 1};
  Three padding{};
  Three end{};
  uint32_t at = 0;
  std::array<int32_t, 5> steps{};
};

// Throws sy::unsupported for a window of more elements than are looked at in a while, as kernels
// and graphs look at each, those of the padding included; and for one that spans too much.
void check_window_size(const sy::Node& node);

// What a node says of its windows, before shapes are known. Throws sy::unsupported for numbers
// beyond 2^24, windows too large to look at, and more than three spatial axes.
class PoolAttributes {
 public:
  explicit PoolAttributes(const sy::Node& node);

  // `input` and `output` are the pool's, whichever way the kernel goes; `read` is the one of them
  // that it reads, bound as `bound`.
  PoolWindow window(const Tensor& input, const Tensor& output, const Tensor& read,
                    const Bound& bound) const;

 private:
  std::vector<int64_t> kernel_;
  sy::WindowAttributes given_;
  bool counts_padding_;
};

}  // namespace mps
