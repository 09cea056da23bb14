#pragma once

#include <cstdint>
#include <string_view>

#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// Throws Error(invalid_argument) naming the function unless the tensor is of int64 or int32.
void require_indices(std::string_view function, const Tensor& index);

/// The ends of a dimension that an index may count from. The ops count from either;
/// of the functions only x[...] does.
enum class CountsFrom { front, either_end };

/// Indices that the device's own check refuses where they are negative, made without waiting for
/// them: negative ones become the largest of their type, which lies beyond every extent.
Tensor counted_from_front(const Tensor& index);

/// Throws Error(invalid_argument) naming the function, the index, the dimension and its extent for
/// the first index that lies outside of [0, extent), or of [-extent, extent). Reads the indices.
void require_inside(std::string_view function, const Tensor& index, std::int64_t dim,
                    std::int64_t extent, CountsFrom from);

/// What `call` gives. Devices check indices where they use them: only after a failure are they read
/// here, to name the one that caused it.
template <typename Call, typename Explain>
Tensor call_or_explain(const Call& call, const Explain& explain) {
  try {
    return call();
  } catch (const Error&) {
    explain();
    throw;
  }
}

/// The shape that two shapes broadcast to. Throws Error(invalid_argument) naming the function if
/// they do not.
Dims broadcast_shapes(std::string_view function, const Dims& a, const Dims& b);

}  // namespace switchyard
