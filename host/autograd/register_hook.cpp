#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "autograd/gradient_hooks.hpp"
#include "autograd/variable.hpp"

namespace switchyard {

RemovableHandle Tensor::register_hook(Hook<Tensor, const Tensor&> hook) const {
  if (!hook) throw Error(ErrorKind::invalid_argument, "[register_hook] got no function; give one");
  const Edge edge = required_edge_of(impl_of(*this));
  return add_hook(edge.step->hooks_of(edge.output), std::move(hook));
}

}  // namespace switchyard
