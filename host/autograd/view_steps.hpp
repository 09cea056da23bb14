#pragma once

#include <switchyard/dims.hpp>

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

// How views and writes in place keep one history. A base and its views share a storage, and the
// base alone has the history of its elements; a view's history is a ViewStep on the base's, made
// anew when it is asked for after the base's changed. A write through a view makes the base's
// history a WriteToViewStep: of what the base was before, and of what was written. So writes
// through any view are seen by all of them, in the order in which they were made; and a view of a
// view is a view of the base. The storage counts its writes, by which saved tensors find that they
// are out of date.
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

/// A view: the elements of its base, of which it shows a part.
class ViewStep final : public BackwardStep {
 public:
  ViewStep(Edge base, PartGeometry part);
  std::string_view name() const override { return "a view"; }
  Gradients apply(const BackwardFormulas& formulas, Gradients grad_outputs) override {
    return formulas.of_view(*this, std::move(grad_outputs));
  }

  const PartGeometry part;
};

/// A base of which a part was written over. Its edges: what the base was before, and what was
/// written.
class WriteToViewStep final : public BackwardStep {
 public:
  WriteToViewStep(PartGeometry part, Edge before, Edge written);
  std::string_view name() const override { return "a write to a view"; }
  Gradients apply(const BackwardFormulas& formulas, Gradients grad_outputs) override {
    return formulas.of_write(*this, std::move(grad_outputs));
  }

  const PartGeometry part;
};

}  // namespace switchyard
