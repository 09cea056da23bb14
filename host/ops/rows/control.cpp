// The host's own ops: graphs within graphs, lists of tensors, values that may be missing.
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/dtype_attribute.hpp"
#include "ops/upgrades/scan.hpp"

namespace switchyard {

namespace {

Row control(std::string_view op, int version, std::string_view signature, std::string_view types,
            std::string_view attributes = "") {
  return {.op = op,
          .version = version,
          .signature = signature,
          .attributes = attributes,
          .types = types,
          .runs_on = RunsOn::control};
}

Row if_row() {
  Row row = control("If", 25, "cond:B -> outputs:V*~", "B=bool V=any",
                    "else_branch:graph! then_branch:graph!");
  row.revisions = {{1, "B=bool V=any_ir3"},   {11, "B=bool V=any_ir3"}, {13, "B=bool V=any_ir3"},
                   {16, "B=bool V=any_ir4"},  {19, "B=bool V=any_ir9"}, {21, "B=bool V=any_ir10"},
                   {23, "B=bool V=any_ir11"}, {24, "B=bool V=any_ir12"}};
  return row;
}

Row loop_row() {
  Row row = control("Loop", 25, "M:I? cond:B? v_initial:V?*~ -> v_final_and_scan_outputs:V*~",
                    "I=int64 B=bool V=any", "body:graph!");
  row.revisions = {{1, "I=int64 B=bool V=any_ir3"},   {11, "I=int64 B=bool V=any_ir3"},
                   {13, "I=int64 B=bool V=any_ir3"},  {16, "I=int64 B=bool V=any_ir4"},
                   {19, "I=int64 B=bool V=any_ir9"},  {21, "I=int64 B=bool V=any_ir10"},
                   {23, "I=int64 B=bool V=any_ir11"}, {24, "I=int64 B=bool V=any_ir12"}};
  return row;
}

Row scan_row() {
  Row row = control(
      "Scan", 25, "initial_state_and_scan_inputs:V*~ -> final_state_and_scan_outputs:V*~", "V=any",
      "body:graph! num_scan_inputs:int! scan_input_axes:ints scan_input_directions:ints "
      "scan_output_axes:ints scan_output_directions:ints");
  row.revisions = {{8, "I=int64 V=any_ir3",
                    "sequence_lens:I? initial_state_and_scan_inputs:V*~ -> "
                    "final_state_and_scan_outputs:V*~",
                    "body:graph! directions:ints num_scan_inputs:int!", unbatch_scan},
                   {9, "V=any_ir3"},
                   {11, "V=any_ir3"},
                   {16, "V=any_ir4"},
                   {19, "V=any_ir9"},
                   {21, "V=any_ir10"},
                   {23, "V=any_ir11"},
                   {24, "V=any_ir12"}};
  return row;
}

constexpr std::string_view kListTypes = "T=any I=int32|int64";
constexpr std::string_view kOnnxListTypes = "T=any_ir3 I=int32|int64";

Row list_op(std::string_view op, int version, std::string_view signature,
            std::string_view attributes = "") {
  Row row = control(op, version, signature, kListTypes, attributes);
  row.onnx_types = kOnnxListTypes;
  return row;
}

Row split_to_sequence_row() {
  Row row = list_op("SplitToSequence", 24, "input:T split:I? -> output_sequence:seq(T)",
                    "axis:int=0 keepdims:flag=1");
  row.onnx_types = "T=any_ir4 I=int32|int64";
  row.revisions = {{11, kOnnxListTypes}};
  return row;
}

void sequence_empty_type(Inference& inference) {
  inference.set_dtype(0, dtype_attribute(inference, "dtype").value_or(DType::float32));
}

Row sequence_empty_row() {
  Row row = list_op("SequenceEmpty", 11, "-> output:seq(T)", "dtype:int");
  row.type = sequence_empty_type;
  return row;
}

Row sequence_map_row() {
  Row row = control("SequenceMap", 17,
                    "input_sequence:seq(V) additional_inputs:V?*~ -> out_sequence:seq(V)*~",
                    "V=any", "body:graph!");
  row.onnx_types = "V=any_ir3";
  return row;
}

Row optional_row() {
  Row row = control("Optional", 15, "input:V? -> output:opt(V)", "V=any", "type:type");
  row.onnx_types = "V=any_ir3";
  return row;
}

Row optional_has_element_row() {
  Row row = control("OptionalHasElement", 18, "input:O? -> output:B", "O=any B=bool");
  row.onnx_types = "O=any_ir3 B=bool";
  row.revisions = {{15, "O=any_ir3 B=bool", "input:opt(O) -> output:B"}};
  return row;
}

Row optional_get_element_row() {
  Row row = control("OptionalGetElement", 18, "input:O -> output:O", "O=any");
  row.onnx_types = "O=any_ir3";
  row.revisions = {{15, "O=any_ir3", "input:opt(O) -> output:O"}};
  return row;
}

}  // namespace

std::vector<Row> control_rows() { return {if_row(), loop_row(), scan_row()}; }

std::vector<Row> sequence_rows() {
  return {
      list_op("SequenceConstruct", 11, "inputs:T* -> output_sequence:seq(T)"),
      sequence_empty_row(),
      list_op("SequenceInsert", 11,
              "input_sequence:seq(T) tensor:T position:I? -> output_sequence:seq(T)"),
      list_op("SequenceErase", 11, "input_sequence:seq(T) position:I? -> output_sequence:seq(T)"),
      list_op("SequenceAt", 11, "input_sequence:seq(T) position:I -> tensor:T"),
      list_op("SequenceLength", 11, "input_sequence:seq(T) -> length:int64"),
      sequence_map_row(),
      split_to_sequence_row(),
      list_op("ConcatFromSequence", 11, "input_sequence:seq(T) -> concat_result:T",
              "axis:int! new_axis:flag=0")};
}

std::vector<Row> optional_rows() {
  return {optional_row(), optional_has_element_row(), optional_get_element_row()};
}

}  // namespace switchyard
