#pragma once

#include <cstdint>
#include <vector>

#include "graph/plan.hpp"
#include "routing/ledger.hpp"
#include "routing/run_plan.hpp"

namespace switchyard {

/// Nodes that one device runs at once, made ready.
struct ProgramPlan {
  RunPlan run;
  std::vector<ValueId> inputs;  // of the kernel, in its order
  std::vector<ValueId> outputs;
  std::vector<Literal> literals;        // of host inputs, by input; empty if there are none
  std::vector<NodePlan> nodes;          // to be run one by one where the program cannot be
  std::vector<LedgerEntry*> fallbacks;  // of nodes that another device was asked for
  std::uint64_t views = 0;              // among the nodes

  /// False once the device has failed, or has lost what was prepared on it.
  bool is_current() const;
};

}  // namespace switchyard
