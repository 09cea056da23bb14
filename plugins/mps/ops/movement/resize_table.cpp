#include "ops/movement/resize_table.hpp"

#include <numeric>

#include "ops/building/host_values.hpp"
#include "ops/building/known_shape.hpp"

namespace mps {
namespace {

sy::ResizeRequest request_of(const sy::Node& node, size_t rank) {
  sy::ResizeRequest request;
  for (const int64_t axis : node.integers("axes")) {
    request.axes.push_back(normalize_axis(axis, rank));
  }
  if (request.axes.empty()) {
    request.axes.resize(rank);
    std::iota(request.axes.begin(), request.axes.end(), size_t{0});
  }
  request.region = host_reals(node, 1);
  request.scales = host_reals(node, 2);
  if (request.scales.empty()) request.sizes = host_integers(node, 3);
  return request;
}

ResizedAxis resized_axis(size_t axis, const sy::ResizeTable& table) {
  ResizedAxis made;
  made.axis = axis;
  made.extent = table.output;
  made.weights.taps = static_cast<uint32_t>(table.taps);
  for (const int64_t element : table.index) {
    made.weights.positions.push_back(static_cast<uint32_t>(element));
  }
  made.weights.weights.assign(table.weight.begin(), table.weight.end());
  made.outside.assign(table.outside.begin(), table.outside.end());
  return made;
}

}  // namespace

std::vector<ResizedAxis> resized_axes(const sy::Node& node) {
  const sy::Extents input = known_shape(node.required_input(0));
  const sy::Extents output = known_shape(node.required_output(0));
  const int64_t from = sy::element_count(input), to = sy::element_count(output);
  if (to == 0) return {};  // however long the other axes are
  if (from == 0) throw sy::invalid("Resize of no elements to ", to);
  const sy::ResizeAttributes rule(node);
  const sy::ResizeRequest request = request_of(node, input.size());
  const auto stretches = sy::resize_stretches(rule, request, input, output);
  std::vector<ResizedAxis> resized;
  for (size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].stays(rule)) continue;
    resized.push_back(resized_axis(request.axes[i], sy::resize_table(rule, stretches[i])));
  }
  return resized;
}

}  // namespace mps
