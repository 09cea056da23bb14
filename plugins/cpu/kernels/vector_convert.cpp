#include "kernels/vector_convert.hpp"

#include <cstring>

#include "kernels/vector_targets.hpp"
#include "numeric.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_convert.cpp"
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

ConvertRow find_row(sy_dtype from, sy_dtype to) {
  if (from == SY_FLOAT16 && to == SY_FLOAT32) return row<FromFloat16>;
  if (from == SY_FLOAT32 && to == SY_FLOAT16) return row<ToFloat16>;
  if (from == SY_BFLOAT16 && to == SY_FLOAT32) return row<FromBFloat16>;
  if (from == SY_FLOAT32 && to == SY_BFLOAT16) return row<ToBFloat16>;
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
