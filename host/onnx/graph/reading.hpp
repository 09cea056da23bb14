#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "config/limits.hpp"
#include "onnx/files/external_data.hpp"
#include "onnx/schema.hpp"
#include "onnx/tensors/dense_budget.hpp"

namespace switchyard {

/// Domain, name and overload of a function that the model brings along.
using FunctionKey = std::tuple<std::string, std::string, std::string>;

/// What all parts of one reading share.
struct Reading {
  std::string file;  // the model's name in messages
  ExternalData external;
  LimitsConfig limits = {};
  DenseBudget dense_budget{limits};
  std::map<FunctionKey, const onnx::FunctionProto*> functions = {};
  std::vector<const onnx::FunctionProto*> calls = {};  // being expanded, outermost first
  std::int64_t made_nodes = 0;                         // in all graphs, see add_node

  bool is_over_limit() const { return made_nodes > limits.nodes; }
};

}  // namespace switchyard
