#include "graph/control/control.hpp"
#include "graph/node_error.hpp"

namespace switchyard::control {

void run_if(Execution& execution, const NodePlan& node, Frame& frame) {
  const bool condition = scalar_of(input(node, frame, 0).tensor) != 0;
  const GraphPlan& branch = frame.plan.body(node, condition ? "then_branch" : "else_branch");
  if (!branch.graph->refusal.empty()) throw RefusedPart(branch.graph->refusal);
  std::vector<Cell> outputs = execution.run_body(branch, {}, frame);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    set_output(node, frame, i, std::move(outputs[i]));
  }
}

}  // namespace switchyard::control
