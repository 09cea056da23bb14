// Runs one node through the plugin's real table: probe's claims, supports, prepare, run.
//
//   Value x = value<float>({2, 3}, {1, 2, 3, 4, 5, 6});
//   Value sum = OneNode("ReduceSum").attribute("keepdims", 0).input(x).host_input(integers({1}))
//                   .output(SY_FLOAT32, {2}).run();
//   EXPECT_EQ(numbers<float>(sum), (std::vector<float>{6, 15}));
//
// Failures of the plugin are thrown as sy::Failure.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "types/numeric.hpp"

namespace cpu::testing {

using Shape = std::vector<int64_t>;

// The project's own ops are in it.
inline constexpr const char* switchyard_domain = "switchyard";

inline constexpr sy_dtype float_dtypes[] = {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16};

// A tensor with memory of its own, which ends at the last element that its view reaches, so that a
// sanitizer sees every step too far.
struct Value {
  sy_dtype dtype = 0;
  Shape shape;
  Shape strides;       // in elements; empty: contiguous
  int64_t offset = 0;  // elements from the memory's start to the element whose indices are all 0
  std::vector<std::byte> bytes;

  int64_t size() const;
  bool is_strided() const { return !strides.empty(); }
  Shape actual_strides() const;
};

// Memory for a view, filled with zeros.
Value blank(sy_dtype dtype, Shape shape, Shape strides = {}, int64_t offset = 0);

// Elements in row-major order, whatever the strides.
template <typename T>
Value value(Shape shape, const std::vector<T>& elements);
template <typename T>
std::vector<T> numbers(const Value& value);

// The same elements behind other strides. `transposed` keeps the shape but lays memory out in the
// order `permutation` of the axes, outermost first; `spaced` leaves gaps and an offset; `reversed`
// has negative strides. `broadcast` repeats extents of 1, by strides of 0.
Value transposed(const Value& value, const std::vector<size_t>& permutation);
Value spaced(const Value& value, int64_t step = 2, int64_t offset = 3);
Value reversed(const Value& value);
Value broadcast(const Value& value, Shape shape);
Value restrided(const Value& value, Shape strides, int64_t offset);

// A vector of int64, for axes and sizes.
Value integers(const std::vector<int64_t>& elements);

// A contiguous 4-bit tensor from numbers, and back.
Value packed_integers(sy_dtype dtype, Shape shape, const std::vector<int>& elements);
std::vector<int> unpacked_integers(const Value& value);

// Numbers of any dtype but 4-bit and complex ones as doubles, and the other way with rounding.
std::vector<double> as_doubles(const Value& value);
Value from_doubles(sy_dtype dtype, Shape shape, const std::vector<double>& elements);

class OneNode {
 public:
  explicit OneNode(std::string op, uint32_t version = 21, std::string domain = "");
  OneNode(OneNode&&) noexcept;
  ~OneNode();

  OneNode& attribute(const std::string& name, int64_t number);
  OneNode& attribute(const std::string& name, int number) {
    return attribute(name, int64_t{number});
  }
  OneNode& attribute(const std::string& name, double number);  // FLOAT
  OneNode& attribute(const std::string& name, const std::string& text);
  OneNode& attribute(const std::string& name, const char* text) {
    return attribute(name, std::string(text));
  }
  OneNode& attribute(const std::string& name, std::vector<int64_t> numbers);
  OneNode& attribute(const std::string& name, std::vector<float> numbers);
  OneNode& attribute(const std::string& name, std::vector<std::string> texts);
  OneNode& attribute(const std::string& name, Value tensor);
  OneNode& math_flags(uint32_t flags);

  OneNode& input(Value tensor);
  OneNode& host_input(Value tensor);
  OneNode& constant(Value tensor, uint64_t id);  // in storage as well as in the description
  OneNode& immediate(Value scalar);
  OneNode& absent_input();

  OneNode& output(sy_dtype dtype, Shape shape, Shape strides = {}, int64_t offset = 0);
  OneNode& output_over(size_t input);  // the identical view of an input that may be aliased
  OneNode& deferred_output(sy_dtype dtype);
  OneNode& absent_output();

  // Outputs take the strides that the kernel proposes.
  OneNode& accept_strides();

  // Shapes and strides are unknown to supports and prepare; ranks are not.
  OneNode& hide_shapes();

  // The answer of the claims and of `supports`.
  sy_verdict verdict();

  // Prepares if need be and runs; the first output, or all of them.
  Value run();
  std::vector<Value> run_all();

  // Another tensor for the next run of the same kernel.
  OneNode& replace_input(size_t input, Value tensor);

  // Runs again with the same kernel: for timing.
  void run_again();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Copies through the plugin's `copy`.
void copy_through_plugin(const Value& source, Value& destination);

// ---- templates

namespace detail {
// Byte offsets of a view's elements in row-major order.
std::vector<int64_t> byte_offsets(const Value& value);
}  // namespace detail

template <typename T>
Value value(Shape shape, const std::vector<T>& elements) {
  Value made = blank(sy::dtype_of<T>, std::move(shape));
  if (made.size() != static_cast<int64_t>(elements.size())) {
    throw sy::bug("a test gives ", elements.size(), " elements for ", made.size());
  }
  const std::vector<int64_t> offsets = detail::byte_offsets(made);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const T element = elements[i];
    std::memcpy(made.bytes.data() + offsets[i], &element, sizeof(T));
  }
  return made;
}

template <typename T>
std::vector<T> numbers(const Value& value) {
  if (value.dtype != sy::dtype_of<T>) {
    throw sy::bug("a test reads ", sy::dtype_name(value.dtype), " as ",
                  sy::dtype_name(sy::dtype_of<T>));
  }
  std::vector<T> elements;
  elements.reserve(static_cast<size_t>(value.size()));
  for (const int64_t offset : detail::byte_offsets(value)) {
    T element;
    std::memcpy(&element, value.bytes.data() + offset, sizeof(T));
    elements.push_back(element);
  }
  return elements;
}

}  // namespace cpu::testing
