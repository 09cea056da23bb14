#include "ops/building/graph_builder.hpp"

#include <numeric>
#include <span>
#include <utility>

#include "ops/building/elementwise.hpp"
#include "ops/building/known_shape.hpp"
#include "runtime/limits.hpp"

namespace mps {
namespace {

// Graphs read and write whole buffers: what lies otherwise goes through a copy.
class GraphKernel final : public Kernel {
 public:
  // `fed` are positions among a run's inputs.
  GraphKernel(Device& device, seam::Ref<seam::Executable> executable, std::vector<uint32_t> fed,
              size_t output_count)
      : device_(device),
        executable_(std::move(executable)),
        fed_(std::move(fed)),
        output_count_(output_count) {}

  void encode(const Run& run) const override {
    std::vector<seam::Ref<seam::Buffer>> inputs;
    for (const uint32_t index : fed_) {
      inputs.push_back(packed(device_, run.stream, run.inputs[index]).block->buffer);
    }
    std::vector<Tensor> results(run.outputs.begin(), run.outputs.begin() + output_count_);
    std::vector<seam::Ref<seam::Buffer>> outputs;
    for (Tensor& result : results) {
      if (!is_whole(result)) make_whole(run.stream, result);
      outputs.push_back(result.block->buffer);
    }
    run.stream.commands().run(executable_, inputs, outputs);
    for (size_t i = 0; i < output_count_; ++i) {
      if (is_whole(run.outputs[i])) continue;
      encode_copy(device_, run.stream, results[i], run.outputs[i]);
    }
  }

 private:
  static bool is_whole(const Tensor& tensor) {
    return tensor.is_contiguous() && tensor.offset_bytes == 0;
  }
  static void make_whole(Stream& stream, Tensor& tensor) {
    tensor.block = &stream.temporary(tensor.size_bytes());
    tensor.offset_bytes = 0;
    tensor.strides = sy::contiguous_strides(tensor.shape);
  }

  Device& device_;
  const seam::Ref<seam::Executable> executable_;
  const std::vector<uint32_t> fed_;
  const size_t output_count_;
};

}  // namespace

bool has_element_type(sy_dtype dtype) {
  constexpr uint64_t known =
      SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16) |
      SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8) | SY_DTYPE_BIT(SY_INT16) |
      SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64) | SY_DTYPE_BIT(SY_BOOL);
  return (known & SY_DTYPE_BIT(dtype)) != 0;
}

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

namespace {

void check_widest(std::span<const int64_t> shape, int64_t widest, const char* what,
                  const char* system) {
  for (const int64_t extent : shape) {
    if (extent <= widest) continue;
    throw sy::unsupported(SY_REASON_OS, what, " with an extent of ", extent,
                          ": MPSGraph computes them wrongly above ", widest, " before macOS ",
                          system);
  }
}

size_t element_bytes(seam::ElementType element) {
  constexpr size_t sizes[] = {4, 2, 2, 1, 1, 2, 4, 8, 1};  // by ElementType
  return sizes[static_cast<size_t>(element)];
}

}  // namespace

seam::TensorType type_of(const sy_value& value) {
  const sy::Extents shape = known_shape(value);
  if (shape.size() > 16)
    throw sy::unsupported(SY_REASON_RANK, "rank ", shape.size(), " is above 16");
  limited_count(shape);
  return {element_type(value.dtype), {shape.begin(), shape.end()}};
}

uint32_t GraphBuilder::value(const sy_value& value) {
  const auto known = known_.find(&value);
  if (known != known_.end()) return known->second;
  const std::optional<uint32_t> supplied = supply_ ? supply_(*this, value) : std::nullopt;
  const uint32_t made = supplied ? *supplied : graph_.add_input(type_of(value));
  if (!supplied) fed_.push_back(&value);
  known_[&value] = made;
  return made;
}

uint32_t GraphBuilder::input(const sy::Node& node, uint32_t index) {
  const size_t fed_before = fed_.size();
  const uint32_t made = value(node.required_input(index));
  if (fed_.size() > fed_before) fed_inputs_.push_back(index);
  return made;
}

uint32_t GraphBuilder::constant(seam::TensorType type, const void* data) {
  const auto count = static_cast<uint64_t>(sy::element_count(type.shape));
  const auto* const bytes = static_cast<const std::byte*>(data);
  const size_t size = count * element_bytes(type.element);
  return graph_.add_constant(std::move(type), {bytes, bytes + size});
}

uint32_t GraphBuilder::number(double value, seam::ElementType element) {
  // Graphs take constants of float32 and cast them; their own types differ in width alone.
  const auto single = static_cast<float>(value);
  return cast(constant({seam::ElementType::float32, {}}, &single), element);
}

uint32_t GraphBuilder::add(seam::Operation operation, Shape shape, std::vector<uint32_t> operands,
                           seam::Attributes attributes) {
  const seam::ElementType element = type(operands.front()).element;
  return add(operation, seam::TensorType{element, std::move(shape)}, std::move(operands),
             std::move(attributes));
}

uint32_t GraphBuilder::add(seam::Operation operation, seam::TensorType type,
                           std::vector<uint32_t> operands, seam::Attributes attributes) {
  check_extents(operation, type.shape, operands);
  return graph_.add(operation, std::move(type), operands, attributes);
}

void GraphBuilder::check_extents(seam::Operation operation, const Shape& result,
                                 const std::vector<uint32_t>& operands) const {
  limited_count(result);
  switch (operation) {
    case seam::Operation::matrix_product:
      for (const uint32_t operand : operands) {
        const std::span<const int64_t> matrix = std::span(shape(operand)).last(2);
        check_widest(matrix, traits_.widest_product, "products of matrices", "14.4");
      }
      break;
    case seam::Operation::transposed_convolution:
      check_widest(shape(operands.front()), traits_.widest_convolution, "convolutions", "15.1");
      [[fallthrough]];
    case seam::Operation::convolution_weight_gradient:
      for (const uint32_t operand : operands) {
        check_widest(shape(operand), traits_.widest_convolution, "convolutions", "15.1");
      }
      break;
    case seam::Operation::convolution:
      check_widest(result, traits_.widest_convolution, "convolutions", "15.1");
      break;
    default: break;
  }
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

uint32_t GraphBuilder::broadcast(uint32_t node, Shape wanted) {
  if (shape(node) == wanted) return node;
  return add(seam::Operation::broadcast, std::move(wanted), {node});
}

uint32_t GraphBuilder::cast(uint32_t node, seam::ElementType wanted) {
  if (element(node) == wanted) return node;
  return add(seam::Operation::cast, seam::TensorType{wanted, shape(node)}, {node});
}

std::unique_ptr<Kernel> GraphBuilder::make(Device& device, std::vector<uint32_t> outputs,
                                           std::vector<uint32_t> fed_positions) {
  return std::make_unique<GraphKernel>(device, device.executable(graph_.finish(outputs)),
                                       std::move(fed_positions), outputs.size());
}

std::unique_ptr<Kernel> GraphBuilder::kernel(Device& device, std::vector<uint32_t> outputs) {
  std::vector<uint32_t> positions(fed_.size());
  std::iota(positions.begin(), positions.end(), 0u);
  return make(device, std::move(outputs), std::move(positions));
}

Prepared GraphBuilder::finish(Device& device, uint32_t output) {
  return {make(device, {output}, fed_inputs_), SY_ON_SHAPE, {}};
}

Prepared make_by_graph(Device& device, const sy::Node& node, Lower lower) {
  GraphBuilder graph(traits_of(device.info()));
  Prepared made = graph.finish(device, lower(graph, node));
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value* value = node.input(i);
    if (value != nullptr && sy::is_host_input(*value)) made.specialised_on |= SY_ON_DATA;
  }
  return made;
}

}  // namespace mps
