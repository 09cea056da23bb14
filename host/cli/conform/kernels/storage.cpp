#include "cli/conform/kernels/kernel_call.hpp"
#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {

void try_no_storage(TriedOp& tried) {
  std::size_t served = 0;
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel || !kernel->has_deferred_output()) return;
    const RunForm form;
    KernelCall work(tried.stream(), call, form, kernel->prepared());
    work.refuse_storage();
    if (work.enqueue().ok()) {
      fail("{} of {}: run returned SY_OK, though the host had no storage for a deferred output",
           call.name(), call.text());
    }
    tried.run_on(*kernel, call, form, ", after a run that got no storage");
    ++served;
  });
  if (served == 0) skip("no output of it is deferred");
}

}  // namespace switchyard::cli::conform
