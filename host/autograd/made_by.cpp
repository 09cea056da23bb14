#include <switchyard/autograd.hpp>

#include "autograd/variable.hpp"
#include "autograd/view_steps.hpp"

namespace switchyard {

std::string made_by(const Tensor& tensor) {
  if (!tensor || tensor.is_leaf()) return {};
  const Edge edge = edge_of(*tensor.impl());
  if (dynamic_cast<const PartOfBase*>(edge.step.get())) return "View";
  if (dynamic_cast<const WriteToPart*>(edge.step.get())) return "WriteToView";
  return std::string(edge.step->name());
}

}  // namespace switchyard
