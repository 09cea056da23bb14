#include "abi/programs.hpp"

#include <algorithm>
#include <memory>

#include "abi/device.hpp"
#include "kernels/selection.hpp"
#include "loops/layout.hpp"
#include "run/kernel.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/node_positions.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/sized_array.hpp"
#include "switchyard/plugin/verdict.hpp"

namespace cpu {
namespace {

// A sy_kernel, and where its tensors are among a run's.
struct PlacedKernel {
  KernelRef kernel;
  sy::NodePositions positions;
  uint32_t flags;  // the row's
  std::vector<std::shared_ptr<const void>> packed;
};

struct Constant {
  std::shared_ptr<const void> data;
};

PlacedKernel& placed_kernel_of(sy_kernel handle) {
  return *reinterpret_cast<PlacedKernel*>(handle);
}

void tell_output(const OutputPlan& plan, const std::vector<uint32_t>& input_positions,
                 sy_output_plan& out) {
  out.mode = plan.mode;
  out.may_alias_inputs = sy::program_mask(plan.may_alias_inputs, input_positions);
  if (plan.strides.empty()) return;
  out.proposes_strides = 1;
  out.rank = static_cast<uint32_t>(plan.strides.size());
  std::copy(plan.strides.begin(), plan.strides.end(), out.strides);
}

void tell_packed(const Packed& packed, sy_packed_constant& out) {
  out.original_unneeded = packed.original_unneeded ? 1 : 0;
  out.packed = reinterpret_cast<sy_constant>(new Constant{packed.data});
  out.size_bytes = packed.size_bytes;
}

void tell(const Prepared& made, const sy::NodePositions& positions, sy_prepare_args& args) {
  args.workspace_bytes = made.workspace_bytes;
  std::fill_n(args.specialised_on, args.program->input_count, made.specialised_on);
  for (size_t i = 0; i < made.outputs.size() && i < positions.outputs.size(); ++i) {
    if (positions.outputs[i] == SY_ABSENT) continue;
    tell_output(made.outputs[i], positions.inputs,
                sy::element_at(args.outputs, positions.outputs[i]));
  }
  for (const Packed& packed : made.packed) {
    tell_packed(packed, sy::element_at(args.constants, positions.inputs[packed.input]));
  }
}

// Kernels know nothing of the order of axes that their outputs follow: it is settled here.
void follow_layouts(const sy::Node& node, Prepared& made) {
  for (uint32_t i = 0; i < made.outputs.size(); ++i) {
    OutputPlan& plan = made.outputs[i];
    const sy_value* output = node.output(i);
    if (!plan.follows_layout || output == nullptr) continue;
    if (!sy::has_rank(*output) || output->rank < 3) continue;
    plan.strides = followed_layout(node, *output);
    // Data, too: an output's shape may come from an input's numbers, as that of Resize does.
    made.specialised_on |= plan.strides.empty() ? SY_ON_STRIDES : SY_ON_ALL;
  }
}

void prepare_kernel(sy_prepare_args& args) {
  const sy_program& program = *args.program;
  const sy::Node node = sy::only_node(program);
  const KernelRow& row = select_row(node);
  auto placed = std::make_unique<PlacedKernel>();
  placed->flags = row.flags;
  placed->positions = sy::positions_of_node(program, node.raw());
  Prepared made = row.make(node);
  follow_layouts(node, made);
  for (const Packed& packed : made.packed) placed->packed.push_back(packed.data);
  tell(made, placed->positions, args);
  placed->kernel = std::move(made.kernel);
  args.kernel = reinterpret_cast<sy_kernel>(placed.release());
}

}  // namespace

sy_status supports(sy_supports_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const sy_program& program = *args->program;
    for (uint32_t i = 0; i < program.node_count; ++i) {
      sy::judge(sy::verdict_at(args->verdicts, i), [&] { select_row(sy::Node(program, i)); });
    }
  });
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    device_of(args->device).enter();
    prepare_kernel(*args);
  });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error*) {
  delete &placed_kernel_of(args->kernel);
  return SY_OK;
}

sy_status release_constant(sy_constant_args* args, sy_error*) {
  delete reinterpret_cast<Constant*>(args->constant);
  return SY_OK;
}

sy_status run(sy_run_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Stream& stream = stream_of(args->stream);
    stream.device.enter();
    const PlacedKernel& placed = placed_kernel_of(args->kernel);
    placed.kernel->run({*args, placed.positions, placed.flags});
    args->sequence = stream.complete_next();
  });
}

}  // namespace cpu
