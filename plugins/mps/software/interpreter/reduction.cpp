#include "software/interpreter/reduction.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

using seam::Operation;

namespace {

// How to reduce numbers that are gathered as Sum, which is wider than they are.
template <typename Sum>
struct Reduction {
  Sum initial;
  Sum (*join)(Sum, Sum);
};

Reduction<double> float_reduction(Operation operation) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (operation) {
    case Operation::sum:
    case Operation::mean: return {0, [](double x, double y) { return x + y; }};
    case Operation::product: return {1, [](double x, double y) { return x * y; }};
    case Operation::largest:
      return {-infinity, [](double x, double y) { return std::isnan(x) || x > y ? x : y; }};
    case Operation::smallest:
      return {infinity, [](double x, double y) { return std::isnan(x) || x < y ? x : y; }};
    default: throw std::logic_error("the interpreter has no such reduction of floats");
  }
}

uint64_t bits(int64_t x) { return static_cast<uint64_t>(x); }

Reduction<int64_t> integer_reduction(Operation operation) {
  using Integer = int64_t;
  switch (operation) {
    case Operation::sum:
      return {0, [](Integer x, Integer y) { return Integer(bits(x) + bits(y)); }};
    case Operation::product:
      return {1, [](Integer x, Integer y) { return Integer(bits(x) * bits(y)); }};
    case Operation::largest:
      return {std::numeric_limits<int32_t>::min(),
              [](Integer x, Integer y) { return x > y ? x : y; }};
    case Operation::smallest:
      return {std::numeric_limits<int32_t>::max(),
              [](Integer x, Integer y) { return x < y ? x : y; }};
    default: throw std::logic_error("the interpreter has no such reduction of integers");
  }
}

template <typename Number, typename Sum>
std::vector<Sum> gathered(const Value& x, const seam::TensorType& type,
                          const Reduction<Sum>& reduction) {
  const Numbers<Number> numbers(x);
  std::vector<Sum> sums(static_cast<size_t>(count_of(type.shape)), reduction.initial);
  const Shape strides = broadcast_strides(type.shape, x.shape());
  const int64_t length = row_length(x.shape());
  const int64_t step = row_step(strides);
  int64_t next = 0;
  for_each_row<1>(x.shape(), {strides}, [&](const std::array<int64_t, 1>& at) {
    for (int64_t i = 0; i < length; ++i) {
      Sum& sum = sums[static_cast<size_t>(at[0] + i * step)];
      sum = reduction.join(sum, static_cast<Sum>(numbers[next++]));
    }
  });
  return sums;
}

}  // namespace

Value reduce(Operation operation, const Value& x, const seam::TensorType& type) {
  if (!is_float(type.element)) {
    const auto sums = gathered<int64_t>(x, type, integer_reduction(operation));
    Results<int64_t> results(type, 0);
    for (size_t i = 0; i < sums.size(); ++i) results[static_cast<int64_t>(i)] = sums[i];
    return results.rounded();
  }
  const auto sums = gathered<float>(x, type, float_reduction(operation));
  const int64_t results_count = static_cast<int64_t>(sums.size());
  const double divisor = operation == Operation::mean && results_count > 0
                             ? static_cast<double>(x.count() / results_count)
                             : 1;
  Results<float> results(type, 0);
  for (int64_t i = 0; i < results_count; ++i) {
    results[i] = static_cast<float>(sums[static_cast<size_t>(i)] / divisor);
  }
  return results.rounded();
}

}  // namespace mps::software::interpreter
