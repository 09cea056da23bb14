// Tensors of random strides, for tests of copies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace copies {

using Numbers = std::vector<int64_t>;

// One side of a random copy: permuted, padded and flipped strides in a buffer that holds them.
struct Layout {
  Numbers strides;
  int64_t first = 0;  // element whose indices are all 0
  int64_t elements = 1;
};

inline Layout random_layout(std::mt19937& random, const Numbers& shape, bool may_repeat) {
  Numbers order(shape.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  if (random() % 2) std::shuffle(order.begin(), order.end(), random);
  Layout layout{Numbers(shape.size(), 0), 0, 1};
  for (size_t i = order.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(order[i]);
    if (may_repeat && random() % 5 == 0) continue;  // broadcast
    const int64_t gap = random() % 3 == 0 ? 1 : 0;
    layout.strides[axis] = layout.elements + gap;
    layout.elements = layout.strides[axis] * std::max<int64_t>(shape[axis], 1);
    if (random() % 3 == 0) {
      layout.first += layout.strides[axis] * std::max<int64_t>(shape[axis] - 1, 0);
      layout.strides[axis] = -layout.strides[axis];
    }
  }
  return layout;
}

inline std::vector<char> random_bytes(std::mt19937& random, size_t count) {
  std::vector<char> bytes(count);
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace copies
