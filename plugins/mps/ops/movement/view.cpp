#include "ops/movement/view.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "ops/building/elementwise.hpp"
#include "ops/building/host_values.hpp"
#include "ops/building/known_shape.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

using Numbers = std::vector<int64_t>;

constexpr std::array<std::string_view, 9> view_ops = {"Expand",  "Flatten",   "Identity",
                                                      "Reshape", "Slice",     "Split",
                                                      "Squeeze", "Transpose", "Unsqueeze"};

// Since version 10 an input, before an attribute.
Numbers numbers_of(const sy::Node& node, const char* attribute, uint32_t input) {
  if (node.has(attribute)) {
    const auto given = node.integers(attribute);
    return {given.begin(), given.end()};
  }
  return host_integers(node, input);
}

View transposed(const sy::Node& node, Numbers shape) {
  View view{View::Kind::transpose, std::move(shape), {}, {}, {}};
  const auto order = node.integers("perm");
  view.axes.assign(order.begin(), order.end());
  const size_t rank = view.shape.size();
  for (size_t i = rank; i-- > 0 && order.empty();) {
    view.axes.push_back(static_cast<int64_t>(i));
  }
  if (view.axes.size() != rank) throw sy::invalid("perm does not name each axis");
  for (int64_t& axis : view.axes) axis = static_cast<int64_t>(normalize_axis(axis, rank));
  return view;
}

View whole_slice(Numbers shape) {
  const size_t rank = shape.size();
  return {View::Kind::slice, std::move(shape), {}, Numbers(rank, 0), Numbers(rank, 1)};
}

View sliced(const sy::Node& node, Numbers shape) {
  const sy::Extents input = known_shape(node.required_input(0));
  const Numbers starts = numbers_of(node, "starts", 1);
  const Numbers axes = numbers_of(node, "axes", 3);
  const Numbers steps = host_integers(node, 4);
  View view = whole_slice(std::move(shape));
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto axis =
        axes.empty() ? i : normalize_axis(i < axes.size() ? axes[i] : INT64_MAX, input.size());
    if (axis >= input.size()) throw sy::invalid("Slice has more starts than axes");
    const int64_t extent = input[axis];
    const int64_t step = i < steps.size() ? steps[i] : 1;
    const int64_t start = starts[i] < 0 ? starts[i] + extent : starts[i];
    const int64_t last = std::max<int64_t>(step < 0 ? extent - 1 : extent, 0);
    view.steps[axis] = step;
    view.starts[axis] = std::clamp<int64_t>(start, 0, last);
  }
  return view;
}

// The parts before it, of the same axis, are left out.
View part_of(const sy::Node& node, uint32_t output, Numbers shape) {
  View view = whole_slice(std::move(shape));
  const size_t axis = normalize_axis(node.integer("axis", 0), view.shape.size());
  for (uint32_t i = 0; i < output; ++i) {
    if (node.output(i) == nullptr) {
      throw sy::unsupported(SY_REASON_ATTRIBUTE, "a part before the last one is left out");
    }
    view.starts[axis] += known_shape(*node.output(i))[axis];
  }
  return view;
}

class ViewKernel final : public Kernel {
 public:
  ViewKernel(Device& device, std::vector<View> views) : device_(device), views_(std::move(views)) {}

  void encode(const Run& run) const override {
    for (size_t i = 0; i < views_.size(); ++i) {
      const Tensor& output = run.outputs[i];
      if (output.dtype == 0 || output.size() == 0) continue;
      encode_copy(device_, run.stream, seen(run, views_[i]), output);
    }
  }

 private:
  Tensor seen(const Run& run, const View& view) const {
    Tensor tensor = run.inputs[0];
    Layout layout{sy::Dimensions(tensor.shape), tensor.strides, 0};
    if (!see(view, layout)) {
      tensor = packed(device_, run.stream, tensor);
      layout.strides = tensor.strides;
      see(view, layout);
    }
    tensor.shape = view.shape;
    tensor.strides = layout.strides;
    tensor.offset_bytes =
        static_cast<uint64_t>(static_cast<int64_t>(tensor.offset_bytes) +
                              layout.offset * static_cast<int64_t>(sy::dtype_bytes(tensor.dtype)));
    return tensor;
  }

  Device& device_;
  const std::vector<View> views_;
};

Prepared make_view(Device& device, const sy::Node& node) {
  std::vector<View> views;
  for (uint32_t i = 0; i < node.output_count(); ++i) {
    views.push_back(node.output(i) == nullptr ? View() : view_of(node, i));
  }
  return {std::make_unique<ViewKernel>(device, std::move(views)), SY_ON_SHAPE | SY_ON_DATA};
}

void check_view(const sy::Node& node) {
  for (uint32_t i = 0; i < node.output_count(); ++i) {
    if (node.output(i) != nullptr) view_of(node, i);
  }
}

std::optional<Layout> reshaped(const View& view, const Layout& layout) {
  const auto strides = reshaped_strides(layout.shape, layout.strides, view.shape);
  if (!strides) return std::nullopt;
  return Layout{sy::Dimensions(view.shape), *strides, layout.offset};
}

seam::Slice slice_of(const View& view) {
  seam::Slice slice{view.starts, {}, view.steps};
  for (size_t i = 0; i < view.shape.size(); ++i) {
    const int64_t last = view.starts[i] + (view.shape[i] - 1) * view.steps[i];
    slice.ends.push_back(view.steps[i] > 0 ? last + 1 : last - 1);
  }
  return slice;
}

}  // namespace

bool is_view(const sy::Node& node) {
  return node.domain().empty() &&
         std::find(view_ops.begin(), view_ops.end(), node.op()) != view_ops.end();
}

View view_of(const sy::Node& node, uint32_t output) {
  const sy::Extents output_shape = known_shape(node.required_output(output));
  Numbers shape(output_shape.begin(), output_shape.end());
  known_shape(node.required_input(0));
  if (node.op() == "Transpose") return transposed(node, std::move(shape));
  if (node.op() == "Slice") return sliced(node, std::move(shape));
  if (node.op() == "Split") return part_of(node, output, std::move(shape));
  if (node.op() == "Expand") return {View::Kind::broadcast, std::move(shape), {}, {}, {}};
  return {View::Kind::reshape, std::move(shape), {}, {}, {}};
}

// Runs of axes on both sides that have as many elements: those of the input must run on into each
// other.
std::optional<sy::Dimensions> reshaped_strides(sy::Extents shape, sy::Extents strides,
                                               sy::Extents wanted) {
  sy::Dimensions result = sy::contiguous_strides(wanted);
  if (sy::is_contiguous(shape, strides.data())) return result;
  size_t from = shape.size();
  size_t to = wanted.size();
  while (from > 0) {
    // Axes of the input from `from` on, of the result from `to` on are done.
    int64_t step = 0;
    int64_t count = 1;
    int64_t expected = 0;
    for (; from > 0; --from) {
      const int64_t extent = shape[from - 1];
      if (extent == 1) continue;
      if (count == 1) {
        step = strides[from - 1];
      } else if (strides[from - 1] != expected) {
        break;
      }
      count *= extent;
      expected = strides[from - 1] * extent;
    }
    if (count == 1) break;
    int64_t left = count;
    int64_t inner = step;
    while (to > 0 && (left > 1 || wanted[to - 1] == 1)) {
      const int64_t extent = wanted[to - 1];
      if (left % extent != 0) return std::nullopt;
      result[--to] = inner;
      inner *= extent;
      left /= extent;
    }
    if (left != 1) return std::nullopt;
  }
  return result;
}

bool see(const View& view, Layout& layout) {
  const sy::Dimensions strides = layout.strides;
  switch (view.kind) {
    case View::Kind::reshape: {
      const auto seen = reshaped(view, layout);
      if (seen) layout = *seen;
      return seen.has_value();
    }
    case View::Kind::transpose:
      for (size_t i = 0; i < view.axes.size(); ++i) {
        layout.strides[i] = strides[static_cast<size_t>(view.axes[i])];
      }
      break;
    case View::Kind::slice:
      for (size_t i = 0; i < view.shape.size(); ++i) {
        if (sy::element_count(view.shape) > 0) layout.offset += view.starts[i] * strides[i];
        layout.strides[i] = strides[i] * view.steps[i];
      }
      break;
    case View::Kind::broadcast:
      layout.strides = sy::broadcast_strides(layout.shape, strides.data.data(), view.shape);
      break;
  }
  layout.shape = sy::Dimensions(view.shape);
  return true;
}

uint32_t lower_view(GraphBuilder& graph, uint32_t node, const View& view) {
  switch (view.kind) {
    case View::Kind::reshape: return graph.reshape(node, view.shape);
    case View::Kind::transpose: return graph.transpose(node, view.axes);
    case View::Kind::broadcast: return graph.broadcast(node, view.shape);
    case View::Kind::slice: break;
  }
  if (graph.shape(node) == view.shape &&
      std::all_of(view.steps.begin(), view.steps.end(), [](int64_t step) { return step == 1; })) {
    return node;
  }
  return graph.add(seam::Operation::slice, view.shape, {node}, slice_of(view));
}

// Identity has its row beside Cast.
std::span<const KernelRow> view_rows() {
  static const auto& rows = *new const std::vector<KernelRow>([] {
    std::vector<KernelRow> made;
    for (const std::string_view op : view_ops) {
      if (op == "Identity") continue;
      made.push_back({{.op = op.data(), .dtypes = moved_types}, make_view, check_view});
    }
    return made;
  }());
  return rows;
}

}  // namespace mps
