// Rows for any type, made of functions of one element.
#pragma once

#include <cstdint>

namespace cpu {

template <typename T>
T& element_at(char* data) {
  return *reinterpret_cast<T*>(data);
}

// Out function(In).
template <typename In, typename Out, auto function>
void unary_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  if (steps[0] == sizeof(In) && steps[1] == sizeof(Out)) {  // for the vectoriser
    const In* in = &element_at<In>(data[0]);
    Out* out = &element_at<Out>(data[1]);
    for (int64_t i = 0; i < count; ++i) out[i] = function(in[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    element_at<Out>(data[1] + i * steps[1]) = function(element_at<In>(data[0] + i * steps[0]));
  }
}

// Out function(Left, Right).
template <typename Left, typename Right, typename Out, auto function>
void binary_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  if (steps[0] == sizeof(Left) && steps[1] == sizeof(Right) && steps[2] == sizeof(Out)) {
    const Left* left = &element_at<Left>(data[0]);
    const Right* right = &element_at<Right>(data[1]);
    Out* out = &element_at<Out>(data[2]);
    for (int64_t i = 0; i < count; ++i) out[i] = function(left[i], right[i]);
    return;
  }
  if (steps[0] == sizeof(Left) && steps[1] == 0 && steps[2] == sizeof(Out)) {
    const Left* left = &element_at<Left>(data[0]);
    const Right right = element_at<Right>(data[1]);
    Out* out = &element_at<Out>(data[2]);
    for (int64_t i = 0; i < count; ++i) out[i] = function(left[i], right);
    return;
  }
  if (steps[0] == 0 && steps[1] == sizeof(Right) && steps[2] == sizeof(Out)) {
    const Left left = element_at<Left>(data[0]);
    const Right* right = &element_at<Right>(data[1]);
    Out* out = &element_at<Out>(data[2]);
    for (int64_t i = 0; i < count; ++i) out[i] = function(left, right[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    element_at<Out>(data[2] + i * steps[2]) = function(element_at<Left>(data[0] + i * steps[0]),
                                                       element_at<Right>(data[1] + i * steps[1]));
  }
}

}  // namespace cpu
