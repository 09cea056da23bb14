// What harness.hpp declares.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <numeric>

#include "dispatch.hpp"
#include "harness.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {

// ---- values

inline int64_t Value::size() const { return sy::element_count(shape); }

inline Shape Value::actual_strides() const {
  if (is_strided()) return strides;
  const sy::Dimensions made = sy::contiguous_strides(shape);
  return {made.data.begin(), made.data.begin() + made.rank};
}

namespace detail {

inline std::vector<int64_t> byte_offsets(const Value& value) {
  const Shape strides = value.actual_strides();
  const auto size = static_cast<int64_t>(sy::dtype_bytes(value.dtype));
  std::vector<int64_t> offsets;
  std::vector<int64_t> index(value.shape.size(), 0);
  for (int64_t count = value.size(); count > 0; --count) {
    int64_t element = value.offset;
    for (size_t i = 0; i < index.size(); ++i) element += index[i] * strides[i];
    offsets.push_back(element * size);
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < value.shape[i]) break;
      index[i] = 0;
    }
  }
  return offsets;
}

// Bytes up to and with the last element that the view reaches.
inline size_t reach(const Value& value) {
  if (value.size() == 0) return 0;
  const Shape strides = value.actual_strides();
  int64_t last = value.offset;
  for (size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] > 0) last += (value.shape[i] - 1) * strides[i];
  }
  return sy::contiguous_bytes(value.dtype, static_cast<uint64_t>(last) + 1);
}

inline void copy_elements_of(const Value& from, Value& to) {
  const auto source = byte_offsets(from);
  const auto destination = byte_offsets(to);
  for (size_t i = 0; i < source.size(); ++i) {
    std::memcpy(to.bytes.data() + destination[i], from.bytes.data() + source[i],
                sy::dtype_bytes(from.dtype));
  }
}

}  // namespace detail

inline Value blank(sy_dtype dtype, Shape shape, Shape strides, int64_t offset) {
  Value made{dtype, std::move(shape), std::move(strides), offset, {}};
  made.bytes.resize(detail::reach(made));
  return made;
}

inline Value restrided(const Value& value, Shape strides, int64_t offset) {
  Value made = blank(value.dtype, value.shape, std::move(strides), offset);
  detail::copy_elements_of(value, made);
  return made;
}

inline Value transposed(const Value& value, const std::vector<size_t>& permutation) {
  Shape strides(value.shape.size());
  int64_t step = 1;
  for (size_t i = permutation.size(); i-- > 0;) {
    strides[permutation[i]] = step;
    step *= std::max<int64_t>(1, value.shape[permutation[i]]);
  }
  return restrided(value, std::move(strides), 0);
}

inline Value spaced(const Value& value, int64_t step, int64_t offset) {
  Shape strides = blank(value.dtype, value.shape).actual_strides();
  for (int64_t& stride : strides) stride *= step;
  return restrided(value, std::move(strides), offset);
}

inline Value reversed(const Value& value) {
  Shape strides = blank(value.dtype, value.shape).actual_strides();
  int64_t offset = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    offset += std::max<int64_t>(0, value.shape[i] - 1) * strides[i];
    strides[i] = -strides[i];
  }
  return restrided(value, std::move(strides), offset);
}

inline Value broadcast(const Value& value, Shape shape) {
  Value made = value;
  const sy::Dimensions strides =
      sy::broadcast_strides(value.shape, value.actual_strides().data(), shape);
  made.strides.assign(strides.data.begin(), strides.data.begin() + strides.rank);
  made.shape = std::move(shape);
  return made;
}

inline Value integers(const std::vector<int64_t>& elements) {
  return value<int64_t>({static_cast<int64_t>(elements.size())}, elements);
}

inline Value nibbles(sy_dtype dtype, Shape shape, const std::vector<int>& elements) {
  Value made = blank(dtype, std::move(shape));
  for (size_t i = 0; i < elements.size(); ++i) {
    made.bytes[i / 2] |= static_cast<std::byte>((elements[i] & 15) << (i % 2 * 4));
  }
  return made;
}

inline std::vector<int> nibbles_of(const Value& value) {
  std::vector<int> elements;
  for (int64_t i = 0; i < value.size(); ++i) {
    const int nibble =
        std::to_integer<int>(value.bytes[static_cast<size_t>(i / 2)]) >> (i % 2 * 4) & 15;
    elements.push_back(value.dtype == SY_INT4 && nibble > 7 ? nibble - 16 : nibble);
  }
  return elements;
}

inline std::vector<double> as_doubles(const Value& value) {
  return visit_dtype(ByteTypes{}, value.dtype, [&](auto zero) {
    std::vector<double> made;
    for (const auto element : numbers<decltype(zero)>(value)) {
      made.push_back(static_cast<double>(widen(static_cast<decltype(zero)>(element))));
    }
    return made;
  });
}

inline Value from_doubles(sy_dtype dtype, Shape shape, const std::vector<double>& elements) {
  return visit_dtype(ByteTypes{}, dtype, [&](auto zero) {
    std::vector<decltype(zero)> made;
    for (const double element : elements) made.push_back(convert<decltype(zero)>(element));
    return value<decltype(zero)>(std::move(shape), made);
  });
}

// ---- the plugin

inline uint32_t test_threads() {
  const char* text = std::getenv("SWITCHYARD_TEST_THREADS");
  return text == nullptr ? 4u : static_cast<uint32_t>(std::atoi(text));
}

inline void must(sy_status status, const sy_error& error) {
  if (status != SY_OK) throw sy::Failure(status, error.reason, error.message);
}

inline sy_error fresh_error() {
  sy_error error{};
  error.struct_size = sizeof(error);
  return error;
}

// Fills in struct_size, calls the slot, throws what it returns.
template <typename Args>
void call(sy_status (*slot)(Args*, sy_error*), Args& args) {
  args.struct_size = sizeof(args);
  sy_error error = fresh_error();
  must(slot(&args, &error), error);
}

inline const sy_plugin& plugin() {
  static const sy_plugin* const table = [] {
    static sy_host host{};
    host.struct_size = sizeof(host);
    host.thread_limit = test_threads();
    host.library_path = "";
    host.log = [](void*, sy_log_level, const char*) {};
    sy_entry_args args{};
    args.min_version = SY_ABI_VERSION;
    args.max_version = SY_ABI_VERSION;
    args.host = &host;
    call(switchyard_plugin_entry, args);
    return args.plugin;
  }();
  return *table;
}

inline const sy_device_info& device_info() {
  sy_probe_args args{};
  call(plugin().probe, args);
  return *args.devices;
}

inline sy_device device() {
  static const sy_device opened = [] {
    sy_open_device_args args{};
    call(plugin().open_device, args);
    return args.device;
  }();
  return opened;
}

inline sy_stream stream() {
  static const sy_stream created = [] {
    sy_create_stream_args args{};
    args.device = device();
    call(plugin().create_stream, args);
    return args.stream;
  }();
  return created;
}

inline sy_tensor tensor_of(const Value& value) {
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

inline void copy_through_plugin(const Value& source, Value& destination) {
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

inline uint32_t OneNode::State::describe_operand(const Operand& operand) {
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

inline void OneNode::State::describe_attributes() {
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
      case SY_ATTRIBUTE_TEXTS: made.count = attribute.texts.size(); [[fallthrough]];
      case SY_ATTRIBUTE_TEXT: made.data = attribute.text_pointers.data(); break;
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

inline void OneNode::State::describe() {
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

inline bool OneNode::State::claimed() const {
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

inline void OneNode::State::prepare() {
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

inline void OneNode::State::run() {
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

inline OneNode::OneNode(std::string op, uint32_t version, std::string domain)
    : state_(std::make_unique<State>()) {
  state_->op = std::move(op);
  state_->version = version;
  state_->domain = std::move(domain);
}

inline OneNode::~OneNode() {
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

inline OneNode& OneNode::attribute(const std::string& name, int64_t number) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_INT, {number}, {}, {}, {}, {}, {}});
  return *this;
}
inline OneNode& OneNode::attribute(const std::string& name, double number) {
  state_->attributes.push_back(
      {name, SY_ATTRIBUTE_FLOAT, {}, {static_cast<float>(number)}, {}, {}, {}, {}});
  return *this;
}
inline OneNode& OneNode::attribute(const std::string& name, const std::string& text) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_TEXT, {}, {}, {text}, {}, {}, {}});
  return *this;
}
inline OneNode& OneNode::attribute(const std::string& name, std::vector<int64_t> numbers) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_INTS, std::move(numbers), {}, {}, {}, {}, {}});
  return *this;
}
inline OneNode& OneNode::attribute(const std::string& name, std::vector<float> numbers) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_FLOATS, {}, std::move(numbers), {}, {}, {}, {}});
  return *this;
}
inline OneNode& OneNode::attribute(const std::string& name, std::vector<std::string> texts) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_TEXTS, {}, {}, std::move(texts), {}, {}, {}});
  return *this;
}
inline OneNode& OneNode::attribute(const std::string& name, Value tensor) {
  state_->attributes.push_back({name, SY_ATTRIBUTE_TENSOR, {}, {}, {}, {}, std::move(tensor), {}});
  return *this;
}
inline OneNode& OneNode::math_flags(uint32_t flags) {
  state_->math_flags = flags;
  return *this;
}
inline OneNode& OneNode::accept_strides() {
  state_->accept_strides = true;
  return *this;
}
inline OneNode& OneNode::hide_shapes() {
  state_->hide_shapes = true;
  return *this;
}

inline OneNode& OneNode::input(Value tensor) {
  state_->inputs.push_back({true, 0, 0, false, -1, std::move(tensor)});
  return *this;
}
inline OneNode& OneNode::host_input(Value tensor) {
  state_->inputs.push_back({true, SY_VALUE_HOST_INPUT, 0, false, -1, std::move(tensor)});
  return *this;
}
inline OneNode& OneNode::constant(Value tensor, uint64_t id) {
  state_->inputs.push_back({true, SY_VALUE_CONSTANT, id, false, -1, std::move(tensor)});
  return *this;
}
inline OneNode& OneNode::immediate(Value scalar) {
  state_->inputs.push_back({true, SY_VALUE_IMMEDIATE, 0, false, -1, std::move(scalar)});
  return *this;
}
inline OneNode& OneNode::absent_input() {
  state_->inputs.push_back({false, 0, 0, false, -1, {}});
  return *this;
}

inline OneNode& OneNode::output(sy_dtype dtype, Shape shape, Shape strides, int64_t offset) {
  Value made = blank(dtype, std::move(shape), std::move(strides), offset);
  std::fill(made.bytes.begin(), made.bytes.end(), std::byte{0xcd});  // nothing may rely on zeros
  state_->outputs.push_back({true, 0, 0, false, -1, std::move(made)});
  return *this;
}
inline OneNode& OneNode::output_over(size_t input) {
  const Value& over = state_->inputs.at(input).value;
  state_->outputs.push_back({true, 0, 0, false, static_cast<int>(input), over});
  return *this;
}
inline OneNode& OneNode::deferred_output(sy_dtype dtype) {
  Value made;
  made.dtype = dtype;
  state_->outputs.push_back({true, 0, 0, true, -1, std::move(made)});
  return *this;
}
inline OneNode& OneNode::absent_output() {
  state_->outputs.push_back({false, 0, 0, false, -1, {}});
  return *this;
}

inline OneNode& OneNode::replace_input(size_t input, Value tensor) {
  state_->inputs.at(input).value = std::move(tensor);
  return *this;
}

inline sy_verdict OneNode::verdict() {
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

inline std::vector<Value> OneNode::run_all() {
  if (state_->kernel == nullptr) state_->prepare();
  state_->run();
  std::vector<Value> made;
  for (const State::Operand& operand : state_->outputs) {
    made.push_back(operand.over < 0 ? operand.value : state_->inputs[operand.over].value);
  }
  return made;
}

inline Value OneNode::run() { return run_all().at(0); }

inline void OneNode::run_again() {
  sy_error error;  // not cleared, as a host would not
  error.struct_size = sizeof(error);
  must(plugin().run(&state_->args, &error), error);
}

}  // namespace cpu::testing
