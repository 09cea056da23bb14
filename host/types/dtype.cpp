#include <switchyard/dtype.hpp>

#include <array>

namespace switchyard {

namespace {

struct Entry {
  DType dtype;
  int bits;
  std::string_view name;
};

constexpr std::array kEntries = {
    Entry{DType::undefined, 0, "undefined"},
    Entry{DType::float32, 32, "float32"},
    Entry{DType::uint8, 8, "uint8"},
    Entry{DType::int8, 8, "int8"},
    Entry{DType::uint16, 16, "uint16"},
    Entry{DType::int16, 16, "int16"},
    Entry{DType::int32, 32, "int32"},
    Entry{DType::int64, 64, "int64"},
    Entry{DType::string, 0, "string"},
    Entry{DType::bool_, 8, "bool"},
    Entry{DType::float16, 16, "float16"},
    Entry{DType::float64, 64, "float64"},
    Entry{DType::uint32, 32, "uint32"},
    Entry{DType::uint64, 64, "uint64"},
    Entry{DType::complex64, 64, "complex64"},
    Entry{DType::complex128, 128, "complex128"},
    Entry{DType::bfloat16, 16, "bfloat16"},
    Entry{DType::float8e4m3fn, 8, "float8e4m3fn"},
    Entry{DType::float8e4m3fnuz, 8, "float8e4m3fnuz"},
    Entry{DType::float8e5m2, 8, "float8e5m2"},
    Entry{DType::float8e5m2fnuz, 8, "float8e5m2fnuz"},
    Entry{DType::uint4, 4, "uint4"},
    Entry{DType::int4, 4, "int4"},
    Entry{DType::float4e2m1, 4, "float4e2m1"},
    Entry{DType::float8e8m0, 8, "float8e8m0"},
    Entry{DType::uint2, 2, "uint2"},
    Entry{DType::int2, 2, "int2"},
};

constexpr bool in_order_of_number() {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (static_cast<std::size_t>(kEntries[i].dtype) != i) return false;
  }
  return true;
}
static_assert(in_order_of_number());
static_assert(kEntries.size() == static_cast<std::size_t>(kLastDType) + 1);

const Entry& entry_of(DType dtype) {
  const auto number = static_cast<std::size_t>(dtype);
  return kEntries[number < kEntries.size() ? number : 0];
}

}  // namespace

int bit_width(DType dtype) { return entry_of(dtype).bits; }

std::size_t byte_size(DType dtype, std::int64_t elements) {
  const auto count = static_cast<std::size_t>(elements);
  const auto bits = static_cast<std::size_t>(bit_width(dtype));
  if (bits < 8) return count / 8 * bits + (count % 8 * bits + 7) / 8;
  if (count > SIZE_MAX / (bits / 8)) return SIZE_MAX;  // more than any memory has
  return count * (bits / 8);
}

std::string_view name_of(DType dtype) { return entry_of(dtype).name; }

std::optional<DType> dtype_named(Text name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name && entry.dtype != DType::undefined) return entry.dtype;
  }
  return std::nullopt;
}

}  // namespace switchyard
