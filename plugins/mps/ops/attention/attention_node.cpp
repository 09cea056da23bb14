// Attention, as part of a graph: without a past, and for the one result. Float32 throughout,
// rounded at the end, as cpu has it.
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "ops/dtypes.hpp"
#include "ops/elementwise/elementwise_graph.hpp"

namespace mps {
namespace {

using Do = seam::Operation;
using Shape = GraphBuilder::Shape;

constexpr auto wide = seam::ElementType::float32;
constexpr int64_t most_counted = int64_t{1} << 24;  // positions that a float32 tells apart

uint32_t number(GraphBuilder& graph, double value) { return graph.number(value, wide); }

uint32_t never(GraphBuilder& graph) {
  return number(graph, -std::numeric_limits<double>::infinity());
}

// [batch, heads, length, width]
uint32_t with_heads(GraphBuilder& graph, const sy::Node& node, uint32_t index, int64_t heads) {
  const uint32_t x = widened_input(graph, node, index);
  const Shape shape = graph.shape(x);
  if (shape.size() == 4) return x;
  if (heads < 1 || shape[2] % heads != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, shape[2], " elements do not divide among ", heads,
                          " heads");
  }
  const uint32_t split = graph.reshape(x, {shape[0], shape[1], heads, shape[2] / heads});
  return graph.transpose(split, {0, 2, 1, 3});
}

uint32_t only_where(GraphBuilder& graph, uint32_t condition, uint32_t scores) {
  return graph.add(Do::select, graph.type(scores), {condition, scores, never(graph)});
}

// A last extent that is shorter than the scores', but for 1, which broadcasts, stands for keys that
// are not seen.
uint32_t padded(GraphBuilder& graph, uint32_t mask, int64_t keys, double value) {
  Shape shape = graph.shape(mask);
  if (shape.empty() || shape.back() == 1 || shape.back() >= keys) return mask;
  seam::Padding padding;
  padding.before.assign(shape.size(), 0);
  padding.after.assign(shape.size(), 0);
  padding.after.back() = keys - shape.back();
  padding.value = value;
  shape.back() = keys;
  return graph.add(Do::pad, shape, {mask}, padding);
}

uint32_t masked(GraphBuilder& graph, const sy::Node& node, uint32_t scores) {
  const int64_t keys = graph.shape(scores).back();
  const uint32_t mask = graph.cast(graph.input(node, 3), wide);
  if (node.required_input(3).dtype != SY_BOOL) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return add_binary(graph, Do::add, scores, padded(graph, mask, keys, -infinity));
  }
  const uint32_t sees =
      add_binary(graph, Do::not_equal, padded(graph, mask, keys, 0), number(graph, 0));
  return only_where(graph, sees, scores);
}

uint32_t positions(GraphBuilder& graph, Shape shape) {
  std::vector<float> numbers(static_cast<size_t>(sy::element_count(shape)));
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return graph.constant({wide, std::move(shape)}, numbers.data());
}

uint32_t causal(GraphBuilder& graph, uint32_t scores) {
  const Shape shape = graph.shape(scores);
  if (shape[2] > most_counted || shape[3] > most_counted) {
    throw sy::unsupported(SY_REASON_LIMIT, "a causal mask of ", shape[2], " by ", shape[3]);
  }
  const uint32_t sees = add_binary(graph, Do::less_equal, positions(graph, {1, shape[3]}),
                                   positions(graph, {shape[2], 1}));
  return only_where(graph, sees, scores);
}

uint32_t weights(GraphBuilder& graph, const sy::Node& node, uint32_t scores, int64_t width) {
  const double scale = node.has("scale") ? static_cast<double>(node.real("scale"))
                                         : 1 / std::sqrt(static_cast<double>(width));
  scores = add_binary(graph, Do::multiply, scores, number(graph, scale));
  if (const float cap = node.real("softcap", 0.0f); cap > 0) {
    const uint32_t by = number(graph, static_cast<double>(cap));
    scores = add_unary(graph, Do::hyperbolic_tangent, add_binary(graph, Do::divide, scores, by));
    scores = add_binary(graph, Do::multiply, scores, by);
  }
  if (node.input(3) != nullptr) scores = masked(graph, node, scores);
  if (node.flag("is_causal")) scores = causal(graph, scores);
  return graph.add(Do::softmax, graph.shape(scores), {scores}, seam::Axes{{3}});
}

// Heads of the query that share one of the key are rows of one product.
uint32_t lower_attention(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t q = with_heads(graph, node, 0, node.integer("q_num_heads", 0));
  const uint32_t k = with_heads(graph, node, 1, node.integer("kv_num_heads", 0));
  const uint32_t v = with_heads(graph, node, 2, node.integer("kv_num_heads", 0));
  const Shape of_q = graph.shape(q), of_k = graph.shape(k);
  const int64_t batch = of_q[0], heads = of_q[1], length = of_q[2], width = of_q[3];
  const int64_t shared = of_k[1], keys = of_k[2], columns = graph.shape(v)[3];
  if (heads % shared != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, heads, " heads of the query for ", shared,
                          " of the key");
  }
  const int64_t rows = heads / shared * length;
  const uint32_t products =
      graph.add(Do::matrix_product, {batch, shared, rows, keys},
                {graph.reshape(q, {batch, shared, rows, width}), graph.transpose(k, {0, 1, 3, 2})});
  const uint32_t by_head = graph.reshape(products, {batch, heads, length, keys});
  const uint32_t weighed =
      graph.reshape(weights(graph, node, by_head, width), {batch, shared, rows, keys});
  uint32_t y = graph.add(Do::matrix_product, {batch, shared, rows, columns}, {weighed, v});
  y = graph.reshape(y, {batch, heads, length, columns});
  if (node.required_output(0).rank == 3) {
    y = graph.reshape(graph.transpose(y, {0, 2, 1, 3}), {batch, length, heads * columns});
  }
  return as_output(graph, node, y);
}

void check_attention(const sy::Node& node) {
  constexpr const char* others[] = {"past_key", "past_value", "nonpad_kv_seqlen"};
  for (uint32_t i = 0; i < 3; ++i) {
    if (node.input(4 + i) == nullptr) continue;
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "with ", others[i]);
  }
  for (uint32_t i = 1; i < 4; ++i) {
    if (node.output(i) == nullptr) continue;
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "with more results than Y");
  }
  if (node.integer("softmax_precision", 0) == SY_FLOAT64) {
    throw sy::unsupported(SY_REASON_DTYPE, "a softmax in float64");
  }
  for (uint32_t i = 0; i < 4; ++i) {
    const sy_value* input = node.input(i);
    if (input == nullptr) continue;
    if (i < 3 && input->dtype == SY_BOOL) {
      throw sy::unsupported(SY_REASON_DTYPE, "input ", i, " of bool");
    }
    if (sy::has_known_shape(*input) && sy::element_count(sy::shape_of(*input)) == 0) {
      throw sy::unsupported(SY_REASON_LIMIT, "input ", i, " has no elements");
    }
  }
}

}  // namespace

std::span<const KernelRow> attention_rows() {
  static const KernelRow rows[] = {{.claim = {.op = "Attention",
                                              .min_version = 23,
                                              .dtypes = float_types | SY_DTYPE_BIT(SY_BOOL),
                                              .output_dtypes = float_types},
                                    .check = check_attention,
                                    .lower = lower_attention}};
  return rows;
}

}  // namespace mps
