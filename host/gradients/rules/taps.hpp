#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// One of the elements along an axis that make a sample: which one (int64, inside of the axis), its
/// share, and for which samples there is one. Without `there` it is there for all.
struct Tap {
  Tensor index, weight, there = {};
};
struct TappedAxis {
  std::int64_t extent;
  std::vector<Tap> taps;
};

/// Images [N, C, D1, ...] as the rows of a matrix [N * D1 * ..., C].
Tensor rows_of_pixels(const Tensor& images);

/// The weighted elements of samples, one tensor [..., C] for each way to choose a tap of each axis;
/// 0 where an axis has none, and no gradient passes there, whatever it is multiplied by.
/// `images` [...] (int64) tells of which image a sample is; all that has extents [...] broadcasts.
std::vector<Tensor> tapped_parts(const Tensor& rows, const Tensor& images,
                                 std::span<const TappedAxis> axes);
/// Their sum: the samples.
Tensor tapped(const Tensor& rows, const Tensor& images, std::span<const TappedAxis> axes);

/// What stands at an index of a floating type that has no fraction, and nothing outside of the
/// axis.
Tap tap_or_none(const Tensor& index, const Tensor& weight, std::int64_t extent);

/// 0, 1, ... beside `like`, of its dtype, along dimension `dim` of `rank`, the others being 1.
Tensor counted(std::int64_t extent, std::int64_t dim, std::int64_t rank, const Tensor& like);
/// The same as int64.
Tensor counted_indices(std::int64_t extent, std::int64_t dim, std::int64_t rank,
                       const Tensor& like);

}  // namespace switchyard
