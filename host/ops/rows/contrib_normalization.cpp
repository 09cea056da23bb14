// com.microsoft: layer normalization of sums, and by the root mean square.
#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/lines/normalization.hpp"
#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

void set_statistics(Inference& node, std::size_t first, std::size_t last) {
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  shape[shape.size() - 1] = 1;
  for (std::size_t i = first; i <= last; ++i) node.set_shape(i, shape);
}

/// The inputs from 2 on are lists along the last axis of what inputs 0 and 1 add up to.
void check_skip(Inference& node, std::initializer_list<std::string_view> names) {
  require_rank(node, 0, {2, 3}, "[batch, length, width] or [tokens, width]");
  require_rank(node, 1, {2, 3}, "the shape of input 0, which it may lack batches of");
  if (node.has_rank(0)) require_broadcast_to(node, 1, "skip", node.shape(0));
  std::size_t i = 1;
  for (const std::string_view name : names) {
    if (node.has(++i)) require_one_for_each(node, i, name, last_extent(node, 0), "columns");
  }
  shape_of_first_input(node);
  set_statistics(node, 1, 2);
  if (node.has_rank(0)) node.set_shape(3, node.shape(0));
}

void skip_shape(Inference& node) { check_skip(node, {"gamma", "beta", "bias"}); }

void skip_simplified_shape(Inference& node) { check_skip(node, {"gamma", "bias"}); }

/// The sum of input, skip and bias. It has the shape of the input, which must not grow.
void add_sum(BodyText& body, const Inference& node, std::size_t bias) {
  body.add("InputShape = Shape (input)");
  body.add("Broadcast = Add (input, skip)");
  body.add("{} = Reshape <allowzero = 1> (Broadcast, InputShape)",
           node.has(bias) ? "SkipSum" : "Sum");
  if (node.has(bias)) {
    add_last_axis_list(body, "Bias", "bias", "input");
    body.add("Sum = Add (SkipSum, Bias)");
  }
}

void add_sum_output(BodyText& body, const Inference& node) {
  if (node.output_count() > 3) body.add("input_skip_bias_sum = Identity (Sum)");
}

std::string skip_body(const Inference& node) {
  BodyText body;
  add_sum(body, node, 4);
  body.add(
      "output, mean, inv_std_var = LayerNormalization <epsilon: float = @epsilon> "
      "(Sum, gamma{})",
      node.has(3) ? ", beta" : "");
  add_sum_output(body, node);
  return body.text();
}

Row skip_row() {
  return {.op = "SkipLayerNormalization",
          .domain = kContribDomain,
          .signature =
              "input:T skip:T gamma:T beta:T? bias:T? -> "
              "output:T mean:float32? inv_std_var:float32? input_skip_bias_sum:T?",
          .attributes = "epsilon:float=1e-12",
          .types = "T=float",
          .shape = skip_shape,
          .runs_on = RunsOn::body,
          .write_body = skip_body};
}

std::string skip_simplified_body(const Inference& node) {
  for (const std::size_t output : {1, 2}) {
    if (node.output_count() <= output || node.output_count() > 3) continue;
    node.fail("its outputs mean and inv_std_var are for training and are not supported");
  }
  BodyText body;
  add_sum(body, node, 3);
  body.add("output = RMSNormalization <epsilon: float = @epsilon> (Sum, gamma)");
  add_sum_output(body, node);
  return body.text();
}

Row skip_simplified_row() {
  return {.op = "SkipSimplifiedLayerNormalization",
          .domain = kContribDomain,
          .signature =
              "input:T skip:T gamma:T bias:T? -> "
              "output:T mean:float32? inv_std_var:float32? input_skip_bias_sum:T?",
          .attributes = "epsilon:float=1e-12",
          .types = "T=float",
          .shape = skip_simplified_shape,
          .runs_on = RunsOn::body,
          .write_body = skip_simplified_body};
}

std::string simplified_body(const Inference& node) {
  BodyText body;
  body.add(
      "Y = RMSNormalization <axis: int = @axis, epsilon: float = @epsilon, "
      "stash_type: int = @stash_type> (X, scale)");
  if (node.output_count() < 2) return body.text();
  if (!node.has_rank(0)) {
    node.fail(
        "the rank of X is not known, which inv_std_var needs; declare its shape in the model");
  }
  std::vector<std::int64_t> axes;
  const std::int64_t rank = node.rank(0);
  for (std::int64_t axis = node.normalize_axis(node.attributes().get_int("axis", -1), rank);
       axis < rank; ++axis) {
    axes.push_back(axis);
  }
  body.add_ints("Axes", axes);
  body.add("Stashed = Cast <to = 1> (X)");
  body.add("Squared = Mul (Stashed, Stashed)");
  body.add("MeanOfSquares = ReduceMean (Squared, Axes)");
  body.add("Epsilon = Constant <value_float: float = @epsilon> ()");
  body.add("Sum = Add (MeanOfSquares, Epsilon)");
  body.add("Root = Sqrt (Sum)");
  body.add("inv_std_var = Reciprocal (Root)");
  return body.text();
}

/// It stands in the default domain, though ONNX has no op of this name.
Row simplified_row() {
  return {.op = "SimplifiedLayerNormalization",
          .signature = "X:T scale:V -> Y:V inv_std_var:float32?",
          .attributes = "axis:int=-1 epsilon:float=1e-5 stash_type:int=1",
          .types = "T=float V=float",
          .shape = shape_of_first_input,
          .runs_on = RunsOn::body,
          .write_body = simplified_body};
}

void embed_shape(Inference& node) {
  constexpr std::string_view kIds = "[batch, length]";
  require_rank(node, 0, {2}, kIds);
  const Dims ids = node.has_rank(0) ? node.shape(0) : Dims::filled(2, kUnknown);
  if (node.has(1) != node.has(4)) node.fail("segment_ids and segment_embedding go together");
  if (node.has(1)) require_shape(node, 1, "segment_ids", ids, "the shape of input_ids");
  for (const std::size_t i : {2, 3, 4}) {
    if (node.has(i)) require_rank(node, i, {2}, "[rows, width]");
  }
  std::int64_t width = last_extent(node, 2);
  width = agreed(node, width, last_extent(node, 3), "the widths of word and position embedding");
  if (node.has(4)) {
    width = agreed(node, width, last_extent(node, 4), "the widths of word and segment embedding");
  }
  require_one_for_each(node, 5, "gamma", width, "columns of the embeddings");
  require_one_for_each(node, 6, "beta", width, "columns of the embeddings");
  if (node.has(7)) require_shape(node, 7, "mask", ids, "the shape of input_ids");
  if (node.has_rank(8)) {
    require_rank(node, 8, {2}, "[batch, length] or [1, length]");
    const std::int64_t rows = node.shape(8)[0] == 1 ? 1 : ids[0];
    require_shape(node, 8, "position_ids", {rows, ids[1]}, "[batch, length] or [1, length]");
  }
  node.set_shape(0, {ids[0], ids[1], width});
  node.set_shape(1, {ids[0]});
  node.set_shape(2, {ids[0], ids[1], width});
}

/// Adds Positions: the positions of a sequence, counted from 0.
void add_positions(BodyText& body) {
  body.add("LengthList = Shape <start = 1, end = 2> (input_ids)");
  add_scalar(body, "Length", "LengthList");
  body.add("Zero = Constant <value_int = 0> ()");
  body.add("One = Constant <value_int = 1> ()");
  body.add("Positions = Range (Zero, Length, One)");
}

void add_mask_index(BodyText& body, const Inference& node) {
  if (!node.has(7)) {
    body.add("BatchList = Shape <start = 0, end = 1> (input_ids)");
    body.add("mask_index = ConstantOfShape <value = int32[1] {{0}}> (BatchList)");
    return;
  }
  body.add_ints("LastAxis", {1});
  body.add("Set = Constant <value = int32 {{1}}> ()");
  body.add("IsSet = Equal (mask, Set)");
  body.add("Counted = Cast <to = 6> (IsSet)");
  body.add("mask_index = ReduceSum <keepdims = 0> (Counted, LastAxis)");
}

/// Adds `rows`, those of a table that `ids` name. Gather would count negative ones from the end.
void add_rows(BodyText& body, std::string_view rows, std::string_view table, std::string_view ids) {
  body.add("{0}Table = Shape <start = 0, end = 1> ({1})", rows, table);
  body.add_ints(fmt::format("{}One", rows), {1});
  body.add_ints(fmt::format("{}First", rows), {0});
  body.add("{0}Last = Sub ({0}Table, {0}One)", rows);
  add_range_check(body, fmt::format("{}Ids", rows), ids, ids, fmt::format("{}First", rows),
                  fmt::format("{}Last", rows));
  body.add("{0} = Gather ({1}, {0}Ids)", rows, table);
}

std::string embed_body(const Inference& node) {
  BodyText body;
  add_rows(body, "Words", "word_embedding", "input_ids");
  if (node.has(8)) {
    add_rows(body, "Places", "position_embedding", "position_ids");
  } else {
    add_positions(body);
    body.add("Places = Gather (position_embedding, Positions)");
  }
  body.add("{} = Add (Words, Places)", node.has(4) ? "Placed" : "Sum");
  if (node.has(4)) {
    add_rows(body, "Segments", "segment_embedding", "segment_ids");
    body.add("Sum = Add (Placed, Segments)");
  }
  body.add("output = LayerNormalization <epsilon: float = @epsilon> (Sum, gamma, beta)");
  if (node.output_count() > 1) add_mask_index(body, node);
  if (node.output_count() > 2) body.add("embedding_sum = Identity (Sum)");
  return body.text();
}

Row embed_row() {
  return {.op = "EmbedLayerNormalization",
          .domain = kContribDomain,
          .signature =
              "input_ids:int32 segment_ids:int32? word_embedding:T position_embedding:T "
              "segment_embedding:T? gamma:T beta:T mask:int32? position_ids:int32? -> "
              "output:T mask_index:int32? embedding_sum:T?",
          .attributes = "epsilon:float=1e-12 mask_index_type:flag=0",
          .types = "T=float",
          .shape = embed_shape,
          .runs_on = RunsOn::body,
          .write_body = embed_body};
}

}  // namespace

std::vector<Row> contrib_normalization_rows() {
  return {skip_row(), skip_simplified_row(), simplified_row(), embed_row()};
}

}  // namespace switchyard
