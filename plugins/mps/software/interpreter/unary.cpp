#include <cmath>
#include <stdexcept>

#include "software/interpreter/elementwise.hpp"
#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

using seam::ElementType;
using seam::Operation;

namespace {

// As Metal's sign(): of NaN it is 0.
float sign(float x) { return std::isnan(x) ? 0.0f : x > 0 ? 1.0f : x < 0 ? -1.0f : x; }

float (*float_function(Operation operation))(float) {
  switch (operation) {
    case Operation::absolute: return [](float x) { return std::fabs(x); };
    case Operation::ceiling: return [](float x) { return std::ceil(x); };
    case Operation::cosine: return [](float x) { return std::cos(x); };
    case Operation::error_function: return [](float x) { return std::erf(x); };
    case Operation::exponential: return [](float x) { return std::exp(x); };
    case Operation::floor: return [](float x) { return std::floor(x); };
    case Operation::hyperbolic_tangent: return [](float x) { return std::tanh(x); };
    case Operation::logarithm: return [](float x) { return std::log(x); };
    case Operation::negative: return [](float x) { return -x; };
    case Operation::reciprocal: return [](float x) { return 1 / x; };
    case Operation::reciprocal_square_root: return [](float x) { return 1 / std::sqrt(x); };
    case Operation::rectified_linear: return [](float x) { return x < 0 ? 0 : x; };
    case Operation::round_to_even: return [](float x) { return std::nearbyint(x); };
    case Operation::sigmoid: return [](float x) { return 1 / (1 + std::exp(-x)); };
    case Operation::sign: return sign;
    case Operation::sine: return [](float x) { return std::sin(x); };
    case Operation::square_root: return [](float x) { return std::sqrt(x); };
    default: throw std::logic_error("the interpreter has no such function of floats");
  }
}

// Wraps around for the least integer.
int64_t negated(int64_t x) { return static_cast<int64_t>(0 - static_cast<uint64_t>(x)); }

int64_t (*integer_function(Operation operation))(int64_t) {
  switch (operation) {
    case Operation::absolute: return [](int64_t x) { return x < 0 ? negated(x) : x; };
    case Operation::negative: return negated;
    case Operation::sign: return [](int64_t x) { return int64_t{x > 0} - int64_t{x < 0}; };
    case Operation::logical_not: return [](int64_t x) { return int64_t{x == 0}; };
    default: throw std::logic_error("the interpreter has no such function of integers");
  }
}

template <typename Number>
Value mapped(const Value& x, const seam::TensorType& type, Number (*function)(Number)) {
  const Numbers<Number> numbers(x);
  Results<Number> results(type, 0);
  for (int64_t i = 0; i < x.count(); ++i) results[i] = function(numbers[i]);
  return results.rounded();
}

Value is_nan(const Value& x, const seam::TensorType& type) {
  const Numbers<float> numbers(x);
  Results<int64_t> results(type, 0);
  for (int64_t i = 0; i < x.count(); ++i) results[i] = std::isnan(numbers[i]) ? 1 : 0;
  return results.rounded();
}

}  // namespace

Value unary(Operation operation, const Value& x, const seam::TensorType& type) {
  if (operation == Operation::is_nan) return is_nan(x, type);
  if (is_float(x.type().element)) return mapped(x, type, float_function(operation));
  return mapped(x, type, integer_function(operation));
}

}  // namespace mps::software::interpreter
