#include "functions/wrong_calls/wrong_calls.hpp"

#include <cmath>
#include <cstdint>

namespace switchyard {

namespace {

/// Scales that make nothing of a dimension, more than a tensor has, or no number at all, in each of
/// the ways in which a picture is resized.
void add_scales(Calls& all) {
  for (const double scale :
       {0.0, -1.0, 1e-320, 0.01, 1e19, 1e300, double{INFINITY}, std::nan("")}) {
    for (const DType dtype : {DType::float32, DType::float64, DType::float16}) {
      for (const bool align_corners : {false, true}) {
        all.push_back({"interpolate", [=] {
                         interpolate(image().to(dtype), {.align_corners = align_corners,
                                                         .mode = InterpolationMode::bilinear,
                                                         .scale_factor = scale});
                       }});
      }
      all.push_back(
          {"interpolate", [=] { interpolate(image().to(dtype), {.scale_factor = scale}); }});
    }
  }
  // Tables of that many elements are made for float64 alone.
  all.push_back(
      {"interpolate", [] {
         interpolate(ones({1, 1, 9}, {.dtype = DType::float64}), {.scale_factor = 2e7 / 3});
       }});
}

}  // namespace

Calls wrong_calls_of_shaping() {
  Calls all = {
      {"reshape", [] { reshape(floats(), {7}); }},
      {"reshape", [] { reshape(none(), {7}); }},
      {"flatten", [] { flatten(floats(), 1, 0); }},
      {"unflatten",
       [] {
         unflatten(floats(), 1, {2, 2});
       }},
      {"permute",
       [] {
         permute(floats(), {0, 0});
       }},
      {"permute", [] { permute(none(), {0}); }},
      {"unsqueeze", [] { unsqueeze(floats(), 4); }},
      {"unsqueeze", [] { unsqueeze(none(), 0); }},
      {"expand",
       [] {
         expand(floats(), {5, 3});
       }},
      {"expand",
       [] {
         expand(none(), {5, 3});
       }},
      {"broadcast_to", [] { broadcast_to(floats(), {3}); }},
      {"select", [] { select(floats(), 0, 2); }},
      {"narrow", [] { narrow(floats(), 0, 1, 5); }},
      {"slice", [] { slice(floats(), 0, 0, 2, -1); }},
      {"as_strided", [] { as_strided(floats(), {100}, {1}); }},
      {"as_strided", [] { as_strided(none(), {1}, {1}); }},
      {"diagonal", [] { diagonal(ones({3})); }},
      {"split",
       [] {
         split(floats(), Dims{1, 5}, 0);
       }},
      {"chunk", [] { chunk(floats(), 0); }},
      {"roll",
       [] {
         roll(floats(), {1, 1}, 0);
       }},
      {"roll",
       [] {
         roll(floats(), {1, 1});
       }},
      {"cat",
       [] {
         cat({floats(), ones({2, 4, 1})});
       }},
      {"cat",
       [] {
         cat({ones({2, 3}), ones({3, 2})});
       }},
      {"cat", [] { cat(std::span<const Tensor>{}); }},
      {"stack",
       [] {
         stack({floats(), others()});
       }},
      {"repeat", [] { repeat(floats(), {2}); }},
      {"repeat",
       [] {
         repeat(floats(), {2, -1});
       }},
      {"repeat", [] { repeat(none(), {2}); }},
      {"tile", [] { tile(floats(), {-1}); }},
      {"tile", [] { tile(none(), {2}); }},
      {"repeat_interleave", [] { repeat_interleave(floats(), -1); }},
      {"repeat_interleave", [] { repeat_interleave(none(), 2); }},
      {"repeat_interleave", [] { repeat_interleave(floats(), floats()); }},
      {"repeat_interleave", [] { repeat_interleave(floats(), none(), 0); }},
      {"repeat_interleave",
       [] {
         repeat_interleave(floats(), tensor({1, 2, 3}), 0);
       }},
      {"repeat_interleave",
       [] {
         repeat_interleave(floats(), tensor({1, -2}), 0);
       }},
      {"repeat_interleave", [] { repeat_interleave(floats(), integers(), 0); }},
      {"meshgrid", [] { meshgrid(std::span<const Tensor>{}); }},
      {"meshgrid", [] { meshgrid({floats()}); }},
      {"meshgrid", [] { meshgrid({none()}); }},
      {"meshgrid",
       [] {
         meshgrid({ones({2}), positions()});
       }},
      {"diag", [] { diag(image()); }},
      {"diag", [] { diag(none()); }},
      {"diag", [] { diag(ones({2}), INT64_MIN); }},
      {"diag", [] { diag(full({}, 1)); }},
      {"diag_embed", [] { diag_embed(full({}, 1)); }},
      {"diag_embed", [] { diag_embed(none()); }},
      {"diag_embed", [] { diag_embed(floats(), INT64_MAX); }},
      {"diag_embed", [] { diag_embed(floats(), 0, 1, -2); }},
      {"diag_embed", [] { diag_embed(floats(), 0, 3, 0); }},
      {"triu", [] { triu(ones({3})); }},
      {"tril", [] { tril(none()); }},
      {"pad", [] { pad(floats(), {-1}); }},
      {"pad",
       [] {
         pad(floats(), {-4, -1});
       }},
      {"interpolate", [] { interpolate(image(), {.size = {-1}}); }},
      {"pad",
       [] {
         pad(none(), {1, 1});
       }},
      {"pad",
       [] {
         pad(floats(), {1, 1}, PaddingMode::reflect, 5);
       }},
      {"interpolate", [] { interpolate(floats(), {.size = {2}}); }},
      {"interpolate", [] { interpolate(none(), {.size = {2}}); }},
      {"interpolate",
       [] {
         interpolate(image(), {.size = {2, 3, 4}});
       }},
      {"interpolate", [] { interpolate(image(), {.scale_factor = -1.0}); }},
      {"grid_sample", [] { grid_sample(image(), floats()); }},
      {"grid_sample",
       [] {
         grid_sample(none(), zeros({1, 2, 2, 2}));
       }},
      {"grid_sample", [] { grid_sample(image(), none()); }},
      {"grid_sample",
       [] {
         grid_sample(image(), zeros({1, 2, 2, 3}));
       }},
      {"grid_sample",
       [] {
         grid_sample(image(), zeros({2, 2, 2, 2}));
       }},
      {"grid_sample",
       [] {
         grid_sample(image(), zeros({1, 2, 2, 2}, {.dtype = DType::float64}));
       }},
      {"grid_sample",
       [] {
         grid_sample(zeros({1, 1, 0, 3}), zeros({1, 2, 2, 2}));
       }},
      {"grid_sample",
       [] {
         grid_sample(image().to(DType::int64), zeros({1, 2, 2, 2}));
       }},
      {"affine_grid",
       [] {
         affine_grid(floats(), {1, 1, 2, 2});
       }},
      {"affine_grid",
       [] {
         affine_grid(none(), {1, 1, 2, 2});
       }},
      {"affine_grid",
       [] {
         affine_grid(zeros({1, 2, 3}), {1, 1, 2});
       }},
      {"affine_grid",
       [] {
         affine_grid(zeros({1, 2, 3}), {1, 1, -2, 2});
       }},
      {"interpolate",
       [] {
         interpolate(image().to(DType::float64),
                     {.mode = InterpolationMode::bilinear, .scale_factor = 0.1});
       }},
      {"unfold", [] { unfold(image(), 6); }},
      {"unfold",
       [] {
         unfold(image(), {2, 2, 2});
       }},
      {"unfold", [] { unfold(none(), 2); }},
      {"unfold", [] { unfold(floats(), 2, {.stride = 0}); }},
      {"fold",
       [] {
         fold(floats(), {3, 3}, 2);
       }},
      {"fold",
       [] {
         fold(none(), {3, 3}, 2);
       }},
      {"fold",
       [] {
         fold(ones({4, 4}), {1, 1}, 2);
       }},
      {"pixel_shuffle", [] { pixel_shuffle(image(), 3); }},
      {"pixel_shuffle", [] { pixel_shuffle(image(), 0); }},
      {"pixel_shuffle", [] { pixel_shuffle(none(), 2); }},
      {"pixel_unshuffle", [] { pixel_unshuffle(image(), 2); }},
      {"pixel_unshuffle", [] { pixel_unshuffle(floats(), 1); }},
  };
  add_scales(all);
  return all;
}

}  // namespace switchyard
