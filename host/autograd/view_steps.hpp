#pragma once

#include <switchyard/dims.hpp>

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Where the elements of a view and those of its base lie in memory, counted in elements from the
/// first of the base. Any strides are allowed: those of a base, too, may leave gaps or show
/// elements more than once.
struct PartGeometry {
  Dims base_shape, base_strides;
  Dims shape, strides;
  std::int64_t offset = 0;

  /// How many elements lie between the first and the last of both.
  std::int64_t span() const;
};

/// The geometry of `view` in the storage that it shares with `base`.
PartGeometry part_geometry(const TensorImpl& base, const TensorImpl& view);

/// The backward pass of a view: the gradient of the view at its places of the base, and zeros.
class PartOfBase final : public BackwardStep {
 public:
  PartOfBase(Edge base, PartGeometry part);
  std::string_view name() const override { return "a view"; }
  Gradients apply(Gradients arrived) override;

 private:
  PartGeometry part_;
};

/// The backward pass of a base whose part was written over: to what it was before, less that part,
/// and to what was written.
class WriteToPart final : public BackwardStep {
 public:
  WriteToPart(PartGeometry part, Edge before, Edge written);
  std::string_view name() const override { return "a write to a view"; }
  Gradients apply(Gradients arrived) override;

 private:
  PartGeometry part_;
};

}  // namespace switchyard
