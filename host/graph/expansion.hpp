#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "routing/router.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

struct GraphPlan;

/// Makes a graph of the function body of a node's op; `inputs` says what is known of the node's
/// inputs. The graph has the node's inputs and outputs.
using ExpandBody = Graph (*)(const Node& node, std::span<const Value> inputs);

/// The function bodies that stand in for one node, whose op no device takes: one for each set of
/// input types and ranks. Any thread may ask.
class Expansions {
 public:
  Expansions();
  ~Expansions();

  const GraphPlan& find(const Node& node, std::span<const TensorRef> inputs, ExpandBody expand,
                        Router& router);

 private:
  struct Expansion;

  std::mutex guard_;
  std::vector<std::unique_ptr<Expansion>> made_;
};

}  // namespace switchyard
