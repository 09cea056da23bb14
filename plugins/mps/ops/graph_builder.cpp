#include "ops/graph_builder.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "ops/elementwise.hpp"

namespace mps {
namespace {

// Graphs read and write whole buffers: what lies otherwise goes through a copy.
class GraphKernel final : public Kernel {
 public:
  GraphKernel(Device& device, seam::Ref<seam::Executable> executable, std::vector<uint32_t> fed)
      : device_(device), executable_(std::move(executable)), fed_(std::move(fed)) {}

  void encode(const Run& run) const override {
    std::vector<seam::Ref<seam::Buffer>> inputs;
    for (const uint32_t index : fed_) {
      inputs.push_back(packed(device_, run.stream, run.inputs[index]).block->buffer);
    }
    const Tensor& output = run.outputs[0];
    const bool direct = output.is_contiguous() && output.offset_bytes == 0;
    Tensor result = output;
    if (!direct) {
      result.block = &run.stream.temporary(output.size_bytes());
      result.offset_bytes = 0;
      result.strides = sy::contiguous_strides(output.shape);
    }
    const seam::Ref<seam::Buffer> outputs[] = {result.block->buffer};
    run.stream.commands().run(executable_, inputs, outputs);
    if (!direct) encode_copy(device_, run.stream, result, output);
  }

 private:
  Device& device_;
  const seam::Ref<seam::Executable> executable_;
  const std::vector<uint32_t> fed_;
};

}  // namespace

seam::ElementType element_type(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT32: return seam::ElementType::float32;
    case SY_FLOAT16: return seam::ElementType::float16;
    case SY_BFLOAT16: return seam::ElementType::bfloat16;
    case SY_INT8: return seam::ElementType::int8;
    case SY_UINT8: return seam::ElementType::uint8;
    case SY_INT16: return seam::ElementType::int16;
    case SY_INT32: return seam::ElementType::int32;
    case SY_INT64: return seam::ElementType::int64;
    case SY_BOOL: return seam::ElementType::boolean;
    default: throw sy::bug("no element type for ", sy::dtype_name(dtype));
  }
}

seam::TensorType type_of(const sy_value& value) {
  if (!sy::has_known_shape(value)) {
    throw sy::unsupported(SY_REASON_LIMIT, "a shape is not known before the run");
  }
  const sy::Extents shape = sy::shape_of(value);
  if (shape.size() > 16)
    throw sy::unsupported(SY_REASON_RANK, "rank ", shape.size(), " is above 16");
  if (sy::element_count(shape) > std::numeric_limits<int32_t>::max()) {
    throw sy::unsupported(SY_REASON_LIMIT, "a tensor of ", sy::element_count(shape),
                          " elements: MPSGraph takes 2147483647 at most");
  }
  return {element_type(value.dtype), {shape.begin(), shape.end()}};
}

uint32_t GraphBuilder::input(const sy::Node& node, uint32_t index) {
  const auto number = static_cast<uint32_t>(graph_.nodes.size());
  graph_.nodes.push_back({seam::Operation::input, type_of(node.needed_input(index)), {}, {}, {}});
  graph_.inputs.push_back(number);
  fed_.push_back(index);
  return number;
}

uint32_t GraphBuilder::number(double value, seam::ElementType element) {
  // Graphs take constants of float32 and cast them; their own types differ in width alone.
  const auto single = static_cast<float>(value);
  seam::Node node{seam::Operation::constant, {seam::ElementType::float32, {}}, {}, {}, {}};
  node.data.resize(sizeof(single));
  std::memcpy(node.data.data(), &single, sizeof(single));
  graph_.nodes.push_back(std::move(node));
  const auto made = static_cast<uint32_t>(graph_.nodes.size() - 1);
  if (element == seam::ElementType::float32) return made;
  return add(seam::Operation::cast, seam::TensorType{element, {}}, {made});
}

uint32_t GraphBuilder::add(seam::Operation operation, Shape shape, std::vector<uint32_t> operands,
                           seam::Attributes attributes) {
  const seam::ElementType element = graph_.nodes[operands.front()].type.element;
  return add(operation, seam::TensorType{element, std::move(shape)}, std::move(operands),
             std::move(attributes));
}

uint32_t GraphBuilder::add(seam::Operation operation, seam::TensorType type,
                           std::vector<uint32_t> operands, seam::Attributes attributes) {
  graph_.nodes.push_back(
      {operation, std::move(type), std::move(operands), std::move(attributes), {}});
  return static_cast<uint32_t>(graph_.nodes.size() - 1);
}

uint32_t GraphBuilder::reshape(uint32_t node, Shape wanted) {
  if (shape(node) == wanted) return node;
  return add(seam::Operation::reshape, std::move(wanted), {node});
}

uint32_t GraphBuilder::transpose(uint32_t node, std::vector<int64_t> axes) {
  Shape turned;
  for (const int64_t axis : axes) turned.push_back(shape(node)[static_cast<size_t>(axis)]);
  return add(seam::Operation::transpose, std::move(turned), {node}, seam::Axes{std::move(axes)});
}

Prepared GraphBuilder::finish(Device& device, uint32_t output) {
  graph_.outputs = {output};
  auto kernel = std::make_unique<GraphKernel>(device, device.executable(graph_), std::move(fed_));
  return {std::move(kernel), SY_ON_SHAPE, 0};
}

}  // namespace mps
