// com.microsoft: attention with its projections, and attention of several heads. Both become ONNX's
// Attention, with all that hides keys added up in one mask.
#include <array>

#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

std::int64_t known_rank(const Inference& node, std::size_t input, std::string_view name) {
  if (node.has_rank(input)) return node.rank(input);
  node.fail(fmt::format("the rank of input {} ({}) is not known; declare its shape in the model",
                        input, name));
}

std::int64_t heads_of(const Inference& node) {
  return attribute_within(node, "num_heads", 0, 1, kTooLarge);
}

void refuse_flag(const Inference& node, std::string_view attribute) {
  const std::int64_t value = node.attributes().get_int(attribute, 0);
  if (value != 0) node.fail(fmt::format("{} is {}; only 0 is supported", attribute, value));
}

/// Adds Keys, the numbers of all keys, and `valid`: whether each lies before its sequence's end.
void add_keys_before(BodyText& body, std::string_view valid, std::string_view ends) {
  body.add("ZeroPlace = Constant <value_int = 0> ()");
  body.add("OnePlace = Constant <value_int = 1> ()");
  add_scalar(body, "KeyCount", "Total");
  body.add("Keys = Range (ZeroPlace, KeyCount, OnePlace)");
  body.add("Ends = Cast <to = 7> ({})", ends);
  body.add_ints("AllButBatch", {1, 2, 3});
  body.add("End = Unsqueeze (Ends, AllButBatch)");
  body.add("{} = Less (Keys, End)", valid);
}

/// Adds Valid: for each key whether the mask shows it. A mask of rank 1 has the sequences' ends;
/// one of rank 2 or 3 hides a key where it is not above 0.
void add_valid_keys(BodyText& body, std::string_view mask, std::int64_t rank) {
  if (rank == 1) return add_keys_before(body, "Valid", mask);
  body.add("Hidden = Constant <value = int32 {{0}}> ()");
  body.add("Shown = Greater ({}, Hidden)", mask);
  body.add_ints("NewAxes",
                rank == 2 ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{1});
  body.add("Valid = Unsqueeze (Shown, NewAxes)");
}

/// Adds Filter: what Valid hides has the filter's value, to be added to the scores.
void add_filter(BodyText& body, const Inference& node, std::string_view like) {
  body.add_number("Kept", 0, like);
  body.add_number("Filtered", node.attributes().get_float("mask_filter_value", -10000.0f), like);
  body.add("Filter = Where (Valid, Kept, Filtered)");
}

/// Adds Mask, of as many columns as there are keys, and gives its name; none if nothing is hidden.
std::string add_mask(BodyText& body, bool has_filter, bool has_bias) {
  if (!has_filter && !has_bias) return "\"\"";
  if (has_filter && has_bias) body.add("Hiding = Add (Filter, attention_bias)");
  body.add_ints("FreeAxes", {1, 1, 1});
  body.add("MaskShape = Concat <axis = 0> (FreeAxes, Total)");
  body.add("Mask = Expand ({}, MaskShape)",
           !has_bias ? "Filter" : (has_filter ? "Hiding" : "attention_bias"));
  return "Mask";
}

bool is_unidirectional(const Inference& node) {
  return node.attributes().get_int("unidirectional", 0) != 0;
}

/// The attributes of Attention. A scale of 0 means the usual one.
std::string attention_attributes(const Inference& node, bool is_causal) {
  const std::int64_t heads = heads_of(node);
  const float scale = node.attributes().get_float("scale", 0);
  return fmt::format("q_num_heads = {}, kv_num_heads = {}, is_causal = {}{}", heads, heads,
                     is_causal ? 1 : 0,
                     scale == 0 ? "" : fmt::format(", scale: float = {}", scale));
}

void check_bias(const Inference& node, std::size_t input) {
  require_rank(node, input, {4}, "[batch or 1, heads or 1, length, keys]");
}

// --- Attention ---

void projected_shape(Inference& node) {
  heads_of(node);
  for (const char* name : {"do_rotary", "past_present_share_buffer", "rotary_embedding_dim"}) {
    refuse_flag(node, name);
  }
  refuse_input(node, 6, "past_sequence_length");
  require_rank(node, 0, {3}, "[batch, length, width]");
  require_shape(node, 1, "weights", {last_extent(node, 0), kUnknown},
                "a row a column of the input");
  const std::int64_t columns = last_extent(node, 1);
  const std::vector<std::int64_t> sizes = node.attributes().get_ints("qkv_hidden_sizes");
  if (!sizes.empty()) {
    const bool fits = sizes.size() == 3 && sizes[0] == sizes[1] && sizes[0] > 0 && sizes[2] > 0;
    if (!fits) node.fail("qkv_hidden_sizes must be three sizes, of which the first two are equal");
    agreed(node, columns, add_extents(add_extents(sizes[0], sizes[1]), sizes[2]),
           "the columns of weights and the sum of qkv_hidden_sizes");
    if (node.output_count() > 1 && sizes[0] != sizes[2]) {
      node.fail(
          fmt::format("its output 1 (present) holds keys and values of one width, but "
                      "qkv_hidden_sizes gives {} and {} columns",
                      sizes[1], sizes[2]));
    }
  } else if (columns != kUnknown && columns % 3 != 0) {
    node.fail(
        fmt::format("the weights have {} columns, which are not three times as many as one of "
                    "query, key and value has",
                    columns));
  }
  if (node.has(2)) require_one_for_each(node, 2, "bias", columns, "columns of the weights");
  if (node.has(3)) require_rank(node, 3, {1, 2, 3}, "ends, [batch, keys] or [batch, length, keys]");
  if (node.has_rank(3) && node.rank(3) == 1 && node.has_rank(0) && node.shape(0)[0] != kUnknown) {
    const std::int64_t batch = node.shape(0)[0], length = node.shape(3)[0];
    const bool fits = may_equal(length, batch) || length == 2 * batch;
    if (!fits)
      node.fail(
          fmt::format("a mask_index of {} numbers is not supported for {} sequences; "
                      "an end, or ends and starts, are",
                      length, batch));
  }
  if (node.has(4)) require_rank(node, 4, {5}, "[2, batch, heads, length, width]");
  if (node.has_rank(4)) agreed(node, node.shape(4)[0], 2, "the parts of past, key and value");
  if (node.has(5)) check_bias(node, 5);
}

/// Adds query, key and value, each [batch, length, heads * width].
void add_projections(BodyText& body, const Inference& node) {
  body.add("{} = MatMul (input, weights)", node.has(2) ? "Product" : "Projected");
  if (node.has(2)) {
    add_last_axis_list(body, "Bias", "bias", "Product");
    body.add("Projected = Add (Product, Bias)");
  }
  const std::vector<std::int64_t> sizes = node.attributes().get_ints("qkv_hidden_sizes");
  if (!sizes.empty()) {
    body.add_ints("Sizes", sizes);
  } else {
    body.add("Columns = Shape <start = -1> (Projected)");
    body.add_ints("Parts", {3});
    body.add("Size = Div (Columns, Parts)");
    body.add("Sizes = Concat <axis = 0> (Size, Size, Size)");
  }
  body.add("Query, Key, Value = Split <axis = -1> (Projected, Sizes)");
}

/// Adds Valid from ends, [batch], or ends and starts, [2 * batch], whichever the run shows.
void add_valid_range(BodyText& body) {
  body.add("Batch = Shape <start = 0, end = 1> (input)");
  body.add_ints("AnyRows", {-1});
  body.add("RowsOfBatch = Concat <axis = 0> (AnyRows, Batch)");
  body.add("Given = Reshape (mask_index, RowsOfBatch)");
  body.add("GivenRows = Shape <start = 0, end = 1> (Given)");
  body.add_ints("Two", {2});
  body.add_ints("One", {1});
  body.add("BothShape = Concat <axis = 0> (Two, Batch)");
  body.add("Both = Expand (Given, BothShape)");
  body.add("BothWide = Cast <to = 7> (Both)");
  body.add("FirstRow, LastRow = Split <axis = 0, num_outputs = 2> (BothWide)");
  body.add("HasStarts = Sub (GivenRows, One)");
  body.add("StartRow = Mul (LastRow, HasStarts)");
  body.add("EndsList = Reshape (FirstRow, AnyRows)");
  body.add("StartsList = Reshape (StartRow, AnyRows)");
  add_keys_before(body, "BeforeEnd", "EndsList");
  body.add("Start = Unsqueeze (StartsList, AllButBatch)");
  body.add("AfterStart = GreaterOrEqual (Keys, Start)");
  body.add("Valid = And (BeforeEnd, AfterStart)");
}

std::string projected_body(const Inference& node) {
  BodyText body;
  add_projections(body, node);
  body.add("Length = Shape <start = 1, end = 2> (input)");
  if (node.has(4)) {
    body.add("PastLength = Shape <start = 3, end = 4> (past)");
    body.add("Total = Add (PastLength, Length)");
    body.add("KeyPart = Constant <value_int = 0> ()");
    body.add("ValuePart = Constant <value_int = 1> ()");
    body.add("PastKey = Gather (past, KeyPart)");
    body.add("PastValue = Gather (past, ValuePart)");
  } else {
    body.add("Total = Identity (Length)");
  }
  if (node.has(3)) {
    const std::int64_t rank = known_rank(node, 3, "mask_index");
    if (rank == 1) {
      add_valid_range(body);
    } else {
      add_valid_keys(body, "mask_index", rank);
    }
    add_filter(body, node, "input");
  }
  const std::string mask = add_mask(body, node.has(3), node.has(5));
  body.add("output{} = Attention <{}> (Query, Key, Value, {}, {}, {})",
           node.output_count() > 1 ? ", PresentKey, PresentValue" : "",
           attention_attributes(node, is_unidirectional(node)), mask,
           node.has(4) ? "PastKey" : "\"\"", node.has(4) ? "PastValue" : "\"\"");
  if (node.output_count() > 1) {
    body.add_ints("Front", {0});
    body.add("KeyInFront = Unsqueeze (PresentKey, Front)");
    body.add("ValueInFront = Unsqueeze (PresentValue, Front)");
    body.add("present = Concat <axis = 0> (KeyInFront, ValueInFront)");
  }
  return body.text();
}

Row contrib_attention_row() {
  return {.op = "Attention",
          .domain = kContribDomain,
          .signature =
              "input:T weights:T bias:T? mask_index:int32? past:T? attention_bias:T? "
              "past_sequence_length:int32? -> output:T present:T?",
          .attributes =
              "do_rotary:flag=0 mask_filter_value:float=-10000 num_heads:int! "
              "past_present_share_buffer:flag=0 qkv_hidden_sizes:ints rotary_embedding_dim:int=0 "
              "scale:float unidirectional:flag=0",
          .types = "T=float",
          .shape = projected_shape,
          .runs_on = RunsOn::body,
          .write_body = projected_body};
}

// --- MultiHeadAttention ---

/// [batch, length, heads, parts, width], where projections lie packed in one value.
void check_packed(const Inference& node, std::size_t input, std::int64_t parts) {
  require_shape(node, input, input == 0 ? "query" : "key",
                {kUnknown, kUnknown, heads_of(node), parts, kUnknown},
                "[batch, length, heads, parts, width]");
}

/// The columns of query, key and value together, whichever way they are packed.
std::int64_t projected_columns(const Inference& node) {
  const std::int64_t columns =
      node.rank(0) == 5 ? multiply_extents(heads_of(node), node.shape(0)[4]) : node.shape(0)[2];
  if (!node.has(2)) return multiply_extents(columns, 3);
  const std::int64_t of_value = node.has_rank(2) ? node.shape(2)[2] : kUnknown;
  return add_extents(multiply_extents(columns, 2), of_value);
}

void check_projection_bias(const Inference& node) {
  require_one_for_each(node, 3, "bias", projected_columns(node), "columns of query, key and value");
}

void multi_head_shape(Inference& node) {
  heads_of(node);
  refuse_input(node, 8, "past_sequence_length");
  refuse_input(node, 9, "cache_indirection");
  if (node.output_count() > 3) node.fail("its output 3 (qk) is not supported");
  if (node.has(6) != node.has(7)) node.fail("past_key and past_value go together");
  const std::int64_t query = known_rank(node, 0, "query");
  require_rank(node, 0, {3, 5}, "[batch, length, width] or [batch, length, heads, 3, width]");
  if (query == 5) {
    if (node.has(1) || node.has(2)) node.fail("a packed query goes without key and value");
    check_packed(node, 0, 3);
  } else {
    if (!node.has(1)) node.fail("its input 1 (key) is missing, and the query is not packed");
    const std::int64_t key = known_rank(node, 1, "key");
    require_rank(node, 1, {3, 4, 5}, "[batch, keys, width], packed, or split among heads");
    if (key == 5) check_packed(node, 1, 2);
    if (node.has(2) != (key != 5)) node.fail("value goes with a key, but not with a packed one");
    if (node.has(2)) require_rank(node, 2, {key}, "the rank of the key");
    if (key == 4 && (node.has(3) || node.has(6))) {
      node.fail("bias and past_key are not supported for a key that is split among heads already");
    }
  }
  if (node.has(3)) check_projection_bias(node);
  if (node.has(4))
    require_rank(node, 4, {1, 2, 3}, "[batch], [batch, keys], [batch, length, keys]");
  const bool ragged = node.has_rank(4) && node.rank(4) == 1 && node.shape(0)[0] != kUnknown;
  if (ragged) agreed(node, node.shape(4)[0], node.shape(0)[0], "the lengths of keys and the batch");
  if (node.has(5)) check_bias(node, 5);
}

/// Adds the parts of a packed value as `names`, each [batch, length, heads * width].
void add_unpacked(BodyText& body, std::string_view packed,
                  std::initializer_list<std::string_view> names) {
  body.add_ints("PartAxis", {3});
  body.add_ints("AllColumns", {0, 0, -1});
  std::string parts;
  for (const std::string_view name : names) {
    parts += fmt::format("{}{}Part", parts.empty() ? "" : ", ", name);
  }
  body.add("{} = Split <axis = 3, num_outputs = {}> ({})", parts, names.size(), packed);
  for (const std::string_view name : names) {
    body.add("{0}Heads = Squeeze ({0}Part, PartAxis)", name);
    body.add("{0} = Reshape ({0}Heads, AllColumns)", name);
  }
}

/// Adds `name`, [batch, keys, heads * width], of heads that lie apart.
void add_joined_heads(BodyText& body, std::string_view name, std::string_view heads) {
  body.add("{}InRows = Transpose <perm = [0, 2, 1, 3]> ({})", name, heads);
  body.add("{0} = Reshape ({0}InRows, AllColumns)", name);
}

/// Adds Query, Key and Value without the bias; the names are those of the values then.
std::array<std::string, 3> add_inputs(BodyText& body, const Inference& node) {
  if (node.rank(0) == 5) {
    add_unpacked(body, "query", {"Query", "Key", "Value"});
    return {"Query", "Key", "Value"};
  }
  if (node.rank(1) == 5) {
    add_unpacked(body, "key", {"Key", "Value"});
    return {"query", "Key", "Value"};
  }
  if (node.rank(1) == 3) return {"query", "key", "value"};
  body.add_ints("AllColumns", {0, 0, -1});
  add_joined_heads(body, "Key", "key");
  add_joined_heads(body, "Value", "value");
  return {"query", "Key", "Value"};
}

void add_biases(BodyText& body, std::array<std::string, 3>& values) {
  for (std::size_t i = 0; i < 3; ++i) body.add("Width{} = Shape <start = -1> ({})", i, values[i]);
  body.add("Widths = Concat <axis = 0> (Width0, Width1, Width2)");
  body.add("Bias0, Bias1, Bias2 = Split <axis = 0> (bias, Widths)");
  for (std::size_t i = 0; i < 3; ++i) {
    body.add("Biased{0} = Add ({1}, Bias{0})", i, values[i]);
    values[i] = fmt::format("Biased{}", i);
  }
}

/// Whether there are as many new keys as queries: each query's own key is then the last it sees.
/// So it is with a past, which the keys of the queries' own sequence go on.
bool has_key_for_each_query(const Inference& node) {
  if (node.rank(0) == 5 || node.has(6)) return true;
  const std::int64_t keys = node.shape(1)[node.rank(1) == 4 ? 2 : 1];
  return keys != kUnknown && keys == node.shape(0)[1];
}

/// Adds `mask`, if there is one, with the keys that a query must not see, and gives its name. As in
/// onnxruntime queries are counted with the keys from the first on, and the last one sees all.
std::string add_later_keys(BodyText& body, const std::string& mask) {
  body.add("QueryLength = Shape <start = 1, end = 2> (query)");
  add_scalar(body, "QueryCount", "QueryLength");
  add_scalar(body, "AllKeys", "Total");
  body.add("FirstPlace = Constant <value_int = 0> ()");
  body.add("NextPlace = Constant <value_int = 1> ()");
  body.add("QueryPlaces = Range (FirstPlace, QueryCount, NextPlace)");
  body.add("KeyPlaces = Range (FirstPlace, AllKeys, NextPlace)");
  body.add_ints("KeyAxis", {1});
  body.add("Queries = Unsqueeze (QueryPlaces, KeyAxis)");
  body.add("NotLater = LessOrEqual (KeyPlaces, Queries)");
  body.add("LastQuery = Sub (QueryCount, NextPlace)");
  body.add("IsLast = Equal (Queries, LastQuery)");
  body.add("Seen = Or (NotLater, IsLast)");
  if (mask == "\"\"") return "Seen";
  body.add("Infinite = Constant <value = float {{-inf}}> ()");
  body.add("Never = CastLike (Infinite, query)");
  body.add("Unseen = Where (Seen, {}, Never)", mask);
  return "Unseen";
}

std::string multi_head_body(const Inference& node) {
  BodyText body;
  std::array<std::string, 3> values = add_inputs(body, node);
  if (node.has(3)) add_biases(body, values);
  body.add("KeyLength = Shape <start = 1, end = 2> ({})", values[1]);
  if (node.has(6)) {
    body.add("PastLength = Shape <start = 2, end = 3> (past_key)");
    body.add("Total = Add (PastLength, KeyLength)");
  } else {
    body.add("Total = Identity (KeyLength)");
  }
  if (node.has(4)) {
    add_valid_keys(body, "key_padding_mask", known_rank(node, 4, "key_padding_mask"));
    add_filter(body, node, "query");
  }
  std::string mask = add_mask(body, node.has(4), node.has(5));
  const bool is_causal = is_unidirectional(node) && has_key_for_each_query(node);
  if (is_unidirectional(node) && !is_causal) mask = add_later_keys(body, mask);
  body.add("output, present_key, present_value = Attention <{}> ({}, {}, {}, {}, {}, {})",
           attention_attributes(node, is_causal), values[0], values[1], values[2], mask,
           node.has(6) ? "past_key" : "\"\"", node.has(7) ? "past_value" : "\"\"");
  return body.text();
}

Row multi_head_row() {
  return {.op = "MultiHeadAttention",
          .domain = kContribDomain,
          .signature =
              "query:T key:T? value:T? bias:T? key_padding_mask:int32? attention_bias:T? "
              "past_key:T? past_value:T? past_sequence_length:int32? cache_indirection:int32? -> "
              "output:T present_key:T? present_value:T? qk:T?",
          .attributes =
              "mask_filter_value:float=-10000 num_heads:int! scale:float unidirectional:flag=0",
          .types = "T=float",
          .shape = multi_head_shape,
          .runs_on = RunsOn::body,
          .write_body = multi_head_body};
}

}  // namespace

std::vector<Row> contrib_attention_rows() { return {contrib_attention_row(), multi_head_row()}; }

}  // namespace switchyard
