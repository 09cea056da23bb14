// The layouts that every elementwise kernel must read and write.
#pragma once

#include <vector>

#include "harness/harness.hpp"

namespace cpu::testing {

// The same elements, channels innermost; of rank 3 and more.
inline Value channels_last(const Value& value) {
  std::vector<size_t> order = {0};
  for (size_t i = 2; i < value.shape.size(); ++i) order.push_back(i);
  order.push_back(1);
  return transposed(value, order);
}

// The same elements contiguous, permuted, spaced with an offset, and reversed.
inline std::vector<Value> layouts_of(const Value& value) {
  std::vector<Value> layouts = {value, spaced(value), reversed(value)};
  if (value.shape.size() > 1) {
    std::vector<size_t> order;
    for (size_t i = value.shape.size(); i-- > 0;) order.push_back(i);
    layouts.push_back(transposed(value, order));
    order.assign({1});
    for (size_t i = 0; i < value.shape.size(); ++i) {
      if (i != 1) order.push_back(i);
    }
    layouts.push_back(transposed(value, order));
  }
  return layouts;
}

// Those, and channels innermost.
inline std::vector<Value> pool_layouts(const Value& value) {
  std::vector<Value> layouts = layouts_of(value);
  layouts.push_back(channels_last(value));
  return layouts;
}

}  // namespace cpu::testing
