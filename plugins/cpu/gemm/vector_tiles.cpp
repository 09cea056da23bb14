#include "gemm/tiles.hpp"
#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gemm/vector_tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "gemm/vector_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

Tiles<float> float_tiles() { return VectorTiles<float>::make(); }
Tiles<double> double_tiles() { return VectorTiles<double>::make(); }
Tiles<int32_t> integer_tiles() { return VectorTiles<int32_t>::make(); }
Tiles<int32_t> pair_products() { return VectorTiles<int32_t, PairProducts>::make_tiles(); }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {

HWY_EXPORT(float_tiles);
HWY_EXPORT(double_tiles);
HWY_EXPORT(integer_tiles);
HWY_EXPORT(pair_products);

template <>
const Tiles<float>& tiles<float>() {
  static const Tiles<float> chosen = HWY_DYNAMIC_DISPATCH(float_tiles)();
  return chosen;
}
template <>
const Tiles<double>& tiles<double>() {
  static const Tiles<double> chosen = HWY_DYNAMIC_DISPATCH(double_tiles)();
  return chosen;
}
template <>
const Tiles<int32_t>& tiles<int32_t>() {
  static const Tiles<int32_t> chosen = HWY_DYNAMIC_DISPATCH(integer_tiles)();
  return chosen;
}

const Tiles<int32_t>& pair_tiles() {
  static const Tiles<int32_t> chosen = HWY_DYNAMIC_DISPATCH(pair_products)();
  return chosen;
}

}  // namespace cpu
#endif
