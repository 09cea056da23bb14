#include "graph/quantized_fusion.hpp"

#include <algorithm>
#include <switchyard/error.hpp>

#include "graph/descriptors.hpp"
#include "graph/quantized_patterns.hpp"
#include "graph/uses.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;
constexpr FusionRule kFusionRules[] = {fuse_product, fuse_elementwise, fuse_movement};

/// The nodes before one QuantizeLinear, and what it makes bytes by.
struct Chain {
  std::size_t core = kNobody, relu = kNobody;
  Quantization output;
};

class Joiner {
 public:
  Joiner(Graph& graph, const DequantizedValues& dequantized, const Router& router)
      : graph_(graph),
        dequantized_(dequantized),
        router_(router),
        uses_(graph.values.size(), 0),
        makers_(graph.values.size(), kNobody),
        gone_(graph.nodes.size(), false) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      for_each_use(graph.nodes[n], [&](ValueId value) { ++uses_[value]; });
      for (const ValueId output : graph.nodes[n].outputs) {
        if (output != kAbsent) makers_[output] = n;
      }
    }
    for (const ValueId output : graph.outputs) {
      if (output != kAbsent) ++uses_[output];
    }
  }

  std::size_t run() {
    std::size_t joined = 0;
    for (std::size_t n = 0; n < gone_.size(); ++n) {
      if (is_op(graph_.nodes[n], "QuantizeLinear") && join(n)) ++joined;
    }
    if (joined != 0) drop_unused();
    return joined;
  }

 private:
  /// The node that makes a value that only one node uses.
  std::size_t only_maker(ValueId value) const {
    return uses_[value] == 1 ? makers_[value] : kNobody;
  }

  bool join(std::size_t quantize) {
    const std::optional<Chain> chain = chain_before(graph_.nodes[quantize]);
    if (!chain) return false;
    const Node& core = graph_.nodes[chain->core];
    for (const FusionRule rule : kFusionRules) {
      std::optional<FusedNode> joined = rule(graph_, dequantized_, core, chain->output);
      if (joined) return put_in_place(*chain, std::move(*joined), quantize);
    }
    return false;
  }

  bool put_in_place(const Chain& chain, FusedNode joined, std::size_t quantize) {
    const Node& core = graph_.nodes[chain.core];
    const std::size_t values = graph_.values.size();
    Node made = node_of(std::move(joined), core.name, graph_.nodes[quantize].outputs);
    if (!takes_over(core, made)) {
      forget_after(values);
      return false;
    }
    remove(chain.core);
    if (chain.relu != kNobody) remove(chain.relu);
    for_each_use(made, [&](ValueId value) { ++uses_[value]; });
    --uses_[graph_.nodes[quantize].inputs[0]];
    graph_.nodes[quantize] = std::move(made);
    return true;
  }

  void remove(std::size_t node) {
    gone_[node] = true;
    for_each_use(graph_.nodes[node], [&](ValueId value) { --uses_[value]; });
  }

  std::optional<Chain> chain_before(const Node& quantize) const {
    if (quantize.attributes.get_int("block_size", 0) != 0 ||
        quantize.attributes.get_int("precision", 0) != 0 ||
        graph_.values[quantize.inputs[0]].dtype != DType::float32) {
      return {};
    }
    const ValueId zero = quantize.inputs.size() > 2 ? quantize.inputs[2] : kAbsent;
    const DType dtype = graph_.values[quantize.outputs[0]].dtype;
    auto output = quantization_of(graph_, quantize.inputs[1], zero, dtype, 1);
    if (!output) return {};
    Chain made{only_maker(quantize.inputs[0]), kNobody, std::move(*output)};
    if (made.core != kNobody && is_op(graph_.nodes[made.core], "Relu")) {
      if (!cuts_at_zero(made.output.zero_point)) return {};
      made.relu = made.core;
      made.core = only_maker(graph_.nodes[made.relu].inputs[0]);
    }
    if (made.core == kNobody) return {};
    return made;
  }

  /// True if the smallest quantized value stands for 0, so that negative numbers become it anyhow.
  static bool cuts_at_zero(const Literal& zero) {
    return zero.dtype() == DType::uint8 ? zero.values<std::uint8_t>()[0] == 0
                                        : zero.values<std::int8_t>()[0] == -128;
  }

  ValueId constant(const Literal& literal) {
    uses_.push_back(0);
    makers_.push_back(kNobody);
    Value value;
    value.dtype = literal.dtype();
    value.shape = literal.shape();
    value.constant = literal;
    return graph_.add_value(std::move(value));
  }

  void forget_after(std::size_t values) {
    graph_.values.resize(values);
    uses_.resize(values);
    makers_.resize(values);
  }

  Node node_of(FusedNode joined, const std::string& name, std::vector<ValueId> outputs) {
    Node made;
    made.op = joined.op;
    made.name = name;
    made.attributes = std::move(joined.attributes);
    made.outputs = std::move(outputs);
    for (const auto& input : joined.inputs) {
      const auto* value = std::get_if<ValueId>(&input);
      made.inputs.push_back(value ? *value : constant(std::get<Literal>(input)));
    }
    return made;
  }

  /// The first device that does not refuse the node; "" if there is none.
  std::string device_of(const Node& node) const {
    const CallSite site = make_site(*node.op, node.attributes, Purpose::ordinary, nullptr,
                                    router_.policy()->math_flags(node.op->name()), node.name);
    const std::vector<TensorDescriptor> inputs = descriptors_of(graph_, node);
    for (const TrailStep& step : router_.explain({site, inputs, 1, node.outputs.size()})) {
      if (!step.verdict.refused()) return step.device;
    }
    return "";
  }

  /// Whether `joined` may stand for `core`: on the same device, or where its own pin says.
  bool takes_over(const Node& core, const Node& joined) const {
    try {
      if (router_.policy()->pins.contains(joined.op->name())) return !device_of(joined).empty();
      const std::string device = device_of(core);
      const bool is_view = core.op->row->runs_on == RunsOn::view;  // may be done by no device
      return (is_view || !device.empty()) && device == device_of(joined);
    } catch (const Error&) {  // what breaks a rule is told as the model has it
      return false;
    }
  }

  void drop_unused() {
    for (std::size_t n = gone_.size(); n-- > 0;) {
      const Node& node = graph_.nodes[n];
      if (gone_[n] || !is_op(node, "DequantizeLinear") || uses_[node.outputs[0]] != 0) continue;
      remove(n);
    }
    for (const auto& [value, from] : dequantized_) {
      if (uses_[value] == 0) graph_.values[value].constant.reset();
    }
    std::size_t kept = 0;
    for (std::size_t n = 0; n < gone_.size(); ++n) {
      if (gone_[n]) continue;
      if (kept != n) graph_.nodes[kept] = std::move(graph_.nodes[n]);
      ++kept;
    }
    graph_.nodes.resize(kept);
  }

  Graph& graph_;
  const DequantizedValues& dequantized_;
  const Router& router_;
  std::vector<std::size_t> uses_;    // of each value
  std::vector<std::size_t> makers_;  // the node that makes each value
  std::vector<bool> gone_;           // of each node
};

}  // namespace

DequantizedValues find_dequantized(const Graph& graph) {
  DequantizedValues found;
  for (const Node& node : graph.nodes) {
    if (!is_op(node, "DequantizeLinear")) continue;
    const ValueId zero = node.inputs.size() > 2 ? node.inputs[2] : kAbsent;
    found[node.outputs[0]] = {node.inputs[0], node.inputs[1], zero,
                              node.attributes.get_int("axis", 1),
                              node.attributes.get_int("block_size", 0)};
  }
  return found;
}

std::size_t fuse_quantized(Graph& graph, const DequantizedValues& dequantized,
                           const Router& router) {
  return dequantized.empty() ? 0 : Joiner(graph, dequantized, router).run();
}

}  // namespace switchyard
