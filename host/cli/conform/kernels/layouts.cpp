#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {
namespace {

/// All inputs in the layout, and then the first one alone.
void try_inputs(TriedOp& tried, Layout layout) {
  const sy_device_info& info = tried.device().info();
  for (const bool first_only : {false, true}) {
    RunForm form;
    form.inputs = layout;
    form.first_input_only = first_only;
    tried.each_type([&](const OpCall& call) {
      if (applies(form, call, info)) tried.attempt(call, form);
    });
  }
  tried.require_runs(fmt::format("no input of it can be {}", name_of(layout)));
}

void try_outputs(TriedOp& tried, Layout layout) {
  RunForm form;
  form.outputs = layout;
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    if (layout != Layout::offset && (kernel->claim_flags() & SY_CLAIM_STRIDED_OUTPUTS) == 0) {
      return tried.leave_out("the claim does not say STRIDED_OUTPUTS");
    }
    bool applies = false;
    for (std::size_t i = 0; i < kernel->output_count(); ++i) {
      const ValueInfo& info = call.outputs[i];
      applies = applies || (kernel->is_exact(i) && info.shape &&
                            place(layout, info.dtype, *info.shape, tried.device().info()));
    }
    if (applies) tried.run_on(*kernel, call, form);
  });
}

}  // namespace

void try_offset_inputs(TriedOp& tried) { try_inputs(tried, Layout::offset); }
void try_transposed_inputs(TriedOp& tried) { try_inputs(tried, Layout::transposed); }
void try_inputs_with_gaps(TriedOp& tried) { try_inputs(tried, Layout::gaps); }
void try_reversed_inputs(TriedOp& tried) { try_inputs(tried, Layout::reversed); }
void try_repeated_inputs(TriedOp& tried) { try_inputs(tried, Layout::repeated); }

void try_offset_outputs(TriedOp& tried) {
  try_outputs(tried, Layout::offset);
  tried.require_runs("no output of it can lie at an offset");
}

void try_strided_outputs(TriedOp& tried) {
  for (const Layout layout : {Layout::transposed, Layout::gaps, Layout::reversed}) {
    try_outputs(tried, layout);
  }
  tried.require_runs("no output of it can be strided");
}

}  // namespace switchyard::cli::conform
