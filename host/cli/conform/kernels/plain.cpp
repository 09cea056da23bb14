#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {

void try_example(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) { tried.attempt(call); });
  tried.require_runs("no call of it was taken");
}

void try_twice(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    tried.run_on(*kernel, call, {});
    tried.run_on(*kernel, call, {}, ", run a second time");
  });
  tried.require_runs("no call of it was taken");
}

}  // namespace switchyard::cli::conform
