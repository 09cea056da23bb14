#include "abi/programs.hpp"

#include <algorithm>
#include <memory>

#include "abi/device.hpp"
#include "kernels/selection.hpp"
#include "loops/elementwise_kernel.hpp"
#include "loops/layout.hpp"
#include "run/kernel.hpp"
#include "run/run_call.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/node_positions.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/verdict.hpp"

namespace cpu {
namespace {

struct Kernel {
  Run run;
  std::shared_ptr<const ElementwiseKernel> elementwise;  // or this
  sy::NodePositions places;
  uint32_t flags;  // the row's
  std::vector<std::shared_ptr<const void>> packed;
};

struct Constant {
  std::shared_ptr<const void> data;
};

Kernel& kernel_of(sy_kernel handle) { return *reinterpret_cast<Kernel*>(handle); }

void tell_output(const OutputPlan& plan, const std::vector<uint32_t>& input_places,
                 sy_output_plan& out) {
  out.mode = plan.mode;
  out.may_alias_inputs = sy::program_mask(plan.may_alias_inputs, input_places);
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

template <typename T>
T& element(T* array, uint32_t index) {
  return *const_cast<T*>(SY_AT(T, array, index));
}

void tell(const Prepared& made, const sy::NodePositions& places, sy_prepare_args& args) {
  args.workspace_bytes = made.workspace_bytes;
  std::fill_n(args.specialised_on, args.program->input_count, made.specialised_on);
  for (size_t i = 0; i < made.outputs.size() && i < places.outputs.size(); ++i) {
    if (places.outputs[i] == SY_ABSENT) continue;
    tell_output(made.outputs[i], places.inputs, element(args.outputs, places.outputs[i]));
  }
  for (const Packed& packed : made.packed) {
    tell_packed(packed, element(args.constants, places.inputs[packed.input]));
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
  auto kernel = std::make_unique<Kernel>();
  kernel->flags = row.flags;
  kernel->places = sy::positions_of_node(program, node.raw());
  Prepared made = row.make(node);
  follow_layouts(node, made);
  for (const Packed& packed : made.packed) kernel->packed.push_back(packed.data);
  tell(made, kernel->places, args);
  kernel->run = std::move(made.run);
  kernel->elementwise = std::move(made.elementwise);
  args.kernel = reinterpret_cast<sy_kernel>(kernel.release());
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
    enter_device(args->device);
    prepare_kernel(*args);
  });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error*) {
  delete &kernel_of(args->kernel);
  return SY_OK;
}

sy_status release_constant(sy_constant_args* args, sy_error*) {
  delete reinterpret_cast<Constant*>(args->constant);
  return SY_OK;
}

sy_status run(sy_run_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    enter_stream(args->stream);
    const Kernel& kernel = kernel_of(args->kernel);
    if (kernel.elementwise) {
      kernel.elementwise->run(*args, kernel.places, kernel.flags);
    } else {
      RunCall call(*args, kernel.places, kernel.flags);
      kernel.run(call);
    }
    args->sequence = count_completed(args->stream);
  });
}

}  // namespace cpu
