#pragma once

#include <optional>

#include <switchyard/dims.hpp>

namespace switchyard {

/// The strides that show elements laid out as (`shape`, `strides`) in the shape `target` of as many
/// elements, in the same row-major order; nothing if no strides can.
std::optional<Dims> restride(const Dims& shape, const Dims& strides, const Dims& target);

}  // namespace switchyard
