// com.microsoft: activations.
#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"

namespace switchyard {

namespace {

/// Input 1 has one number for each element along the last axis of input 0.
void biased_shape(Inference& node) {
  if (node.has(1)) {
    require_rank_of_at_least(node, 0, 1);
    const std::int64_t width =
        node.has_rank(0) ? node.shape(0)[node.shape(0).size() - 1] : kUnknown;
    require_one_for_each(node, 1, "bias", width, "elements along the last axis");
  }
  shape_of_first_input(node);
}

Row contrib_gelu_row() {
  return {.op = "Gelu",
          .domain = kContribDomain,
          .signature = "X:T -> Y:T",
          .types = "T=float",
          .shape = shape_of_first_input,
          .runs_on = RunsOn::body,
          .body = "(X) => (Y) { Y = Gelu (X) }"};
}

Row quick_gelu_row() {
  return {.op = "QuickGelu",
          .domain = kContribDomain,
          .signature = "X:T -> Y:T",
          .attributes = "alpha:float=1.702",
          .types = "T=float",
          .shape = shape_of_first_input,
          .runs_on = RunsOn::body,
          .body = "(X) => (Y) { Y = Swish <alpha: float = @alpha> (X) }"};
}

std::string fast_gelu_body(const Inference& node) {
  BodyText body;
  if (node.has(1)) {
    add_last_axis_list(body, "Bias", "bias", "X");
    body.add("Biased = Add (X, Bias)");
  }
  body.add("Y = Gelu <approximate = \"tanh\"> ({})", node.has(1) ? "Biased" : "X");
  return body.text();
}

Row fast_gelu_row() {
  return {.op = "FastGelu",
          .domain = kContribDomain,
          .signature = "X:T bias:T? -> Y:T",
          .types = "T=float",
          .shape = biased_shape,
          .runs_on = RunsOn::body,
          .write_body = fast_gelu_body};
}

std::string bias_gelu_body(const Inference&) {
  BodyText body;
  add_last_axis_list(body, "Bias", "B", "A");
  body.add("Biased = Add (A, Bias)");
  body.add("C = Gelu (Biased)");
  return body.text();
}

Row bias_gelu_row() {
  return {.op = "BiasGelu",
          .domain = kContribDomain,
          .signature = "A:T B:T -> C:T",
          .types = "T=float",
          .shape = biased_shape,
          .runs_on = RunsOn::body,
          .write_body = bias_gelu_body};
}

}  // namespace

std::vector<Row> contrib_pointwise_rows() {
  return {contrib_gelu_row(), quick_gelu_row(), fast_gelu_row(), bias_gelu_row()};
}

}  // namespace switchyard
