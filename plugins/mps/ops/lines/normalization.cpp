// BatchNormalization, by MPSGraph.
#include <cmath>

#include "ops/building/graph_builder.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

uint32_t lower_batch_normalization(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t input = graph.input(node, 0);
  const GraphBuilder::Shape shape = graph.shape(input);
  GraphBuilder::Shape per_channel(shape.size(), 1);
  if (shape.size() > 1) per_channel[1] = shape[1];
  uint32_t statistics[4];
  for (uint32_t i = 0; i < 4; ++i) {
    statistics[i] = graph.reshape(graph.input(node, i + 1), per_channel);
  }
  const auto [scale, bias, mean, variance] = statistics;
  return graph.add(seam::Operation::normalize, shape, {input, mean, variance, scale, bias},
                   seam::Normalization{node.real("epsilon", 1e-5f)});
}

void check_batch_normalization(const sy::Node& node) {
  const float epsilon = node.real("epsilon", 1e-5f);
  if (!std::isfinite(epsilon) || epsilon < 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "an epsilon that is negative or not finite");
  }
  if (node.flag("training_mode") || node.output(1) != nullptr) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE,
                          "statistics of the batch are made of tensors of one type, with elements");
  }
  for (uint32_t i = 1; i < 5; ++i) {
    if (node.required_input(i).dtype != node.required_input(0).dtype) {
      throw sy::unsupported(SY_REASON_DTYPE, "statistics of another type than the input's");
    }
  }
}

std::vector<KernelRow> make_normalization_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  return {{.claim = {.op = "BatchNormalization", .dtypes = floats, .max_rank = 16},
           .check = check_batch_normalization,
           .lower = lower_batch_normalization}};
}

}  // namespace

std::span<const KernelRow> normalization_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_normalization_rows());
  return rows;
}

}  // namespace mps
