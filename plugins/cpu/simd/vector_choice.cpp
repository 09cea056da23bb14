// Comparing floats, and choosing among elements of four bytes.
#include <string_view>

#include "simd/vector_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_choice.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;
using DBytes = hn::Rebind<uint8_t, D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

constexpr auto word = static_cast<int64_t>(sizeof(float));

// Elements side by side, or one that is repeated.
struct Operand {
  const float* at;
  bool repeated;
  V value;

  Operand(const char* data, int64_t step)
      : at(reinterpret_cast<const float*>(data)),
        repeated(step == 0),
        value(repeated ? hn::Set(D(), *at) : hn::Zero(D())) {}

  V load(int64_t i) const { return repeated ? value : hn::LoadU(D(), at + i); }
  static bool fits(int64_t step) { return step == word || step == 0; }
};

float element(const char* data, int64_t step, int64_t i) {
  return *reinterpret_cast<const float*>(data + i * step);
}

struct Equal {
  static HWY_INLINE M of(V x, V y) { return hn::Eq(x, y); }
  static bool of(float x, float y) { return x == y; }
};
struct Less {
  static HWY_INLINE M of(V x, V y) { return hn::Lt(x, y); }
  static bool of(float x, float y) { return x < y; }
};
struct LessOrEqual {
  static HWY_INLINE M of(V x, V y) { return hn::Le(x, y); }
  static bool of(float x, float y) { return x <= y; }
};

template <typename Comparison>
void compare(char* const* data, const int64_t* steps, int64_t count, const void*) {
  const D d;
  const DI di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (Operand::fits(steps[0]) && Operand::fits(steps[1]) && steps[2] == 1) {
    const Operand x(data[0], steps[0]), y(data[1], steps[1]);
    auto* to = reinterpret_cast<uint8_t*>(data[2]);
    for (; i + lanes <= count; i += lanes) {
      const auto holds = hn::RebindMask(di, Comparison::of(x.load(i), y.load(i)));
      hn::StoreU(hn::DemoteTo(DBytes(), hn::IfThenElseZero(holds, hn::Set(di, 1))), DBytes(),
                 to + i);
    }
  }
  for (; i < count; ++i) {
    *reinterpret_cast<bool*>(data[2] + i * steps[2]) =
        Comparison::of(element(data[0], steps[0], i), element(data[1], steps[1], i));
  }
}

// The bits are moved, whatever they mean.
void choose(char* const* data, const int64_t* steps, int64_t count, const void*) {
  const D d;
  const DI di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (steps[0] == 1 && Operand::fits(steps[1]) && Operand::fits(steps[2]) && steps[3] == word) {
    const auto* condition = reinterpret_cast<const uint8_t*>(data[0]);
    const Operand x(data[1], steps[1]), y(data[2], steps[2]);
    auto* to = reinterpret_cast<float*>(data[3]);
    for (; i + lanes <= count; i += lanes) {
      const auto bytes = hn::PromoteTo(di, hn::LoadU(DBytes(), condition + i));
      const M from_y = hn::RebindMask(d, hn::Eq(bytes, hn::Zero(di)));
      hn::StoreU(hn::IfThenElse(from_y, y.load(i), x.load(i)), d, to + i);
    }
  }
  for (; i < count; ++i) {
    const bool from_x = data[0][i * steps[0]] != 0;
    const int k = from_x ? 1 : 2;
    *reinterpret_cast<uint32_t*>(data[3] + i * steps[3]) =
        *reinterpret_cast<const uint32_t*>(data[k] + i * steps[k]);
  }
}

InnerLoop find_comparison(std::string_view name) {
  if (name == "Equal") return compare<Equal>;
  return name == "Less" ? compare<Less> : compare<LessOrEqual>;
}

InnerLoop find_choice() { return choose; }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_comparison);
HWY_EXPORT(find_choice);
InnerLoop vector_comparison_row(std::string_view name) {
  return HWY_DYNAMIC_DISPATCH(find_comparison)(name);
}
InnerLoop vector_choice_row() { return HWY_DYNAMIC_DISPATCH(find_choice)(); }
}  // namespace cpu
#endif
