#include <algorithm>
#include <numeric>

#include "harness/harness.hpp"
#include "switchyard/plugin/shape.hpp"
#include "types/dispatch.hpp"

namespace cpu::testing {

int64_t Value::size() const { return sy::element_count(shape); }

Shape Value::actual_strides() const {
  if (is_strided()) return strides;
  const sy::Dimensions made = sy::contiguous_strides(shape);
  return {made.data.begin(), made.data.begin() + made.rank};
}

namespace detail {

std::vector<int64_t> byte_offsets(const Value& value) {
  const Shape strides = value.actual_strides();
  const auto size = static_cast<int64_t>(sy::dtype_bytes(value.dtype));
  std::vector<int64_t> offsets;
  offsets.reserve(static_cast<size_t>(value.size()));
  std::vector<int64_t> index(value.shape.size(), 0);
  for (int64_t count = value.size(); count > 0; --count) {
    int64_t element = value.offset;
    for (size_t i = 0; i < index.size(); ++i) element += index[i] * strides[i];
    offsets.push_back(element * size);
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < value.shape[i]) break;
      index[i] = 0;
    }
  }
  return offsets;
}

// Bytes up to and with the last element that the view reaches.
size_t reach(const Value& value) {
  if (value.size() == 0) return 0;
  const Shape strides = value.actual_strides();
  int64_t last = value.offset;
  for (size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] > 0) last += (value.shape[i] - 1) * strides[i];
  }
  return sy::contiguous_bytes(value.dtype, static_cast<uint64_t>(last) + 1);
}

void copy_elements_of(const Value& from, Value& to) {
  const auto source = byte_offsets(from);
  const auto destination = byte_offsets(to);
  for (size_t i = 0; i < source.size(); ++i) {
    std::memcpy(to.bytes.data() + destination[i], from.bytes.data() + source[i],
                sy::dtype_bytes(from.dtype));
  }
}

}  // namespace detail

Value blank(sy_dtype dtype, Shape shape, Shape strides, int64_t offset) {
  Value made{dtype, std::move(shape), std::move(strides), offset, {}};
  made.bytes.resize(detail::reach(made));
  return made;
}

Value restrided(const Value& value, Shape strides, int64_t offset) {
  Value made = blank(value.dtype, value.shape, std::move(strides), offset);
  detail::copy_elements_of(value, made);
  return made;
}

Value transposed(const Value& value, const std::vector<size_t>& permutation) {
  Shape strides(value.shape.size());
  int64_t step = 1;
  for (size_t i = permutation.size(); i-- > 0;) {
    strides[permutation[i]] = step;
    step *= std::max<int64_t>(1, value.shape[permutation[i]]);
  }
  return restrided(value, std::move(strides), 0);
}

Value spaced(const Value& value, int64_t step, int64_t offset) {
  Shape strides = blank(value.dtype, value.shape).actual_strides();
  for (int64_t& stride : strides) stride *= step;
  return restrided(value, std::move(strides), offset);
}

Value reversed(const Value& value) {
  Shape strides = blank(value.dtype, value.shape).actual_strides();
  int64_t offset = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    offset += std::max<int64_t>(0, value.shape[i] - 1) * strides[i];
    strides[i] = -strides[i];
  }
  return restrided(value, std::move(strides), offset);
}

Value broadcast(const Value& value, Shape shape) {
  Value made = value;
  const sy::Dimensions strides =
      sy::broadcast_strides(value.shape, value.actual_strides().data(), shape);
  made.strides.assign(strides.data.begin(), strides.data.begin() + strides.rank);
  made.shape = std::move(shape);
  return made;
}

Value integers(const std::vector<int64_t>& elements) {
  return value<int64_t>({static_cast<int64_t>(elements.size())}, elements);
}

Value packed_integers(sy_dtype dtype, Shape shape, const std::vector<int>& elements) {
  Value made = blank(dtype, std::move(shape));
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t position = i * sy::dtype_bits(dtype);
    const int mask = (1 << sy::dtype_bits(dtype)) - 1;
    made.bytes[position / 8] |= static_cast<std::byte>((elements[i] & mask) << (position % 8));
  }
  return made;
}

std::vector<int> unpacked_integers(const Value& value) {
  std::vector<int> elements;
  const int bits = static_cast<int>(sy::dtype_bits(value.dtype));
  const bool is_signed = value.dtype == SY_INT4 || value.dtype == SY_INT2;
  for (int64_t i = 0; i < value.size(); ++i) {
    const int64_t position = i * bits;
    const int code =
        std::to_integer<int>(value.bytes[static_cast<size_t>(position / 8)]) >> (position % 8) &
        ((1 << bits) - 1);
    elements.push_back(is_signed && code >> (bits - 1) != 0 ? code - (1 << bits) : code);
  }
  return elements;
}

std::vector<double> as_doubles(const Value& value) {
  return visit_dtype(ByteTypes{}, value.dtype, [&](auto zero) {
    std::vector<double> made;
    made.reserve(static_cast<size_t>(value.size()));
    for (const auto element : numbers<decltype(zero)>(value)) {
      made.push_back(static_cast<double>(widen(static_cast<decltype(zero)>(element))));
    }
    return made;
  });
}

Value from_doubles(sy_dtype dtype, Shape shape, const std::vector<double>& elements) {
  return visit_dtype(ByteTypes{}, dtype, [&](auto zero) {
    std::vector<decltype(zero)> made;
    made.reserve(elements.size());
    for (const double element : elements) made.push_back(convert<decltype(zero)>(element));
    return value<decltype(zero)>(std::move(shape), made);
  });
}

}  // namespace cpu::testing
