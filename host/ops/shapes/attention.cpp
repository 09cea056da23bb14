#include "ops/shapes/attention.hpp"

#include <fmt/format.h>

#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

std::int64_t extent(const Inference& node, std::size_t input, std::size_t axis) {
  return node.has_rank(input) ? node.shape(input)[axis] : kUnknown;
}

std::int64_t heads(const Inference& node, std::string_view attribute) {
  const std::int64_t count = node.attributes().get_int(attribute, 0);
  if (count >= 1) return count;
  node.mismatch(
      fmt::format("\"{}\" is {}; inputs of rank 3 need it to be at least 1", attribute, count));
}

/// `extent` split among heads.
std::int64_t of_each_head(const Inference& node, std::int64_t extent, std::int64_t heads,
                          std::size_t input) {
  if (extent == kUnknown) return kUnknown;
  if (extent % heads == 0) return extent / heads;
  node.mismatch(fmt::format("the last extent of input {} is {}, which {} heads do not divide",
                            input, extent, heads));
}

/// [batch, heads, length, width], whichever rank the input has.
Dims as_heads(const Inference& node, std::size_t input, std::string_view attribute) {
  if (!node.has_rank(input)) return Dims::filled(4, kUnknown);
  const Dims& shape = node.shape(input);
  if (shape.size() == 4) return shape;
  const std::int64_t count = heads(node, attribute);
  return {shape[0], count, shape[1], of_each_head(node, shape[2], count, input)};
}

void require_shape(const Inference& node, std::size_t input, const Dims& expected,
                   std::string_view what) {
  if (!node.has_rank(input)) return;
  const Dims& shape = node.shape(input);
  bool fits = shape.size() == expected.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = may_equal(shape[i], expected[i]);
  if (fits) return;
  node.mismatch(
      fmt::format("{} has shape {}; it must be {}", what, describe(shape), describe(expected)));
}

/// The mask broadcasts to the scores; its last extent may be shorter, of more than 1.
void check_mask(const Inference& node, const Dims& scores) {
  if (!node.has_rank(3)) return;
  const Dims& mask = node.shape(3);
  bool fits = mask.size() <= scores.size();
  for (std::size_t i = 0; fits && i < mask.size(); ++i) {
    const std::int64_t own = mask[mask.size() - 1 - i];
    const std::int64_t other = scores[scores.size() - 1 - i];
    fits = own == 1 || may_equal(own, other) || (i == 0 && own < other);
  }
  if (fits) return;
  node.mismatch(
      fmt::format("the mask has shape {}; it must broadcast to {}, or be shorter in the "
                  "last dimension",
                  describe(mask), describe(scores)));
}

}  // namespace

void attention_shape(Inference& node) {
  computing_type_attribute(node, "softmax_precision");
  for (std::size_t i = 0; i < 3; ++i) {
    require_rank(node, i, {3, 4},
                 "[batch, length, heads * width] or [batch, heads, length, width]");
    if (node.has_rank(0) && node.has_rank(i) && node.rank(0) != node.rank(i)) {
      node.mismatch("query, key and value must have the same rank");
    }
  }
  const Dims query = as_heads(node, 0, "q_num_heads");
  Dims key = as_heads(node, 1, "kv_num_heads");
  Dims value = as_heads(node, 2, "kv_num_heads");
  const std::int64_t batch =
      agreed(node, agreed(node, query[0], key[0], "the batches of query and key"), value[0],
             "the batches of query and value");
  const std::int64_t kv_heads = agreed(node, key[1], value[1], "the heads of key and value");
  const std::int64_t length = agreed(node, key[2], value[2], "the lengths of key and value");
  const std::int64_t width = agreed(node, query[3], key[3], "the widths of query and key");
  if (query[1] != kUnknown && kv_heads != kUnknown && (kv_heads == 0 || query[1] % kv_heads != 0)) {
    node.mismatch(fmt::format("{} heads of the query do not divide among {} heads of the key",
                              query[1], kv_heads));
  }
  if (node.has(4) != node.has(5)) node.fail("past_key and past_value go together");
  if (node.has(4) && node.has(6)) node.fail("nonpad_kv_seqlen does not go with past_key");
  std::int64_t total = length;
  if (node.has(4)) {
    const std::int64_t past =
        agreed(node, node.has_rank(4) && node.rank(4) == 4 ? extent(node, 4, 2) : kUnknown,
               node.has_rank(5) && node.rank(5) == 4 ? extent(node, 5, 2) : kUnknown,
               "the lengths of past_key and past_value");
    require_shape(node, 4, {batch, kv_heads, past, width}, "past_key");
    require_shape(node, 5, {batch, kv_heads, past, value[3]}, "past_value");
    total = add_extents(past, length);
  }
  if (node.has(6)) require_shape(node, 6, {batch}, "nonpad_kv_seqlen");
  const Dims scores{batch, query[1], query[2], total};
  check_mask(node, scores);
  if (!node.has_rank(0)) return;
  if (node.rank(0) == 4) {
    node.set_shape(0, {batch, query[1], query[2], value[3]});
  } else {
    node.set_shape(0, {batch, query[2], multiply_extents(query[1], value[3])});
  }
  node.set_shape(1, {batch, kv_heads, total, width});
  node.set_shape(2, {batch, kv_heads, total, value[3]});
  node.set_shape(3, scores);
}

void rotary_embedding_shape(Inference& node) {
  require_rank(node, 0, {3, 4}, "[batch, length, heads * width] or [batch, heads, length, width]");
  shape_of_first_input(node);
  if (!node.has_rank(0)) return;
  const bool has_heads = node.rank(0) == 4;
  const Dims& shape = node.shape(0);
  const std::int64_t length = shape[has_heads ? 2 : 1];
  const std::int64_t width =
      has_heads ? shape[3] : of_each_head(node, shape[2], heads(node, "num_heads"), 0);
  std::int64_t rotated = node.attributes().get_int("rotary_embedding_dim", 0);
  if (rotated == 0) rotated = width;
  if (rotated != kUnknown && (rotated < 0 || rotated % 2 != 0)) {
    node.mismatch(fmt::format("{} elements cannot be rotated in pairs", rotated));
  }
  if (rotated != kUnknown && width != kUnknown && rotated > width) {
    node.mismatch(
        fmt::format("rotary_embedding_dim is {}, but a head has {} elements", rotated, width));
  }
  const std::int64_t half = rotated == kUnknown ? kUnknown : rotated / 2;
  const bool by_position = node.has(3);
  const Dims cache = by_position ? Dims{kUnknown, half} : Dims{shape[0], length, half};
  require_shape(node, 1, cache, "cos_cache");
  require_shape(node, 2, cache, "sin_cache");
  if (node.has_rank(1)) require_shape(node, 2, node.shape(1), "sin_cache");
  if (by_position) require_shape(node, 3, {shape[0], length}, "position_ids");
}

void tensor_scatter_shape(Inference& node) {
  shape_of_first_input(node);
  if (!node.has_rank(0)) return;
  const std::int64_t axis =
      node.normalize_axis(node.attributes().get_int("axis", -2), node.rank(0));
  if (axis == 0) node.fail("\"axis\" names the batch; it must be another dimension");
  const Dims& cache = node.shape(0);
  if (node.has_rank(1)) {
    Dims expected = cache;
    const Dims& update = node.shape(1);
    const auto position = static_cast<std::size_t>(axis);
    if (update.size() == cache.size()) {
      if (update[position] > cache[position] && cache[position] != kUnknown) {
        node.mismatch(fmt::format("an update of {} positions does not fit a cache of {}",
                                  update[position], cache[position]));
      }
      expected[position] = update[position];
    }
    require_shape(node, 1, expected, "the update");
  }
  if (node.has(2)) require_shape(node, 2, {cache[0]}, "write_indices");
}

void linear_attention_type(Inference& node) {
  node.set_dtype(1, node.has(3) ? node.dtype(3) : node.dtype(0));
}

void linear_attention_shape(Inference& node) {
  const std::int64_t q_heads = heads(node, "q_num_heads");
  const std::int64_t kv_heads = heads(node, "kv_num_heads");
  if (q_heads % kv_heads != 0) {
    node.fail(
        fmt::format("q_num_heads {} is not a multiple of kv_num_heads {}", q_heads, kv_heads));
  }
  const std::string_view rule = node.attributes().get_text("update_rule", "gated_delta");
  const bool is_gated = rule == "gated" || rule == "gated_delta";
  const bool is_delta = rule == "delta" || rule == "gated_delta";
  if (is_gated != node.has(4)) {
    node.fail(fmt::format("the rule {} {} the input decay", rule, is_gated ? "needs" : "has not"));
  }
  if (is_delta != node.has(5)) {
    node.fail(fmt::format("the rule {} {} the input beta", rule, is_delta ? "needs" : "has not"));
  }
  for (const std::size_t i : {0, 1, 2, 4, 5}) {
    if (node.has(i)) require_rank(node, i, {3}, "[batch, length, heads * width]");
  }
  const std::int64_t batch = extent(node, 0, 0), length = extent(node, 0, 1);
  const std::int64_t width = of_each_head(node, extent(node, 0, 2), q_heads, 0);
  const std::int64_t values = of_each_head(node, extent(node, 2, 2), kv_heads, 2);
  require_shape(node, 1, {batch, length, multiply_extents(kv_heads, width)}, "key");
  require_shape(node, 2, {batch, length, multiply_extents(kv_heads, values)}, "value");
  if (node.has(3)) require_shape(node, 3, {batch, kv_heads, width, values}, "past_state");
  if (node.has_rank(4)) {
    const bool is_per_head = may_equal(node.shape(4)[2], kv_heads);
    require_shape(node, 4,
                  {batch, length, is_per_head ? kv_heads : multiply_extents(kv_heads, width)},
                  "decay");
  }
  if (node.has_rank(5)) {
    require_shape(node, 5, {batch, length, node.shape(5)[2] == 1 ? 1 : kv_heads}, "beta");
  }
  node.set_shape(0, {batch, length, multiply_extents(q_heads, values)});
  node.set_shape(1, {batch, kv_heads, width, values});
}

void causal_convolution_shape(Inference& node) {
  require_rank(node, 0, {3}, "[batch, channels, length]");
  require_rank(node, 1, {3}, "[channels, 1, kernel]");
  shape_of_first_input(node);
  const std::int64_t channels =
      agreed(node, extent(node, 0, 1), extent(node, 1, 0), "the channels of input and weight");
  const std::int64_t kernel = extent(node, 1, 2);
  if (kernel == 0) node.mismatch("the kernel has no elements");
  const std::int64_t state = kernel == kUnknown ? kUnknown : kernel - 1;
  require_shape(node, 1, {channels, 1, kernel}, "weight");
  if (node.has(2)) require_shape(node, 2, {channels}, "bias");
  if (node.has(3)) require_shape(node, 3, {extent(node, 0, 0), channels, state}, "past_state");
  node.set_shape(1, {extent(node, 0, 0), channels, state});
}

}  // namespace switchyard
