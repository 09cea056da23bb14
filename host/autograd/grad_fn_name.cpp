#include <switchyard/autograd.hpp>

#include "autograd/variable.hpp"
#include "autograd/view_steps.hpp"

namespace switchyard {

std::string Variable::grad_fn_name(TensorImpl& tensor) {
  const Edge edge = edge_of(tensor);
  if (!edge || !made_by) return {};
  if (dynamic_cast<const ViewStep*>(edge.step.get())) return "View";
  if (dynamic_cast<const WriteToViewStep*>(edge.step.get())) return "WriteToView";
  return std::string(edge.step->name());
}

std::string grad_fn_name(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.impl()->history) return {};
  return tensor.impl()->history->grad_fn_name(*tensor.impl());
}

}  // namespace switchyard
