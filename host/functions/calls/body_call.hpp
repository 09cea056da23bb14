#pragma once

#include <span>

#include "routing/call.hpp"
#include "tensor/engine.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Whether a call's op has a function body that run_body() can run.
bool has_body(const CallSite& site);

/// Runs the function body of a call's op in its stead, as a model runs it, on the call's device
/// where that takes the nodes. The results have memory of their own, and no gradient is recorded of
/// the nodes. A body is planned once for a site and its inputs' types and ranks.
void run_body(Engine& engine, const CallSite& site, std::span<const TensorRef> inputs,
              std::span<TensorRef> outputs);

}  // namespace switchyard
