// What is asked of programs, and what is kept of one that was prepared.
#include "call.hpp"
#include "claims.hpp"
#include "slots.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/sized_array.hpp"

namespace validation {
namespace {

// Whether all indices are those of values.
bool check_indices(Call& call, const sy_program& program) {
  const auto is_value = [&](uint32_t index) { return index < program.value_count; };
  const auto are_values = [&](const uint32_t* indices, uint32_t count, bool may_be_absent) {
    return std::all_of(indices, indices + count, [&](uint32_t index) {
      return is_value(index) || (may_be_absent && index == SY_ABSENT);
    });
  };
  bool all = are_values(program.inputs, program.input_count, false) &&
             are_values(program.outputs, program.output_count, false);
  for (uint32_t i = 0; i < program.node_count; ++i) {
    const sy_node& node = *SY_AT(sy_node, program.nodes, i);
    all = all && are_values(node.inputs, node.input_count, true) &&
          are_values(node.outputs, node.output_count, true);
  }
  if (!all) call.violation(Rule::program, "an index is none of a value");
  return all;
}

// Whether all values are such that the other questions can be asked.
bool check_values(Call& call, const sy_program& program) {
  for (uint32_t i = 0; i < program.value_count; ++i) {
    const sy_value& value = *SY_AT(sy_value, program.values, i);
    if (sy::dtype_bits(value.dtype) == 0) {
      call.violation(Rule::args, "value ", i, " is of type ", value.dtype, ", which there is not");
      return false;
    }
    if (value.rank == SY_UNKNOWN_RANK || value.rank == 0) continue;
    const bool has_rank = value.rank <= SY_MAX_RANK && value.shape != nullptr;
    const bool has_shape =
        has_rank && std::all_of(value.shape, value.shape + value.rank, [](int64_t extent) {
          return extent >= 0 || extent == SY_UNKNOWN_DIMENSION;
        });
    if (has_shape) continue;
    call.violation(Rule::args, "value ", i, " has rank ", value.rank, " and no shape of it");
    return false;
  }
  return true;
}

// Each value is made before it is used, and once.
void check_flow(Call& call, const sy_program& program) {
  std::vector<bool> is_made(program.value_count);
  for (uint32_t i = 0; i < program.input_count; ++i) is_made[program.inputs[i]] = true;
  for (uint32_t n = 0; n < program.node_count; ++n) {
    const sy_node& node = *SY_AT(sy_node, program.nodes, n);
    for (uint32_t i = 0; i < node.input_count; ++i) {
      const uint32_t value = node.inputs[i];
      if (value == SY_ABSENT || is_made[value]) continue;
      call.violation(Rule::program, "node ", n, ", ", node.op, ", uses value ", value,
                     " before it is made");
    }
    for (uint32_t i = 0; i < node.output_count; ++i) {
      const uint32_t value = node.outputs[i];
      if (value == SY_ABSENT) continue;
      if (is_made[value]) call.violation(Rule::program, "value ", value, " is made twice");
      is_made[value] = true;
    }
  }
  for (uint32_t i = 0; i < program.output_count; ++i) {
    if (is_made[program.outputs[i]]) continue;
    call.violation(Rule::program, "output ", i, " is never made");
  }
}

void check_immediate(Call& call, const sy_value& value, uint32_t index, uint32_t claimed) {
  if ((value.flags & SY_VALUE_IMMEDIATE) == 0) return;
  if ((claimed & SY_CLAIM_IMMEDIATES) == 0) {
    call.violation(Rule::immediate, "value ", index, " is an immediate, which no claim takes");
  }
  if (value.rank != 0) {
    call.violation(Rule::immediate, "value ", index, " is an immediate of rank ", value.rank);
  }
}

// For each value, whether the claims of all nodes that use it let it be strided.
struct Strided {
  std::vector<bool> as_input, as_output;
};

Strided check_claims(Call& call, const Device& device, const sy_program& program) {
  Strided strided{std::vector<bool>(program.value_count, true),
                  std::vector<bool>(program.value_count, true)};
  for (uint32_t n = 0; n < program.node_count; ++n) {
    const sy_node& node = *SY_AT(sy_node, program.nodes, n);
    const std::optional<uint32_t> flags = claimed_flags(device.info, program, node);
    if (!flags) {
      call.violation(Rule::claim, "no claim covers node ", n, ", ", node.op, " of version ",
                     node.version);
    }
    const uint32_t claimed = flags.value_or(UINT32_MAX);
    for (uint32_t i = 0; i < node.input_count; ++i) {
      if (node.inputs[i] == SY_ABSENT) continue;
      check_immediate(call, *SY_AT(sy_value, program.values, node.inputs[i]), node.inputs[i],
                      claimed);
      if ((claimed & SY_CLAIM_STRIDED_INPUTS) == 0) strided.as_input[node.inputs[i]] = false;
    }
    for (uint32_t i = 0; i < node.output_count; ++i) {
      if (node.outputs[i] == SY_ABSENT) continue;
      if ((claimed & SY_CLAIM_STRIDED_OUTPUTS) == 0) strided.as_output[node.outputs[i]] = false;
    }
  }
  return strided;
}

std::optional<Strided> check_program(Call& call, const Device& device, const sy_program* given) {
  if (!call.check_given(given, "the program")) return std::nullopt;
  const sy_program& program = *given;
  if (program.node_count == 0) call.violation(Rule::program, "the program has no nodes");
  const uint32_t most = device.info.max_program_nodes;
  if (most != 0 && program.node_count > most) {
    call.violation(Rule::program, "the program has ", program.node_count,
                   " nodes; the device takes ", most);
  }
  if (program.reserved != 0) call.violation(Rule::args, "a reserved field is ", program.reserved);
  if (!check_values(call, program) || !check_indices(call, program)) {
    call.stop();
    return std::nullopt;
  }
  check_flow(call, program);
  return check_claims(call, device, program);
}

Port port_of(const sy_value& value) {
  Port port;
  port.flags = value.flags;
  port.dtype = value.dtype;
  port.rank = value.rank;
  if (value.rank == SY_UNKNOWN_RANK) return port;
  port.shape.assign(value.shape, value.shape + value.rank);
  port.has_strides = value.strides != nullptr;
  if (port.has_strides) port.strides.assign(value.strides, value.strides + value.rank);
  if (value.data != nullptr && sy::is_host_input(value) && sy::is_known(port.shape)) {
    const auto count = static_cast<uint64_t>(sy::element_count(port.shape));
    const auto* bytes = static_cast<const char*>(value.data);
    port.data.assign(bytes, bytes + sy::contiguous_bytes(value.dtype, count));
  }
  return port;
}

void check_presets(Call& call, const sy_prepare_args& args) {
  if (args.flags != 0) call.violation(Rule::program, "its flags are not preset to 0");
  for (uint32_t i = 0; i < args.program->input_count; ++i) {
    if (args.specialised_on[i] != SY_ON_ALL) {
      call.violation(Rule::program, "specialised_on of input ", i, " is not preset to SY_ON_ALL");
    }
    const sy_packed_constant& constant = *SY_AT(sy_packed_constant, args.constants, i);
    if (constant.packed == nullptr && constant.original_unneeded == 0) continue;
    call.violation(Rule::program, "the packed constant of input ", i, " is not zeroed");
  }
  for (uint32_t i = 0; i < args.program->output_count; ++i) {
    const sy_output_plan& plan = *SY_AT(sy_output_plan, args.outputs, i);
    if (plan.mode == 0 && plan.may_alias_inputs == 0 && plan.proposes_strides == 0 &&
        plan.bound != nullptr && plan.strides != nullptr) {
      continue;
    }
    call.violation(Rule::program, "the plan of output ", i, " is not zeroed, or lacks an array");
  }
}

std::vector<Port> input_ports(const sy_prepare_args& args, const Strided& strided) {
  const sy_program& program = *args.program;
  std::vector<Port> ports;
  for (uint32_t i = 0; i < program.input_count; ++i) {
    Port& port = ports.emplace_back(port_of(*SY_AT(sy_value, program.values, program.inputs[i])));
    port.specialised_on = args.specialised_on[i];
    port.may_be_strided = strided.as_input[program.inputs[i]];
    port.original_unneeded = SY_AT(sy_packed_constant, args.constants, i)->original_unneeded != 0;
  }
  return ports;
}

std::vector<Port> output_ports(const sy_prepare_args& args, const Strided& strided) {
  const sy_program& program = *args.program;
  std::vector<Port> ports;
  for (uint32_t i = 0; i < program.output_count; ++i) {
    const sy_output_plan& plan = *SY_AT(sy_output_plan, args.outputs, i);
    Port& port = ports.emplace_back(port_of(*SY_AT(sy_value, program.values, program.outputs[i])));
    port.mode = plan.mode;
    port.may_alias = plan.may_alias_inputs;
    port.may_be_strided = strided.as_output[program.outputs[i]];
    if (plan.proposes_strides == 1 && plan.rank <= SY_MAX_RANK) {
      port.has_strides = true;
      port.strides.assign(plan.strides, plan.strides + plan.rank);
    }
  }
  return ports;
}

// Outputs are those that were prepared for, if the kernel is specialised on all that they follow
// from. Else they may even be of another rank, as those of GatherND and ConstantOfShape are.
void close_outputs(Kernel& kernel) {
  kernel.has_open_outputs =
      !std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [](const Port& port) {
        const bool is_host_input = (port.flags & SY_VALUE_HOST_INPUT) != 0;
        const uint32_t needed = is_host_input ? SY_ON_SHAPE | SY_ON_DATA : SY_ON_SHAPE;
        return (port.specialised_on & needed) == needed;
      });
  if (kernel.has_open_outputs) return;
  for (Port& port : kernel.outputs) {
    if (port.mode == SY_OUTPUT_EXACT) port.specialised_on = SY_ON_SHAPE;
  }
}

void count_constants(const sy_prepare_args& args, Device& device) {
  for (uint32_t i = 0; i < args.program->input_count; ++i) {
    const sy_constant packed = SY_AT(sy_packed_constant, args.constants, i)->packed;
    if (packed != nullptr) ++device.constants[packed];
  }
}

}  // namespace

sy_status supports(Plugin& plugin, sy_supports_args* args, sy_error* error) {
  Call call(plugin, "supports", *args, error);
  const auto device = call.find(args->device);
  if (device) check_program(call, *device, args->program);
  if (!call.may_pass()) return call.refuse();
  sy_supports_args inner = copy_of(*args);
  inner.device = device->inner;
  return call.pass_on(plugin.inner.supports, inner);
}

sy_status prepare(Plugin& plugin, sy_prepare_args* args, sy_error* error) {
  Call call(plugin, "prepare", *args, error);
  const auto device = call.find(args->device);
  std::optional<Strided> strided;
  if (device) {
    strided = check_program(call, *device, args->program);
    if (strided) check_presets(call, *args);
  }
  if (!call.may_pass()) return call.refuse();
  sy_prepare_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.inner.prepare, inner);
  if (status != SY_OK) return status;
  args->kernel = nullptr;
  args->workspace_bytes = inner.workspace_bytes;
  args->flags = inner.flags;
  if (inner.kernel == nullptr) return status;
  auto kernel = std::make_shared<Kernel>();
  kernel->device = device;
  kernel->generation = device->recoveries;
  kernel->inner = inner.kernel;
  kernel->op = SY_AT(sy_node, args->program->nodes, 0)->op;
  kernel->workspace = inner.workspace_bytes;
  kernel->wants_bindings = (inner.flags & SY_KERNEL_BINDINGS) != 0;
  kernel->inputs = input_ports(*args, *strided);
  kernel->outputs = output_ports(*args, *strided);
  close_outputs(*kernel);
  count_constants(*args, *device);
  ++device->kernels;
  args->kernel = plugin.kernels.keep(std::move(kernel), plugin.numbers.next());
  return status;
}

}  // namespace validation
