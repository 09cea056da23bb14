#include <algorithm>
#include <string_view>

#include "behaviour.hpp"
#include "kernel.hpp"
#include "switchyard/plugin/guard.hpp"

namespace fake {
namespace {

struct OpRow {
  std::string_view name;
  uint32_t min_version, max_version;
  OpKind kind;
  std::string_view domain = "";
};

constexpr OpRow ops[] = {
    {"Add", 7, 14, OpKind::add},
    {"Relu", 6, 14, OpKind::relu},
    {"MatMul", 1, 13, OpKind::matmul},
    {"NonZero", 9, 13, OpKind::nonzero},
    {"Sum", 1, 1, OpKind::add, kOwnDomain},
    {"SumOfTheProgram", 1, 1, OpKind::add, kOwnDomain},
};

sy_output_plan& plan_at(sy_prepare_args& args, uint32_t index) {
  auto* first = reinterpret_cast<char*>(args.outputs);
  return *reinterpret_cast<sy_output_plan*>(first + size_t{index} * args.outputs->struct_size);
}

sy_packed_constant& constant_at(sy_prepare_args& args, uint32_t index) {
  auto* first = reinterpret_cast<char*>(args.constants);
  return *reinterpret_cast<sy_packed_constant*>(first +
                                                size_t{index} * args.constants->struct_size);
}

uint32_t position_of(const sy_program& program, uint32_t value) {
  const uint32_t* end = program.inputs + program.input_count;
  return static_cast<uint32_t>(std::find(program.inputs, end, value) - program.inputs);
}

std::vector<float> columns_of(const sy_value& matrix) {
  const int64_t rows = matrix.shape[0];
  const int64_t columns = matrix.shape[1];
  const auto* data = static_cast<const float*>(matrix.data);
  std::vector<float> packed(static_cast<size_t>(rows * columns));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      packed[static_cast<size_t>(column * rows + row)] = data[row * columns + column];
    }
  }
  return packed;
}

void pack_constant(Device& device, sy_prepare_args& args, const sy::Node& node, Step& step) {
  const sy_value& matrix = node.required_input(1);
  if (!behaviour.packs_constants || !sy::is_constant(matrix) || matrix.data == nullptr) return;
  step.packed = &device.acquire(lies(Lie::shares_constants) ? 1 : matrix.constant_id,
                                [&] { return columns_of(matrix); });
  const uint32_t input = position_of(*args.program, step.inputs[1]);
  sy_packed_constant& constant = constant_at(args, input);
  constant.packed = reinterpret_cast<sy_constant>(step.packed);
  constant.size_bytes = step.packed->columns.size() * sizeof(float);
  constant.original_unneeded = 1;
  args.specialised_on[input] = SY_ON_SHAPE;
}

// NonZero gives one row a dimension, and a column for each element that is not zero.
void plan_nonzero(sy_output_plan& plan, const sy_value& input) {
  if (has_deferred_nonzero()) {
    plan.mode = SY_OUTPUT_DEFERRED;
    return;
  }
  const sy::Extents shape = sy::shape_of(input);
  if (!sy::is_known(shape)) throw sy::unsupported(SY_REASON_LIMIT, "the bound is not known");
  plan.mode = SY_OUTPUT_BOUNDED;
  plan.rank = 2;
  plan.bound[0] = input.rank;
  plan.bound[1] = sy::element_count(shape);
}

void plan_channels_last(sy_output_plan& plan, const sy_value& output) {
  if (output.rank != 4 || !sy::has_known_shape(output)) return;
  const int64_t channels = output.shape[1];
  const int64_t width = output.shape[3];
  plan.proposes_strides = 1;
  plan.rank = 4;
  plan.strides[0] = channels * output.shape[2] * width;
  plan.strides[1] = 1;
  plan.strides[2] = width * channels;
  plan.strides[3] = channels;
}

void plan_output(sy_output_plan& plan, const sy_program& program, const Step& step) {
  if (step.kind == OpKind::nonzero) {
    return plan_nonzero(plan, *SY_AT(sy_value, program.values, step.inputs[0]));
  }
  if (behaviour.unknown_mode) plan.mode = 9;
  if (behaviour.loses_a_row) {
    const sy::Extents shape = sy::shape_of(*SY_AT(sy_value, program.values, step.output));
    plan.mode = SY_OUTPUT_BOUNDED;
    plan.rank = static_cast<uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), plan.bound);
  }
  if ((behaviour.runs_in_place || lies(Lie::false_alias)) && program.inputs[0] == step.inputs[0])
    plan.may_alias_inputs = 1;
  if (behaviour.proposes_channels_last) {
    plan_channels_last(plan, *SY_AT(sy_value, program.values, step.output));
  }
  if (behaviour.proposes_overlap) {
    plan.proposes_strides = 1;
    plan.rank = SY_AT(sy_value, program.values, step.output)->rank;
    std::fill_n(plan.strides, plan.rank, 0);
  }
}

Step prepare_step(Device& device, sy_prepare_args& args, const sy::Node& node) {
  Step step{op_of(node), {}, node.raw().outputs[0], nullptr};
  step.inputs.assign(node.raw().inputs, node.raw().inputs + node.raw().input_count);
  if (step.kind == OpKind::matmul) pack_constant(device, args, node, step);
  return step;
}

}  // namespace

sy::ClaimTable make_claims() {
  sy::ClaimTable claims;
  for (const OpRow& op : ops) {
    if (!op.domain.empty() && behaviour.own_ops != OwnOps::claimed) continue;
    const bool finds = op.kind == OpKind::nonzero;
    claims.add({.op = op.name.data(),
                .domain = op.domain.data(),
                .min_version = op.min_version,
                .max_version = op.max_version,
                .dtypes = SY_DTYPE_BIT(SY_FLOAT32),
                .output_dtypes = SY_DTYPE_BIT(finds ? SY_INT64 : SY_FLOAT32),
                .flags = SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS |
                         (behaviour.takes_immediates ? uint32_t{SY_CLAIM_IMMEDIATES} : 0)});
  }
  // Covers no node: a host still tells what `supports` said of the claim above.
  claims.add({.op = "MatMul", .min_version = 1000});
  return claims;
}

OpKind op_of(const sy::Node& node) {
  if (!lies(Lie::takes_any_flag)) node.require_known();
  const auto* op = std::find_if(std::begin(ops), std::end(ops), [&](const OpRow& row) {
    return node.domain() == row.domain && node.op() == row.name &&
           node.version() >= row.min_version && node.version() <= row.max_version;
  });
  if (op == std::end(ops)) throw sy::unsupported(SY_REASON_OP, "the fake has no ", node.op());
  const auto refuse_rank = [](const char* message) {
    throw sy::unsupported(SY_REASON_RANK, message);
  };
  if (op->kind == OpKind::matmul &&
      (node.required_input(0).rank != 2 || node.required_input(1).rank != 2)) {
    refuse_rank("the fake multiplies matrices only");
  }
  if (op->kind == OpKind::nonzero && node.required_input(0).rank == 0) {
    refuse_rank("the fake finds nothing in a scalar");
  }
  return op->kind;
}

std::unique_ptr<Kernel> prepare_kernel(Device& device, sy_prepare_args& args) {
  const bool refuses_many = behaviour.refusal == Refusal::at_prepare_of_many;
  if (behaviour.refusal == Refusal::at_prepare || (refuses_many && args.program->node_count > 1) ||
      behaviour.refusal == Refusal::at_prepare_having_depended) {
    throw sy::unsupported(SY_REASON_LIMIT, "the fake has thought again");
  }
  const sy_program& program = *args.program;
  auto kernel = std::make_unique<Kernel>();
  kernel->value_count = program.value_count;
  kernel->inputs.assign(program.inputs, program.inputs + program.input_count);
  kernel->outputs.assign(program.outputs, program.outputs + program.output_count);
  if (lies(Lie::swaps_outputs)) std::reverse(kernel->outputs.begin(), kernel->outputs.end());
  std::fill_n(args.specialised_on, program.input_count,
              lies(Lie::keeps_first_shape) ? uint8_t{0} : uint8_t{SY_ON_SHAPE});
  for (uint32_t i = 0; i < program.node_count; ++i) {
    kernel->steps.push_back(prepare_step(device, args, sy::Node(program, i)));
    const auto output =
        std::find(kernel->outputs.begin(), kernel->outputs.end(), kernel->steps.back().output);
    if (output == kernel->outputs.end()) continue;
    const auto index = static_cast<uint32_t>(output - kernel->outputs.begin());
    plan_output(plan_at(args, index), program, kernel->steps.back());
  }
  args.workspace_bytes =
      behaviour.asks_workspace_per_run ? SY_WORKSPACE_PER_RUN : behaviour.workspace_bytes;
  if (behaviour.wants_bindings) args.flags = SY_KERNEL_BINDINGS;
  return kernel;
}

}  // namespace fake
