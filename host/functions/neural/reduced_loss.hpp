#pragma once

#include <switchyard/functions/loss.hpp>
#include <switchyard/functions/reduction.hpp>

namespace switchyard {

/// Losses of elements as what the caller asks for.
inline Tensor reduced_loss(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::mean ? mean(losses) : sum(losses);
}

}  // namespace switchyard
