#include "software/interpreter/numbers.hpp"

#include <algorithm>
#include <stdexcept>

namespace mps::software::interpreter {

using seam::ElementType;

namespace {

template <typename Number>
constexpr ElementType own_element = ElementType::float32;
template <>
constexpr ElementType own_element<int64_t> = ElementType::int64;

template <typename Element, typename Number, typename Convert>
void read(const Value& value, std::vector<Number>& numbers, Convert convert) {
  numbers.resize(static_cast<size_t>(value.count()));
  for (int64_t i = 0; i < value.count(); ++i) {
    numbers[static_cast<size_t>(i)] = convert(load<Element>(value.data(), i));
  }
}

template <typename Element>
void read_integers(const Value& value, std::vector<int64_t>& numbers) {
  read<Element>(value, numbers, [](Element element) { return int64_t{element}; });
}

void convert(const Value& value, std::vector<float>& numbers) {
  switch (value.type().element) {
    case ElementType::float16: return read<uint16_t>(value, numbers, float_from_half);
    case ElementType::bfloat16: return read<uint16_t>(value, numbers, float_from_bfloat);
    default: throw std::logic_error("the interpreter reads integers as floats");
  }
}

void convert(const Value& value, std::vector<int64_t>& numbers) {
  switch (value.type().element) {
    case ElementType::int8: return read_integers<int8_t>(value, numbers);
    case ElementType::uint8: return read_integers<uint8_t>(value, numbers);
    case ElementType::int16: return read_integers<int16_t>(value, numbers);
    case ElementType::int32: return read_integers<int32_t>(value, numbers);
    case ElementType::boolean:
      return read<uint8_t>(value, numbers, [](uint8_t element) { return int64_t{element != 0}; });
    default: throw std::logic_error("the interpreter reads floats as integers");
  }
}

template <typename Number, typename Convert>
void write(const std::vector<Number>& numbers, Value& value, Convert convert) {
  for (int64_t i = 0; i < value.count(); ++i) {
    store(value.storage(), i, convert(numbers[static_cast<size_t>(i)]));
  }
}

template <typename Element>
void write_integers(const std::vector<int64_t>& numbers, Value& value) {
  write(numbers, value, [](int64_t number) { return static_cast<Element>(number); });
}

void round(const std::vector<float>& numbers, Value& value) {
  switch (value.type().element) {
    case ElementType::float16: return write(numbers, value, half_from_float);
    case ElementType::bfloat16: return write(numbers, value, bfloat_from_float);
    default: throw std::logic_error("the interpreter writes floats as integers");
  }
}

void round(const std::vector<int64_t>& numbers, Value& value) {
  switch (value.type().element) {
    case ElementType::int8: return write_integers<int8_t>(numbers, value);
    case ElementType::uint8: return write_integers<uint8_t>(numbers, value);
    case ElementType::int16: return write_integers<int16_t>(numbers, value);
    case ElementType::int32: return write_integers<int32_t>(numbers, value);
    case ElementType::boolean:
      return write(numbers, value, [](int64_t number) { return uint8_t{number != 0}; });
    default: throw std::logic_error("the interpreter writes integers as floats");
  }
}

}  // namespace

template <typename Number>
Numbers<Number>::Numbers(const Value& value) {
  if (value.type().element == own_element<Number>) {
    data_ = reinterpret_cast<const Number*>(value.data());
    return;
  }
  convert(value, converted_);
  data_ = converted_.data();
}

template <typename Number>
Results<Number>::Results(const seam::TensorType& type, Number initial) : value_(type) {
  const auto count = static_cast<size_t>(value_.count());
  if (type.element == own_element<Number>) {
    data_ = reinterpret_cast<Number*>(value_.storage());
  } else {
    unrounded_.resize(count);
    data_ = unrounded_.data();
  }
  std::fill_n(data_, count, initial);
}

template <typename Number>
Value Results<Number>::rounded() {
  if (value_.type().element != own_element<Number>) round(unrounded_, value_);
  return value_;
}

template class Numbers<float>;
template class Numbers<int64_t>;
template class Results<float>;
template class Results<int64_t>;

}  // namespace mps::software::interpreter
