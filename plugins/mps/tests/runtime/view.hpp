// Ways in which a tensor can lie in a storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mps::runtime_tests {

using Shape = std::vector<int64_t>;

// All in elements.
struct View {
  std::string name;
  Shape shape;
  Shape strides;
  int64_t offset = 0;
  int64_t room = 0;  // of the storage, a few elements beyond the view's last

  int64_t count() const;
  // Where the elements lie, in row-major order.
  std::vector<int64_t> positions() const;
};

View contiguous(const Shape& shape);
// The axes lie in memory in the opposite order: of a matrix, the transpose of another.
View permuted(const Shape& shape);
View shifted(const Shape& shape);   // contiguous, not from the storage's start
View sliced(const Shape& shape);    // every second element along each axis, from the second one
View gapped(const Shape& shape);    // rows with room between them
View reversed(const Shape& shape);  // against the storage's direction along each axis
// One element along each axis that is in `axes`, repeated.
View repeated(const Shape& shape, const std::vector<size_t>& axes);

// All of them in which each element has a position of its own, as outputs must.
std::vector<View> layouts(const Shape& shape);

}  // namespace mps::runtime_tests
