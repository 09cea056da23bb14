#pragma once

#include <set>
#include <span>
#include <string>
#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>
#include <utility>
#include <vector>

#include "ops/row.hpp"

namespace switchyard::cli {

/// One op on small inputs: its inputs and attributes by the words of trial_values.hpp, one for each
/// input and then `name=value` for each attribute.
struct OpTrial {
  const Op* op;
  std::string example;
};

/// The row's example; without one, inputs of one shape as the signature suggests them: floats, or
/// else int32, or else bool. "" for an op that needs one and has none.
std::string example_of(const Op& op);

/// A trial of each op that has an example; random ones have none.
std::vector<OpTrial> op_trials();

std::vector<Tensor> inputs_of(const OpTrial& trial);
AttributeArguments attributes_of(const OpTrial& trial);

/// What `call`, of that op, makes of the inputs; of a variable number of outputs, one.
std::vector<Tensor> outputs_of(const Operation& call, const Op& op, std::span<const Tensor> inputs);

/// What came of trying ops on a device, each once, beside another device.
struct OpTrialResults {
  std::vector<std::string> right;    // ops that gave what the other device gave
  std::vector<std::string> refused;  // that one of the two would not compute as they were tried
  std::vector<std::string> random;   // not tried: each device may draw other numbers
  std::vector<std::string> unknown;  // not tried: no trial is known of them
  std::vector<std::string> wrong;    // "Op: by how much, or what went wrong"
};

/// Computes each op on small inputs on the default devices of both runtimes and compares: floats to
/// 1e-3 relative to 1 + the larger of the two, all others exactly.
OpTrialResults try_ops(const std::set<std::string>& ops, const Runtime& tried,
                       const Runtime& reference);

}  // namespace switchyard::cli
