#include <algorithm>
#include <deque>

#include "harness/harness.hpp"
#include "harness/open_plugin.hpp"
#include "switchyard/plugin/shape.hpp"
#include "types/dispatch.hpp"

namespace cpu::testing {

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

void copy_through_plugin(const Value& source, Value& destination) {
  const auto region = [](const Value& value) {
    sy_region made{};
    made.struct_size = sizeof(made);
    made.handle = reinterpret_cast<uintptr_t>(value.bytes.data());
    made.offset_bytes = static_cast<uint64_t>(value.offset) * sy::dtype_bytes(value.dtype);
    made.strides = value.is_strided() ? value.strides.data() : nullptr;
    return made;
  };
  const sy_region from = region(source);
  const sy_region to = region(destination);
  sy_copy_args args{};
  args.dtype = source.dtype;
  args.device = device();
  args.stream = stream();
  args.source = &from;
  args.destination = &to;
  args.shape = source.shape.data();
  args.rank = static_cast<uint32_t>(source.shape.size());
  call(plugin().copy, args);
}

// ---- one node

struct OneNode::State {
  struct Attribute {
    std::string name;
    sy_attribute_kind kind;
    std::vector<int64_t> integers;
    std::vector<float> reals;
    std::vector<std::string> texts;
    std::vector<const char*> text_pointers;
    Value tensor;
    sy_value tensor_value;
  };
  struct Operand {
    bool present = true;
    uint32_t flags = 0;
    uint64_t constant_id = 0;
    bool deferred = false;
    int over = -1;  // an output: the input whose memory it writes
    Value value;
  };

  std::string op, domain;
  uint32_t version = 0;
  uint32_t math_flags = 0;
  bool hide_shapes = false;
  bool accept_strides = false;
  std::deque<Attribute> attributes;
  std::deque<Operand> inputs, outputs;
  sy_kernel kernel = nullptr;
  std::vector<sy_constant> constants;
  Value workspace;
  uint64_t workspace_bytes = 0;
  std::vector<sy_tensor> input_tensors, output_tensors;
  std::vector<int64_t*> extents;
  sy_output_allocator allocator{};
  sy_run_args args{};  // of the last run, for run_again

  // The description; rebuilt by describe().
  std::vector<sy_value> values;
  std::vector<Shape> hidden;
  std::vector<sy_attribute> raw_attributes;
  std::vector<uint32_t> node_inputs, node_outputs, program_inputs, program_outputs;
  sy_node node{};
  sy_program program{};

  void describe();
  void describe_attributes();
  uint32_t describe_operand(const Operand& operand);
  void prepare();
  void run();
  bool claimed() const;
};

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

OneNode::OneNode(std::string op, uint32_t version, std::string domain)
    : state_(std::make_unique<State>()) {
  state_->op = std::move(op);
  state_->version = version;
  state_->domain = std::move(domain);
}

OneNode::OneNode(OneNode&&) noexcept = default;

OneNode::~OneNode() {
  if (state_ == nullptr) return;
  sy_error error = fresh_error();
  for (const sy_constant constant : state_->constants) {
    sy_constant_args args{};
    args.struct_size = sizeof(args);
    args.device = device();
    args.constant = constant;
    plugin().release_constant(&args, &error);
  }
  if (state_->kernel == nullptr) return;
  sy_kernel_args args{};
  args.struct_size = sizeof(args);
  args.kernel = state_->kernel;
  plugin().destroy_kernel(&args, &error);
}

OneNode& OneNode::attribute(const std::string& name, int64_t number) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_INT, {number}, {}, {}, {}, {}, {}});
  return *this;
}
OneNode& OneNode::attribute(const std::string& name, double number) {
  state_->attributes.push_back(
      {name, SY_ATTRIBUTE_FLOAT, {}, {static_cast<float>(number)}, {}, {}, {}, {}});
  return *this;
}
OneNode& OneNode::attribute(const std::string& name, const std::string& text) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_STRING, {}, {}, {text}, {}, {}, {}});
  return *this;
}
OneNode& OneNode::attribute(const std::string& name, std::vector<int64_t> numbers) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_INTS, std::move(numbers), {}, {}, {}, {}, {}});
  return *this;
}
OneNode& OneNode::attribute(const std::string& name, std::vector<float> numbers) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_FLOATS, {}, std::move(numbers), {}, {}, {}, {}});
  return *this;
}
OneNode& OneNode::attribute(const std::string& name, std::vector<std::string> texts) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_STRINGS, {}, {}, std::move(texts), {}, {}, {}});
  return *this;
}
OneNode& OneNode::attribute(const std::string& name, Value tensor) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_TENSOR, {}, {}, {}, {}, std::move(tensor), {}});
  return *this;
}
OneNode& OneNode::math_flags(uint32_t flags) {
  state_->math_flags = flags;
  return *this;
}
OneNode& OneNode::accept_strides() {
  state_->accept_strides = true;
  return *this;
}
OneNode& OneNode::hide_shapes() {
  state_->hide_shapes = true;
  return *this;
}

OneNode& OneNode::input(Value tensor) {
  state_->inputs.push_back({true, 0, 0, false, -1, std::move(tensor)});
  return *this;
}
OneNode& OneNode::host_input(Value tensor) {
  state_->inputs.push_back({true, SY_VALUE_HOST_INPUT, 0, false, -1, std::move(tensor)});
  return *this;
}
OneNode& OneNode::constant(Value tensor, uint64_t id) {
  state_->inputs.push_back({true, SY_VALUE_CONSTANT, id, false, -1, std::move(tensor)});
  return *this;
}
OneNode& OneNode::immediate(Value scalar) {
  state_->inputs.push_back({true, SY_VALUE_IMMEDIATE, 0, false, -1, std::move(scalar)});
  return *this;
}
OneNode& OneNode::absent_input() {
  state_->inputs.push_back({false, 0, 0, false, -1, {}});
  return *this;
}

OneNode& OneNode::output(sy_dtype dtype, Shape shape, Shape strides, int64_t offset) {
  Value made = blank(dtype, std::move(shape), std::move(strides), offset);
  std::fill(made.bytes.begin(), made.bytes.end(), std::byte{0xcd});  // nothing may rely on zeros
  state_->outputs.push_back({true, 0, 0, false, -1, std::move(made)});
  return *this;
}
OneNode& OneNode::output_over(size_t input) {
  const Value& over = state_->inputs.at(input).value;
  state_->outputs.push_back({true, 0, 0, false, static_cast<int>(input), over});
  return *this;
}
OneNode& OneNode::deferred_output(sy_dtype dtype) {
  Value made;
  made.dtype = dtype;
  state_->outputs.push_back({true, 0, 0, true, -1, std::move(made)});
  return *this;
}
OneNode& OneNode::absent_output() {
  state_->outputs.push_back({false, 0, 0, false, -1, {}});
  return *this;
}

OneNode& OneNode::replace_input(size_t input, Value tensor) {
  state_->inputs.at(input).value = std::move(tensor);
  return *this;
}

sy_verdict OneNode::verdict() {
  state_->describe();
  sy_verdict verdict{};
  verdict.struct_size = sizeof(verdict);
  sy_supports_args args{};
  args.device = device();
  args.program = &state_->program;
  args.verdicts = &verdict;
  call(plugin().supports, args);
  return verdict;
}

std::vector<Value> OneNode::run_all() {
  if (state_->kernel == nullptr) state_->prepare();
  state_->run();
  std::vector<Value> made;
  for (const State::Operand& operand : state_->outputs) {
    made.push_back(operand.over < 0 ? operand.value : state_->inputs[operand.over].value);
  }
  return made;
}

Value OneNode::run() { return run_all().at(0); }

void OneNode::run_again() {
  sy_error error;  // not cleared, as a host would not
  error.struct_size = sizeof(error);
  must(plugin().run(&state_->args, &error), error);
}

}  // namespace cpu::testing
