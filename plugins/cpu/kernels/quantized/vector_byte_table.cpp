#include "kernels/quantized/byte_rows.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/quantized/vector_byte_table.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How many bytes were looked up; the rest is for a plain loop.
#if HWY_TARGET == HWY_AVX3
using TableBytes = hn::ScalableTag<uint8_t>;

// Each of the 16 parts of the table gives its own bytes and 0 for the others, which its shuffle
// knows by their highest bit: a byte of another part is at least 16 once the part's number is off.
int64_t look_up_whole_vectors(const uint8_t* from, int64_t count, const uint8_t* table,
                              uint8_t* to) {
  const TableBytes d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<TableBytes> parts[16];
  for (int k = 0; k < 16; ++k) parts[k] = hn::LoadDup128(d, table + 16 * k);
  const auto others = hn::Set(d, uint8_t{0x70});
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bytes = hn::LoadU(d, from + i);
    auto made = hn::Zero(d);
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) {
      const auto position = hn::Xor(bytes, hn::Set(d, static_cast<uint8_t>(k << 4)));
      made = hn::Or(made, hn::TableLookupBytesOr0(parts[k], hn::SaturatedAdd(position, others)));
    }
    hn::StoreU(made, d, to + i);
  }
  return i;
}
#else  // shorter vectors are no faster than the plain loop
int64_t look_up_whole_vectors(const uint8_t*, int64_t, const uint8_t*, uint8_t*) { return 0; }
#endif

void look_up_each(const uint8_t* from, int64_t count, const uint8_t* table, uint8_t* to) {
  int64_t i = look_up_whole_vectors(from, count, table, to);
  for (; i < count; ++i) to[i] = table[from[i]];
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {

HWY_EXPORT(look_up_each);

void look_up_bytes(const uint8_t* from, int64_t count, const uint8_t* table, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(look_up_each)(from, count, table, to);
}

}  // namespace cpu
#endif
