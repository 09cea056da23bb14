// com.microsoft: what the decoders of language models are made of.
#include <limits>

#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

/// Two tables with a row a position; half as many columns as are rotated.
void check_caches(const Inference& node, std::size_t first) {
  require_rank(node, first, {2}, "[positions, rotated / 2]");
  if (node.has_rank(first)) {
    require_shape(node, first + 1, "sin_cache", node.shape(first), "the shape of cos_cache");
  }
}

// --- RotaryEmbedding ---

void rotary_shape(Inference& node) {
  require_rank(node, 0, {3, 4}, "[batch, length, heads * width] or [batch, heads, length, width]");
  require_rank(node, 1, {1, 2}, "[1] or [batch, length]");
  check_caches(node, 2);
  const std::int64_t heads = attribute_within(node, "num_heads", 0, 0, kTooLarge);
  const std::int64_t rotated = attribute_within(node, "rotary_embedding_dim", 0, 0, kTooLarge);
  if (rotated > 0 && heads == 0) node.fail("rotary_embedding_dim goes with num_heads");
  if (node.attributes().get_int("is_packed_batching", 0) != 0) {
    node.fail("is_packed_batching is set; only 0 is supported");
  }
  if (node.attributes().get_float("scale", 1) != 1) {
    node.fail(
        fmt::format("scale is {}; only 1 is supported", node.attributes().get_float("scale", 1)));
  }
  for (const std::size_t i : {0, 1}) {
    if (!node.has_rank(i)) {
      node.fail(
          fmt::format("the rank of input {} is not known; declare its shape in the model", i));
    }
  }
  if (node.rank(1) == 1) require_one_element(node, 1, "position_ids");
  const Dims& shape = node.shape(0);
  const std::int64_t length = shape[node.rank(0) == 4 ? 2 : 1];
  if (node.rank(1) == 2) {
    require_shape(node, 1, "position_ids", {shape[0], length}, "[batch, length]");
  }
  shape_of_first_input(node);
}

/// Adds Rows, [batch, length]: positions that count on from the one that is given.
void add_counted_positions(BodyText& body, std::int64_t length_axis) {
  body.add("BatchList = Shape <start = 0, end = 1> (input)");
  body.add("LengthList = Shape <start = {}, end = {}> (input)", length_axis, length_axis + 1);
  add_scalar(body, "Length", "LengthList");
  body.add("Zero = Constant <value_int = 0> ()");
  body.add("One = Constant <value_int = 1> ()");
  body.add("Counted = Range (Zero, Length, One)");
  body.add("OfOneSequence = Add (Counted, position_ids)");
  body.add("RowsShape = Concat <axis = 0> (BatchList, LengthList)");
  body.add("Rows = Expand (OfOneSequence, RowsShape)");
}

std::string rotary_body(const Inference& node) {
  BodyText body;
  const bool has_heads = node.rank(0) == 4;
  const bool counts = node.rank(1) == 1;
  if (counts) add_counted_positions(body, has_heads ? 2 : 1);
  const std::int64_t rotated = node.attributes().get_int("rotary_embedding_dim", 0);
  if (has_heads) {
    body.add("Heads = Identity (input)");
  } else {
    // Without a part that is rotated the tables tell how wide a head is.
    if (rotated > 0) {
      body.add_ints("HeadShape", {0, 0, node.attributes().get_int("num_heads", 0), -1});
    } else {
      body.add("Half = Shape <start = 1, end = 2> (cos_cache)");
      body.add("Width = Add (Half, Half)");
      body.add_ints("Unsplit", {0, 0, -1});
      body.add("HeadShape = Concat <axis = 0> (Unsplit, Width)");
    }
    body.add("Split = Reshape (input, HeadShape)");
    body.add("Heads = Transpose <perm = [0, 2, 1, 3]> (Split)");
  }
  body.add(
      "{} = RotaryEmbedding <interleaved: int = @interleaved, "
      "rotary_embedding_dim: int = @rotary_embedding_dim> (Heads, cos_cache, sin_cache, {})",
      has_heads ? "output" : "Rotated", counts ? "Rows" : "position_ids");
  if (has_heads) return body.text();
  body.add("Joined = Transpose <perm = [0, 2, 1, 3]> (Rotated)");
  body.add("InputShape = Shape (input)");
  body.add("output = Reshape <allowzero = 1> (Joined, InputShape)");
  return body.text();
}

Row rotary_row() {
  return {.op = "RotaryEmbedding",
          .domain = kContribDomain,
          .signature = "input:T position_ids:int64 cos_cache:T sin_cache:T -> output:T",
          .attributes =
              "interleaved:flag=0 is_packed_batching:flag=0 num_heads:int=0 "
              "rotary_embedding_dim:int=0 scale:float=1",
          .types = "T=float",
          .shape = rotary_shape,
          .runs_on = RunsOn::body,
          .write_body = rotary_body};
}

// --- GroupQueryAttention ---

struct GroupHeads {
  std::int64_t query, key;
};

GroupHeads group_heads_of(const Inference& node) {
  const GroupHeads heads{attribute_within(node, "num_heads", 0, 1, 1 << 20),
                         attribute_within(node, "kv_num_heads", 0, 1, 1 << 20)};
  if (heads.query % heads.key == 0) return heads;
  node.fail(
      fmt::format("num_heads is {}, no multiple of kv_num_heads, {}", heads.query, heads.key));
}

bool rotates(const Inference& node) { return node.attributes().get_int("do_rotary", 0) != 0; }

void check_group_attributes(const Inference& node) {
  for (const char* name : {"kv_cache_bit_width", "qk_output", "sliding_window_cache"}) {
    const std::int64_t value = node.attributes().get_int(name, 0);
    if (value != 0) node.fail(fmt::format("{} is {}; only 0 is supported", name, value));
  }
  for (const char* name : {"k_quant_type", "v_quant_type"}) {
    const std::string_view value = node.attributes().get_text(name, "NONE");
    if (value != "NONE") node.fail(fmt::format("{} is {}; only NONE is supported", name, value));
  }
  if (node.attributes().get_int("smooth_softmax", 0) > 0) {
    node.fail("smooth_softmax is set; only 0 is supported");
  }
  const bool is_causal = node.attributes().get_int("causal", 1) != 0;
  const std::int64_t window = attribute_within(node, "local_window_size", -1, -1, kTooLarge);
  if (window == 0) node.fail("local_window_size is 0; it must be at least 1, or -1 for none");
  if (!is_causal && window > 0) node.fail("local_window_size goes with causal = 1");
}

void group_query_shape(Inference& node) {
  const GroupHeads heads = group_heads_of(node);
  check_group_attributes(node);
  constexpr std::pair<std::size_t, std::string_view> kRefused[] = {
      {9, "position_ids"}, {11, "head_sink"}, {12, "k_scale"}, {13, "v_scale"}};
  for (const auto& [input, name] : kRefused) refuse_input(node, input, name);
  if (node.output_count() > 3) node.fail("its output 3 (output_qk) is not supported");
  require_rank(node, 0, {3}, "[batch, length, heads * width]");
  if (node.has(1) != node.has(2)) node.fail("key and value go together");
  if (node.has(3) != node.has(4)) node.fail("past_key and past_value go together");
  const std::int64_t parts = node.has(1) ? heads.query : heads.query + 2 * heads.key;
  std::int64_t width = last_extent(node, 0);
  if (width != kUnknown && width % parts != 0) {
    node.mismatch(
        fmt::format("the query has {} columns, which {} heads do not divide", width, parts));
  }
  if (width != kUnknown) width /= parts;
  const std::int64_t batch = node.has_rank(0) ? node.shape(0)[0] : kUnknown;
  for (const std::size_t i : {1, 2}) {
    if (!node.has(i)) continue;
    require_shape(node, i, i == 1 ? "key" : "value",
                  {batch, kUnknown, multiply_extents(heads.key, width)},
                  "[batch, length, key heads * width]");
  }
  for (const std::size_t i : {3, 4}) {
    if (!node.has(i)) continue;
    require_shape(node, i, i == 3 ? "past_key" : "past_value", {batch, heads.key, kUnknown, width},
                  "[batch, key heads, length, width]");
  }
  require_one_for_each(node, 5, "seqlens_k", batch, "sequences");
  require_one_element(node, 6, "total_sequence_length");
  if (rotates(node)) {
    if (!node.has(7) || !node.has(8)) node.fail("do_rotary needs cos_cache and sin_cache");
    check_caches(node, 7);
  }
  if (node.has(10)) require_rank(node, 10, {4}, "[batch or 1, heads or 1, length, keys]");
  if (node.has(14) != node.has(15)) node.fail("q_norm_weight and k_norm_weight go together");
  for (const std::size_t i : {14, 15}) {
    if (node.has(i)) require_one_for_each(node, i, "norm weight", width, "columns of a head");
  }
}

/// Adds NewQuery, NewKey and NewValue, each [batch, heads, length, width], not rotated yet.
void add_heads(BodyText& body, const Inference& node) {
  const GroupHeads heads = group_heads_of(node);
  if (node.has(1)) {
    body.add_ints("QueryShape", {0, 0, heads.query, -1});
    body.add_ints("KeyShape", {0, 0, heads.key, -1});
    body.add("QueryRows = Reshape (query, QueryShape)");
    body.add("KeyRows = Reshape (key, KeyShape)");
    body.add("ValueRows = Reshape (value, KeyShape)");
  } else {
    body.add_ints("PackedShape", {0, 0, heads.query + 2 * heads.key, -1});
    body.add_ints("PackedHeads", {heads.query, heads.key, heads.key});
    body.add("Packed = Reshape (query, PackedShape)");
    body.add("QueryRows, KeyRows, ValueRows = Split <axis = 2> (Packed, PackedHeads)");
  }
  for (const char* name : {"Query", "Key", "Value"}) {
    body.add("New{0} = Transpose <perm = [0, 2, 1, 3]> ({0}Rows)", name);
  }
}

/// Adds Total, a list of one: how many keys the longest sequence has. Without a past they are the
/// new ones.
void add_total(BodyText& body, const Inference& node) {
  body.add("TotalWide = Cast <to = 7> (total_sequence_length)");
  body.add("TotalList = Reshape (TotalWide, One)");
  body.add("NewRows = Max (LengthList, One)");
  body.add_ints("MostRows", {std::numeric_limits<std::int32_t>::max()});
  add_range_check(body, "Total", "total_sequence_length", "TotalList", "NewRows",
                  node.has(3) ? "MostRows" : "NewRows");
  add_scalar(body, "TotalCount", "Total");
}

/// Adds LastKeys, [batch]: the position of each sequence's last key. Where the new keys are not all
/// keys, as in a prompt, which may be padded behind its end, each sequence has all of them.
void add_last_keys(BodyText& body) {
  body.add("LastTotal = Sub (Total, One)");
  body.add("LastNew = Sub (NewRows, One)");
  body.add("IsPrompt = Equal (Total, LengthList)");
  body.add("LeastLast = Where (IsPrompt, Zero, LastNew)");
  body.add("GivenLast = Cast <to = 7> (seqlens_k)");
  add_range_check(body, "LastKeys", "seqlens_k", "GivenLast", "LeastLast", "LastTotal");
}

/// Adds PastLengths, [batch]: how many keys of each sequence are in the cache already; and
/// Positions, [batch, length]: where each new key goes.
void add_positions(BodyText& body, const Inference& node) {
  body.add_ints("One", {1});
  body.add_ints("Zero", {0});
  body.add("LengthList = Shape <start = 1, end = 2> (query)");
  add_total(body, node);
  add_last_keys(body);
  body.add("Lengths = Add (LastKeys, One)");
  body.add("Before = Sub (Lengths, LengthList)");
  body.add("PastLengths = Max (Before, Zero)");
  add_scalar(body, "Length", "LengthList");
  body.add("First = Constant <value_int = 0> ()");
  body.add("Step = Constant <value_int = 1> ()");
  body.add("Counted = Range (First, Length, Step)");
  body.add("PastColumn = Unsqueeze (PastLengths, One)");
  body.add("Places = Add (PastColumn, Counted)");
}

/// Adds `result`, the heads `value` normalized and rotated as the node asks.
void add_prepared(BodyText& body, const Inference& node, std::string_view result,
                  std::string_view value, std::string_view weight) {
  std::string last(value);
  if (node.has(14)) {
    body.add("{}Normal = RMSNormalization <epsilon: float = @qk_norm_epsilon> ({}, {})", value,
             value, weight);
    last += "Normal";
  }
  if (!rotates(node)) return body.add("{} = Identity ({})", result, last);
  const std::int64_t half = last_extent(node, 7);
  constexpr std::string_view kRotation =
      "{} = RotaryEmbedding <interleaved: int = @rotary_interleaved, "
      "rotary_embedding_dim = {}> ({}, cos_cache, sin_cache, Places)";
  if (half != kUnknown) return body.add(kRotation, result, 2 * half, last);
  // How much of a head is rotated shows only in the run.
  body.add("{}Half = Shape <start = 1, end = 2> (cos_cache)", value);
  body.add("{0}Rotating = Add ({0}Half, {0}Half)", value);
  body.add_ints(fmt::format("{}End", value), {std::numeric_limits<std::int64_t>::max()});
  body.add_ints(fmt::format("{}Axis", value), {3});
  body.add("{0}Front = Slice ({1}, Zero, {0}Rotating, {0}Axis)", value, last);
  body.add("{0}Rest = Slice ({1}, {0}Rotating, {0}End, {0}Axis)", value, last);
  body.add(kRotation, fmt::format("{}Turned", value), 0, fmt::format("{}Front", value));
  body.add("{0} = Concat <axis = 3> ({1}Turned, {1}Rest)", result, value);
}

/// Adds the cache with the new rows at their positions, and `name`Seen: its rows that count. A
/// cache that is too short for all rows grows.
void add_cache(BodyText& body, const Inference& node, std::string_view past, std::string_view fresh,
               std::string_view present, std::string_view name) {
  if (node.has(3)) {
    body.add("{}Room = Shape <start = 2, end = 3> ({})", name, past);
    body.add("{0}Missing = Sub (Total, {0}Room)", name);
    body.add("{0}Growth = Max ({0}Missing, Zero)", name);
    body.add_ints(fmt::format("{}NoPads", name), {0, 0, 0, 0, 0, 0});
    body.add("{0}Pads = Concat <axis = 0> ({0}NoPads, {0}Growth, Zero)", name);
    body.add("{0}Grown = Pad ({1}, {0}Pads)", name, past);
    body.add("{} = TensorScatter <axis = 2> ({}Grown, {}, PastLengths)", present, name, fresh);
  } else {
    // Without a past the new rows are all that there are.
    body.add("{}Front = Shape <start = 0, end = 2> ({})", name, fresh);
    body.add("{}Back = Shape <start = 3> ({})", name, fresh);
    body.add("{0}Whole = Concat <axis = 0> ({0}Front, Total, {0}Back)", name);
    body.add("{} = Reshape <allowzero = 1> ({}, {}Whole)", present, fresh, name);
  }
  body.add_ints(fmt::format("{}Axis", name), {2});
  body.add("{0}Seen = Slice ({1}, Zero, Total, {0}Axis)", name, present);
}

/// Adds Mask, [batch, 1 or heads, length, keys]: which keys each position sees.
void add_group_mask(BodyText& body, const Inference& node) {
  body.add("Keys = Range (First, TotalCount, Step)");
  body.add_ints("AllButBatch", {1, 2, 3});
  body.add_ints("HeadAndKey", {1, 3});
  body.add("End = Unsqueeze (Lengths, AllButBatch)");
  body.add("BeforeEnd = Less (Keys, End)");
  body.add("Place = Unsqueeze (Places, HeadAndKey)");
  std::string visible = "Free";
  if (node.attributes().get_int("causal", 1) != 0) {
    body.add("NotLater = LessOrEqual (Keys, Place)");
    body.add("Causal = And (BeforeEnd, NotLater)");
    visible = "Causal";
  } else {
    body.add("AnyPlace = GreaterOrEqual (Place, First)");
    body.add("Free = And (BeforeEnd, AnyPlace)");
  }
  const std::int64_t window = node.attributes().get_int("local_window_size", -1);
  if (window > 0) {
    body.add_ints("Window", {window});
    body.add("TooEarly = Sub (Place, Window)");
    body.add("NotTooEarly = Greater (Keys, TooEarly)");
    body.add("InWindow = And ({}, NotTooEarly)", visible);
    visible = "InWindow";
  }
  if (!node.has(10)) return body.add("Mask = Identity ({})", visible);
  body.add("Infinite = Constant <value = float {{-inf}}> ()");
  body.add("Never = CastLike (Infinite, query)");
  body.add("Mask = Where ({}, attention_bias, Never)", visible);
}

/// Adds Heads: what Attention gives as Attended, and zeros for a position after the end of its
/// sequence whose window has no key any more.
void add_heads_of_windows(BodyText& body) {
  body.add("LastKey = Unsqueeze (LastKeys, AllButBatch)");
  body.add("SeesNone = GreaterOrEqual (TooEarly, LastKey)");
  body.add("Zeros = CastLike (First, query)");
  body.add("Heads = Where (SeesNone, Zeros, Attended)");
}

std::string group_query_body(const Inference& node) {
  BodyText body;
  add_positions(body, node);
  add_heads(body, node);
  add_prepared(body, node, "Query", "NewQuery", "q_norm_weight");
  add_prepared(body, node, "Key", "NewKey", "k_norm_weight");
  add_cache(body, node, "past_key", "Key", "present_key", "KeyCache");
  add_cache(body, node, "past_value", "NewValue", "present_value", "ValueCache");
  add_group_mask(body, node);
  const float scale = node.attributes().get_float("scale", 0);
  const bool has_window = node.attributes().get_int("local_window_size", -1) > 0;
  body.add(
      "{} = Attention <softcap: float = @softcap{}> (Query, KeyCacheSeen, ValueCacheSeen, "
      "Mask)",
      has_window ? "Attended" : "Heads",
      scale == 0 ? "" : fmt::format(", scale: float = {}", scale));
  if (has_window) add_heads_of_windows(body);
  body.add("Joined = Transpose <perm = [0, 2, 1, 3]> (Heads)");
  body.add_ints("OutputShape", {0, 0, -1});
  body.add("output = Reshape (Joined, OutputShape)");
  return body.text();
}

Row group_query_row() {
  return {.op = "GroupQueryAttention",
          .domain = kContribDomain,
          .signature =
              "query:T key:T? value:T? past_key:T? past_value:T? seqlens_k:int32 "
              "total_sequence_length:int32 cos_cache:T? sin_cache:T? position_ids:int64? "
              "attention_bias:T? head_sink:T? k_scale:float32? v_scale:float32? q_norm_weight:T? "
              "k_norm_weight:T? -> output:T present_key:T? present_value:T? output_qk:T?",
          .attributes =
              "causal:flag=1 do_rotary:flag=0 k_quant_type:text(NONE|PER_TENSOR|PER_CHANNEL)=NONE "
              "kv_cache_bit_width:int=0 "
              "kv_num_heads:int! local_window_size:int=-1 num_heads:int! "
              "qk_norm_epsilon:float=1e-6 qk_output:int=0 rotary_interleaved:flag=0 scale:float "
              "sliding_window_cache:int=0 smooth_softmax:int=0 softcap:float=0 "
              "v_quant_type:text(NONE|PER_TENSOR|PER_CHANNEL)=NONE",
          .types = "T=float",
          .shape = group_query_shape,
          .runs_on = RunsOn::body,
          .write_body = group_query_body};
}

}  // namespace

std::vector<Row> contrib_decoder_rows() { return {rotary_row(), group_query_row()}; }

}  // namespace switchyard
