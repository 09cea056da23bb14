#include "nn/copied_layer.hpp"

#include <vector>

#include "nn/elements.hpp"

namespace switchyard::nn {
namespace {

// train() is for all below, so that those come after.
void copy_modes(const Module& from, Module& to) {
  to.train(from.is_training());
  for (std::size_t i = 0; i < from.children().size(); ++i) {
    copy_modes(*from.children()[i].module, *to.children()[i].module);
  }
}

}  // namespace

void copy_parameters(const Module& from, Module& to) {
  const std::vector<Tensor> own = from.parameters();
  const std::vector<Tensor> copied = to.parameters();
  for (std::size_t i = 0; i < own.size(); ++i) {
    clone_elements(copied[i], own[i]);
    copied[i].requires_grad_(own[i].requires_grad());
  }
  copy_modes(from, to);
}

}  // namespace switchyard::nn
