// Pad: constant, edge, reflect, wrap; negative pads crop. CenterCropPad is Pad with zeros.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/indices.hpp"

namespace cpu {
namespace {

enum class Mode { constant, edge, reflect, wrap };

Mode mode_of(const sy::Node& node) {
  const std::string_view mode = node.text("mode", "constant");
  if (mode == "constant") return Mode::constant;
  if (mode == "edge") return Mode::edge;
  if (mode == "reflect") return Mode::reflect;
  if (mode == "wrap") return Mode::wrap;
  throw sy::unsupported(SY_REASON_ATTRIBUTE, "Pad does not know mode '", mode, "'");
}

void check_pad(const sy::Node& node) { mode_of(node); }

// Elements before each axis; negative where it is cropped.
std::vector<int64_t> pads_before(Call& call, size_t rank) {
  const std::vector<int64_t> pads = integers_of(call.input(1));
  std::vector<int64_t> before(rank, 0);
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (call.has_input(3)) axes = integers_of(call.input(3));
  if (pads.size() != 2 * axes.size()) {
    throw sy::invalid("Pad has ", pads.size(), " pads for ", axes.size(), " axes");
  }
  for (size_t i = 0; i < axes.size(); ++i) before[normalize_axis(axes[i], rank)] = pads[i];
  return before;
}

const std::array<char, 16> zero_bytes{};

// The input where `before` puts it, and `value` around it.
void pad_with(Call& call, const std::vector<int64_t>& before, const void* value) {
  const ConstTensor& in = call.input(0);
  const Tensor& out = call.output(0);
  fill_tensor(out, value);
  std::vector<int64_t> shape(in.rank());
  int64_t from = 0, to = 0;
  for (size_t d = 0; d < in.rank(); ++d) {
    const int64_t first = std::max<int64_t>(0, -before[d]);
    const int64_t last = std::min(in.shape[d], out.shape[d] - before[d]);
    shape[d] = std::max<int64_t>(0, last - first);
    from += first * in.strides[d];
    to += (first + before[d]) * out.strides[d];
  }
  if (sy::element_count(shape) > 0) copy_tensor(part_of(in, shape, from), part_of(out, shape, to));
}

void pad_constant(Call& call, const std::vector<int64_t>& before) {
  const bool given = call.has_input(2) && call.input(2).size() == 1;
  pad_with(call, before, given ? call.input(2).data : zero_bytes.data());
}

// The input's index that position `i` before or behind it shows.
int64_t mirrored(int64_t i, int64_t extent, Mode mode) {
  if (mode == Mode::edge) return std::clamp<int64_t>(i, 0, extent - 1);
  if (mode == Mode::wrap) return ((i % extent) + extent) % extent;
  if (extent == 1) return 0;
  const int64_t period = 2 * (extent - 1);
  const int64_t position = ((i % period) + period) % period;
  return position < extent ? position : period - position;
}

void pad_repeating(Call& call, const std::vector<int64_t>& before, Mode mode) {
  const ConstTensor& in = call.input(0);
  const Tensor& out = call.output(0);
  if (out.size() == 0) return;
  if (in.size() == 0) throw sy::invalid("Pad cannot repeat elements of an empty tensor");
  std::vector<std::vector<int64_t>> offsets(in.rank());
  for (size_t d = 0; d < in.rank(); ++d) {
    for (int64_t i = 0; i < out.shape[d]; ++i) {
      offsets[d].push_back(mirrored(i - before[d], in.shape[d], mode) * in.strides[d]);
    }
  }
  const auto bytes = static_cast<size_t>(element_bytes(in));
  for_each_position(out.shape, [&](int64_t, const std::vector<int64_t>& position) {
    int64_t from = 0, to = 0;
    for (size_t d = 0; d < position.size(); ++d) {
      from += offsets[d][static_cast<size_t>(position[d])];
      to += position[d] * out.strides[d];
    }
    std::memcpy(bytes_of(out) + static_cast<size_t>(to) * bytes,
                bytes_of(in) + from * static_cast<int64_t>(bytes), bytes);
  });
}

Prepared make_pad(const sy::Node& node) {
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([mode = mode_of(node)](Call& call) {
    const std::vector<int64_t> before = pads_before(call, call.input(0).rank());
    if (mode == Mode::constant) return pad_constant(call, before);
    pad_repeating(call, before, mode);
  });
  return made;
}

// ---- CenterCropPad: the odd element is cut off, or added, at the end

void center_crop_pad(Call& call) {
  const ConstTensor& in = call.input(0);
  const Tensor& out = call.output(0);
  std::vector<int64_t> before(in.rank());
  for (size_t d = 0; d < in.rank(); ++d) {
    const int64_t more = out.shape[d] - in.shape[d];
    before[d] = more >= 0 ? more / 2 : -(-more / 2);
  }
  pad_with(call, before, zero_bytes.data());
}

Prepared make_center_crop_pad(const sy::Node&) {
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel(center_crop_pad);
  return made;
}

constexpr KernelRow pad_rows[] = {
    {"CenterCropPad", whole_byte_dtypes, whole_byte_dtypes, make_center_crop_pad, nullptr,
     any_strides},
    {"Pad", whole_byte_dtypes, whole_byte_dtypes, make_pad, check_pad, any_strides},
};

}  // namespace

KernelTable pad_kernels() { return pad_rows; }

}  // namespace cpu
