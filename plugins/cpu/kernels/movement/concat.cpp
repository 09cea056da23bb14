// Concat, and the ops that place whole inputs inside an output: Tile, Pad with constants.
#include <cstring>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/copy.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

// ---- Concat

Prepared make_concat(const sy::Node& node) {
  const int64_t axis = node.integer("axis");
  const uint32_t count = node.input_count();
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([axis, count](Call& call) {
    const Tensor& out = call.output(0);
    const size_t at = normalize_axis(axis, out.rank());
    int64_t first = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const ConstTensor& in = call.input(i);
      copy_tensor(in, part_of(out, in.shape, first * out.strides[at]));
      first += in.shape[at];
    }
  });
  return made;
}

// ---- Tile

// The output seen with each axis split in (repeat, extent), the input repeated along the former.
Prepared make_tile(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel([](Call& call) {
    const ConstTensor& in = call.input(0);
    const Tensor& out = call.output(0);
    if (in.size() == 0 || out.size() == 0) return;
    const std::vector<int64_t> repeats = integers_of(call.input(1));
    std::vector<int64_t> shape, from, to;
    for (size_t d = 0; d < in.rank(); ++d) {
      shape.insert(shape.end(), {repeats[d], in.shape[d]});
      from.insert(from.end(), {0, in.strides[d]});
      to.insert(to.end(), {in.shape[d] * out.strides[d], out.strides[d]});
    }
    copy_tensor({in.dtype, in.data, shape, from}, {out.dtype, out.data, shape, to});
  });
  return made;
}

void check_tile(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  if (sy::has_rank(input) && input.rank > SY_MAX_RANK / 2) {
    throw sy::unsupported(SY_REASON_RANK, "Tile takes rank ", SY_MAX_RANK / 2, " at most, not ",
                          input.rank);
  }
}

constexpr KernelRow concat_rows[] = {
    {"Concat", whole_byte_dtypes, whole_byte_dtypes, make_concat, nullptr, any_strides},
    {"Tile", whole_byte_dtypes, whole_byte_dtypes, make_tile, check_tile, any_strides},
};

}  // namespace

KernelTable concat_kernels() { return concat_rows; }

}  // namespace cpu
