#include <array>
#include <cmath>
#include <stdexcept>

#include "software/interpreter/elementwise.hpp"
#include "software/interpreter/numbers.hpp"

namespace mps::software::interpreter {

using seam::Operation;

namespace {

bool is_nan(float x) { return std::isnan(x); }
bool is_nan(int64_t) { return false; }

template <typename Number>
Number least(Number x, Number y) {
  return is_nan(x) || x < y ? x : y;
}

template <typename Number>
Number most(Number x, Number y) {
  return is_nan(x) || x > y ? x : y;
}

float (*float_function(Operation operation))(float, float) {
  switch (operation) {
    case Operation::add: return [](float x, float y) { return x + y; };
    case Operation::subtract: return [](float x, float y) { return x - y; };
    case Operation::multiply: return [](float x, float y) { return x * y; };
    case Operation::divide: return [](float x, float y) { return x / y; };
    case Operation::power: return [](float x, float y) { return std::pow(x, y); };
    case Operation::minimum: return least<float>;
    case Operation::maximum: return most<float>;
    default: throw std::logic_error("the interpreter has no such arithmetic of floats");
  }
}

uint64_t bits(int64_t x) { return static_cast<uint64_t>(x); }

// Division by 0 is 0, where a GPU gives what it likes.
int64_t quotient(int64_t x, int64_t y) {
  if (y == 0) return 0;
  return y == -1 ? static_cast<int64_t>(0 - bits(x)) : x / y;
}

int64_t (*integer_function(Operation operation))(int64_t, int64_t) {
  using Integer = int64_t;
  switch (operation) {
    case Operation::add: return [](Integer x, Integer y) { return Integer(bits(x) + bits(y)); };
    case Operation::subtract:
      return [](Integer x, Integer y) { return Integer(bits(x) - bits(y)); };
    case Operation::multiply:
      return [](Integer x, Integer y) { return Integer(bits(x) * bits(y)); };
    case Operation::divide: return quotient;
    case Operation::minimum: return least<Integer>;
    case Operation::maximum: return most<Integer>;
    default: throw std::logic_error("the interpreter has no such arithmetic of integers");
  }
}

template <typename Number>
bool (*relation_of(Operation operation))(Number, Number) {
  switch (operation) {
    case Operation::equal: return [](Number x, Number y) { return x == y; };
    case Operation::not_equal: return [](Number x, Number y) { return x != y; };
    case Operation::less: return [](Number x, Number y) { return x < y; };
    case Operation::less_equal: return [](Number x, Number y) { return x <= y; };
    case Operation::greater: return [](Number x, Number y) { return x > y; };
    case Operation::greater_equal: return [](Number x, Number y) { return x >= y; };
    case Operation::logical_and: return [](Number x, Number y) { return x != 0 && y != 0; };
    case Operation::logical_or: return [](Number x, Number y) { return x != 0 || y != 0; };
    case Operation::logical_exclusive_or:
      return [](Number x, Number y) { return (x != 0) != (y != 0); };
    default: throw std::logic_error("the interpreter has no such relation");
  }
}

template <typename Number, typename Result, typename Made>
Value mapped(const Value& x, const Value& y, const seam::TensorType& type,
             Made (*function)(Number, Number)) {
  const Numbers<Number> xs(x);
  const Numbers<Number> ys(y);
  Results<Result> results(type, 0);
  const std::array<Shape, 2> strides = {broadcast_strides(x.shape(), type.shape),
                                        broadcast_strides(y.shape(), type.shape)};
  const int64_t length = row_length(type.shape);
  const std::array<int64_t, 2> step = {row_step(strides[0]), row_step(strides[1])};
  int64_t next = 0;
  for_each_row(type.shape, strides, [&](const std::array<int64_t, 2>& at) {
    for (int64_t i = 0; i < length; ++i) {
      results[next++] =
          static_cast<Result>(function(xs[at[0] + i * step[0]], ys[at[1] + i * step[1]]));
    }
  });
  return results.rounded();
}

}  // namespace

Value binary(Operation operation, const Value& x, const Value& y, const seam::TensorType& type) {
  if (is_float(type.element)) {
    return mapped<float, float>(x, y, type, float_function(operation));
  }
  return mapped<int64_t, int64_t>(x, y, type, integer_function(operation));
}

Value relation(Operation operation, const Value& x, const Value& y, const seam::TensorType& type) {
  if (is_float(x.type().element)) {
    return mapped<float, int64_t>(x, y, type, relation_of<float>(operation));
  }
  return mapped<int64_t, int64_t>(x, y, type, relation_of<int64_t>(operation));
}

}  // namespace mps::software::interpreter
