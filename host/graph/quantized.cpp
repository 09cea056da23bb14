#include "graph/quantized.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <switchyard/error.hpp>

#include "graph/descriptors.hpp"
#include "graph/uses.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;
// With so many products a sum, and a bias of 2^30, sums stay below 2^31.
constexpr std::int64_t kMostProducts = 1 << 14;

bool is_op(const Node& node, std::string_view name) {
  return node.op->row->domain.empty() && node.op->name() == name;
}

bool is_byte(DType dtype) { return dtype == DType::int8 || dtype == DType::uint8; }

/// The literal of another shape with as many elements.
Literal reshaped(const Literal& literal, Dims shape) {
  return Literal(literal.dtype(), std::move(shape), literal.owner(), literal.bytes());
}

/// A scale and a zero point that are constant, of one number or one for each of `count`.
struct Quantisation {
  Literal scale, zero_point;

  std::span<const float> scales() const { return scale.values<float>(); }
  float scale_of(std::size_t i) const { return scales()[scales().size() == 1 ? 0 : i]; }
};

/// Nothing unless all is as a QLinear op wants it. One number has rank 0.
std::optional<Quantisation> quantisation_of(const Graph& graph, ValueId scale_id, ValueId zero_id,
                                            DType dtype, std::int64_t count) {
  const std::optional<Literal>& scale = graph.values[scale_id].constant;
  if (!scale || scale->dtype() != DType::float32 || !is_byte(dtype)) return {};
  if (scale->size() != 1 && (scale->size() != count || scale->shape().size() != 1)) return {};
  const bool usable = std::ranges::all_of(scale->values<float>(), [](float number) {
    return std::isfinite(number) && number > std::numeric_limits<float>::min();
  });
  if (!usable) return {};
  const Dims shape = scale->size() == 1 ? Dims{} : scale->shape();
  if (zero_id == kAbsent) return Quantisation{reshaped(*scale, shape), Literal(dtype, shape)};
  const std::optional<Literal>& zero = graph.values[zero_id].constant;
  if (!zero || zero->dtype() != dtype || zero->size() != scale->size()) return {};
  return Quantisation{reshaped(*scale, shape), reshaped(*zero, shape)};
}

/// One QuantizeLinear and what lies before it.
struct Pattern {
  std::size_t core = kNobody;  // Conv or MatMul
  std::size_t relu = kNobody;
  Dequantized left{}, right{};
  Quantisation left_numbers, right_numbers, output_numbers;
  std::optional<Literal> bias;
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
    const std::optional<Pattern> pattern = match(graph_.nodes[quantize]);
    if (!pattern) return false;
    const Node& core = graph_.nodes[pattern->core];
    const std::size_t values = graph_.values.size();
    Node made = joined_node(*pattern, core, graph_.nodes[quantize].outputs);
    if (!same_device(core, made)) {
      forget_after(values);
      return false;
    }
    remove(pattern->core);
    if (pattern->relu != kNobody) remove(pattern->relu);
    for_each_use(made, [&](ValueId value) { ++uses_[value]; });
    --uses_[graph_.nodes[quantize].inputs[0]];
    graph_.nodes[quantize] = std::move(made);
    return true;
  }

  void remove(std::size_t node) {
    gone_[node] = true;
    for_each_use(graph_.nodes[node], [&](ValueId value) { --uses_[value]; });
  }

  std::optional<Pattern> match(const Node& quantize) const {
    if (quantize.attributes.get_int("block_size", 0) != 0 ||
        quantize.attributes.get_int("precision", 0) != 0) {
      return {};
    }
    const ValueId zero = quantize.inputs.size() > 2 ? quantize.inputs[2] : kAbsent;
    const DType dtype = graph_.values[quantize.outputs[0]].dtype;
    auto output = quantisation_of(graph_, quantize.inputs[1], zero, dtype, 1);
    if (!output) return {};
    Pattern made;
    made.output_numbers = std::move(*output);
    made.core = only_maker(quantize.inputs[0]);
    if (made.core != kNobody && is_op(graph_.nodes[made.core], "Relu")) {
      if (!cuts_at_zero(made.output_numbers.zero_point)) return {};
      made.relu = made.core;
      made.core = only_maker(graph_.nodes[made.relu].inputs[0]);
    }
    if (made.core == kNobody || !match_operands(graph_.nodes[made.core], made)) return {};
    return made;
  }

  /// True if the smallest quantum stands for 0, so that negative numbers become it anyhow.
  static bool cuts_at_zero(const Literal& zero) {
    return zero.dtype() == DType::uint8 ? zero.values<std::uint8_t>()[0] == 0
                                        : zero.values<std::int8_t>()[0] == -128;
  }

  bool match_operands(const Node& core, Pattern& made) const {
    const bool is_convolution = is_op(core, "Conv");
    if (!is_convolution && !is_op(core, "MatMul")) return false;
    const auto left = dequantized_.find(core.inputs[0]);
    const auto right = dequantized_.find(core.inputs[1]);
    if (left == dequantized_.end() || right == dequantized_.end()) return false;
    made.left = left->second;
    made.right = right->second;
    const Value& x = graph_.values[made.left.quanta];
    const Value& weights = graph_.values[made.right.quanta];
    if (!x.shape || x.shape->size() < 2 || !weights.constant || made.right.block_size != 0 ||
        made.left.block_size != 0) {
      return false;
    }
    const auto rank = static_cast<std::int64_t>(weights.constant->shape().size());
    if (is_convolution ? rank < 3 : rank != 2) return false;
    const std::size_t channels = is_convolution ? 0 : 1;  // the axis that makes the output's
    const std::int64_t count = weights.constant->shape()[channels];
    if (count == 0 || weights.constant->size() / count > kMostProducts) return false;
    auto left_numbers = quantisation_of(graph_, made.left.scale, made.left.zero_point, x.dtype, 1);
    auto right_numbers = quantisation_of(graph_, made.right.scale, made.right.zero_point,
                                         weights.constant->dtype(), count);
    if (!left_numbers || !right_numbers) return false;
    const std::int64_t axis = made.right.axis < 0 ? made.right.axis + rank : made.right.axis;
    const bool is_single = right_numbers->scale.size() == 1;
    if (!is_single && axis != static_cast<std::int64_t>(channels)) return false;
    made.left_numbers = std::move(*left_numbers);
    made.right_numbers = std::move(*right_numbers);
    const bool has_bias = core.inputs.size() > 2 && core.inputs[2] != kAbsent;
    return !has_bias || match_bias(graph_.values[core.inputs[2]], count, made);
  }

  /// The bias in the sums' own unit, the product of the operands' scales: whole numbers already, or
  /// so near to them that the output cannot tell.
  static bool match_bias(const Value& value, std::int64_t count, Pattern& made) {
    constexpr double kMost = 1 << 30, kLeastQuanta = 1.0 / 64;
    const std::optional<Literal>& given = value.constant;
    if (!given || given->dtype() != DType::float32 || given->size() != count) return false;
    Literal bias(DType::int32, {count});
    auto* to = reinterpret_cast<std::int32_t*>(bias.mutable_bytes());
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const double unit = static_cast<double>(made.left_numbers.scale_of(0)) *
                          static_cast<double>(made.right_numbers.scale_of(i));
      const double exact = static_cast<double>(given->values<float>()[i]) / unit;
      const double whole = std::nearbyint(exact);
      const double quanta = unit / static_cast<double>(made.output_numbers.scale_of(0));
      if (!(std::abs(whole) <= kMost)) return false;
      if (std::abs(whole - exact) * quanta > kLeastQuanta) return false;
      to[i] = static_cast<std::int32_t>(whole);
    }
    made.bias = std::move(bias);
    return true;
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

  Node joined_node(const Pattern& pattern, const Node& core, std::vector<ValueId> outputs) {
    const bool is_convolution = is_op(core, "Conv");
    Node made;
    made.op = find_op("", is_convolution ? "QLinearConv" : "QLinearMatMul");
    made.name = core.name;
    if (is_convolution) made.attributes = core.attributes;
    made.outputs = std::move(outputs);
    made.inputs = {pattern.left.quanta,
                   constant(pattern.left_numbers.scale),
                   constant(pattern.left_numbers.zero_point),
                   pattern.right.quanta,
                   constant(pattern.right_numbers.scale),
                   constant(pattern.right_numbers.zero_point),
                   constant(pattern.output_numbers.scale),
                   constant(pattern.output_numbers.zero_point)};
    if (is_convolution) made.inputs.push_back(pattern.bias ? constant(*pattern.bias) : kAbsent);
    return made;
  }

  /// The first device that does not refuse the node; "" if there is none.
  std::string device_of(const Node& node) const {
    const CallSite site = make_site(*node.op, node.attributes, Purpose::ordinary, nullptr,
                                    router_.policy().math_flags(node.op->name()), node.name);
    const std::vector<TensorDescriptor> inputs = descriptors_of(graph_, node);
    for (const TrailStep& step : router_.explain({site, inputs, 1, node.outputs.size()})) {
      if (!step.verdict.refused()) return step.device;
    }
    return "";
  }

  bool same_device(const Node& core, const Node& joined) const {
    try {
      const std::string device = device_of(core);
      return !device.empty() && device == device_of(joined);
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

std::size_t join_quantized(Graph& graph, const DequantizedValues& dequantized,
                           const Router& router) {
  return dequantized.empty() ? 0 : Joiner(graph, dequantized, router).run();
}

}  // namespace switchyard
