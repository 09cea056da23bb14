#include "programs/attention.hpp"

#include <algorithm>

#include "ops/attention/attention.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"

namespace mps {
namespace {

// Reads a program's nodes from the last one back. Each step answers whether its node is there.
class Finder {
 public:
  explicit Finder(const Flow& flow) : flow_(flow) {}

  std::optional<Attention> find(uint32_t number) {
    const sy::Node& last = flow_.nodes[number];
    if (last.op() != "MatMul") return std::nullopt;
    found_.value = last.raw().inputs[1];
    found_.output = last.raw().outputs[0];
    add(number);
    if (!take_softmax(last.raw().inputs[0]) || !is_fit()) return std::nullopt;
    take_operand(found_.query, found_.query_scale, AttentionStep::scaled_query);
    take_operand(found_.key, found_.key_scale, AttentionStep::scaled_key);
    if (!has_fit_types()) return std::nullopt;
    std::sort(found_.nodes.begin(), found_.nodes.end());
    return std::move(found_);
  }

 private:
  // A value on the way to the softmax, and whether all that came after it is float32 too, so that
  // nothing rounds it.
  struct Passed {
    uint32_t value;
    bool is_wide = true;
  };

  void add(uint32_t number) { found_.nodes.push_back(number); }
  sy::Extents shape_of(uint32_t value) const { return sy::shape_of(flow_.value(value)); }
  sy_dtype type_of(uint32_t value) const { return flow_.value(value).dtype; }
  sy_dtype one_type() const { return type_of(found_.output); }
  bool is_single(uint32_t value) const { return sy::element_count(shape_of(value)) == 1; }
  bool have_one_shape(uint32_t a, uint32_t b) const {
    const sy::Extents left = shape_of(a), right = shape_of(b);
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

  // The node that makes a value which only one other node reads, once; null if it is another op's.
  const sy_node* maker_of(uint32_t value, std::string_view op) const {
    const uint32_t maker = flow_.maker[value];
    const bool is_own = maker != SY_ABSENT && !flow_.seen[value] && !flow_.is_shown[value] &&
                        flow_.users[value].size() == 1 && flow_.nodes[maker].op() == op;
    return is_own ? &flow_.nodes[maker].raw() : nullptr;
  }

  bool has_fit_type(uint32_t value) const {
    return type_of(value) == one_type() || type_of(value) == SY_FLOAT32;
  }

  // To what casts between the two types are made of. Those of operands, which are of the one type,
  // only widen.
  void take_casts(Passed& at, bool only_widening = false) {
    at.is_wide = at.is_wide && type_of(at.value) == SY_FLOAT32;
    while (const sy_node* cast = maker_of(at.value, "Cast")) {
      const uint32_t from = cast->inputs[0];
      const bool widens = type_of(from) == one_type() && type_of(at.value) == SY_FLOAT32;
      if (!has_fit_type(from) || !has_fit_type(at.value) || (only_widening && !widens)) return;
      add(flow_.maker[at.value]);
      at.value = from;
      at.is_wide = at.is_wide && type_of(from) == SY_FLOAT32;
    }
  }

  void take_step(AttentionStep step, const Passed& at) {
    add(flow_.maker[at.value]);
    if (at.is_wide) found_.wide_results |= attention_bit(step);
  }

  bool take_softmax(uint32_t weights) {
    Passed at{weights};
    take_casts(at);
    if (maker_of(at.value, "Softmax") == nullptr) return false;
    const uint32_t number = flow_.maker[at.value];
    const sy::Node& node = flow_.nodes[number];
    const size_t rank = shape_of(weights).size();
    if (normalize_axis(node.integer("axis", -1), rank) + 1 != rank) return false;
    add(number);
    return take_mask({node.raw().inputs[0]});
  }

  bool take_mask(Passed scores) {
    take_casts(scores);
    const sy_node* sum = maker_of(scores.value, "Add");
    if (sum == nullptr) return take_condition(scores);
    take_step(AttentionStep::masked, scores);
    const Attention before = found_;
    for (const uint32_t side : {0u, 1u}) {
      found_ = before;
      found_.mask = sum->inputs[1 - side];
      const uint32_t inner = sum->inputs[side];
      if (have_one_shape(inner, scores.value) && take_condition({inner})) return true;
    }
    return false;
  }

  bool take_condition(Passed scores) {
    take_casts(scores);
    const sy_node* choice = maker_of(scores.value, "Where");
    if (choice == nullptr) return take_product(scores);
    take_step(AttentionStep::filled, scores);
    found_.condition = choice->inputs[0];
    found_.fills_where =
        is_single(choice->inputs[1]) && have_one_shape(choice->inputs[2], scores.value);
    found_.fill = choice->inputs[found_.fills_where ? 1 : 2];
    const uint32_t inner = choice->inputs[found_.fills_where ? 2 : 1];
    return is_single(found_.fill) && have_one_shape(inner, scores.value) && take_product({inner});
  }

  bool take_product(Passed scores) {
    take_casts(scores);
    if (take_scale(scores, found_.score_scale, AttentionStep::scaled_scores)) take_casts(scores);
    if (maker_of(scores.value, "MatMul") == nullptr) return false;
    take_step(AttentionStep::product, scores);
    const sy_node& product = flow_.nodes[flow_.maker[scores.value]].raw();
    scores_ = scores.value;
    found_.query = product.inputs[0];
    found_.key = product.inputs[1];
    return true;
  }

  void take_operand(uint32_t& operand, Attention::Scale& scale, AttentionStep step) {
    Passed at{operand};
    take_casts(at, true);
    if (take_scale(at, scale, step)) take_casts(at, true);
    operand = at.value;
  }

  // False where the value is not scaled by one number.
  bool take_scale(Passed& at, Attention::Scale& scale, AttentionStep step) {
    for (const bool divides : {false, true}) {
      const sy_node* node = maker_of(at.value, divides ? "Div" : "Mul");
      if (node == nullptr) continue;
      for (const uint32_t side : {0u, 1u}) {
        const uint32_t inner = node->inputs[side], by = node->inputs[1 - side];
        if ((divides && side == 1) || !is_single(by) || !have_one_shape(inner, at.value)) continue;
        take_step(step, at);
        at = {inner};
        scale = {by, divides};
        return true;
      }
    }
    return false;
  }

  // Of what the scores are made of; the batch may be broadcast to theirs.
  bool is_fit() const {
    const sy::Extents query = shape_of(found_.query), key = shape_of(found_.key);
    const sy::Extents value = shape_of(found_.value), output = shape_of(found_.output);
    if (std::min({query.size(), key.size(), value.size()}) < 2) return false;
    const sy::Extents scores = shape_of(scores_);
    const bool same_batch = scores.size() == output.size() &&
                            std::equal(scores.begin(), scores.end() - 2, output.begin());
    return same_batch &&
           fits_attention(sy::element_count(output.first(output.size() - 2)),
                          query[query.size() - 2], key.back(), query.back(), value.back());
  }

  bool has_fit_types() const {
    constexpr uint64_t floats = float_types | SY_DTYPE_BIT(SY_BFLOAT16);
    if ((SY_DTYPE_BIT(one_type()) & floats) == 0) return false;
    for (const uint32_t value : {found_.query, found_.key, found_.value}) {
      if (type_of(value) != one_type()) return false;
    }
    for (const uint32_t value : {found_.mask, found_.fill, found_.query_scale.value,
                                 found_.key_scale.value, found_.score_scale.value}) {
      if (value != SY_ABSENT && !has_fit_type(value)) return false;
    }
    return true;
  }

  const Flow& flow_;
  Attention found_;
  uint32_t scores_ = SY_ABSENT;  // of the first product, unscaled
};

// Inputs in the order of inputs_of_attention.
class AttentionKernel final : public Kernel {
 public:
  AttentionKernel(Device& device, const Attention& attention)
      : device_(device),
        fills_where_(attention.fills_where),
        wide_results_(attention.wide_results),
        divides_{attention.query_scale.divides, attention.key_scale.divides,
                 attention.score_scale.divides} {}

  void encode(const Run& run) const override {
    const auto input = [&](size_t i) { return run.has_input(i) ? &run.inputs[i] : nullptr; };
    AttentionTensors tensors;
    tensors.query = input(0);
    tensors.key = input(1);
    tensors.value = input(2);
    tensors.output = &run.outputs[0];
    tensors.mask = input(3);
    tensors.condition = input(4);
    tensors.fill = input(5);
    tensors.fills_where = fills_where_;
    tensors.query_scaling = {input(6), divides_[0]};
    tensors.key_scaling = {input(7), divides_[1]};
    tensors.score_scaling = {input(8), divides_[2]};
    tensors.wide_results = wide_results_;
    encode_attention(device_, run.stream, tensors);
  }

 private:
  Device& device_;
  const bool fills_where_;
  const uint32_t wide_results_;
  const bool divides_[3];
};

std::vector<uint32_t> inputs_of_attention(const Attention& attention) {
  return {attention.query,
          attention.key,
          attention.value,
          attention.mask,
          attention.condition,
          attention.fill,
          attention.query_scale.value,
          attention.key_scale.value,
          attention.score_scale.value};
}

}  // namespace

std::optional<Attention> attention_at(const Flow& flow, uint32_t number) {
  return Finder(flow).find(number);
}

std::vector<Attention> attentions_of(const Flow& flow) {
  std::vector<Attention> attentions;
  std::vector<bool> taken(flow.nodes.size());
  for (const uint32_t number : flow.live) {
    std::optional<Attention> found = attention_at(flow, number);
    if (!found) continue;
    const auto is_taken = [&](uint32_t node) { return taken[node]; };
    if (std::any_of(found->nodes.begin(), found->nodes.end(), is_taken)) continue;
    for (const uint32_t node : found->nodes) taken[node] = true;
    attentions.push_back(std::move(*found));
  }
  return attentions;
}

MadePiece make_attention(Device& device, const Flow& flow, const Piece& piece) {
  const std::optional<Attention> attention = attention_at(flow, piece.nodes.back());
  if (!attention || attention->nodes != piece.nodes) throw sy::bug("a piece is not attention");
  return {std::make_unique<AttentionKernel>(device, *attention),
          inputs_of_attention(*attention),
          {attention->output}};
}

}  // namespace mps
