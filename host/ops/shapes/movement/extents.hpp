#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ops/inference.hpp"

namespace switchyard {

/// The product; kUnknown if a factor is, unless another one is zero.
std::int64_t product(std::span<const std::int64_t> extents);

/// True if no extent is kUnknown.
bool all_known(const Dims& shape);

/// The one extent that two sources tell, either of which may be kUnknown. Fails if they differ;
/// `what` says in the message what the two are.
std::int64_t agreed(const Inference& node, std::int64_t a, std::int64_t b, std::string_view what);

/// Fails unless the input's rank is unknown or at least `least`.
void require_rank_of_at_least(const Inference& node, std::size_t input, std::int64_t least);

/// The extent of the last dimension of an input of rank 1 or more; kUnknown if its rank is.
std::int64_t last_extent(const Inference& node, std::size_t input);

/// How many elements a 1-D input holds, from its literal or its shape; kUnknown if neither tells.
std::int64_t length_of(const Inference& node, std::size_t input);

/// `rank` unknown extents, where `rank` is the length of an input that lists them; nothing if that
/// is kUnknown, or more than any device takes: an untrusted model can tell any length.
std::optional<Dims> shape_of_rank(std::int64_t rank);

/// The shape that a list of extents names. Fails if one is negative; `name` says whose list it is.
Dims named_shape(const Inference& node, std::string_view name,
                 const std::vector<std::int64_t>& extents);

/// All axes of a tensor of this rank, in order.
std::vector<std::int64_t> every_axis(std::int64_t rank);

/// Axes brought into [0, rank), each at most once.
std::vector<std::int64_t> normalized_axes(const Inference& node, std::vector<std::int64_t> axes,
                                          std::int64_t rank);

}  // namespace switchyard
