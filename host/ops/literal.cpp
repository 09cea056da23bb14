#include "ops/literal.hpp"

#include <switchyard/error.hpp>

#include <fmt/format.h>

#include "device/within_memory.hpp"

namespace switchyard {

namespace {

template <typename T>
std::vector<std::int64_t> widened(std::span<const T> values) {
  return {values.begin(), values.end()};
}

std::vector<std::int64_t> unpacked(const Literal& literal, bool is_signed) {
  const int bits = bit_width(literal.dtype());
  std::vector<std::int64_t> values(static_cast<std::size_t>(literal.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = literal.packed_bits(static_cast<std::int64_t>(i));
    if (is_signed && values[i] >> (bits - 1) != 0) values[i] -= std::int64_t{1} << bits;
  }
  return values;
}

}  // namespace

Literal::Literal(DType dtype, Dims shape) : dtype_(dtype), shape_(std::move(shape)) {
  if (dtype == DType::string) {
    *this = Literal(shape_, std::vector<std::string>(static_cast<std::size_t>(size())));
    return;
  }
  auto block = within_memory("a tensor of the host", [&] {
    return std::shared_ptr<std::byte[]>(new std::byte[size_bytes()]());
  });
  bytes_ = block.get();
  owner_ = std::move(block);
}

Literal::Literal(DType dtype, Dims shape, std::shared_ptr<const void> owner, const std::byte* bytes)
    : dtype_(dtype), shape_(std::move(shape)), owner_(std::move(owner)), bytes_(bytes) {}

Literal::Literal(Dims shape, std::vector<std::string> strings)
    : dtype_(DType::string),
      shape_(std::move(shape)),
      owner_(std::make_shared<const std::vector<std::string>>(std::move(strings))) {}

std::byte* Literal::mutable_bytes() {
  return const_cast<std::byte*>(bytes_);  // the block is this literal's own and was made non-const
}

const std::vector<std::string>& Literal::strings() const {
  if (dtype_ != DType::string) {
    throw Error(
        ErrorKind::model,
        fmt::format("a tensor of {} was read where one of string is needed", name_of(dtype_)));
  }
  return *static_cast<const std::vector<std::string>*>(owner_.get());
}

int Literal::packed_bits(std::int64_t index) const {
  const int bits = bit_width(dtype_);
  const std::int64_t position = index * bits;
  return std::to_integer<int>(bytes_[position / 8]) >> (position % 8) & ((1 << bits) - 1);
}

std::vector<std::int64_t> Literal::to_int64s() const {
  switch (dtype_) {
    case DType::int64: return widened(values<std::int64_t>());
    case DType::int32: return widened(values<std::int32_t>());
    case DType::int16: return widened(values<std::int16_t>());
    case DType::int8: return widened(values<std::int8_t>());
    case DType::uint64: return widened(values<std::uint64_t>());
    case DType::uint32: return widened(values<std::uint32_t>());
    case DType::uint16: return widened(values<std::uint16_t>());
    case DType::uint8:
    case DType::bool_: return widened(values<std::uint8_t>());
    case DType::int4:
    case DType::int2: return unpacked(*this, true);
    case DType::uint4:
    case DType::uint2: return unpacked(*this, false);
    default:
      throw Error(ErrorKind::model, fmt::format("a tensor of {} was read where integers are needed",
                                                name_of(dtype_)));
  }
}

}  // namespace switchyard
