// Windows that slide over spatial axes: convolution and pooling.
#include "ops/shapes/windows/convolution.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/windows/pooling.hpp"
#include "ops/upgrades/pooling.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kWindow =
    "auto_pad:padding=NOTSET dilations:ints group:int=1 kernel_shape:ints pads:ints strides:ints";

Row conv_row() {
  return {.op = "Conv",
          .version = 22,
          .signature = "X:T W:T B:T? -> Y:T",
          .attributes = kWindow,
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}, {11, "T=float_ir3"}},
          .shape = conv_shape,
          .example = "f1x4x6x6 f6x2x3x3 f6 group=2 pads=1,1,1,1 strides=2,2",
          .autocast = AutocastTo::low_precision};
}

Row conv_transpose_row() {
  return {.op = "ConvTranspose",
          .version = 22,
          .signature = "X:T W:T B:T? -> Y:T",
          .attributes =
              "auto_pad:padding=NOTSET dilations:ints group:int=1 kernel_shape:ints "
              "output_padding:ints output_shape:ints pads:ints strides:ints",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}, {11, "T=float_ir3"}},
          .shape = conv_transpose_shape,
          .example = "f1x3x4x4 f3x2x3x3 strides=2,2",
          .autocast = AutocastTo::low_precision};
}

Row deform_conv_row() {
  return {.op = "DeformConv",
          .version = 22,
          .signature = "X:T W:T offset:T B:T? mask:T? -> Y:T",
          .attributes =
              "dilations:ints group:int=1 kernel_shape:ints offset_group:int=1 pads:ints "
              "strides:ints",
          .types = "T=float",
          .revisions = {{19, "T=float_ir3"}},
          .shape = deform_conv_shape,
          .example = "f1x2x4x4 f3x2x2x2 f1x8x3x3 kernel_shape=2,2"};
}

Row max_pool_row() {
  return {
      .op = "MaxPool",
      .version = 22,
      .signature = "X:T -> Y:T Indices:int64?",
      .attributes =
          "auto_pad:padding=NOTSET ceil_mode:flag=0 dilations:ints kernel_shape:ints! "
          "pads:ints storage_order:flag=0 strides:ints",
      .types = "T=float|int8|uint8",
      .revisions = {{1, "T=float_ir3", "X:T -> Y:T",
                     "auto_pad:padding=NOTSET kernel_shape:ints! pads:ints strides:ints"},
                    {8, "T=float_ir3", "",
                     "auto_pad:padding=NOTSET kernel_shape:ints! pads:ints storage_order:flag=0 "
                     "strides:ints"},
                    {10, "T=float_ir3"},
                    {11, "T=float_ir3"},
                    {12, "T=float_ir3|int8|uint8"}},
      .shape = pool_shape,
      .example = "f1x2x6x6 kernel_shape=3,3 strides=2,2"};
}

Row average_pool_row() {
  constexpr std::string_view kOld =
      "auto_pad:padding=NOTSET ceil_mode:flag=0 count_include_pad:flag=0 kernel_shape:ints! "
      "pads:ints "
      "strides:ints";
  return {.op = "AveragePool",
          .version = 22,
          .signature = "X:T -> Y:T",
          .attributes =
              "auto_pad:padding=NOTSET ceil_mode:flag=0 count_include_pad:flag=0 dilations:ints "
              "kernel_shape:ints! pads:ints strides:ints",
          .types = "T=float",
          .revisions =
              {{1, "T=float_ir3", "",
                "auto_pad:padding=NOTSET kernel_shape:ints! pads:ints strides:ints"},
               {7, "T=float_ir3", "",
                "auto_pad:padding=NOTSET count_include_pad:flag=0 kernel_shape:ints! pads:ints "
                "strides:ints"},
               {10, "T=float_ir3", "", kOld},
               {11, "T=float_ir3", "", kOld},
               {19, "T=float_ir3"}},
          .shape = pool_shape,
          .example = "f1x2x6x6 kernel_shape=3,3 pads=1,1,1,1"};
}

Row lp_pool_row() {
  constexpr std::string_view kOld =
      "auto_pad:padding=NOTSET kernel_shape:ints! p:int=2 pads:ints strides:ints";
  return {
      .op = "LpPool",
      .version = 22,
      .signature = "X:T -> Y:T",
      .attributes =
          "auto_pad:padding=NOTSET ceil_mode:flag=0 dilations:ints kernel_shape:ints! p:int=2 "
          "pads:ints strides:ints",
      .types = "T=float",
      .revisions = {{1, "T=float_ir3", "",
                     "auto_pad:padding=NOTSET kernel_shape:ints p:float=2 pads:ints strides:ints",
                     whole_power},
                    {2, "T=float_ir3", "", kOld},
                    {11, "T=float_ir3", "", kOld},
                    {18, "T=float_ir3"}},
      .shape = lp_pool_shape,
      .example = "f1x2x6x6 kernel_shape=3,3 strides=2,2"};
}

Row global_pool(std::string_view op) {
  return {.op = op,
          .version = 22,
          .signature = "X:T -> Y:T",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = global_pool_shape,
          .example = "f1x2x5x5"};
}

Row global_lp_pool_row() {
  Row row = global_pool("GlobalLpPool");
  row.attributes = "p:int=2";
  row.shape = global_lp_pool_shape;
  row.revisions = {{1, "T=float_ir3", "", "p:float=2", whole_power}, {2, "T=float_ir3"}};
  return row;
}

Row max_unpool_row() {
  return {.op = "MaxUnpool",
          .version = 22,
          .signature = "X:T1 I:T2 output_shape:T2?! -> output:T1",
          .attributes = "kernel_shape:ints! pads:ints strides:ints",
          .types = "T1=float T2=int64",
          .revisions = {{9, "T1=float_ir3 T2=int64"}, {11, "T1=float_ir3 T2=int64"}},
          .shape = max_unpool_shape,
          .example = "f1x1x1x3 l0,5,10:1x1x1x3 kernel_shape=2,2 strides=2,2"};
}

Row max_roi_pool_row() {
  return {.op = "MaxRoiPool",
          .version = 22,
          .signature = "X:T rois:T -> Y:T",
          .attributes = "pooled_shape:ints! spatial_scale:float=1",
          .types = "T=float",
          .revisions = {{1, "T=float_ir3"}},
          .shape = max_roi_pool_shape,
          .example = "f1x2x6x6 v0,1,1,4,5:1x5 pooled_shape=2,2"};
}

Row roi_align_row() {
  return {
      .op = "RoiAlign",
      .version = 22,
      .signature = "X:T1 rois:T1 batch_indices:T2 -> Y:T1",
      .attributes =
          "coordinate_transformation_mode:text(half_pixel|output_half_pixel)=half_pixel "
          "mode:text(avg|max)=avg "
          "output_height:int=1 output_width:int=1 sampling_ratio:int=0 spatial_scale:float=1",
      .types = "T1=float T2=int64",
      .revisions =
          {{10, "T1=float_ir3 T2=int64", "",
            "mode:text(avg|max)=avg output_height:int=1 output_width:int=1 sampling_ratio:int=0 "
            "spatial_scale:float=1",
            output_half_pixel},
           {16, "T1=float_ir3 T2=int64"}},
      .shape = roi_align_shape,
      .example = "f1x2x6x6 v1,1,4,5:1x4 l0 output_height=2 output_width=3"};
}

}  // namespace

std::vector<Row> convolution_rows() {
  return {conv_row(), conv_transpose_row(), deform_conv_row()};
}

std::vector<Row> pooling_rows() {
  return {max_pool_row(),
          average_pool_row(),
          lp_pool_row(),
          global_pool("GlobalMaxPool"),
          global_pool("GlobalAveragePool"),
          global_lp_pool_row(),
          max_unpool_row(),
          max_roi_pool_row(),
          roi_align_row()};
}

}  // namespace switchyard
