#include "kernels/quantized/byte_arithmetic.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized/vector_byte_arithmetic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/quantized/vector_bytes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using ByteIntegers = hn::ScalableTag<int32_t>;
using ByteReals = hn::ScalableTag<float>;
using Real = hn::Vec<ByteReals>;
using BinaryOfReals = Real (*)(Real x, Real y);

HWY_INLINE Real sum_of(Real x, Real y) { return hn::Add(x, y); }
HWY_INLINE Real product_of(Real x, Real y) { return hn::Mul(x, y); }

// The real numbers that a vector of bytes stands for.
template <typename T>
class RealsOf {
 public:
  explicit RealsOf(ByteScale numbers)
      : zero_(hn::Set(ByteIntegers(), numbers.zero)), scale_(hn::Set(ByteReals(), numbers.scale)) {}

  // As DequantizeLinear adds 0, so that there is no -0; nor can a compiler then join the product
  // with a sum that follows, and round once in place of twice.
  HWY_INLINE Real operator()(const T* from) const {
    const auto bytes = hn::LoadU(hn::Rebind<T, ByteIntegers>(), from);
    const auto whole = hn::Sub(hn::PromoteTo(ByteIntegers(), bytes), zero_);
    const auto real = hn::Mul(hn::ConvertTo(ByteReals(), whole), scale_);
    return hn::Add(real, hn::Zero(ByteReals()));
  }

 private:
  hn::Vec<ByteIntegers> zero_;
  Real scale_;
};

// Bytes without gaps. `to` may be an operand's very bytes.
template <typename T, BinaryOfReals function>
void dense(const T* x, const T* y, int64_t count, const ByteScales& scales, T* to) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(ByteReals()));
  const RealsOf<T> left(scales.left), right(scales.right);
  const RoundToBytes<T> bytes_of(scales.result.zero);
  const typename RoundToBytes<T>::Bytes narrow;
  const Real divisor = hn::Set(ByteReals(), scales.result.scale);
  const auto one = [&](const T* a, const T* b, T* made) HWY_ATTR {
    const Real quotient = hn::Div(function(left(a), right(b)), divisor);
    hn::StoreU(bytes_of.or_zero(quotient), narrow, reinterpret_cast<uint8_t*>(made));
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) one(x + i, y + i, to + i);
  if (i == count) return;
  HWY_ALIGN T last[3][hn::MaxLanes(ByteReals())] = {};
  const auto rest = static_cast<size_t>(count - i);
  std::memcpy(last[0], x + i, rest);
  std::memcpy(last[1], y + i, rest);
  one(last[0], last[1], last[2]);
  std::memcpy(to + i, last[2], rest);
}

constexpr int64_t kBytesAtOnce = 512;

// An operand's next bytes side by side: where they lie, or in `buffer`, which holds a repeated one
// already.
template <typename T>
const T* side_by_side(const char* data, int64_t step, int64_t count, T* buffer) {
  if (step == 1) return reinterpret_cast<const T*>(data);
  if (step == 0) return buffer;
  for (int64_t i = 0; i < count; ++i) buffer[i] = *reinterpret_cast<const T*>(data + i * step);
  return buffer;
}

template <typename T, BinaryOfReals function>
void byte_row(char* const* data, const int64_t* steps, int64_t count, const void* parameters) {
  const auto& scales = *static_cast<const ByteScales*>(parameters);
  T buffers[3][kBytesAtOnce];
  for (int k = 0; k < 2; ++k) {
    const auto repeated = static_cast<size_t>(std::min(count, kBytesAtOnce));
    if (steps[k] == 0) std::memset(buffers[k], *data[k], repeated);
  }
  for (int64_t i = 0; i < count; i += kBytesAtOnce) {
    const int64_t now = std::min(count - i, kBytesAtOnce);
    const T* x = side_by_side(data[0] + i * steps[0], steps[0], now, buffers[0]);
    const T* y = side_by_side(data[1] + i * steps[1], steps[1], now, buffers[1]);
    char* const to = data[2] + i * steps[2];
    T* const made = steps[2] == 1 ? reinterpret_cast<T*>(to) : buffers[2];
    dense<T, function>(x, y, now, scales, made);
    for (int64_t j = 0; steps[2] != 1 && j < now; ++j) {
      *reinterpret_cast<T*>(to + j * steps[2]) = made[j];
    }
  }
}

InnerLoop find_signed_sum() { return byte_row<int8_t, sum_of>; }
InnerLoop find_unsigned_sum() { return byte_row<uint8_t, sum_of>; }
InnerLoop find_signed_product() { return byte_row<int8_t, product_of>; }
InnerLoop find_unsigned_product() { return byte_row<uint8_t, product_of>; }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {

HWY_EXPORT(find_signed_sum);
HWY_EXPORT(find_unsigned_sum);
HWY_EXPORT(find_signed_product);
HWY_EXPORT(find_unsigned_product);

InnerLoop byte_sum_row(sy_dtype dtype) {
  return dtype == SY_INT8 ? HWY_DYNAMIC_DISPATCH(find_signed_sum)()
                          : HWY_DYNAMIC_DISPATCH(find_unsigned_sum)();
}

InnerLoop byte_product_row(sy_dtype dtype) {
  return dtype == SY_INT8 ? HWY_DYNAMIC_DISPATCH(find_signed_product)()
                          : HWY_DYNAMIC_DISPATCH(find_unsigned_product)();
}

}  // namespace cpu
#endif
