// DepthToSpace, SpaceToDepth, ReverseSequence: the same elements in another order.
#include <string>
#include <string_view>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"

namespace cpu {
namespace {

// Copies `in`, seen with `shape` and row-major `order` of its axes, to the contiguous output: axis
// i of the output is axis order[i] of the input.
void permute(const ConstTensor& in, const Tensor& out, const std::vector<int64_t>& shape,
             const std::vector<size_t>& order) {
  const sy::Dimensions strides = sy::contiguous_strides(shape);
  std::vector<int64_t> to_shape, from;
  for (const size_t axis : order) {
    to_shape.push_back(shape[axis]);
    from.push_back(strides[axis]);
  }
  const sy::Dimensions to = sy::contiguous_strides(to_shape);
  copy_tensor({in.dtype, in.data, to_shape, from}, {out.dtype, out.data, to_shape, to});
}

Prepared make_depth_to_space(const sy::Node& node) {
  const int64_t block = node.integer("blocksize");
  const bool depth_first = node.text("mode", "DCR") == "DCR";
  Prepared made;
  made.kernel = function_kernel([block, depth_first](Call& call) {
    const ConstTensor& in = call.input(0);
    const int64_t n = in.shape[0], c = in.shape[1] / (block * block), h = in.shape[2],
                  w = in.shape[3];
    if (depth_first)
      return permute(in, call.output(0), {n, block, block, c, h, w}, {0, 3, 4, 1, 5, 2});
    permute(in, call.output(0), {n, c, block, block, h, w}, {0, 1, 4, 2, 5, 3});
  });
  return made;
}

void check_depth_to_space(const sy::Node& node) {
  const std::string_view mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "DepthToSpace does not know mode '", mode, "'");
  }
}

Prepared make_space_to_depth(const sy::Node& node) {
  const int64_t block = node.integer("blocksize");
  Prepared made;
  made.kernel = function_kernel([block](Call& call) {
    const ConstTensor& in = call.input(0);
    const int64_t n = in.shape[0], c = in.shape[1], h = in.shape[2] / block,
                  w = in.shape[3] / block;
    permute(in, call.output(0), {n, c, h, block, w, block}, {0, 3, 5, 1, 2, 4});
  });
  return made;
}

Prepared make_reverse_sequence(const sy::Node& node) {
  const int64_t batch_axis = node.integer("batch_axis", 1);
  const int64_t time_axis = node.integer("time_axis", 0);
  Prepared made;
  made.kernel = function_kernel([batch_axis, time_axis](Call& call) {
    const ConstTensor& in = call.input(0);
    const Tensor& out = call.output(0);
    const std::vector<int64_t> lengths = integers_of(call.input(1));
    const size_t batch = normalize_axis(batch_axis, in.rank());
    const size_t time = normalize_axis(time_axis, in.rank());
    copy_tensor(in, out);
    for (int64_t b = 0; b < in.shape[batch]; ++b) {
      const int64_t length = lengths[static_cast<size_t>(b)];
      if (length < 0 || length > in.shape[time]) {
        throw sy::invalid("ReverseSequence: length ", length, " is outside of ", in.shape[time],
                          " steps");
      }
      if (length == 0) continue;
      std::vector<int64_t> shape(in.shape.begin(), in.shape.end());
      std::vector<int64_t> backwards(in.strides.begin(), in.strides.end());
      shape[batch] = 1;
      shape[time] = length;
      backwards[time] = -in.strides[time];
      const int64_t offset = b * in.strides[batch];
      ConstTensor reversed = part_of(in, shape, offset + (length - 1) * in.strides[time]);
      reversed.strides = backwards;
      copy_tensor(reversed, part_of(out, shape, b * out.strides[batch]));
    }
  });
  return made;
}

constexpr KernelRow rearrange_rows[] = {
    {"DepthToSpace", whole_byte_dtypes, whole_byte_dtypes, make_depth_to_space,
     check_depth_to_space, 0, "", 1, UINT32_MAX, 4, 4},
    {"SpaceToDepth", whole_byte_dtypes, whole_byte_dtypes, make_space_to_depth, nullptr, 0, "", 1,
     UINT32_MAX, 4, 4},
    {"ReverseSequence", whole_byte_dtypes, whole_byte_dtypes, make_reverse_sequence},
};

}  // namespace

KernelTable rearrange_kernels() { return rearrange_rows; }

}  // namespace cpu
