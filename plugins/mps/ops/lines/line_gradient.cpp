#include "ops/lines/line_gradient.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "ops/building/lines.hpp"

namespace mps {
namespace {

// As kernels/layer_gradient.metal reads them.
struct LineGradientParameters {
  float epsilon = 0;
  uint32_t writes_statistics = 0;
};

}  // namespace

void encode_line_gradients(Stream& stream, const seam::Pipeline& pipeline, const GradientWalk& walk,
                           float epsilon, const Block* statistics) {
  const LineGradientParameters parameters{epsilon, statistics != nullptr ? 1u : 0u};
  Arguments arguments;
  arguments.add(walk.grad_output).add(walk.input).add(walk.result).add(walk.scale);
  statistics != nullptr ? arguments.add(*statistics) : arguments.add(walk.result);
  arguments.add_value(walk.outer).add_value(walk.inner).add_value(parameters);
  arguments.run_groups(stream, pipeline, walk.outer.count, group_for(walk.inner.count));
}

void encode_zero_parameters(Device& device, const Run& run) {
  constexpr std::array<std::byte, 4> zero{};
  for (size_t i = 1; i < run.outputs.size(); ++i) {
    if (!has_output(run, i) || run.outputs[i].size() == 0) continue;
    const size_t bytes = sy::dtype_bytes(run.outputs[i].dtype);
    encode_fill(device, run.stream, run.outputs[i], std::span(zero).first(bytes));
  }
}

}  // namespace mps
