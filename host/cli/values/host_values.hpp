#pragma once

#include <switchyard/model.hpp>
#include <switchyard/tensor.hpp>

#include "ops/literal.hpp"

namespace switchyard::cli {

/// The tensor's value in host memory. Waits for the work that makes it.
Literal to_literal(const Tensor& tensor);

/// A tensor that the host holds.
Tensor to_tensor(Literal literal);

/// Waits until every element of a run's outputs lies in host memory, as a caller would read it.
/// Throws Error(cancelled) if Ctrl-C came meanwhile: a device may still have been at work when the
/// run had returned.
void bring_to_host(const std::vector<NamedValue>& outputs);

}  // namespace switchyard::cli
