#include "loops/convert.hpp"

#include <cstring>
#include <type_traits>

#include "simd/vector_convert.hpp"
#include "types/dispatch.hpp"
#include "types/numeric.hpp"

namespace cpu {
namespace {

// Bool arrives as a byte that may hold any value but 0 and 1, if its maker was careless.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <typename T>
T read(const char* at) {
  Stored<T> stored;
  std::memcpy(&stored, at, sizeof(stored));
  if constexpr (std::is_same_v<T, bool>) {
    return stored != 0;
  } else {
    return stored;
  }
}

// Never inlined: convert_between would repeat it for every pair.
template <typename From, typename To, bool Saturate>
[[gnu::noinline]] void convert_each(const char* source, int64_t source_step, char* destination,
                                    int64_t destination_step, int64_t count) {
  if (source_step == sizeof(From) && destination_step == sizeof(To)) {  // for the vectoriser
    for (int64_t i = 0; i < count; ++i) {
      const To made = convert<To>(read<From>(source + i * int64_t{sizeof(From)}), Saturate);
      std::memcpy(destination + i * int64_t{sizeof(To)}, &made, sizeof(To));
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const To made = convert<To>(read<From>(source + i * source_step), Saturate);
    std::memcpy(destination + i * destination_step, &made, sizeof(To));
  }
}

// Every type goes through one that holds all its values, so that there are rows for pairs with one
// of these, not for every pair.
using Via = TypeList<float, double, int64_t, uint64_t>;

sy_dtype via_of(sy_dtype from) {
  switch (from) {
    case SY_FLOAT32:
    case SY_FLOAT16:
    case SY_BFLOAT16:
    case SY_FLOAT8E4M3FN:
    case SY_FLOAT8E4M3FNUZ:
    case SY_FLOAT8E5M2:
    case SY_FLOAT8E5M2FNUZ:
    case SY_FLOAT8E8M0: return SY_FLOAT32;
    case SY_FLOAT64: return SY_FLOAT64;
    case SY_UINT64: return SY_UINT64;
    default: return SY_INT64;
  }
}

bool is_via(sy_dtype dtype) { return via_of(dtype) == dtype; }

// From a type of Via to any.
ConvertRow row_from_via(sy_dtype from, sy_dtype to, bool saturate) {
  return visit_dtype(Via{}, from, [&](auto a) {
    return visit_dtype(ByteTypes{}, to, [&](auto b) -> ConvertRow {
      using From = decltype(a);
      using To = decltype(b);
      if constexpr (is_float8<To>) {
        if (!saturate) return convert_each<From, To, false>;
      }
      return convert_each<From, To, true>;
    });
  });
}

// From any to a type of Via.
ConvertRow row_to_via(sy_dtype from, sy_dtype to) {
  return visit_dtype(ByteTypes{}, from, [&](auto a) {
    return visit_dtype(Via{}, to, [&](auto b) -> ConvertRow {
      return convert_each<decltype(a), decltype(b), true>;
    });
  });
}

// From one type not of Via to another: in blocks through the first's.
template <typename Between, typename From, typename To, bool Saturate>
void convert_between(const char* source, int64_t source_step, char* destination,
                     int64_t destination_step, int64_t count) {
  constexpr int64_t block = 256;
  constexpr auto step = static_cast<int64_t>(sizeof(Between));
  Between buffer[block];
  auto* between = reinterpret_cast<char*>(buffer);
  for (int64_t done = 0; done < count; done += block) {
    const int64_t part = count - done < block ? count - done : block;
    convert_each<From, Between, true>(source + done * source_step, source_step, between, step,
                                      part);
    convert_each<Between, To, Saturate>(between, step, destination + done * destination_step,
                                        destination_step, part);
  }
}

ConvertRow row_between(sy_dtype from, sy_dtype to, bool saturate) {
  return visit_dtype(ByteTypes{}, from, [&](auto a) {
    return visit_dtype(ByteTypes{}, to, [&](auto b) -> ConvertRow {
      using From = decltype(a);
      using To = decltype(b);
      if constexpr (is_small_float<From>) {
        if constexpr (is_float8<To>) {
          if (!saturate) return convert_between<float, From, To, false>;
        }
        return convert_between<float, From, To, true>;
      } else if constexpr (std::is_integral_v<From>) {
        if constexpr (is_float8<To>) {
          if (!saturate) return convert_between<int64_t, From, To, false>;
        }
        return convert_between<int64_t, From, To, true>;
      } else {
        return convert_each<From, To, true>;
      }
    });
  });
}

template <size_t Bytes>
void copy_each(const char* source, int64_t source_step, char* destination, int64_t destination_step,
               int64_t count) {
  if (source == destination && source_step == destination_step) return;
  if (source_step == int64_t{Bytes} && destination_step == int64_t{Bytes}) {
    std::memcpy(destination, source, static_cast<size_t>(count) * Bytes);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(destination + i * destination_step, source + i * source_step, Bytes);
  }
}

ConvertRow copy_row(sy_dtype dtype) {
  switch (sy::dtype_bytes(dtype)) {
    case 1: return copy_each<1>;
    case 2: return copy_each<2>;
    case 4: return copy_each<4>;
    default: return copy_each<8>;
  }
}

}  // namespace

ConvertRow convert_row(sy_dtype from, sy_dtype to, bool saturate) {
  if (const ConvertRow vector = vector_convert_row(from, to)) return vector;
  if (from == to && from != SY_BOOL) return copy_row(from);
  if (is_via(from)) return row_from_via(from, to, saturate);
  if (is_via(to)) return row_to_via(from, to);
  return row_between(from, to, saturate);
}

}  // namespace cpu
