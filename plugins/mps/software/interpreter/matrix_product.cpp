#include <array>
#include <vector>

#include "software/interpreter/numbers.hpp"
#include "software/interpreter/product.hpp"

namespace mps::software::interpreter {

namespace {

struct Extents {
  int64_t m;
  int64_t k;
  int64_t n;
};

void move_to(std::vector<double>& joined, float* row) {
  for (double& sum : joined) {
    sum += static_cast<double>(*row);
    *row++ = 0;
  }
}

// result [m, n] += x [m, k] y [k, n], in an order in which all three are read along their rows.
// Long sums are joined in double from parts.
void add_product(const float* x, const float* y, float* result, const Extents& extents) {
  constexpr int64_t terms_in_part = 512;
  std::vector<double> joined;
  for (int64_t i = 0; i < extents.m; ++i) {
    float* row = result + i * extents.n;
    joined.assign(static_cast<size_t>(extents.n), 0);
    for (int64_t l = 0; l < extents.k; ++l) {
      const float factor = x[i * extents.k + l];
      const float* other = y + l * extents.n;
      for (int64_t j = 0; j < extents.n; ++j) row[j] += factor * other[j];
      if ((l + 1) % terms_in_part == 0 && l + 1 < extents.k) move_to(joined, row);
    }
    if (extents.k <= terms_in_part) continue;
    for (int64_t j = 0; j < extents.n; ++j) {
      row[j] = static_cast<float>(joined[static_cast<size_t>(j)] + static_cast<double>(row[j]));
    }
  }
}

// The strides of an operand's matrices, over the result's leading extents.
Shape matrix_strides(const Shape& operand, const Shape& leading) {
  const Shape own(operand.begin(), operand.end() - 2);
  Shape strides = broadcast_strides(own, leading);
  for (int64_t& stride : strides) stride *= operand.end()[-2] * operand.end()[-1];
  return strides;
}

}  // namespace

Value matrix_product(const Value& x, const Value& y, const seam::TensorType& type) {
  const Numbers<float> xs(x);
  const Numbers<float> ys(y);
  Results<float> results(type, 0);
  const Extents extents{x.shape().end()[-2], x.shape().end()[-1], y.shape().end()[-1]};
  Shape leading(type.shape.begin(), type.shape.end() - 2);
  leading.push_back(1);  // each row of the walk is then one matrix
  std::array<Shape, 2> strides;
  const std::array<const Value*, 2> operands = {&x, &y};
  for (size_t i = 0; i < 2; ++i) {
    strides[i] = matrix_strides(operands[i]->shape(), Shape(leading.begin(), leading.end() - 1));
    strides[i].push_back(0);
  }
  float* result = results.data();
  for_each_row(leading, strides, [&](const std::array<int64_t, 2>& at) {
    add_product(xs.data() + at[0], ys.data() + at[1], result, extents);
    result += extents.m * extents.n;
  });
  return results.rounded();
}

}  // namespace mps::software::interpreter
