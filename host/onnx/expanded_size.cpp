#include "onnx/expanded_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/file_error.hpp"
#include "onnx/function_call.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

constexpr std::int64_t kMostNodes = 1'000'000;

class Counter {
 public:
  explicit Counter(const Reading& reading) : reading_(reading) {}

  /// Stops counting soon behind the limit, so that nothing overflows.
  template <typename Nodes>
  std::int64_t count(const Nodes& nodes) {
    std::int64_t sum = 0;
    for (const onnx::NodeProto& node : nodes)
      sum = std::min(sum + count_node(node), 2 * kMostNodes);
    return sum;
  }

 private:
  std::int64_t count_node(const onnx::NodeProto& node) {
    if (const onnx::FunctionProto* function = called_function(reading_, node)) {
      return count_function(*function);
    }
    std::int64_t sum = 1;
    for (const onnx::AttributeProto& attribute : node.attribute) {
      if (attribute.g) sum += count(attribute.g->node);
    }
    return sum;
  }

  std::int64_t count_function(const onnx::FunctionProto& function) {
    // A function that calls itself finds its own 0 here, and is refused where it is called.
    const bool is_new = sizes_.emplace(&function, 0).second;
    if (is_new) sizes_[&function] = count(function.node);
    return sizes_[&function];
  }

  const Reading& reading_;
  std::map<const onnx::FunctionProto*, std::int64_t> sizes_;
};

}  // namespace

void check_expanded_size(const Reading& reading, const onnx::GraphProto& graph) {
  if (reading.functions.empty() || Counter(reading).count(graph.node) <= kMostNodes) return;
  refuse(reading.file,
         fmt::format("with its functions in the place of their calls it has over {} nodes",
                     kMostNodes));
}

}  // namespace switchyard
