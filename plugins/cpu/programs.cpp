#include "programs.hpp"

#include <algorithm>
#include <memory>

#include "device.hpp"
#include "kernel.hpp"
#include "kernels/layout.hpp"
#include "run_call.hpp"
#include "selection.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/verdict.hpp"

namespace cpu {
namespace {

struct Kernel {
  Run run;
  Places places;
  uint32_t flags;  // the row's
  std::vector<std::shared_ptr<const void>> packed;
};

struct Constant {
  std::shared_ptr<const void> data;
};

Kernel& kernel_of(sy_kernel handle) { return *reinterpret_cast<Kernel*>(handle); }

// Where each of the node's values lies in the program's list.
std::vector<uint32_t> places_of(const uint32_t* values, uint32_t count, const uint32_t* list,
                                uint32_t list_count, const char* side) {
  std::vector<uint32_t> places(count, SY_ABSENT);
  for (uint32_t i = 0; i < count; ++i) {
    if (values[i] == SY_ABSENT) continue;
    const uint32_t* found = std::find(list, list + list_count, values[i]);
    if (found == list + list_count) {
      throw sy::invalid(side, " ", i, " of the node is not among the program's");
    }
    places[i] = static_cast<uint32_t>(found - list);
  }
  return places;
}

// A program input may be several inputs of the node; then all of them must allow the alias.
uint64_t program_mask(uint64_t node_mask, const std::vector<uint32_t>& places) {
  uint64_t allowed = 0;
  uint64_t refused = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= 64) continue;
    const bool may = i < 64 && (node_mask >> i & 1) != 0;
    (may ? allowed : refused) |= uint64_t{1} << places[i];
  }
  return allowed & ~refused;
}

void tell_output(const OutputPlan& plan, const std::vector<uint32_t>& input_places,
                 sy_output_plan& out) {
  out.mode = plan.mode;
  out.may_alias_inputs = program_mask(plan.may_alias_inputs, input_places);
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

void tell(const Prepared& made, const Places& places, sy_prepare_args& args) {
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
    made.specialised_on |= plan.strides.empty() ? SY_ON_STRIDES : SY_ON_SHAPE | SY_ON_STRIDES;
  }
}

void prepare_kernel(sy_prepare_args& args) {
  const sy_program& program = *args.program;
  const sy::Node node = sy::only_node(program);
  const sy_node& raw = node.raw();
  const KernelRow& row = select_row(node);
  auto kernel = std::make_unique<Kernel>();
  kernel->flags = row.flags;
  kernel->places.inputs =
      places_of(raw.inputs, raw.input_count, program.inputs, program.input_count, "input");
  kernel->places.outputs =
      places_of(raw.outputs, raw.output_count, program.outputs, program.output_count, "output");
  Prepared made = row.make(node);
  follow_layouts(node, made);
  for (const Packed& packed : made.packed) kernel->packed.push_back(packed.data);
  tell(made, kernel->places, args);
  kernel->run = std::move(made.run);
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
    RunCall call(*args, kernel.places, kernel.flags);
    kernel.run(call);
    args->sequence = count_completed(args->stream);
  });
}

}  // namespace cpu
