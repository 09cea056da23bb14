#include "gradients/rules/taps.hpp"

#include <switchyard/functions.hpp>

#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"

namespace switchyard {
namespace {

class Parts {
 public:
  Parts(const Tensor& rows, std::span<const TappedAxis> axes) : rows_(rows), axes_(axes) {}

  std::vector<Tensor> from(const Tensor& images) {
    add(0, images, {}, {});
    return std::move(parts_);
  }

 private:
  /// What a way has chosen so far.
  void add(std::size_t axis, const Tensor& row, const Tensor& weight, const Tensor& there) {
    if (axis == axes_.size()) return parts_.push_back(part(row, weight, there));
    for (const Tap& tap : axes_[axis].taps) {
      add(axis + 1, switchyard::add(mul(row, axes_[axis].extent), tap.index),
          weight.defined() ? mul(weight, tap.weight) : tap.weight,
          there.defined() && tap.there.defined() ? Tensor(logical_and(there, tap.there))
                                                 : (there.defined() ? there : tap.there));
    }
  }

  /// Pixels that are not there are left out before and after the product: neither their weights
  /// nor they have a gradient, be the other infinite.
  Tensor part(const Tensor& row, const Tensor& weight, const Tensor& there) const {
    Dims shape = row.shape();
    shape.push_back(rows_.size(1));
    Tensor picked = reshape(select_slices(rows_, 0, reshape(row, {-1})), shape);
    if (!there.defined()) return weight.defined() ? mul(picked, unsqueeze(weight, -1)) : picked;
    const Tensor seen = unsqueeze(there, -1);
    picked = where(seen, picked, 0);
    return weight.defined() ? where(seen, mul(picked, unsqueeze(weight, -1)), 0) : picked;
  }

  const Tensor& rows_;
  const std::span<const TappedAxis> axes_;
  std::vector<Tensor> parts_;
};

}  // namespace

Tensor rows_of_pixels(const Tensor& images) {
  return reshape(movedim(images, 1, -1),
                 {images.size() / std::max<std::int64_t>(1, images.size(1)), images.size(1)});
}

std::vector<Tensor> tapped_parts(const Tensor& rows, const Tensor& images,
                                 std::span<const TappedAxis> axes) {
  return Parts(rows, axes).from(images);
}

Tensor tapped(const Tensor& rows, const Tensor& images, std::span<const TappedAxis> axes) {
  Tensor total;
  for (const Tensor& part : tapped_parts(rows, images, axes)) {
    total = total.defined() ? add(total, part) : part;
  }
  return total;
}

Tap tap_or_none(const Tensor& index, const Tensor& weight, std::int64_t extent) {
  const Mask inside = logical_and(ge(index, 0), lt(index, extent));
  return {clamp(index, 0, extent - 1).to(DType::int64), weight, inside};
}

namespace {

Tensor counted(std::int64_t extent, std::int64_t dim, std::int64_t rank,
               const TensorOptions& options) {
  Dims along = Dims::filled(static_cast<std::size_t>(rank), 1);
  along[static_cast<std::size_t>(dim)] = extent;
  return reshape(arange(extent, options), along);
}

}  // namespace

Tensor counted(std::int64_t extent, std::int64_t dim, std::int64_t rank, const Tensor& like) {
  return counted(extent, dim, rank, options_like(like));
}

Tensor counted_indices(std::int64_t extent, std::int64_t dim, std::int64_t rank,
                       const Tensor& like) {
  TensorOptions options = options_like(like);
  options.dtype = DType::int64;
  return counted(extent, dim, rank, options);
}

}  // namespace switchyard
