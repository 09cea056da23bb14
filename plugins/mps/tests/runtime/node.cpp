#include "node.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace mps::runtime_tests {
namespace {

constexpr std::byte around{0xa5};

std::vector<sy_attribute> described(const auto& attributes) {
  std::vector<sy_attribute> result;
  for (const auto& attribute : attributes) {
    auto made = make_args<sy_attribute>();
    made.kind = attribute.is_list ? SY_ATTRIBUTE_INTS : SY_ATTRIBUTE_INT;
    made.name = attribute.name.c_str();
    made.data = attribute.numbers.data();
    made.count = attribute.numbers.size();
    result.push_back(made);
  }
  return result;
}

sy_value described(sy_dtype dtype, const Shape& shape) {
  auto value = make_args<sy_value>();
  value.dtype = dtype;
  value.rank = static_cast<uint32_t>(shape.size());
  value.shape = shape.data();
  return value;
}

}  // namespace

Input host_integers(const std::vector<int64_t>& elements) {
  return {SY_INT64, contiguous({static_cast<int64_t>(elements.size())}), bytes_of(elements), true};
}

void soil(const OpenStream& stream, std::byte byte) {
  std::deque<Storage> storages;
  for (const size_t size : {512, 4096, 32768}) {
    const std::vector<std::byte> bytes(size, byte);
    for (int i = 0; i < 4; ++i) {
      storages.emplace_back(stream, size);
      stream.upload(bytes.data(), size, storages.back().handle());
    }
  }
}

Placed::Placed(const OpenStream& stream, sy_dtype dtype, const View& view)
    : stream_(stream),
      dtype_(dtype),
      element_(sy::dtype_bytes(dtype)),
      view_(view),
      storage_(stream, bytes()) {
  const std::vector<std::byte> whole(bytes(), around);
  stream.upload(whole.data(), whole.size(), handle());
}

sy_tensor Placed::tensor() const {
  auto tensor = make_args<sy_tensor>();
  tensor.dtype = dtype_;
  tensor.storage = handle();
  tensor.offset_bytes = static_cast<uint64_t>(view_.offset) * element_;
  tensor.shape = view_.shape.data();
  tensor.strides = view_.strides.data();
  tensor.rank = static_cast<uint32_t>(view_.shape.size());
  return tensor;
}

void Placed::write(const std::vector<std::byte>& elements) {
  std::vector<std::byte> whole(bytes(), around);
  size_t at = 0;
  for (const int64_t position : view_.positions()) {
    std::memcpy(&whole[static_cast<size_t>(position) * element_], &elements.at(at), element_);
    at += element_;
  }
  stream_.upload(whole.data(), whole.size(), handle());
}

std::vector<std::byte> Placed::read() const {
  std::vector<std::byte> whole(bytes());
  stream_.wait(stream_.download(handle(), whole.data(), whole.size()));
  std::vector<std::byte> elements;
  for (const int64_t position : view_.positions()) {
    const auto first = whole.begin() + position * static_cast<int64_t>(element_);
    elements.insert(elements.end(), first, first + static_cast<int64_t>(element_));
    std::fill_n(first, element_, around);
  }
  EXPECT_EQ(std::count(whole.begin(), whole.end(), around), static_cast<int64_t>(whole.size()))
      << "bytes around a view that is " << view_.name << " have changed";
  return elements;
}

Node::~Node() { destroy(); }

void Node::destroy() {
  if (kernel_ == nullptr) return;
  auto args = make_args<sy_kernel_args>();
  args.kernel = kernel_;
  EXPECT_EQ(device_.table().destroy_kernel(&args, nullptr), SY_OK);
  kernel_ = nullptr;
}

Node& Node::attribute(const std::string& name, int64_t number) {
  attributes_.push_back({name, {number}, false});
  return *this;
}

Node& Node::attribute(const std::string& name, std::vector<int64_t> numbers) {
  attributes_.push_back({name, std::move(numbers), true});
  return *this;
}

Node& Node::prepare(const std::vector<Input>& inputs, sy_dtype dtype, const Shape& shape) {
  destroy();
  output_dtype_ = dtype;
  std::vector<sy_value> values;
  std::vector<uint32_t> positions;
  for (const Input& input : inputs) {
    positions.push_back(static_cast<uint32_t>(values.size()));
    values.push_back(described(input.dtype, input.view.shape));
    if (!input.on_host) continue;
    values.back().flags = SY_VALUE_HOST_INPUT;
    values.back().data = input.elements.data();
  }
  const auto output = static_cast<uint32_t>(values.size());
  values.push_back(described(dtype, shape));
  const std::vector<sy_attribute> attributes = described(attributes_);
  auto node = make_args<sy_node>();
  node.version = version_;
  node.domain = "";
  node.op = op_.c_str();
  node.attributes = attributes.data();
  node.attribute_count = static_cast<uint32_t>(attributes.size());
  node.inputs = positions.data();
  node.input_count = output;
  node.outputs = &output;
  node.output_count = 1;
  auto program = make_args<sy_program>();
  program.values = values.data();
  program.value_count = output + 1;
  program.nodes = &node;
  program.node_count = 1;
  program.inputs = positions.data();
  program.input_count = output;
  program.outputs = &output;
  program.output_count = 1;
  std::vector<uint8_t> specialised(inputs.size(), SY_ON_ALL);
  std::vector<sy_packed_constant> packed(inputs.size(), make_args<sy_packed_constant>());
  Shape bound(SY_MAX_RANK), strides(SY_MAX_RANK);
  auto plan = make_args<sy_output_plan>();
  plan.bound = bound.data();
  plan.strides = strides.data();
  auto args = make_args<sy_prepare_args>();
  args.device = device_.handle();
  args.program = &program;
  args.specialised_on = specialised.data();
  args.outputs = &plan;
  args.constants = packed.data();
  call(device_.table().prepare, args);
  EXPECT_EQ(args.workspace_bytes, 0u);
  kernel_ = args.kernel;
  return *this;
}

uint64_t Node::enqueue(const OpenStream& stream, const std::vector<sy_tensor>& inputs,
                       const sy_tensor& output) const {
  int64_t* const extents = nullptr;
  auto args = make_args<sy_run_args>();
  args.stream = stream.handle();
  args.kernel = kernel_;
  args.inputs = inputs.data();
  args.input_count = static_cast<uint32_t>(inputs.size());
  args.outputs = &output;
  args.output_count = 1;
  args.extents = &extents;
  call(device_.table().run, args);
  return args.sequence;
}

std::vector<std::byte> Node::run_bytes(const OpenStream& stream, const std::vector<Input>& inputs,
                                       const View& output) const {
  std::deque<Placed> placed;
  std::vector<sy_tensor> tensors;
  for (const Input& input : inputs) {
    if (input.on_host) {
      auto tensor = make_args<sy_tensor>();
      tensor.dtype = input.dtype;
      tensor.storage = reinterpret_cast<uintptr_t>(input.elements.data());
      tensor.shape = input.view.shape.data();
      tensor.rank = static_cast<uint32_t>(input.view.shape.size());
      tensors.push_back(tensor);
      continue;
    }
    placed.emplace_back(stream, input.dtype, input.view).write(input.elements);
    tensors.push_back(placed.back().tensor());
  }
  const Placed result(stream, output_dtype_, output);
  enqueue(stream, tensors, result.tensor());
  return result.read();
}

}  // namespace mps::runtime_tests
