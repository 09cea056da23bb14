#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "routing/router.hpp"
#include "tensor/tensor_impl.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

struct GraphPlan;

/// Makes a graph of the function body of a node's op; `inputs` says what is known of the node's
/// inputs. The graph has the node's inputs and outputs.
using ExpandBody = Graph (*)(const Node& node, std::span<const Value> inputs);

/// Bodies are ONNX text, which the reader above this module knows: `onnx` sets it as its file is
/// initialised. Null in a program that was linked without that file.
void set_body_expansion(ExpandBody expand);
ExpandBody body_expansion();

/// Throws Error(invalid_argument) where the results of a registered op's body are not what its
/// signature and its shape rule tell of the call.
void check_body_results(const CallSite& site, std::span<const TensorRef> inputs,
                        std::span<const TensorRef> results);

/// The function bodies that stand in for one node, whose op no device takes: one for each set of
/// input types and ranks. They ask for the device `placement`; null in models. Any thread may ask.
class Expansions {
 public:
  Expansions();
  ~Expansions();

  const GraphPlan& find(const Node& node, std::span<const TensorRef> inputs, ExpandBody expand,
                        Router& router, OpenDevice* placement = nullptr);
  /// GraphPlan::release_copies of each.
  void release_copies();

 private:
  struct Expansion;

  trace::QuietMutex guard_;
  std::vector<std::unique_ptr<Expansion>> made_;
};

}  // namespace switchyard
