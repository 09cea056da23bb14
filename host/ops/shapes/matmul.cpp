#include "ops/shapes/matmul.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {

namespace {

/// All but the last two dimensions.
Dims stack_of(Dims shape) {
  shape.resize(shape.size() - 2);
  return shape;
}

void matmul_of(Inference& inference, std::size_t a, std::size_t b) {
  if (!inference.has_rank(a) || !inference.has_rank(b)) return;
  inference.set_shape(0, matmul(inference, inference.shape(a), inference.shape(b)));
}

/// A matrix input's shape as the product reads it.
std::optional<Dims> factor(const Inference& inference, std::size_t input,
                           std::string_view transposed) {
  require_rank(inference, input, {2}, "a matrix");
  if (!inference.has_rank(input)) return std::nullopt;
  Dims shape = inference.shape(input);
  if (inference.attributes().get_int(transposed, 0) != 0) std::swap(shape[0], shape[1]);
  return shape;
}

/// A scale or zero point of a factor: one number for the whole, or one for each of its rows (of the
/// left factor) or columns (of the right one), as a list or laid along the factor's own axes.
void check_parameter(const Inference& inference, std::size_t input, std::string_view name,
                     std::size_t factor, bool is_left) {
  if (!inference.has_rank(factor) || may_be_one_element(inference, input)) return;
  const Dims& shape = inference.shape(factor);
  if (shape.size() < 2) return require_one_element(inference, input, name);
  Dims laid = shape;
  laid[shape.size() - (is_left ? 1 : 2)] = 1;
  if (inference.rank(input) == inference.rank(factor)) {
    return require_broadcast_to(inference, input, name, laid);
  }
  require_one_or_one_for_each(inference, input, name, shape[shape.size() - (is_left ? 2 : 1)],
                              is_left ? "rows" : "columns");
}

/// A product of integers is one: a factor between two would be cut off.
void require_whole_factor(const Inference& inference, std::string_view name) {
  constexpr double kMost = 9007199254740992;  // 2^53
  const double factor = inference.attributes().get_float(name, 1);
  if (std::abs(factor) <= kMost && std::trunc(factor) == factor) return;
  inference.fail(
      fmt::format("{} is {}, but a product of {} takes whole factors; cast A and B to a "
                  "floating-point type, or scale the product",
                  name, factor, name_of(inference.dtype(0))));
}

}  // namespace

Dims matmul(const Inference& inference, const Dims& a, const Dims& b) {
  if (a.empty() || b.empty()) {
    inference.mismatch(
        fmt::format("shapes {} and {}: neither may be a scalar", describe(a), describe(b)));
  }
  Dims left = a;
  Dims right = b;
  if (a.size() == 1) left.insert(0, 1);
  if (b.size() == 1) right.push_back(1);
  const std::int64_t inner = left.back();
  if (!may_equal(inner, right[right.size() - 2])) {
    inference.mismatch(fmt::format("shapes {} and {} do not multiply: inner extents are {} and {}",
                                   describe(a), describe(b), inner, right[right.size() - 2]));
  }
  Dims result = broadcast(inference, stack_of(left), stack_of(right));
  if (a.size() > 1) result.push_back(left[left.size() - 2]);
  if (b.size() > 1) result.push_back(right.back());
  return result;
}

void matmul_shape(Inference& inference) { matmul_of(inference, 0, 1); }

void matmul_integer_shape(Inference& inference) {
  matmul_of(inference, 0, 1);
  check_parameter(inference, 2, "a_zero_point", 0, true);
  check_parameter(inference, 3, "b_zero_point", 1, false);
}

void qlinear_matmul_shape(Inference& inference) {
  matmul_of(inference, 0, 3);
  check_parameter(inference, 1, "a_scale", 0, true);
  check_parameter(inference, 2, "a_zero_point", 0, true);
  check_parameter(inference, 4, "b_scale", 3, false);
  check_parameter(inference, 5, "b_zero_point", 3, false);
  require_one_element(inference, 6, "y_scale");
  require_one_element(inference, 7, "y_zero_point");
}

void gemm_shape(Inference& inference) {
  if (is_integer(inference.dtype(0))) {
    require_whole_factor(inference, "alpha");
    require_whole_factor(inference, "beta");
  }
  const std::optional<Dims> a = factor(inference, 0, "transA");
  const std::optional<Dims> b = factor(inference, 1, "transB");
  if (a && b && !may_equal((*a)[1], (*b)[0])) {
    inference.mismatch(fmt::format(
        "A of shape {} and B of shape {}{}{} do not multiply: inner extents are {} "
        "and {}",
        describe(inference.shape(0)), describe(inference.shape(1)),
        inference.attributes().get_int("transA", 0) ? ", transA" : "",
        inference.attributes().get_int("transB", 0) ? ", transB" : "", (*a)[1], (*b)[0]));
  }
  const Dims result{a ? (*a)[0] : kUnknown, b ? (*b)[1] : kUnknown};
  require_broadcast_to(inference, 2, "C", result);
  inference.set_shape(0, result);
}

void det_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  const Dims& shape = inference.shape(0);
  if (shape.size() < 2 || !may_equal(shape[shape.size() - 2], shape.back())) {
    inference.mismatch(
        fmt::format("input {} must be a square matrix or a stack of them", describe(shape)));
  }
  inference.set_shape(0, stack_of(shape));
}

}  // namespace switchyard
