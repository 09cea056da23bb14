#include "ops/building/folding.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace mps {

Folding fold(const Tensor& input, const Tensor& output, const std::vector<bool>& folded,
             bool keeps_axes) {
  std::vector<int64_t> left, left_input, left_output, gone, gone_input;
  size_t position = 0;  // in the output
  for (size_t i = 0; i < input.shape.size(); ++i) {
    if (folded[i]) {
      gone.push_back(input.shape[i]);
      gone_input.push_back(input.strides[i]);
      position += keeps_axes ? 1 : 0;
    } else {
      left.push_back(input.shape[i]);
      left_input.push_back(input.strides[i]);
      left_output.push_back(output.strides[position++]);
    }
  }
  Folding folding;
  folding.output = bind(output, 1);
  // An input without elements may have no storage; nothing is read in its place.
  folding.input = bind(input.size() == 0 ? output : input, 0);
  const std::array<Walked, 2> outer = {Walked{left_input.data(), folding.input.offset},
                                       Walked{left_output.data(), folding.output.offset}};
  folding.outer = make_axes(left, outer);
  const std::array<Walked, 1> inner = {Walked{gone_input.data(), 0}};
  folding.inner = make_axes(gone, inner);
  return folding;
}

std::vector<bool> axes_in(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<bool> chosen(rank, false);
  for (const int64_t axis : axes) chosen[sy::normalize_axis(axis, rank)] = true;
  return chosen;
}

void encode_folding(Stream& stream, const seam::Pipeline& pipeline, const Folding& folding,
                    std::span<const std::byte> parameters, uint32_t group) {
  const std::array<seam::Argument, 5> arguments = {
      folding.input.argument, folding.output.argument,
      seam::Argument{2, nullptr, 0, std::as_bytes(std::span(&folding.outer, 1))},
      seam::Argument{3, nullptr, 0, std::as_bytes(std::span(&folding.inner, 1))},
      seam::Argument{4, nullptr, 0, parameters}};
  const uint64_t threads = uint64_t{folding.outer.count} * group;
  if (threads > std::numeric_limits<uint32_t>::max()) {
    throw sy::unsupported(SY_REASON_LIMIT, "more than 4294967295 threads");
  }
  seam::Dispatch dispatch;
  dispatch.pipeline = &pipeline;
  dispatch.arguments = arguments;
  dispatch.threads = {static_cast<uint32_t>(threads), 1, 1};
  dispatch.group = {group == 1 ? std::min(folding.outer.count, 256u) : group, 1, 1};
  stream.commands().dispatch(dispatch);
}

}  // namespace mps
