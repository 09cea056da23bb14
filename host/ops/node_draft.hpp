#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/attributes.hpp"
#include "ops/inference.hpp"

namespace switchyard {

/// A node on its way from a model's version to the canonical one. Values go by name; "" is absent.
struct NodeDraft {
  std::string op;  // an upgrade may rename it (Upsample becomes Resize); `domain` likewise
  std::string domain;
  std::string name;  // of the node, for messages
  Attributes attributes;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;

  /// Adds a constant to the graph and returns its value's name.
  std::function<std::string(Literal)> add_constant;
  /// Adds a node before this one: op of the default domain in its canonical form; returns its
  /// output's name.
  std::function<std::string(std::string op, Attributes, std::vector<std::string> inputs)>
      add_node_before;
  /// Makes this node's output `index` go through one more canonical node, as that node's first
  /// input
  /// (`more_inputs` follow it); this node keeps a fresh name.
  std::function<void(std::size_t output, std::string op, Attributes,
                     std::vector<std::string> more_inputs)>
      add_node_after;
  /// What is known of an input so far: type, perhaps rank, shape and value.
  std::function<ValueInfo(std::size_t input)> info;
};

}  // namespace switchyard
