// Ops that only change how elements are read: no bytes move, and no device is asked.
#include "ops/rows/families.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/reshape.hpp"
#include "ops/shapes/movement/slice.hpp"
#include "ops/shapes/movement/strided.hpp"
#include "ops/upgrades/movement.hpp"

namespace switchyard {

namespace {

Row view(std::string_view op, int version, std::string_view signature, ShapeRule shape,
         ViewRule rule) {
  return {.op = op,
          .version = version,
          .signature = signature,
          .types = "T=all",
          .onnx_types = "T=any",
          .shape = shape,
          .runs_on = RunsOn::view,
          .view = rule};
}

Row reshape_row() {
  Row row = view("Reshape", 25, "data:T shape:int64! -> reshaped:T", reshape_shape, reshape_view);
  row.attributes = "allowzero:flag=0";
  row.revisions = {
      {1, "T=float_ir3", "data:T -> reshaped:T", "consumed_inputs:ints shape:ints", shape_to_input},
      {5, "T=any_ir3", "", "-"},
      {13, "T=any_ir4", "", "-"},
      {14, "T=any_ir4"},
      {19, "T=any_ir9"},
      {21, "T=any_ir10"},
      {23, "T=any_ir11"},
      {24, "T=any_ir12"}};
  row.example = "f2x3 l3,-1";
  return row;
}

Row flatten_row() {
  Row row = view("Flatten", 25, "input:T -> output:T", flatten_shape, flatten_view);
  row.attributes = "axis:int=1";
  row.revisions = {{1, "T=float_ir3"}, {9, "T=any_ir3"},   {11, "T=any_ir3"}, {13, "T=any_ir4"},
                   {21, "T=any_ir10"}, {23, "T=any_ir11"}, {24, "T=any_ir12"}};
  row.example = "f2x3x4";
  return row;
}

Row squeeze_row() {
  Row row = view("Squeeze", 25, "data:T axes:int64?! -> squeezed:T", squeeze_shape, squeeze_view);
  row.revisions = {{1, "T=any_ir3", "data:T -> squeezed:T", "axes:ints"},
                   {11, "T=any_ir3", "data:T -> squeezed:T", "axes:ints", view_axes_to_input},
                   {13, "T=any_ir4"},
                   {21, "T=any_ir10"},
                   {23, "T=any_ir11"},
                   {24, "T=any_ir12"}};
  row.example = "f1x3x1 l0";
  return row;
}

Row unsqueeze_row() {
  Row row =
      view("Unsqueeze", 25, "data:T axes:int64! -> expanded:T", unsqueeze_shape, unsqueeze_view);
  row.revisions = {{1, "T=any_ir3", "data:T -> expanded:T", "axes:ints!"},
                   {11, "T=any_ir3", "data:T -> expanded:T", "axes:ints!", view_axes_to_input},
                   {13, "T=any_ir4"},
                   {21, "T=any_ir10"},
                   {23, "T=any_ir11"},
                   {24, "T=any_ir12"}};
  row.example = "f2x3 l0";
  return row;
}

Row identity_row() {
  Row row = view("Identity", 25, "input:V -> output:V", shape_of_first_input, identity_view);
  row.types = "V=all";
  row.onnx_types = "V=any";
  row.revisions = {{1, "V=any_ir3"},  {13, "V=any_ir4"},  {14, "V=any_ir4"},  {16, "V=any_ir4"},
                   {19, "V=any_ir9"}, {21, "V=any_ir10"}, {23, "V=any_ir11"}, {24, "V=any_ir12"}};
  return row;
}

Row transpose_row() {
  Row row = view("Transpose", 25, "data:T -> transposed:T", transpose_shape, transpose_view);
  row.attributes = "perm:ints";
  row.revisions = {{1, "T=any_ir3"},
                   {13, "T=any_ir4"},
                   {21, "T=any_ir10"},
                   {23, "T=any_ir11"},
                   {24, "T=any_ir12"}};
  row.example = "f2x3x4 perm=2,0,1";
  return row;
}

Row expand_row() {
  Row row = view("Expand", 13, "input:T shape:int64! -> output:T", expand_shape, expand_view);
  row.onnx_types = "T=any_ir4";
  row.revisions = {{8, "T=any_ir3"}};
  row.example = "f3 l2,3";
  return row;
}

Row slice_row() {
  Row row = view("Slice", 13, "data:T starts:Tind! ends:Tind! axes:Tind?! steps:Tind?! -> output:T",
                 slice_shape, slice_view);
  row.types = "T=all Tind=int32|int64";
  row.onnx_types = "T=any_ir4 Tind=int32|int64";
  row.revisions = {{1, "T=any_ir3", "data:T -> output:T", "axes:ints ends:ints! starts:ints!",
                    slice_attributes_to_inputs},
                   {10, "T=any_ir3 Tind=int32|int64"},
                   {11, "T=any_ir3 Tind=int32|int64"}};
  row.example = "f4x5 l1,0 l3,5 l0,1 l1,2";
  return row;
}

Row split_row() {
  Row row = view("Split", 18, "input:T split:int64?! -> outputs:T*", split_shape, split_view);
  row.attributes = "axis:int=0 num_outputs:int";
  row.onnx_types = "T=any_ir4";
  row.revisions = {
      {1, "T=float_ir3", "input:T split:T? -> outputs:T*", "axis:int split:ints",
       first_split_to_input},
      {2, "T=any_ir3", "input:T -> outputs:T*", "axis:int=0 split:ints"},
      {11, "T=any_ir3", "input:T -> outputs:T*", "axis:int=0 split:ints", split_to_input},
      {13, "T=any_ir4", "", "axis:int=0", count_split_outputs}};
  row.example = "f4x3 l4";
  return row;
}

}  // namespace

std::vector<Row> view_rows() {
  return {reshape_row(),   flatten_row(), squeeze_row(), unsqueeze_row(), identity_row(),
          transpose_row(), expand_row(),  slice_row(),   split_row()};
}

}  // namespace switchyard
