#pragma once

#include <cstdint>
#include <span>

#include <switchyard/autocast.hpp>
#include <vector>

#include "device/thread_context.hpp"
#include "ops/row.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// A scope, and the weights that it has converted.
struct AutocastState {
  struct Converted {
    TensorRef original;
    std::uint32_t version;
    bool recorded;
    DType dtype;
    TensorRef result;
  };
  DType dtype;
  std::vector<Converted> weights = {};
};

/// Whether scopes choose the dtype that the op computes in, and that of its result.
bool chooses_dtype(const Op& op);

/// Converts a call's inputs as the scope asks for.
void convert_inputs(AutocastState& scope, const Op& op, std::span<TensorRef> inputs);

}  // namespace switchyard
