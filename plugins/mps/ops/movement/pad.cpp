// Pad: a border of one element, by kernels/copy.metal, or of the input's own, by along_axis.metal.
#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "ops/building/along_axis.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// Elements before each of some axes; negative where they are cropped.
struct Border {
  std::vector<int64_t> axes;  // none named: all
  std::vector<int64_t> pads;  // before each, then after each

  std::vector<int64_t> before(size_t rank) const {
    std::vector<int64_t> named = axes;
    if (named.empty()) {
      named.resize(rank);
      std::iota(named.begin(), named.end(), 0);
    }
    if (pads.size() != 2 * named.size()) {
      throw sy::invalid(pads.size(), " pads for ", named.size(), " axes");
    }
    std::vector<int64_t> result(rank, 0);
    for (size_t i = 0; i < named.size(); ++i) result[normalize_axis(named[i], rank)] = pads[i];
    return result;
  }
};

Border border_of(const sy::Node& node) { return {host_integers(node, 3), host_integers(node, 1)}; }

// The border everywhere, then the input in its place.
class ConstantPadKernel final : public Kernel {
 public:
  ConstantPadKernel(Device& device, Border border) : device_(device), border_(std::move(border)) {}

  void encode(const Run& run) const override {
    encode_border(run);
    const Tensor& input = run.inputs[0];
    const std::vector<int64_t> before = border_.before(input.shape.size());
    Tensor from = input;
    Tensor to = run.outputs[0];
    const auto bytes = static_cast<int64_t>(sy::dtype_bytes(to.dtype));
    sy::Dimensions shape(input.shape);
    for (size_t i = 0; i < before.size(); ++i) {
      const int64_t first = std::max<int64_t>(0, -before[i]);
      const int64_t end = std::min(input.shape[i], to.shape[i] - before[i]);
      shape[i] = std::max<int64_t>(0, end - first);
      from.offset_bytes += static_cast<uint64_t>(first * from.strides[i] * bytes);
      to.offset_bytes += static_cast<uint64_t>((first + before[i]) * to.strides[i] * bytes);
    }
    from.shape = to.shape = shape;
    if (sy::element_count(shape) > 0) encode_copy(device_, run.stream, from, to);
  }

 private:
  void encode_border(const Run& run) const {
    constexpr std::array<std::byte, 8> zero{};
    const Tensor& output = run.outputs[0];
    if (!run.has_input(2) || run.inputs[2].size() == 0) {
      const size_t bytes = sy::dtype_bytes(output.dtype);
      return encode_fill(device_, run.stream, output, std::span(zero).first(bytes));
    }
    Tensor element = run.inputs[2];
    element.shape = {};
    encode_copy(device_, run.stream, element, output);
  }

  Device& device_;
  const Border border_;
};

enum class Repeating { edge, reflect, wrap };

// The input's place that `i`, perhaps beyond its ends, shows.
uint32_t shown(Repeating mode, int64_t i, int64_t extent) {
  const auto rest = [](int64_t a, int64_t b) { return ((a % b) + b) % b; };
  if (mode == Repeating::edge) return static_cast<uint32_t>(std::clamp<int64_t>(i, 0, extent - 1));
  if (mode == Repeating::wrap) return static_cast<uint32_t>(rest(i, extent));
  if (extent == 1) return 0;
  const int64_t position = rest(i, 2 * (extent - 1));
  return static_cast<uint32_t>(position < extent ? position : 2 * (extent - 1) - position);
}

// A pass for each axis with a border.
class RepeatingPadKernel final : public Kernel {
 public:
  RepeatingPadKernel(Device& device, Border border, Repeating mode)
      : device_(device), border_(std::move(border)), mode_(mode) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    Tensor from = run.inputs[0];
    if (from.size() == 0) throw sy::invalid("Pad cannot repeat elements of an empty tensor");
    const size_t rank = from.shape.size();
    const std::vector<int64_t> before = border_.before(rank);
    std::vector<size_t> padded;
    for (size_t i = 0; i < rank; ++i) {
      if (before[i] != 0 || from.shape[i] != output.shape[i]) padded.push_back(i);
    }
    if (padded.empty()) return encode_copy(device_, run.stream, from, output);
    std::vector<sy::Dimensions> shapes(padded.size());
    for (size_t k = 0; k < padded.size(); ++k) {
      const size_t axis = padded[k];
      const int64_t extent = output.shape[axis];
      const bool is_last = k + 1 == padded.size();
      const Tensor to =
          is_last ? output
                  : temporary_like(run.stream, from, shapes[k], axis, extent, output.dtype);
      encode_pick(device_, run.stream, from, to, axis,
                  table(before[axis], from.shape[axis], extent));
      from = to;
    }
  }

 private:
  std::vector<uint32_t> table(int64_t before, int64_t input, int64_t output) const {
    std::vector<uint32_t> positions;
    for (int64_t i = 0; i < output; ++i) positions.push_back(shown(mode_, i - before, input));
    return positions;
  }

  Device& device_;
  const Border border_;
  const Repeating mode_;
};

constexpr uint8_t on_pads = SY_ON_DATA;

Prepared make_pad(Device& device, const sy::Node& node) {
  const std::string_view mode = node.text("mode", "constant");
  if (mode == "constant") {
    return {std::make_unique<ConstantPadKernel>(device, border_of(node)), on_pads};
  }
  const Repeating repeating = mode == "edge"      ? Repeating::edge
                              : mode == "reflect" ? Repeating::reflect
                                                  : Repeating::wrap;
  return {std::make_unique<RepeatingPadKernel>(device, border_of(node), repeating), on_pads};
}

void check_pad(const sy::Node& node) {
  const std::string_view mode = node.text("mode", "constant");
  if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "mode is '", mode,
                          "'; it must be constant, edge, reflect or wrap");
  }
}

// Of floats by a number that is known; others by their own kernels, which crop and repeat too.
uint32_t lower_pad(GraphBuilder& graph, const sy::Node& node) {
  const seam::TensorType type = type_of(node.required_output(0));
  const uint32_t x = graph.input(node, 0);
  const GraphBuilder::Shape shape = graph.shape(x);
  const std::vector<double> value = host_reals(node, 2);
  seam::Padding padding;
  padding.before = border_of(node).before(shape.size());
  padding.value = value.empty() ? 0 : value[0];
  bool crops = false;
  for (size_t i = 0; i < shape.size(); ++i) {
    padding.after.push_back(type.shape[i] - shape[i] - padding.before[i]);
    crops = crops || padding.before[i] < 0 || padding.after[i] < 0;
  }
  const bool is_float = (float_types & SY_DTYPE_BIT(node.required_output(0).dtype)) != 0;
  if (crops || !is_float || node.text("mode", "constant") != "constant") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "this Pad has no graph's form");
  }
  return graph.add(seam::Operation::pad, type.shape, {x}, std::move(padding));
}

}  // namespace

std::span<const KernelRow> pad_rows() {
  static const KernelRow rows[] = {
      {{.op = "Pad", .dtypes = moved_types}, make_pad, check_pad, lower_pad}};
  return rows;
}

}  // namespace mps
