// Two inputs, one output, element by element. Floats compute in float whatever the type.
#include <metal_stdlib>
#include "elements.h"
#include "binary_value.h"
using namespace metal;

constant uint binary_operation [[function_constant(2)]];  // of binary_functions.h

template <typename T>
[[kernel]] void binary(device const T* x [[buffer(0)]], device const T* y [[buffer(1)]],
                       device T* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                       uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const float left = float(x[position_of(elements, 0, i)]);
    const float right = float(y[position_of(elements, 1, i)]);
    z[position_of(elements, 2, i)] = T(binary_value(binary_operation, left, right));
  }
}

template [[host_name("binary_float")]] kernel decltype(binary<float>) binary<float>;
template [[host_name("binary_half")]] kernel decltype(binary<half>) binary<half>;

template <typename T>
[[kernel]] void integer_binary(device const T* x [[buffer(0)]], device const T* y [[buffer(1)]],
                               device T* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                               uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const T left = x[position_of(elements, 0, i)], right = y[position_of(elements, 1, i)];
    z[position_of(elements, 2, i)] = integer_binary_value<T>(binary_operation, left, right);
  }
}

template [[host_name("integer_binary_char")]] kernel decltype(integer_binary<char>)
    integer_binary<char>;
template [[host_name("integer_binary_uchar")]] kernel decltype(integer_binary<uchar>)
    integer_binary<uchar>;
template [[host_name("integer_binary_short")]] kernel decltype(integer_binary<short>)
    integer_binary<short>;
template [[host_name("integer_binary_int")]] kernel decltype(integer_binary<int>)
    integer_binary<int>;
template [[host_name("integer_binary_long")]] kernel decltype(integer_binary<long>)
    integer_binary<long>;

// To booleans.
template <typename T>
[[kernel]] void compare(device const T* x [[buffer(0)]], device const T* y [[buffer(1)]],
                        device uchar* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                        uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const T left = x[position_of(elements, 0, i)], right = y[position_of(elements, 1, i)];
    z[position_of(elements, 2, i)] = compared<T>(binary_operation, left, right) ? 1 : 0;
  }
}

template [[host_name("compare_float")]] kernel decltype(compare<float>) compare<float>;
template [[host_name("compare_half")]] kernel decltype(compare<half>) compare<half>;
template [[host_name("compare_char")]] kernel decltype(compare<char>) compare<char>;
template [[host_name("compare_uchar")]] kernel decltype(compare<uchar>) compare<uchar>;
template [[host_name("compare_short")]] kernel decltype(compare<short>) compare<short>;
template [[host_name("compare_int")]] kernel decltype(compare<int>) compare<int>;
template [[host_name("compare_long")]] kernel decltype(compare<long>) compare<long>;

// Elements of any type by their size: condition ? x : y.
template <typename T>
[[kernel]] void choose(device const uchar* condition [[buffer(0)]],
                       device const T* x [[buffer(1)]], device const T* y [[buffer(2)]],
                       device T* z [[buffer(3)]], constant Axes& axes [[buffer(4)]],
                       uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const bool is = condition[position_of(elements, 0, i)] != 0;
    z[position_of(elements, 3, i)] = is ? x[position_of(elements, 1, i)] : y[position_of(elements, 2, i)];
  }
}

template [[host_name("choose_1")]] kernel decltype(choose<uchar>) choose<uchar>;
template [[host_name("choose_2")]] kernel decltype(choose<ushort>) choose<ushort>;
template [[host_name("choose_4")]] kernel decltype(choose<uint>) choose<uint>;
template [[host_name("choose_8")]] kernel decltype(choose<ulong>) choose<ulong>;

#if __METAL_VERSION__ >= 310
template [[host_name("binary_bfloat")]] kernel decltype(binary<bfloat>) binary<bfloat>;
template [[host_name("compare_bfloat")]] kernel decltype(compare<bfloat>) compare<bfloat>;
#endif
