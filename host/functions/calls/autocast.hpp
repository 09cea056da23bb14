#pragma once

#include <span>

#include <switchyard/autocast.hpp>

#include "ops/row.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// This thread's innermost scope; null where nothing is converted.
inline thread_local Autocast::State* autocast = nullptr;

/// Whether scopes choose the dtype that the op computes in, and that of its result.
bool chooses_dtype(const Op& op);

/// Converts a call's inputs as the scope asks for.
void convert_inputs(Autocast::State& scope, const Op& op, std::span<TensorRef> inputs);

}  // namespace switchyard
