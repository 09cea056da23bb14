#include "ops/building/lines.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "ops/building/host_values.hpp"

namespace mps {

Lines lines_of(const Tensor& input, const Tensor& output, const std::vector<bool>& along) {
  std::vector<int64_t> extents[2], input_strides[2], output_strides[2];
  for (size_t i = 0; i < input.shape.size(); ++i) {
    const size_t side = along[i] ? 1 : 0;
    extents[side].push_back(input.shape[i]);
    input_strides[side].push_back(input.strides[i]);
    output_strides[side].push_back(output.strides[i]);
  }
  Lines lines{bind(input, 0), bind(output, 1), {}, {}};
  const std::array<Walked, 2> outer = {Walked{input_strides[0].data(), lines.input.offset},
                                       Walked{output_strides[0].data(), lines.output.offset}};
  const std::array<Walked, 2> inner = {Walked{input_strides[1].data()},
                                       Walked{output_strides[1].data()}};
  lines.outer = make_axes(extents[0], outer);
  lines.inner = make_axes(extents[1], inner);
  return lines;
}

std::vector<bool> along_axis(int64_t axis, size_t rank) {
  std::vector<bool> along(rank, false);
  along[normalize_axis(axis, rank)] = true;
  return along;
}

uint32_t group_for(uint32_t count) { return std::clamp(std::bit_floor(count / 2), 1u, 256u); }

void encode_lines(Stream& stream, const seam::Pipeline& pipeline, const Lines& lines,
                  std::span<const std::byte> parameters) {
  Arguments arguments;
  arguments.add(lines.input).add(lines.output).add_value(lines.outer).add_value(lines.inner);
  if (!parameters.empty()) arguments.add_bytes(parameters);
  arguments.run_groups(stream, pipeline, lines.outer.count, group_for(lines.inner.count));
}

}  // namespace mps
