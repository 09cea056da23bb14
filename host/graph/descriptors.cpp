#include "graph/descriptors.hpp"

namespace switchyard {

std::vector<TensorDescriptor> descriptors_of(const Graph& graph, const Node& node) {
  std::vector<TensorDescriptor> descriptors(node.inputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const Value& value = graph.values[node.inputs[i]];
    TensorDescriptor& descriptor = descriptors[i];
    descriptor.dtype = value.dtype;
    descriptor.rank_known = value.shape.has_value();
    if (value.shape) descriptor.shape = *value.shape;
    if (!value.constant) continue;
    descriptor.literal = &*value.constant;
    descriptor.constant_id = node.op->is_host_input(i) ? 0 : 1;
  }
  return descriptors;
}

}  // namespace switchyard
