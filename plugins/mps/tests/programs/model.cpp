#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>

#include "abi/handles.hpp"

namespace mps::program_tests {

using runtime_tests::call;
using runtime_tests::make_args;
using runtime_tests::Storage;

namespace {

double number_at(const Bytes& bytes, sy_dtype dtype, size_t i) {
  if (dtype == SY_FLOAT16) {
    half value;
    std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
    return static_cast<double>(value);
  }
  if (dtype == SY_BFLOAT16) {
    op_tests::bfloat value;
    std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
    return static_cast<double>(value);
  }
  float value;
  std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
  return value;
}

void compare(const Bytes& actual, const Bytes& expected, sy_dtype dtype, double tolerance,
             const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  const bool is_float = dtype == SY_FLOAT32 || dtype == SY_FLOAT16 || dtype == SY_BFLOAT16;
  const size_t element = sy::dtype_bytes(dtype);
  for (size_t i = 0; i < actual.size() / element; ++i) {
    const bool same =
        std::equal(&actual[i * element], &actual[i * element] + element, &expected[i * element]);
    if (same) continue;
    ASSERT_TRUE(is_float) << what << ", element " << i << " differs";
    const double a = number_at(actual, dtype, i);
    const double e = number_at(expected, dtype, i);
    if (std::isnan(a) && std::isnan(e)) continue;
    ASSERT_LE(std::fabs(a - e), tolerance * (1 + std::fabs(e)))
        << what << ", element " << i << ": " << a << ", node by node " << e;
  }
}

sy_tensor on_host(const sy_value& value) {
  auto tensor = make_args<sy_tensor>();
  tensor.dtype = value.dtype;
  tensor.storage = reinterpret_cast<uintptr_t>(value.data);
  tensor.shape = value.shape;
  tensor.rank = value.rank;
  return tensor;
}

}  // namespace

void PrintTo(const Pieces& pieces, std::ostream* stream) {
  *stream << pieces.nodes << " nodes, " << pieces.graphs << " graphs, " << pieces.chains
          << " chains, " << pieces.attentions << " attentions";
}

std::vector<float> numbers(const Shape& shape, uint32_t seed) {
  std::vector<float> made(static_cast<size_t>(contiguous(shape).count()));
  uint32_t state = seed * 2654435761u + 1;
  for (float& number : made) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<float>(static_cast<int32_t>(state >> 8) - (1 << 23)) / (1 << 22);
  }
  return made;
}

std::vector<half> halves(const Shape& shape, uint32_t seed) {
  std::vector<half> made;
  for (const float number : numbers(shape, seed)) made.emplace_back(number);
  return made;
}

class Model::Described {
 public:
  // Inputs are in the order of their ids, but for one node in the order in which it reads them.
  Described(const Model& model, const std::vector<const Step*>& steps,
            const std::vector<Id>& inputs, const std::vector<Id>& outputs)
      : inputs_(inputs), outputs_(outputs) {
    for (const Value& value : model.values_) values_.push_back(described(value));
    for (size_t i = 0; i < values_.size(); ++i) {
      const bool is_given = std::find(inputs.begin(), inputs.end(), i) != inputs.end();
      if (!is_given) values_[i].flags = 0;
      if (values_[i].flags != 0) values_[i].data = model.values_[i].elements.data();
      if ((values_[i].flags & SY_VALUE_CONSTANT) != 0) values_[i].constant_id = i + 1;
    }
    for (const Step* step : steps) add(*step);
    program_ = make_args<sy_program>();
    program_.values = values_.data();
    program_.value_count = static_cast<uint32_t>(values_.size());
    program_.nodes = nodes_.data();
    program_.node_count = static_cast<uint32_t>(nodes_.size());
    program_.inputs = inputs_.data();
    program_.input_count = static_cast<uint32_t>(inputs_.size());
    program_.outputs = outputs_.data();
    program_.output_count = static_cast<uint32_t>(outputs_.size());
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  const sy_program& program() const { return program_; }
  const sy_value& value(Id id) const { return values_[id]; }
  const std::vector<Id>& inputs() const { return inputs_; }

 private:
  static sy_value described(const Value& value) {
    auto made = make_args<sy_value>();
    made.dtype = value.dtype;
    made.flags = value.flags;
    made.rank = static_cast<uint32_t>(value.shape.size());
    made.shape = value.shape.data();
    return made;
  }

  static sy_attribute described(const Attribute& attribute) {
    auto made = make_args<sy_attribute>();
    made.name = attribute.name.c_str();
    made.count = 1;
    made.data = &attribute.setting;
    if (const auto* number = std::get_if<int64_t>(&attribute.setting)) {
      made.kind = SY_ATTRIBUTE_INT;
      made.data = number;
    } else if (const auto* real = std::get_if<float>(&attribute.setting)) {
      made.kind = SY_ATTRIBUTE_FLOAT;
      made.data = real;
    } else if (std::holds_alternative<std::string>(attribute.setting)) {
      made.kind = SY_ATTRIBUTE_STRING;
      made.data = &attribute.text;
    } else {
      const auto& list = std::get<std::vector<int64_t>>(attribute.setting);
      made.kind = SY_ATTRIBUTE_INTS;
      made.data = list.data();
      made.count = list.size();
    }
    return made;
  }

  void add(const Step& step) {
    std::vector<sy_attribute>& attributes = attributes_.emplace_back();
    for (const Attribute& attribute : step.attributes) attributes.push_back(described(attribute));
    auto node = make_args<sy_node>();
    node.version = 21;
    node.domain = step.domain.c_str();
    node.op = step.op.c_str();
    node.attributes = attributes.data();
    node.attribute_count = static_cast<uint32_t>(attributes.size());
    node.inputs = step.inputs.data();
    node.input_count = static_cast<uint32_t>(step.inputs.size());
    node.outputs = step.outputs.data();
    node.output_count = static_cast<uint32_t>(step.outputs.size());
    nodes_.push_back(node);
  }

  std::vector<sy_value> values_;
  std::deque<std::vector<sy_attribute>> attributes_;
  std::vector<sy_node> nodes_;
  std::vector<Id> inputs_, outputs_;
  sy_program program_;
};

class Model::Kernel {
 public:
  Kernel(const OpenDevice& device, const sy_program& program) : device_(device) {
    std::vector<uint8_t> specialised(program.input_count, SY_ON_ALL);
    std::vector<sy_packed_constant> packed(program.input_count, make_args<sy_packed_constant>());
    std::vector<sy_output_plan> plans(program.output_count, make_args<sy_output_plan>());
    std::vector<Shape> bounds(2 * plans.size(), Shape(SY_MAX_RANK));
    for (size_t i = 0; i < plans.size(); ++i) {
      plans[i].bound = bounds[2 * i].data();
      plans[i].strides = bounds[2 * i + 1].data();
    }
    auto args = make_args<sy_prepare_args>();
    args.device = device.handle();
    args.program = &program;
    args.specialised_on = specialised.data();
    args.outputs = plans.data();
    args.constants = packed.data();
    call(device.table().prepare, args);
    kernel_ = args.kernel;
    workspace_bytes_ = args.workspace_bytes;
  }
  ~Kernel() {
    auto args = make_args<sy_kernel_args>();
    args.kernel = kernel_;
    EXPECT_EQ(device_.table().destroy_kernel(&args, nullptr), SY_OK);
  }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  sy_kernel handle() const { return kernel_; }
  uint64_t workspace_bytes() const { return workspace_bytes_; }

  uint64_t run(const OpenStream& stream, const std::vector<sy_tensor>& inputs,
               const std::vector<sy_tensor>& outputs, sy_storage workspace) const {
    const std::vector<int64_t*> extents(outputs.size(), nullptr);
    auto args = make_args<sy_run_args>();
    args.stream = stream.handle();
    args.kernel = kernel_;
    args.inputs = inputs.data();
    args.input_count = static_cast<uint32_t>(inputs.size());
    args.outputs = outputs.data();
    args.output_count = static_cast<uint32_t>(outputs.size());
    args.extents = extents.data();
    args.workspace = workspace;
    call(device_.table().run, args);
    return args.sequence;
  }

 private:
  const OpenDevice& device_;
  sy_kernel kernel_ = nullptr;
  uint64_t workspace_bytes_ = 0;
};

Id Model::add_value(Value value) {
  values_.push_back(std::move(value));
  return static_cast<Id>(values_.size() - 1);
}

Id Model::host(const std::vector<int64_t>& elements) {
  const Shape shape{static_cast<int64_t>(elements.size())};
  return add_value({SY_INT64, shape, SY_VALUE_CONSTANT | SY_VALUE_HOST_INPUT,
                    runtime_tests::bytes_of(elements), contiguous(shape)});
}

Id Model::node(const std::string& op, const std::vector<Id>& inputs, const Shape& shape,
               const Settings& settings, sy_dtype dtype) {
  return node_of_many(op, inputs, {shape}, settings, {dtype})[0];
}

std::vector<Id> Model::node_of_many(const std::string& op, const std::vector<Id>& inputs,
                                    const std::vector<Shape>& shapes, const Settings& settings,
                                    const std::vector<sy_dtype>& dtypes) {
  Step& step = steps_.emplace_back();
  step.op = op;
  step.inputs = inputs;
  for (const auto& [name, setting] : settings) {
    Attribute& attribute = step.attributes.emplace_back(Attribute{name, setting, nullptr});
    if (const auto* text = std::get_if<std::string>(&attribute.setting)) {
      attribute.text = text->c_str();
    }
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    const sy_dtype given = i < dtypes.size() ? dtypes[i] : 0;
    const sy_dtype dtype = given != 0 ? given : values_[inputs[0]].dtype;
    step.outputs.push_back(add_value({dtype, shapes[i], 0, {}, {}}));
  }
  return step.outputs;
}

void Model::output(Id value) { output(value, contiguous(values_[value].shape)); }
void Model::output(Id value, const View& view) { outputs_.push_back({value, view}); }

bool Model::is_input(Id value) const {
  for (const Step& step : steps_) {
    if (std::count(step.outputs.begin(), step.outputs.end(), value) > 0) return false;
  }
  return true;
}

namespace {

template <typename Deque>
auto pointers_to(const Deque& all) {
  std::vector<const typename Deque::value_type*> pointers;
  for (const auto& one : all) pointers.push_back(&one);
  return pointers;
}

}  // namespace

sy_kernel Model::kernel(const OpenDevice& device) {
  if (kernel_) return kernel_->handle();
  std::vector<Id> inputs, outputs;
  for (Id id = 0; id < values_.size(); ++id) {
    if (is_input(id)) inputs.push_back(id);
  }
  for (const Output& output : outputs_) outputs.push_back(output.value);
  const Described described(*this, pointers_to(steps_), inputs, outputs);
  kernel_ = std::make_shared<Kernel>(device, described.program());
  return kernel_->handle();
}

std::vector<sy_verdict> Model::verdicts(const OpenDevice& device) {
  std::vector<Id> inputs, outputs;
  for (Id id = 0; id < values_.size(); ++id) {
    if (is_input(id)) inputs.push_back(id);
  }
  for (const Output& output : outputs_) outputs.push_back(output.value);
  const Described described(*this, pointers_to(steps_), inputs, outputs);
  std::vector<sy_verdict> verdicts(steps_.size(), make_args<sy_verdict>());
  auto args = make_args<sy_supports_args>();
  args.device = device.handle();
  args.program = &described.program();
  args.verdicts = verdicts.data();
  call(device.table().supports, args);
  return verdicts;
}

const Program& Model::program(const OpenDevice& device) {
  return *placed_kernel_of(kernel(device)).program;
}

Pieces Model::pieces(const OpenDevice& device) {
  Pieces pieces;
  for (const Program::Entry& entry : program(device).entries()) {
    switch (entry.kind) {
      case Piece::Kind::node: ++pieces.nodes; break;
      case Piece::Kind::graph: ++pieces.graphs; break;
      case Piece::Kind::chain: ++pieces.chains; break;
      case Piece::Kind::attention: ++pieces.attentions; break;
    }
  }
  return pieces;
}

Model::Running::Running(Model& model, const OpenStream& stream) : model_(model), stream_(stream) {
  model.kernel(stream.device());
  for (Id id = 0; id < model.values_.size(); ++id) {
    if (!model.is_input(id)) continue;
    const Value& value = model.values_[id];
    if ((value.flags & SY_VALUE_HOST_INPUT) != 0) {
      auto given = make_args<sy_value>();
      given.dtype = value.dtype;
      given.data = value.elements.data();
      given.shape = value.shape.data();
      given.rank = static_cast<uint32_t>(value.shape.size());
      input_tensors_.push_back(on_host(given));
      continue;
    }
    placed_.emplace_back(stream, value.dtype, value.view).write(value.elements);
    input_tensors_.push_back(placed_.back().tensor());
  }
  for (const Output& output : model.outputs_) {
    outputs_.push_back(placed_.size());
    placed_.emplace_back(stream, model.values_[output.value].dtype, output.view);
    output_tensors_.push_back(placed_.back().tensor());
  }
  const uint64_t bytes = model.kernel_->workspace_bytes();
  if (bytes > 0) workspace_ = std::make_unique<Storage>(stream, bytes);
}

uint64_t Model::Running::start() {
  return model_.kernel_->run(stream_, input_tensors_, output_tensors_,
                             workspace_ ? workspace_->handle() : 0);
}

std::vector<Bytes> Model::Running::results() const {
  std::vector<Bytes> results;
  for (const size_t i : outputs_) results.push_back(placed_[i].read());
  return results;
}

std::vector<Bytes> Model::whole(const OpenStream& stream) {
  Running running(*this, stream);
  running.start();
  return running.results();
}

void Model::run_step(const Step& step, const OpenStream& stream, std::map<Id, Bytes>& made) const {
  std::vector<Id> inputs;
  for (const Id id : step.inputs) {
    const bool is_listed = std::find(inputs.begin(), inputs.end(), id) != inputs.end();
    if (id != SY_ABSENT && !is_listed) inputs.push_back(id);
  }
  const Described described(*this, {&step}, inputs, step.outputs);
  const Kernel kernel(stream.device(), described.program());
  EXPECT_EQ(kernel.workspace_bytes(), 0u);
  std::deque<Placed> placed;
  std::vector<sy_tensor> given, wanted;
  for (const Id id : inputs) {
    if ((values_[id].flags & SY_VALUE_HOST_INPUT) != 0) {
      given.push_back(on_host(described.value(id)));
      continue;
    }
    placed.emplace_back(stream, values_[id].dtype, contiguous(values_[id].shape)).write(made[id]);
    given.push_back(placed.back().tensor());
  }
  const size_t first = placed.size();
  for (const Id id : step.outputs) {
    placed.emplace_back(stream, values_[id].dtype, contiguous(values_[id].shape));
    wanted.push_back(placed.back().tensor());
  }
  kernel.run(stream, given, wanted, 0);
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    made[step.outputs[i]] = placed[first + i].read();
  }
}

std::vector<Bytes> Model::one_by_one(const OpenStream& stream) const {
  std::map<Id, Bytes> made;
  for (Id id = 0; id < values_.size(); ++id) made[id] = values_[id].elements;
  for (const Step& step : steps_) run_step(step, stream, made);
  std::vector<Bytes> results;
  for (const Output& output : outputs_) results.push_back(made[output.value]);
  return results;
}

void Model::expect_same(const OpenDevice& device, double tolerance) {
  const OpenStream stream(device);
  const std::vector<Bytes> expected = one_by_one(stream);
  const std::vector<Bytes> actual = whole(stream);
  for (size_t i = 0; i < expected.size(); ++i) {
    compare(actual[i], expected[i], values_[outputs_[i].value].dtype, tolerance,
            "output " + std::to_string(i));
  }
}

}  // namespace mps::program_tests
