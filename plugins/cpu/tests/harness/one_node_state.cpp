// The program of one node: its description, its kernel and a run, as the plugin's table takes them.
#include "harness/one_node_state.hpp"

#include <algorithm>
#include <cstring>

#include "harness/open_plugin.hpp"
#include "switchyard/plugin/shape.hpp"
#include "types/dispatch.hpp"

namespace cpu::testing {
namespace {

sy_tensor tensor_of(const Value& value) {
  sy_tensor tensor{};
  tensor.struct_size = sizeof(tensor);
  tensor.dtype = value.dtype;
  tensor.storage = reinterpret_cast<uintptr_t>(value.bytes.data());
  tensor.offset_bytes = static_cast<uint64_t>(value.offset) * sy::dtype_bytes(value.dtype);
  tensor.shape = value.shape.data();
  tensor.strides = value.is_strided() ? value.strides.data() : nullptr;
  tensor.rank = static_cast<uint32_t>(value.shape.size());
  return tensor;
}

}  // namespace

uint32_t OneNode::State::describe_operand(const Operand& operand) {
  if (!operand.present) return SY_ABSENT;
  const Value& value = operand.value;
  sy_value made{};
  made.struct_size = sizeof(made);
  made.flags = operand.flags;
  made.dtype = value.dtype;
  made.rank = operand.deferred ? SY_UNKNOWN_RANK : static_cast<uint32_t>(value.shape.size());
  hidden.push_back(Shape(value.shape.size(), SY_UNKNOWN_DIMENSION));
  const bool known = (operand.flags & SY_VALUE_CONSTANT) != 0;
  made.shape = hide_shapes && !known ? hidden.back().data() : value.shape.data();
  made.strides = !hide_shapes && value.is_strided() ? value.strides.data() : nullptr;
  made.data = known ? value.bytes.data() : nullptr;
  made.constant_id = operand.constant_id;
  values.push_back(made);
  return static_cast<uint32_t>(values.size() - 1);
}

void OneNode::State::describe_attributes() {
  raw_attributes.clear();
  for (Attribute& attribute : attributes) {
    sy_attribute made{};
    made.struct_size = sizeof(made);
    made.kind = attribute.kind;
    made.name = attribute.name.c_str();
    made.count = 1;
    attribute.text_pointers.clear();
    for (const std::string& text : attribute.texts) attribute.text_pointers.push_back(text.c_str());
    switch (attribute.kind) {
      case SY_ATTRIBUTE_INTS: made.count = attribute.integers.size(); [[fallthrough]];
      case SY_ATTRIBUTE_INT: made.data = attribute.integers.data(); break;
      case SY_ATTRIBUTE_FLOATS: made.count = attribute.reals.size(); [[fallthrough]];
      case SY_ATTRIBUTE_FLOAT: made.data = attribute.reals.data(); break;
      case SY_ATTRIBUTE_STRINGS: made.count = attribute.texts.size(); [[fallthrough]];
      case SY_ATTRIBUTE_STRING: made.data = attribute.text_pointers.data(); break;
      default: {
        const Value& tensor = attribute.tensor;
        attribute.tensor_value = {};
        attribute.tensor_value.struct_size = sizeof(sy_value);
        attribute.tensor_value.dtype = tensor.dtype;
        attribute.tensor_value.rank = static_cast<uint32_t>(tensor.shape.size());
        attribute.tensor_value.shape = tensor.shape.data();
        attribute.tensor_value.data = tensor.bytes.data();
        made.data = &attribute.tensor_value;
      }
    }
    raw_attributes.push_back(made);
  }
}

void OneNode::State::describe() {
  values.clear();
  hidden.clear();
  node_inputs.clear();
  node_outputs.clear();
  program_inputs.clear();
  program_outputs.clear();
  describe_attributes();
  for (const Operand& operand : inputs) {
    node_inputs.push_back(describe_operand(operand));
    if (operand.present) program_inputs.push_back(node_inputs.back());
  }
  for (const Operand& operand : outputs) {
    node_outputs.push_back(describe_operand(operand));
    if (operand.present) program_outputs.push_back(node_outputs.back());
  }
  node = {};
  node.struct_size = sizeof(node);
  node.version = version;
  node.domain = domain.c_str();
  node.op = op.c_str();
  node.math_flags = math_flags;
  node.attribute_count = static_cast<uint32_t>(raw_attributes.size());
  node.attributes = raw_attributes.data();
  node.inputs = node_inputs.data();
  node.outputs = node_outputs.data();
  node.input_count = static_cast<uint32_t>(node_inputs.size());
  node.output_count = static_cast<uint32_t>(node_outputs.size());
  program = {};
  program.struct_size = sizeof(program);
  program.values = values.data();
  program.value_count = static_cast<uint32_t>(values.size());
  program.nodes = &node;
  program.node_count = 1;
  program.inputs = program_inputs.data();
  program.outputs = program_outputs.data();
  program.input_count = static_cast<uint32_t>(program_inputs.size());
  program.output_count = static_cast<uint32_t>(program_outputs.size());
}

bool OneNode::State::claimed() const {
  const sy_device_info& info = device_info();
  for (uint32_t c = 0; c < info.claim_count; ++c) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, c);
    bool fits = op == claim.op && domain == claim.domain && version >= claim.min_version &&
                version <= claim.max_version;
    for (const Operand& operand : inputs) {
      if (!operand.present || (operand.flags & SY_VALUE_HOST_INPUT) != 0) continue;
      const auto rank = static_cast<uint32_t>(operand.value.shape.size());
      fits = fits && (claim.input_dtypes & SY_DTYPE_BIT(operand.value.dtype)) != 0 &&
             rank >= claim.min_rank && rank <= claim.max_rank;
      fits = fits && (!operand.value.is_strided() || (claim.flags & SY_CLAIM_STRIDED_INPUTS) != 0);
    }
    for (const Operand& operand : outputs) {
      if (!operand.present) continue;
      fits = fits && (claim.output_dtypes & SY_DTYPE_BIT(operand.value.dtype)) != 0;
      fits = fits && (!operand.value.is_strided() || (claim.flags & SY_CLAIM_STRIDED_OUTPUTS) != 0);
    }
    if (fits) return true;
  }
  return false;
}

void OneNode::State::prepare() {
  describe();
  if (!claimed()) throw sy::unsupported(SY_REASON_OP, "no claim covers this ", op);
  std::vector<uint8_t> specialised(program_inputs.size(), SY_ON_ALL);
  std::vector<sy_output_plan> plans(program_outputs.size());
  std::deque<Shape> arrays(2 * plans.size(), Shape(SY_MAX_RANK));
  for (size_t i = 0; i < plans.size(); ++i) {
    plans[i].struct_size = sizeof(sy_output_plan);
    plans[i].bound = arrays[2 * i].data();
    plans[i].strides = arrays[2 * i + 1].data();
  }
  std::vector<sy_packed_constant> packed(program_inputs.size());
  for (sy_packed_constant& constant : packed) constant.struct_size = sizeof(constant);
  sy_prepare_args args{};
  args.device = device();
  args.program = &program;
  args.specialised_on = specialised.data();
  args.outputs = plans.data();
  args.constants = packed.data();
  call(plugin().prepare, args);
  kernel = args.kernel;
  for (const sy_packed_constant& constant : packed) {
    if (constant.packed != nullptr) constants.push_back(constant.packed);
  }
  workspace_bytes = args.workspace_bytes;
  workspace = blank(SY_UINT8, {static_cast<int64_t>(args.workspace_bytes) + 64});
  std::ranges::fill(workspace.bytes, std::byte{0xFF});  // who counts what is there gets NaN
  size_t at = 0;
  for (Operand& operand : outputs) {
    if (!operand.present) continue;
    const sy_output_plan& plan = plans[at++];
    if (accept_strides && plan.proposes_strides != 0) {
      operand.value = blank(operand.value.dtype, operand.value.shape,
                            Shape(plan.strides, plan.strides + plan.rank));
    }
    if (operand.over >= 0 && (plan.may_alias_inputs >> operand.over & 1) == 0) {
      throw sy::bug("the kernel does not let its output be input ", operand.over);
    }
    if (operand.deferred != (plan.mode == SY_OUTPUT_DEFERRED)) {
      throw sy::bug("the output's mode is ", plan.mode);
    }
  }
}

void OneNode::State::run() {
  input_tensors.clear();
  output_tensors.clear();
  for (const Operand& operand : inputs) {
    if (!operand.present) continue;
    sy_tensor tensor = tensor_of(operand.value);
    if ((operand.flags & SY_VALUE_IMMEDIATE) != 0) {
      tensor.storage = 0;
      std::memcpy(tensor.immediate, operand.value.bytes.data(), operand.value.bytes.size());
    }
    input_tensors.push_back(tensor);
  }
  for (const Operand& operand : outputs) {
    if (!operand.present) continue;
    output_tensors.push_back(operand.over < 0 ? tensor_of(operand.value)
                                              : tensor_of(inputs[operand.over].value));
    if (operand.deferred) {
      output_tensors.back() = {};
      output_tensors.back().struct_size = sizeof(sy_tensor);
      output_tensors.back().dtype = operand.value.dtype;
    }
  }
  allocator = {};
  allocator.struct_size = sizeof(allocator);
  allocator.context = this;
  allocator.allocate = [](void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                          sy_storage* storage, uint64_t* offset_bytes) {
    auto* self = static_cast<State*>(context);
    for (Operand& operand : self->outputs) {
      if (!operand.present || output-- != 0) continue;
      operand.value = blank(operand.value.dtype, Shape(shape, shape + rank));
      *storage = reinterpret_cast<uintptr_t>(operand.value.bytes.data());
      *offset_bytes = 0;
      return sy_status{SY_OK};
    }
    return sy_status{SY_INVALID};
  };
  extents.assign(output_tensors.size(), nullptr);
  args = {};
  args.input_count = static_cast<uint32_t>(input_tensors.size());
  args.output_count = static_cast<uint32_t>(output_tensors.size());
  args.stream = stream();
  args.kernel = kernel;
  args.inputs = input_tensors.data();
  args.outputs = output_tensors.data();
  if (workspace_bytes != 0) {
    const auto start = reinterpret_cast<uintptr_t>(workspace.bytes.data());
    args.workspace = start;
    args.workspace_offset_bytes = (64 - start % 64) % 64;
  }
  args.extents = extents.data();
  args.allocator = &allocator;
  call(plugin().run, args);
}

}  // namespace cpu::testing
