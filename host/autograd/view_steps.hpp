#pragma once

#include <switchyard/dims.hpp>

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Where the elements of a view lie among those of its base, whose dimensions are taken in the
/// order in which they lie in memory. Throws Error(unsupported) for a base with gaps.
struct PartGeometry {
  PartGeometry(const TensorImpl& base, const TensorImpl& view);

  Dims order, back;  // of the base's dimensions: to memory order, and from it
  Dims base_shape;   // in memory order
  Dims shape, strides;
  std::int64_t offset = 0;  // elements
};

/// The way back from a view to its base.
class PartOfBase final : public BackwardStep {
 public:
  PartOfBase(TensorImpl& base, const TensorImpl& view);
  std::string_view name() const override { return "a view"; }
  Gradients apply(Gradients arrived) override;

 private:
  PartGeometry part_;
};

/// The way back from a base whose part was written over: to what it was before, less that part, and
/// to what was written.
class WriteToPart final : public BackwardStep {
 public:
  WriteToPart(const TensorImpl& base, const TensorImpl& view, Edge before, Edge written)
      : BackwardStep(1), part_(base, view) {
    edges = {std::move(before), std::move(written)};
    be_youngest();
  }
  std::string_view name() const override { return "a write to a view"; }
  Gradients apply(Gradients arrived) override;

 private:
  PartGeometry part_;
};

}  // namespace switchyard
