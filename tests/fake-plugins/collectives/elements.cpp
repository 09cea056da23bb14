#include "elements.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "half.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace collective {
namespace {

// How an element lies in memory, and what is computed with.
template <typename T>
struct Plain {
  using Stored = T;
  using Number = T;
  static Number load(Stored stored) { return stored; }
  static Stored store(Number number) { return number; }
};
struct Float16 {
  using Stored = uint16_t;
  using Number = float;
  static Number load(Stored stored) { return float_of_half(stored); }
  static Stored store(Number number) { return half_of_float(number); }
};
struct Bfloat16 {
  using Stored = uint16_t;
  using Number = float;
  static Number load(Stored stored) { return float_of_bfloat(stored); }
  static Stored store(Number number) { return bfloat_of_float(number); }
};

template <typename T>
bool is_nan(T number) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(number);
  return false;
}

// Integers wrap round, those too that C++ would promote to int.
template <typename T>
T add(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a + b;
  return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename T>
T multiply(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a * b;
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <typename T>
T least(T a, T b) {
  return is_nan(a) || a < b ? a : b;
}
template <typename T>
T greatest(T a, T b) {
  return is_nan(a) || a > b ? a : b;
}

template <typename Element>
void fold(sy_reduction reduction, uint64_t count, const std::vector<const char*>& parts,
          char* out) {
  using Number = typename Element::Number;
  using Stored = typename Element::Stored;
  const auto element = [](const char* bytes, uint64_t i) {
    Stored stored;
    std::memcpy(&stored, bytes + i * sizeof(stored), sizeof(stored));
    return Element::load(stored);
  };
  for (uint64_t i = 0; i < count; ++i) {
    Number all = element(parts[0], i);
    for (size_t rank = 1; rank < parts.size(); ++rank) {
      const Number next = element(parts[rank], i);
      switch (reduction) {
        case SY_REDUCE_PRODUCT: all = multiply(all, next); break;
        case SY_REDUCE_MIN: all = least(all, next); break;
        case SY_REDUCE_MAX: all = greatest(all, next); break;
        default: all = add(all, next);
      }
    }
    if constexpr (std::is_floating_point_v<Number>) {
      if (reduction == SY_REDUCE_AVERAGE) all /= static_cast<Number>(parts.size());
    }
    const Stored stored = Element::store(all);
    std::memcpy(out + i * sizeof(stored), &stored, sizeof(stored));
  }
}

constexpr uint64_t whole_bytes_dtypes() {
  uint64_t dtypes = 0;
  for (const sy::DtypeRow& row : sy::dtype_rows) {
    if (row.bits >= 8) dtypes |= SY_DTYPE_BIT(row.dtype);
  }
  return dtypes;
}

}  // namespace

uint64_t dtypes_of(sy_reduction reduction) {
  switch (reduction) {
    case SY_REDUCE_NONE: return whole_bytes_dtypes();
    case SY_REDUCE_SUM:
    case SY_REDUCE_PRODUCT: return sy::float_dtypes | sy::integer_dtypes;
    case SY_REDUCE_MIN:
    case SY_REDUCE_MAX: return sy::float_dtypes | sy::integer_dtypes | SY_DTYPE_BIT(SY_BOOL);
    case SY_REDUCE_AVERAGE: return sy::float_dtypes;
    default: return 0;
  }
}

void reduce(sy_dtype dtype, sy_reduction reduction, uint64_t count,
            const std::vector<const char*>& parts, char* out) {
  switch (dtype) {
    case SY_FLOAT16: return fold<Float16>(reduction, count, parts, out);
    case SY_BFLOAT16: return fold<Bfloat16>(reduction, count, parts, out);
    case SY_FLOAT32: return fold<Plain<float>>(reduction, count, parts, out);
    case SY_FLOAT64: return fold<Plain<double>>(reduction, count, parts, out);
    case SY_INT8: return fold<Plain<int8_t>>(reduction, count, parts, out);
    case SY_INT16: return fold<Plain<int16_t>>(reduction, count, parts, out);
    case SY_INT32: return fold<Plain<int32_t>>(reduction, count, parts, out);
    case SY_INT64: return fold<Plain<int64_t>>(reduction, count, parts, out);
    case SY_BOOL:
    case SY_UINT8: return fold<Plain<uint8_t>>(reduction, count, parts, out);
    case SY_UINT16: return fold<Plain<uint16_t>>(reduction, count, parts, out);
    case SY_UINT32: return fold<Plain<uint32_t>>(reduction, count, parts, out);
    case SY_UINT64: return fold<Plain<uint64_t>>(reduction, count, parts, out);
    default: throw sy::unsupported(SY_REASON_DTYPE, "no reduction of ", sy::dtype_name(dtype));
  }
}

}  // namespace collective
