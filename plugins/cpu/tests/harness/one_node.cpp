#include "harness/harness.hpp"
#include "harness/one_node_state.hpp"
#include "harness/open_plugin.hpp"

namespace cpu::testing {

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
