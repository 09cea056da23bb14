#include "autograd/variable.hpp"

#include <mutex>
#include <switchyard/error.hpp>

#include "autograd/mode.hpp"
#include "autograd/view_steps.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

/// The retained gradient is that of the elements as they are now.
void move_retained_grad(Variable& variable) {
  if (!variable.retained_grad) return;
  variable.retained_grad = std::make_shared<Tensor>();
  const Edge& edge = variable.made_by;
  if (edge) edge.step->retain_grad(edge.output, variable.retained_grad);
}

/// A view whose elements were written to since: what made it now is a part of what made its base.
/// Threads that only read the view may find that out at once; the first one records it.
void refresh(TensorImpl& view, Variable& variable) {
  const std::uint32_t version = version_of(view);
  if (variable.seen_version.load(std::memory_order_acquire) == version) return;
  static auto& guard = *new trace::QuietMutex;
  Edge made_by;  // outlives the lock, as what made the view before goes with it
  const std::scoped_lock lock(guard);
  if (variable.seen_version.load(std::memory_order_relaxed) == version) return;
  TensorImpl& base = *variable.base;
  variable.requires_grad = requires_grad(base);
  if (variable.requires_grad) {
    made_by = {make_step<ViewStep>(edge_of(base), part_geometry(base, view)), 0};
  }
  std::swap(variable.made_by, made_by);
  move_retained_grad(variable);
  variable.seen_version.store(version, std::memory_order_release);
}

Variable* fresh_variable_of(TensorImpl& tensor) {
  Variable* variable = variable_of(tensor);
  if (variable && variable->base && !variable->is_made_unrecorded) refresh(tensor, *variable);
  return variable;
}

}  // namespace

bool Variable::requires_gradient(TensorImpl& tensor) { return switchyard::requires_grad(tensor); }

Variable& make_variable(TensorImpl& tensor) {
  if (!tensor.history) tensor.history = std::make_unique<Variable>();
  return *variable_of(tensor);
}

bool requires_grad(TensorImpl& tensor) {
  const Variable* variable = fresh_variable_of(tensor);
  return variable && variable->requires_grad;
}

Edge edge_of(TensorImpl& tensor) {
  Variable* variable = fresh_variable_of(tensor);
  if (!variable || !variable->requires_grad) return {};
  if (variable->made_by) return variable->made_by;
  return {StepRef(variable->accumulate_grad.get()), 0};
}

Edge required_edge_of(TensorImpl& tensor) {
  Edge edge = edge_of(tensor);
  if (edge) return edge;
  throw Error(ErrorKind::invalid_argument,
              "this tensor requires no gradient: nothing that it was made from asks for one "
              "(requires_grad_()), or it was made under NoGrad");
}

void set_made_by(TensorImpl& tensor, StepRef step, std::uint32_t output) {
  Variable& variable = make_variable(tensor);
  variable.requires_grad = true;
  variable.made_by = {std::move(step), output};
}

void set_view_of(TensorImpl& view, const TensorRef& base) {
  const Variable* of_base = variable_of(*base);
  Variable& variable = make_variable(view);
  variable.base = of_base && of_base->base ? of_base->base : base;
  variable.is_made_unrecorded = !grad_mode() || (of_base && of_base->is_made_unrecorded);
  variable.seen_version = version_of(view);
}

void rewrite_history(const TensorRef& tensor, Edge edge) {
  Variable* variable = variable_of(*tensor);
  if (variable && variable->base) {
    TensorRef base = variable->base;
    Edge of_base = edge_of(*base);
    if (!edge && !of_base) return;
    Variable& changed = make_variable(*base);
    auto step = make_step<WriteToViewStep>(part_geometry(*base, *tensor), std::move(of_base),
                                           std::move(edge));
    changed.requires_grad = true;
    changed.made_by = {std::move(step), 0};
    move_retained_grad(changed);
    variable->is_made_unrecorded = false;
    return;  // the view sees the new version when it is asked
  }
  if (!edge && !variable) return;
  Variable& changed = make_variable(*tensor);
  changed.requires_grad = static_cast<bool>(edge);
  changed.made_by = std::move(edge);
  move_retained_grad(changed);
}

}  // namespace switchyard
