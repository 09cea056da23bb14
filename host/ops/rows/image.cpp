// Images sampled at other positions.
#include "ops/rows/families.hpp"
#include "ops/shapes/windows/resize.hpp"
#include "ops/upgrades/resize.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kRegions = "X:T1 roi:T2?! scales:float32?! sizes:int64?! -> Y:T1";

Row resize_row() {
  constexpr std::string_view kEleven =
      "coordinate_transformation_mode:text(half_pixel|pytorch_half_pixel|align_corners|asymmetric|"
      "tf_half_pixel_for_nn|tf_crop_and_resize)=half_pixel cubic_coeff_a:float=-0.75 "
      "exclude_outside:flag=0 extrapolation_value:float=0 mode:text(nearest|linear|cubic)=nearest "
      "nearest_mode:text(round_prefer_floor|round_prefer_ceil|floor|ceil)=round_prefer_floor";
  return {
      .op = "Resize",
      .version = 19,
      .signature = kRegions,
      .attributes =
          "antialias:flag=0 axes:ints coordinate_transformation_mode:text(half_pixel|"
          "half_pixel_symmetric|pytorch_half_pixel|align_corners|asymmetric|"
          "tf_half_pixel_for_nn|tf_crop_and_resize)=half_pixel "
          "cubic_coeff_a:float=-0.75 exclude_outside:flag=0 extrapolation_value:float=0 "
          "keep_aspect_ratio_policy:text(stretch|not_larger|not_smaller)=stretch "
          "mode:text(nearest|linear|cubic)=nearest "
          "nearest_mode:text(round_prefer_floor|round_prefer_ceil|floor|ceil)=round_prefer_floor",
      .types = "T1=all T2=float",
      .onnx_types = "T1=any_ir4 T2=float_ir3",
      .revisions = {{10, "T1=any_ir3", "X:T1 scales:float32! -> Y:T1",
                     "mode:text(nearest|linear)=nearest", first_resize_to_regions},
                    {11, "T1=any_ir3 T2=float_ir3",
                     "X:T1 roi:T2! scales:float32! sizes:int64?! -> Y:T1", kEleven},
                    {13, "T1=any_ir4 T2=float_ir3", "", kEleven},
                    {18, "T1=any_ir4 T2=float_ir3"}},
      .shape = resize_shape,
      .example = "f1x1x4x4 _ _ l1,1,8,8 mode=linear"};
}

/// Deprecated since 10, where some models still use it; goes on as Resize.
Row upsample_row() {
  return {
      .op = "Upsample",
      .version = 10,
      .signature = "X:T scales:float32! -> Y:T",
      .attributes = "mode:text(nearest|linear)=nearest",
      .types = "T=all",
      .onnx_types = "T=any_ir3",
      .revisions = {{1, "T=float_ir3|bool|int32|int64", "X:T -> Y:T",
                     "height_scale:float! mode:text(nearest|bilinear)=nearest width_scale:float!",
                     sides_to_scales},
                    {7, "T=any_ir3", "X:T -> Y:T",
                     "mode:text(nearest|linear)=nearest scales:floats!", scales_to_input},
                    {9, "T=any_ir3", "", "", upsample_to_resize}},
      .shape = upsample_shape,
      .body = R"((X, scales) => (Y) {
            Y = Resize <mode: string = @mode, coordinate_transformation_mode = "asymmetric",
                        nearest_mode = "floor"> (X, , scales)
          })"};
}

Row grid_sample_row() {
  return {.op = "GridSample",
          .version = 22,
          .signature = "X:T1 grid:T2 -> Y:T1",
          .attributes =
              "align_corners:flag=0 mode:text(linear|nearest|cubic)=linear "
              "padding_mode:text(zeros|border|reflection)=zeros",
          .types = "T1=all T2=float",
          .onnx_types = "T1=any_ir4 T2=float",
          .revisions = {{16, "T1=any_ir3 T2=float_ir3", "",
                         "align_corners:flag=0 mode:text(bilinear|nearest|bicubic)=bilinear "
                         "padding_mode:text(zeros|border|reflection)=zeros",
                         plain_mode_names},
                        {20, "T1=any_ir3 T2=float_ir3"}},
          .shape = grid_sample_shape,
          .example = "f1x2x4x4 f1x3x3x2"};
}

Row affine_grid_row() {
  return {.op = "AffineGrid",
          .version = 20,
          .signature = "theta:T1 size:int64! -> grid:T1",
          .attributes = "align_corners:flag=0",
          .types = "T1=float",
          .shape = affine_grid_shape,
          .example = "f2x2x3 l2,1,3,4"};
}

}  // namespace

std::vector<Row> image_rows() {
  return {resize_row(), upsample_row(), grid_sample_row(), affine_grid_row()};
}

}  // namespace switchyard
