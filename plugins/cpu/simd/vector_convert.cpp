#include "simd/vector_convert.hpp"

#include <cstring>
#include <limits>

#include "simd/vector_targets.hpp"
#include "types/numeric.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;
using D16 = hn::Rebind<uint16_t, D>;
using DHalf = hn::Rebind<hwy::float16_t, D>;

struct FromFloat16 {
  using From = Float16;
  using To = float;
  static void vector(const char* from, char* to) {
    const auto* halves = reinterpret_cast<const hwy::float16_t*>(from);
    hn::StoreU(hn::PromoteTo(D(), hn::LoadU(DHalf(), halves)), D(), reinterpret_cast<float*>(to));
  }
};

struct ToFloat16 {
  using From = float;
  using To = Float16;
  static void vector(const char* from, char* to) {
    const auto number = hn::LoadU(D(), reinterpret_cast<const float*>(from));
    hn::StoreU(hn::DemoteTo(DHalf(), number), DHalf(), reinterpret_cast<hwy::float16_t*>(to));
  }
};

struct FromBFloat16 {
  using From = BFloat16;
  using To = float;
  static void vector(const char* from, char* to) {
    const auto brains = hn::LoadU(D16(), reinterpret_cast<const uint16_t*>(from));
    const auto bits = hn::ShiftLeft<16>(hn::PromoteTo(DI(), brains));
    hn::StoreU(hn::BitCast(D(), bits), D(), reinterpret_cast<float*>(to));
  }
};

struct ToBFloat16 {
  using From = float;
  using To = BFloat16;
  static void vector(const char* from, char* to) {
    const hn::RebindToUnsigned<D> du;
    const auto number = hn::LoadU(D(), reinterpret_cast<const float*>(from));
    const auto bits = hn::BitCast(du, number);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, odd), hn::Set(du, 0x7fffu)));
    const auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(du, 0x40u));
    const auto is_nan = hn::RebindMask(du, hn::IsNaN(number));
    const auto chosen = hn::BitCast(DI(), hn::IfThenElse(is_nan, quiet, rounded));
    hn::StoreU(hn::DemoteTo(D16(), chosen), D16(), reinterpret_cast<uint16_t*>(to));
  }
};

// Truncated and saturated; NaN becomes 0.
template <typename Integer>
struct FromFloatTo {
  using From = float;
  using To = Integer;
  static void vector(const char* from, char* to) {
    constexpr auto least = static_cast<float>(std::numeric_limits<Integer>::min());
    constexpr auto most = static_cast<float>(std::numeric_limits<Integer>::max());
    const hn::Rebind<Integer, D> d;
    const auto number = hn::LoadU(D(), reinterpret_cast<const float*>(from));
    const auto inside = hn::Min(hn::Max(number, hn::Set(D(), least)), hn::Set(D(), most));
    const auto plain = hn::IfThenZeroElse(hn::IsNaN(number), inside);
    const auto integers = hn::DemoteTo(d, hn::ConvertTo(DI(), plain));
    hn::StoreU(integers, d, reinterpret_cast<Integer*>(to));
  }
};

template <typename Integer>
struct ToFloatFrom {
  using From = Integer;
  using To = float;
  static void vector(const char* from, char* to) {
    const hn::Rebind<Integer, D> d;
    const auto integers = hn::LoadU(d, reinterpret_cast<const Integer*>(from));
    const auto number = hn::ConvertTo(D(), hn::PromoteTo(DI(), integers));
    hn::StoreU(number, D(), reinterpret_cast<float*>(to));
  }
};

struct ToFloatFromInt32 {
  using From = int32_t;
  using To = float;
  static void vector(const char* from, char* to) {
    const auto integers = hn::LoadU(DI(), reinterpret_cast<const int32_t*>(from));
    hn::StoreU(hn::ConvertTo(D(), integers), D(), reinterpret_cast<float*>(to));
  }
};

struct ToFloatFromBool {
  using From = bool;
  using To = float;
  static void vector(const char* from, char* to) {
    const hn::Rebind<uint8_t, D> d;
    const auto bytes = hn::PromoteTo(DI(), hn::LoadU(d, reinterpret_cast<const uint8_t*>(from)));
    const auto is_true = hn::RebindMask(D(), hn::Ne(bytes, hn::Zero(DI())));
    hn::StoreU(hn::IfThenElseZero(is_true, hn::Set(D(), 1)), D(), reinterpret_cast<float*>(to));
  }
};

template <typename From, typename To>
To convert_one(From from) {
  return convert<To>(from);
}

template <typename Kind>
void row(const char* source, int64_t source_step, char* destination, int64_t destination_step,
         int64_t count) {
  using From = typename Kind::From;
  using To = typename Kind::To;
  int64_t i = 0;
  if (source_step == int64_t{sizeof(From)} && destination_step == int64_t{sizeof(To)}) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
    for (; i + lanes <= count; i += lanes) {
      Kind::vector(source + i * int64_t{sizeof(From)}, destination + i * int64_t{sizeof(To)});
    }
  }
  for (; i < count; ++i) {
    From from;
    std::memcpy(&from, source + i * source_step, sizeof(from));
    const To to = convert_one<From, To>(from);
    std::memcpy(destination + i * destination_step, &to, sizeof(to));
  }
}

// Where there is no instruction for it, Highway 1.0 cuts instead of rounding, and loses NaN.
constexpr bool converts_float16 = HWY_ARCH_ARM_A64 || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2);

ConvertRow find_row(sy_dtype from, sy_dtype to) {
  if (converts_float16 && from == SY_FLOAT16 && to == SY_FLOAT32) return row<FromFloat16>;
  if (converts_float16 && from == SY_FLOAT32 && to == SY_FLOAT16) return row<ToFloat16>;
  if (from == SY_BFLOAT16 && to == SY_FLOAT32) return row<FromBFloat16>;
  if (from == SY_FLOAT32 && to == SY_BFLOAT16) return row<ToBFloat16>;
  if (from == SY_FLOAT32 && to == SY_INT8) return row<FromFloatTo<int8_t>>;
  if (from == SY_FLOAT32 && to == SY_UINT8) return row<FromFloatTo<uint8_t>>;
  if (from == SY_INT8 && to == SY_FLOAT32) return row<ToFloatFrom<int8_t>>;
  if (from == SY_UINT8 && to == SY_FLOAT32) return row<ToFloatFrom<uint8_t>>;
  if (from == SY_BOOL && to == SY_FLOAT32) return row<ToFloatFromBool>;
  if (from == SY_INT32 && to == SY_FLOAT32) return row<ToFloatFromInt32>;
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_row);
ConvertRow vector_convert_row(sy_dtype from, sy_dtype to) {
  return HWY_DYNAMIC_DISPATCH(find_row)(from, to);
}
}  // namespace cpu
#endif
