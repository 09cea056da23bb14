// Elements copied to other positions, or chosen by position or value.
#include "ops/shapes/movement/movement.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/movement/indexing.hpp"
#include "ops/shapes/movement/selection.hpp"
#include "ops/upgrades/movement.hpp"

namespace switchyard {

namespace {

Row concat_row() {
  return {.op = "Concat",
          .version = 13,
          .signature = "inputs:T* -> concat_result:T",
          .attributes = "axis:int!",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .revisions = {{1, "T=float_ir3", "", "axis:int", default_axis_one},
                        {4, "T=any_ir3"},
                        {11, "T=any_ir3"}},
          .shape = concat_shape,
          .example = "f2x3 f2x1 axis=1"};
}

Row tile_row() {
  return {.op = "Tile",
          .version = 13,
          .signature = "input:T repeats:int64! -> output:T",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .revisions = {{1, "T=float_ir3", "input:T tiles:T axis:T -> output:T", "",
                         first_tile_to_repeats},
                        {6, "T=any_ir3"}},
          .shape = tile_shape,
          .example = "f2x3 l2,1"};
}

Row pad_row() {
  constexpr std::string_view kOld = "data:T -> output:T";
  constexpr std::string_view kThreeModes = "mode:text(constant|reflect|edge)=constant";
  constexpr std::string_view kThree = "data:T pads:int64! constant_value:T? -> output:T";
  return {.op = "Pad",
          .version = 25,
          .signature = "data:T pads:int64! constant_value:T? axes:Tind?! -> output:T",
          .attributes = "mode:text(constant|reflect|edge|wrap)=constant",
          .types = "T=all Tind=int32|int64",
          .onnx_types = "T=any Tind=int32|int64",
          .revisions = {{1, "T=float_ir3", kOld,
                         "mode:text(constant|reflect|edge)=constant paddings:ints! value:float=0",
                         first_pads_to_pads},
                        {2, "T=float_ir3", kOld,
                         "mode:text(constant|reflect|edge)=constant pads:ints! value:float=0",
                         pads_to_input},
                        {11, "T=numeric_ir3", kThree, kThreeModes},
                        {13, "T=any_ir4", kThree, kThreeModes},
                        {18, "T=any_ir4 Tind=int32|int64", "", kThreeModes},
                        {19, "T=any_ir4 Tind=int32|int64"},
                        {21, "T=any_ir10 Tind=int32|int64"},
                        {23, "T=any_ir11 Tind=int32|int64"},
                        {24, "T=any_ir12 Tind=int32|int64"}},
          .shape = pad_shape,
          .example = "f2x3 l1,0,0,2"};
}

Row center_crop_pad_row() {
  return {.op = "CenterCropPad",
          .version = 18,
          .signature = "input_data:T shape:Tind! -> output_data:T",
          .attributes = "axes:ints",
          .types = "T=all Tind=int32|int64",
          .onnx_types = "T=any_ir4 Tind=int32|int64",
          .shape = center_crop_pad_shape,
          .example = "f3x4 l2,6"};
}

Row trilu_row() {
  return {.op = "Trilu",
          .version = 14,
          .signature = "input:T k:int64? -> output:T",
          .attributes = "upper:flag=1",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .shape = trilu_shape,
          .example = "f4x4"};
}

Row depth_to_space_row() {
  return {.op = "DepthToSpace",
          .version = 13,
          .signature = "input:T -> output:T",
          .attributes = "blocksize:int! mode:text(DCR|CRD)=DCR",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .revisions = {{1, "T=any_ir3", "", "blocksize:int!"}, {11, "T=any_ir3"}},
          .shape = depth_to_space_shape,
          .example = "f1x8x2x3 blocksize=2"};
}

Row space_to_depth_row() {
  return {.op = "SpaceToDepth",
          .version = 13,
          .signature = "input:T -> output:T",
          .attributes = "blocksize:int!",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .revisions = {{1, "T=any_ir3"}},
          .shape = space_to_depth_shape,
          .example = "f1x2x4x6 blocksize=2"};
}

Row reverse_sequence_row() {
  return {.op = "ReverseSequence",
          .version = 10,
          .signature = "input:T sequence_lens:int64 -> Y:T",
          .attributes = "batch_axis:flag=1 time_axis:flag=0",
          .types = "T=all",
          .onnx_types = "T=any_ir3",
          .shape = reverse_sequence_shape,
          .example = "f4x2x3 l3,2 time_axis=0 batch_axis=1"};
}

Row col2im_row() {
  return {.op = "Col2Im",
          .version = 18,
          .signature = "input:T image_shape:int64! block_shape:int64! -> output:T",
          .attributes = "dilations:ints pads:ints strides:ints",
          .types = "T=all_ir4",
          .onnx_types = "T=all_ir4|string",
          .shape = col2im_shape,
          .example = "f1x5x5 l5,5 l1,5"};
}

Row dropout_row() {
  constexpr std::string_view kOldest = "data:T -> output:T mask:T?";
  return {
      .op = "Dropout",
      .version = 22,
      .signature = "data:T ratio:T1? training_mode:T2? -> output:T mask:T2?",
      .attributes = "seed:int",
      .types = "T=float|float8 T1=float|float8 T2=bool",
      .revisions = {{1, "T=float_ir3", kOldest,
                     "consumed_inputs:ints is_test:int=0 ratio:float=0.5"},
                    {6, "T=float_ir3", kOldest, "is_test:int=0 ratio:float=0.5", ratio_to_input},
                    {7, "T=float_ir3", kOldest, "ratio:float=0.5", dropout_mask_to_bool},
                    {10, "T=float_ir3 T1=bool", "data:T -> output:T mask:T1?", "ratio:float=0.5",
                     inference_ratio_to_input},
                    {12, "T=float_ir3 T1=float_ir3 T2=bool"},
                    {13, "T=float T1=float_ir3 T2=bool"}},
      .shape = dropout_shape,
      .random = true,
      .example = "f2x3"};
}

Row compress_row() {
  return {.op = "Compress",
          .version = 11,
          .signature = "input:T condition:bool -> output:T",
          .attributes = "axis:int",
          .types = "T=all",
          .onnx_types = "T=any_ir3",
          .revisions = {{9, "T=any_ir3"}},
          .shape = compress_shape,
          .example = "f3x4 b3 axis=0"};
}

Row unique_row() {
  return {.op = "Unique",
          .version = 11,
          .signature = "X:T -> Y:T indices:int64? inverse_indices:int64? counts:int64?",
          .attributes = "axis:int sorted:flag=1",
          .types = "T=all_ir4",
          .onnx_types = "T=any_ir3",
          .shape = unique_shape};
}

Row non_zero_row() {
  return {.op = "NonZero",
          .version = 13,
          .signature = "X:T -> Y:int64",
          .types = "T=all_ir4",
          .onnx_types = "T=any_ir4",
          .revisions = {{9, "T=any_ir3"}},
          .shape = non_zero_shape};
}

Row top_k_row() {
  return {.op = "TopK",
          .version = 24,
          .signature = "X:T K:int64! -> Values:T Indices:int64",
          .attributes = "axis:int=-1 largest:flag=1 sorted:flag=1",
          .types = "T=numeric",
          .revisions = {{1, "T=float_ir3", "X:T -> Values:T Indices:int64", "axis:int=-1 k:int!",
                         k_to_input},
                        {10, "T=float_ir3", "", "axis:int=-1"},
                        {11, "T=numeric_ir3"}},
          .shape = top_k_shape,
          .example = "f2x5 l3"};
}

Row gather(std::string_view op, int version, ShapeRule shape, std::string_view attributes) {
  return {.op = op,
          .version = version,
          .signature = "data:T indices:Tind -> output:T",
          .attributes = attributes,
          .types = "T=all Tind=int32|int64",
          .onnx_types = "T=any_ir4 Tind=int32|int64",
          .shape = shape};
}

Row gather_row() {
  Row row = gather("Gather", 13, gather_shape, "axis:int=0");
  row.revisions = {{1, "T=any_ir3 Tind=int32|int64"}, {11, "T=any_ir3 Tind=int32|int64"}};
  row.example = "f4x3 l2,0,-1";
  return row;
}

Row gather_elements_row() {
  Row row = gather("GatherElements", 13, gather_elements_shape, "axis:int=0");
  row.revisions = {{11, "T=any_ir3 Tind=int32|int64"}};
  row.example = "f3x3 i2x3";
  return row;
}

Row gather_nd_row() {
  return {.op = "GatherND",
          .version = 13,
          .signature = "data:T indices:int64 -> output:T",
          .attributes = "batch_dims:int=0",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .revisions = {{11, "T=any_ir3", "", "-"}, {12, "T=any_ir3"}},
          .shape = gather_nd_shape,
          .example = "f3x3 m2x1"};
}

Row scatter_elements_row() {
  return {.op = "ScatterElements",
          .version = 18,
          .signature = "data:T indices:Tind updates:T -> output:T",
          .attributes = "axis:int=0 reduction:text(none|add|mul|max|min)=none",
          .types = "T=all Tind=int32|int64",
          .onnx_types = "T=any_ir4 Tind=int32|int64",
          .revisions = {{11, "T=any_ir3 Tind=int32|int64", "", "axis:int=0"},
                        {13, "T=any_ir4 Tind=int32|int64", "", "axis:int=0"},
                        {16, "T=any_ir4 Tind=int32|int64", "",
                         "axis:int=0 reduction:text(none|add|mul)=none"}},
          .shape = scatter_elements_shape,
          .example = "f3x3 i1x2 f1x2"};
}

/// Deprecated since 11, where some models still use it; goes on as ScatterElements.
Row scatter_row() {
  return {.op = "Scatter",
          .version = 11,
          .signature = "data:T indices:Tind updates:T -> output:T",
          .attributes = "axis:int=0",
          .types = "T=all Tind=int32|int64",
          .onnx_types = "T=any_ir3 Tind=int32|int64",
          .revisions = {{9, "T=any_ir3 Tind=int32|int64", "", "", scatter_to_elements}},
          .shape = scatter_elements_shape,
          .body = R"((data, indices, updates) => (output) {
            output = ScatterElements <axis: int = @axis> (data, indices, updates)
          })"};
}

Row scatter_nd_row() {
  return {.op = "ScatterND",
          .version = 18,
          .signature = "data:T indices:int64 updates:T -> output:T",
          .attributes = "reduction:text(none|add|mul|max|min)=none",
          .types = "T=all",
          .onnx_types = "T=any_ir4",
          .revisions = {{11, "T=any_ir3", "", "-"},
                        {13, "T=any_ir4", "", "-"},
                        {16, "T=any_ir4", "", "reduction:text(none|add|mul)=none"}},
          .shape = scatter_nd_shape,
          .example = "f3x3 m1x1 f1x3"};
}

Row non_max_suppression_row() {
  return {.op = "NonMaxSuppression",
          .version = 11,
          .signature =
              "boxes:float32 scores:float32 max_output_boxes_per_class:int64? "
              "iou_threshold:float32? score_threshold:float32? -> selected_indices:int64",
          .attributes = "center_point_box:flag=0",
          .revisions = {{10}},
          .shape = non_max_suppression_shape,
          .example = "v0,0,1,1,0,0.1,1,1.1,0,2,1,3:1x3x4 p1x1x3 n2 v0.5: v0.1:"};
}

}  // namespace

std::vector<Row> movement_rows() {
  return {concat_row(),
          tile_row(),
          pad_row(),
          center_crop_pad_row(),
          trilu_row(),
          depth_to_space_row(),
          space_to_depth_row(),
          reverse_sequence_row(),
          col2im_row(),
          dropout_row()};
}

std::vector<Row> selection_rows() {
  return {compress_row(), unique_row(), non_zero_row(), top_k_row(), non_max_suppression_row()};
}

std::vector<Row> indexing_rows() {
  return {gather_row(),           gather_elements_row(), gather_nd_row(),
          scatter_elements_row(), scatter_row(),         scatter_nd_row()};
}

}  // namespace switchyard
