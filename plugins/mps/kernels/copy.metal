// Elements from one layout to another, and from one type to another.
#include <metal_stdlib>
#include "converted.h"
#include "elements.h"
using namespace metal;

// Any type, by its size.
template <typename T>
[[kernel]] void copy(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                     constant Axes& axes [[buffer(2)]],
                     uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    y[position_of(elements, 1, i)] = x[position_of(elements, 0, i)];
  }
}

template [[host_name("copy_1")]] kernel decltype(copy<uchar>) copy<uchar>;
template [[host_name("copy_2")]] kernel decltype(copy<ushort>) copy<ushort>;
template [[host_name("copy_4")]] kernel decltype(copy<uint>) copy<uint>;
template [[host_name("copy_8")]] kernel decltype(copy<ulong>) copy<ulong>;
template [[host_name("copy_16")]] kernel decltype(copy<ulong2>) copy<ulong2>;

// One element everywhere, up to 8 bytes of it.
template <typename T>
[[kernel]] void fill(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                     constant T& value [[buffer(2)]], uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) y[position_of(elements, 0, i)] = value;
}

template [[host_name("fill_1")]] kernel decltype(fill<uchar>) fill<uchar>;
template [[host_name("fill_2")]] kernel decltype(fill<ushort>) fill<ushort>;
template [[host_name("fill_4")]] kernel decltype(fill<uint>) fill<uint>;
template [[host_name("fill_8")]] kernel decltype(fill<ulong>) fill<ulong>;

constant uint cast_type [[function_constant(2)]];  // a position in ops/elementwise/cast.cpp's table

template <typename T>
[[kernel]] void cast(device const T* x [[buffer(0)]], device uchar* y [[buffer(1)]],
                     constant Axes& axes [[buffer(2)]],
                     uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const Converted value = load(x[position_of(elements, 0, i)]);
    const uint at = position_of(elements, 1, i);
    switch (cast_type) {
      case 0: ((device float*)y)[at] = fraction_of(value); break;
      case 1: ((device half*)y)[at] = half(fraction_of(value)); break;
      case 2: ((device long*)y)[at] = whole_of(value); break;
      case 3: ((device int*)y)[at] = whole_as<int>(value); break;
      case 4: ((device short*)y)[at] = whole_as<short>(value); break;
      case 5: ((device char*)y)[at] = whole_as<char>(value); break;
      case 6: y[at] = whole_as<uchar>(value); break;
      case 7: y[at] = is_set(value) ? 1 : 0; break;
#if __METAL_VERSION__ >= 310
      case 8: ((device bfloat*)y)[at] = bfloat(fraction_of(value)); break;
#endif
    }
  }
}

template [[host_name("cast_float")]] kernel decltype(cast<float>) cast<float>;
template [[host_name("cast_half")]] kernel decltype(cast<half>) cast<half>;
template [[host_name("cast_long")]] kernel decltype(cast<long>) cast<long>;
template [[host_name("cast_int")]] kernel decltype(cast<int>) cast<int>;
template [[host_name("cast_short")]] kernel decltype(cast<short>) cast<short>;
template [[host_name("cast_char")]] kernel decltype(cast<char>) cast<char>;
template [[host_name("cast_uchar")]] kernel decltype(cast<uchar>) cast<uchar>;

#if __METAL_VERSION__ >= 310
template [[host_name("cast_bfloat")]] kernel decltype(cast<bfloat>) cast<bfloat>;
#endif
