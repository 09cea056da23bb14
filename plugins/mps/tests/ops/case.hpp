// One node through the plugin's table on the software device, against what a test computes by
// itself. Every tensor lies in each of its layouts once, no two alike in one run, in memory that
// held something else before.
//
//   Case("Trilu", 14).attribute("upper", 0).input(shape, x).expect(shape, lower_half(x));
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/table.hpp"
#include "runtime/view.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps::op_tests {

using runtime_tests::Shape;
using runtime_tests::View;

// A float16 as a class, for tests' names want its type's.
class half {
 public:
  half() = default;
  template <typename Number>
  half(Number number) : value_(static_cast<_Float16>(number)) {}
  operator float() const { return static_cast<float>(value_); }

 private:
  _Float16 value_ = 0;
};

// A bfloat16, rounded to nearest even.
class bfloat {
 public:
  bfloat() = default;
  template <typename Number>
  bfloat(Number number) {
    const auto wide = std::bit_cast<uint32_t>(static_cast<float>(number));
    const bool is_nan = (wide & 0x7fffffff) > 0x7f800000;
    bits_ = static_cast<uint16_t>(is_nan ? (wide >> 16) | 0x40
                                         : (wide + 0x7fff + ((wide >> 16) & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(uint32_t{bits_} << 16); }

 private:
  uint16_t bits_ = 0;
};

// A boolean, told apart from a uint8.
enum class Truth : uint8_t { no, yes };

template <typename T>
constexpr sy_dtype dtype() {
  if constexpr (std::is_same_v<T, half>) {
    return SY_FLOAT16;
  } else if constexpr (std::is_same_v<T, bfloat>) {
    return SY_BFLOAT16;
  } else if constexpr (std::is_same_v<T, Truth>) {
    return SY_BOOL;
  } else {
    return sy::dtype_of<T>;
  }
}

struct Operand {
  enum class Kind : uint8_t { device, host, constant, immediate, absent };

  Kind kind = Kind::device;
  sy_dtype dtype = 0;
  Shape shape;
  std::vector<std::byte> elements;  // of an output: what is expected
  double tolerance = 0;             // of an output, times 1 + |expected|
  std::optional<View> view;         // always this one
  std::optional<size_t> renews;     // of an output: the input that it replaces
};

class Case {
 public:
  explicit Case(std::string op, uint32_t version = 21) : op_(std::move(op)), version_(version) {}
  // Of a domain other than ONNX's own.
  Case& domain(const char* name) {
    domain_ = name;
    return *this;
  }

  Case& attribute(const std::string& name, int64_t number);
  Case& attribute(const std::string& name, int number) { return attribute(name, int64_t{number}); }
  Case& attribute(const std::string& name, double number);
  Case& attribute(const std::string& name, const char* text);
  Case& attribute(const std::string& name, std::vector<int64_t> numbers);
  Case& attribute(const std::string& name, std::vector<float> numbers);
  Case& attribute(const std::string& name, std::vector<std::string> texts);
  template <typename T>
  Case& tensor_attribute(const std::string& name, T number) {
    return attribute_bytes(name, dtype<T>(), bytes(std::vector<T>{number}));
  }

  template <typename T>
  Case& input(Shape shape, const std::vector<T>& elements) {
    return add(inputs_, {Operand::Kind::device, dtype<T>(), std::move(shape), bytes(elements)});
  }
  // In this view alone; where it repeats elements they are equal.
  template <typename T>
  Case& input_in(const View& view, const std::vector<T>& elements) {
    return add(inputs_, {Operand::Kind::device, dtype<T>(), view.shape, bytes(elements), 0, view});
  }
  // In host memory, known before the run.
  template <typename T>
  Case& host(Shape shape, const std::vector<T>& elements) {
    return add(inputs_, {Operand::Kind::host, dtype<T>(), std::move(shape), bytes(elements)});
  }
  // On the device, and known before the run.
  template <typename T>
  Case& constant(Shape shape, const std::vector<T>& elements) {
    return add(inputs_, {Operand::Kind::constant, dtype<T>(), std::move(shape), bytes(elements)});
  }
  Case& no_input() { return add(inputs_, {Operand::Kind::absent}); }

  // NaN is expected where it stands, and infinities are. `tolerance` is for floats.
  template <typename T>
  Case& output(Shape shape, const std::vector<T>& expected, double tolerance = 0) {
    return add(outputs_,
               {Operand::Kind::device, dtype<T>(), std::move(shape), bytes(expected), tolerance});
  }
  // The last output lies where that input does, which the kernel must allow.
  Case& in_place_of(size_t input) {
    outputs_.back().renews = input;
    return *this;
  }
  Case& no_output() { return add(outputs_, {Operand::Kind::absent}); }

  // Runs in all layouts, and with scalars in the arguments where the claim takes them there, or in
  // the layout that is given to each tensor, else the contiguous one; fails the test where a result
  // is another.
  void check();
  void check_once();
  template <typename T>
  void expect(Shape shape, const std::vector<T>& expected, double tolerance = 0) {
    output(std::move(shape), expected, tolerance).check();
  }

  // What `supports`, `prepare`, `run` or the wait says, whichever comes first; fails the test if
  // none does.
  sy::Failure failure();

 private:
  struct Attribute {
    std::string name;
    sy_attribute_kind kind;
    std::vector<int64_t> integers;
    std::vector<float> reals;
    std::vector<std::string> texts;
    Operand tensor;
    std::vector<const char*> pointers;
    sy_value value{};
  };

  template <typename T>
  static std::vector<std::byte> bytes(const std::vector<T>& elements) {
    std::vector<std::byte> made(elements.size() * sizeof(T));
    if (!made.empty()) std::memcpy(made.data(), elements.data(), made.size());
    return made;
  }
  Case& add(std::deque<Operand>& operands, Operand operand) {
    operands.push_back(std::move(operand));
    return *this;
  }
  Case& attribute_bytes(const std::string& name, sy_dtype dtype, std::vector<std::byte> element);
  void run(size_t layout, bool compares);
  void check_in(size_t layout);
  void check_with_immediates();

  const std::string op_;
  const uint32_t version_;
  std::string domain_;
  std::deque<Attribute> attributes_;
  std::deque<Operand> inputs_, outputs_;
};

}  // namespace mps::op_tests
