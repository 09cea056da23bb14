// Real numbers to bytes: shared by the vector loops of sums and of floats. Included once for each
// target.
#if defined(CPU_VECTOR_BYTES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_BYTES_INL
#undef CPU_VECTOR_BYTES_INL
#else
#define CPU_VECTOR_BYTES_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

// saturate(round(real) + zero), ties to even, as bytes of T; any byte for NaN. `zero` is a T.
template <typename T>
class RoundToBytes {
  using Floats = hwy::HWY_NAMESPACE::ScalableTag<float>;
  using Integers = hwy::HWY_NAMESPACE::ScalableTag<int32_t>;

 public:
  using Bytes = hwy::HWY_NAMESPACE::Rebind<uint8_t, Integers>;

  // The bounds are integers, so that it may be rounded after them.
  explicit RoundToBytes(int32_t zero)
      : least_(set(std::numeric_limits<T>::min() - zero)),
        most_(set(std::numeric_limits<T>::max() - zero)),
        round_(set(3 << 22)),
        shift_(hwy::HWY_NAMESPACE::Set(Integers(), zero)) {}

  HWY_INLINE auto operator()(hwy::HWY_NAMESPACE::Vec<Floats> real) const {
    return truncated(whole(real));
  }

  // With 0 where it is NaN.
  HWY_INLINE auto or_zero(hwy::HWY_NAMESPACE::Vec<Floats> real) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto is_number = hn::RebindMask(Integers(), hn::Eq(real, real));
    return truncated(hn::IfThenElseZero(is_number, whole(real)));
  }

 private:
  static auto set(int32_t number) {
    return hwy::HWY_NAMESPACE::Set(Floats(), static_cast<float>(number));
  }

  // The sum with 1.5 * 2^23 has no fraction: it was rounded, and its low bits are the number's.
  HWY_INLINE auto whole(hwy::HWY_NAMESPACE::Vec<Floats> real) const {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto bounded = hn::Min(hn::Max(real, least_), most_);
    return hn::Add(hn::BitCast(Integers(), hn::Add(bounded, round_)), shift_);
  }

  template <typename Whole>
  HWY_INLINE auto truncated(Whole whole) const {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::TruncateTo(Bytes(), hn::BitCast(hn::RebindToUnsigned<Integers>(), whole));
  }

  hwy::HWY_NAMESPACE::Vec<Floats> least_, most_, round_;
  hwy::HWY_NAMESPACE::Vec<Integers> shift_;
};

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
