#include "onnx/bodies/expanded_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/file_error.hpp"
#include "onnx/bodies/function_call.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

/// How large a list of nodes is once the functions that it calls are in their places.
struct Size {
  std::int64_t nodes = 0;
  std::int64_t depth = 0;  // levels of bodies and calls below the list
};

/// Visits each body and each function once, however often a function is called.
class Measurement {
 public:
  explicit Measurement(const Reading& reading) : reading_(reading) {}

  template <typename Nodes>
  Size measure(const Nodes& nodes) {
    Size sum;
    for (const onnx::NodeProto& node : nodes) {
      add_node(node, sum);
      check(sum);
    }
    return sum;
  }

 private:
  void add_node(const onnx::NodeProto& node, Size& sum) {
    ++sum.nodes;
    if (const onnx::FunctionProto* function = called_function(reading_, node)) {
      add_level(measure_function(*function), sum);
    }
    for (const onnx::AttributeProto& attribute : node.attribute) {
      if (attribute.g) add_level(measure_below(attribute.g->node), sum);
    }
  }

  void add_level(const Size& inner, Size& sum) {
    sum.nodes += inner.nodes;  // each is within the limit: no sum of them overflows
    sum.depth = std::max(sum.depth, inner.depth + 1);
  }

  /// Throws before the recursion is deeper than the limit.
  template <typename Nodes>
  Size measure_below(const Nodes& nodes) {
    ++depth_here_;
    check({});
    const Size size = measure(nodes);
    --depth_here_;
    return size;
  }

  Size measure_function(const onnx::FunctionProto& function) {
    // A function that calls itself finds an empty size here, and is refused where it is called.
    const bool is_new = sizes_.emplace(&function, Size()).second;
    if (is_new) sizes_[&function] = measure_below(function.node);
    return sizes_[&function];
  }

  void check(const Size& size) const {
    const LimitsConfig& limits = reading_.limits;
    if (size.nodes > limits.nodes) {
      refuse(
          reading_.file,
          fmt::format("with its functions in the place of their calls it has over {} nodes; raise "
                      "limits.nodes if you trust it",
                      limits.nodes));
    }
    if (depth_here_ + size.depth > limits.depth) {
      refuse(reading_.file,
             fmt::format(
                 "its bodies and calls of functions lie more than {} deep within each other; "
                 "export it flatter, or raise limits.depth, which is {} at most, if you trust it",
                 limits.depth, LimitsConfig::kDeepest));
    }
  }

  const Reading& reading_;
  std::int64_t depth_here_ = 0;
  std::map<const onnx::FunctionProto*, Size> sizes_;
};

}  // namespace

void check_expanded_size(const Reading& reading, const onnx::GraphProto& graph) {
  Measurement(reading).measure(graph.node);
}

}  // namespace switchyard
