// Comparisons, logic, bits and choice of broadcast inputs, element by element.
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/upgrades/first_versions.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kCompare = "A:T B:T -> C:T1";
Row strict_order(std::string_view op) {
  return {.op = op,
          .version = 13,
          .signature = kCompare,
          .types = "T=numeric T1=bool",
          .revisions = {{1, "T=float_ir3 T1=bool", "", kAlignAttributes, align_second_input},
                        {7, "T=float_ir3 T1=bool"},
                        {9, "T=numeric_ir3 T1=bool"}},
          .shape = broadcast_shape};
}

Row order_or_equal(std::string_view op, std::string_view body) {
  return {.op = op,
          .version = 16,
          .signature = kCompare,
          .types = "T=numeric T1=bool",
          .revisions = {{12, "T=numeric_ir3 T1=bool"}},
          .shape = broadcast_shape,
          .body = body};
}

Row logic(std::string_view op) {
  return {.op = op,
          .version = 7,
          .signature = kCompare,
          .types = "T=bool T1=bool",
          .revisions = {{1, "", "", kAlignAttributes, align_second_input}},
          .shape = broadcast_shape};
}

Row bits(std::string_view op) {
  return {.op = op,
          .version = 18,
          .signature = "A:T B:T -> C:T",
          .types = "T=integer",
          .shape = broadcast_shape};
}

/// Text is compared on no device: a model that does is read, and its run refused.
Row equal_row() {
  return {.op = "Equal",
          .version = 19,
          .signature = kCompare,
          .types = "T=numeric|bool|string T1=bool",
          .revisions = {{1, "T=bool|int32|int64 T1=bool", "", kAlignAttributes, align_second_input},
                        {7, "T=bool|int32|int64 T1=bool"},
                        {11, "T=numeric_ir3|bool T1=bool"},
                        {13, "T=numeric|bool T1=bool"}},
          .shape = broadcast_shape};
}

Row bit_shift_row() {
  return {.op = "BitShift",
          .version = 11,
          .signature = "X:T Y:T -> Z:T",
          .attributes = "direction:text(LEFT|RIGHT)!",
          .types = "T=unsigned",
          .shape = broadcast_shape,
          .example = "u2x3 w3 direction=LEFT"};
}

Row where_row() {
  return {.op = "Where",
          .version = 16,
          .signature = "condition:B X:T Y:T -> output:T",
          .types = "B=bool T=all",
          .onnx_types = "B=bool T=any_ir4",
          .revisions = {{9, "B=bool T=any_ir3"}},
          .shape = broadcast_shape};
}

constexpr std::string_view kGreaterOrEqualBody = R"((A, B) => (C) {
  G = Greater (A, B)
  E = Equal (A, B)
  C = Or (G, E)
})";
constexpr std::string_view kLessOrEqualBody = R"((A, B) => (C) {
  L = Less (A, B)
  E = Equal (A, B)
  C = Or (L, E)
})";

}  // namespace

std::vector<Row> comparison_rows() {
  return {strict_order("Greater"),
          strict_order("Less"),
          order_or_equal("GreaterOrEqual", kGreaterOrEqualBody),
          order_or_equal("LessOrEqual", kLessOrEqualBody),
          equal_row(),
          logic("And"),
          logic("Or"),
          logic("Xor"),
          bits("BitwiseAnd"),
          bits("BitwiseOr"),
          bits("BitwiseXor"),
          bit_shift_row(),
          where_row()};
}

}  // namespace switchyard
