#include "functions/wrong_calls/wrong_calls.hpp"

namespace switchyard {

Calls wrong_calls_of_layers() {
  return {
      {"addmm", [] { addmm(floats(), floats(), floats()); }},
      {"addmm",
       [] {
         addmm(none(), floats(), ones({3, 2}));
       }},
      {"baddbmm", [] { baddbmm(floats(), floats(), floats()); }},
      {"baddbmm",
       [] {
         baddbmm(none(), ones({1, 2, 3}), ones({1, 3, 2}));
       }},
      {"baddbmm",
       [] {
         baddbmm(floats(), none(), ones({1, 3, 2}));
       }},
      {"baddbmm",
       [] {
         baddbmm(floats(), ones({1, 2, 3}), ones({2, 3, 2}));
       }},
      {"baddbmm",
       [] {
         baddbmm(others(), ones({1, 2, 3}), ones({1, 3, 3}));
       }},
      {"tensordot", [] { tensordot(floats(), others(), 1); }},
      {"tensordot", [] { tensordot(floats(), floats(), 3); }},
      {"tensordot", [] { tensordot(floats(), floats(), -1); }},
      {"tensordot", [] { tensordot(none(), floats(), 1); }},
      {"tensordot", [] { tensordot(floats(), none(), 1); }},
      {"tensordot",
       [] {
         tensordot(floats(), others(), {0, 0}, {1, 1});
       }},
      {"tensordot",
       [] {
         tensordot(floats(), others(), {0, 1}, {1});
       }},
      {"tensordot", [] { tensordot(floats(), others(), {5}, {1}); }},
      {"kron", [] { kron(none(), floats()); }},
      {"kron", [] { kron(floats(), none()); }},
      {"einsum",
       [] {
         einsum("ij,jk->ik", {floats(), others()});
       }},
      {"einsum", [] { einsum("ij->", {none()}); }},
      {"einsum", [] { einsum("i?j", {floats()}); }},
      {"linear",
       [] {
         linear(floats(), ones({5, 4}));
       }},
      {"linear",
       [] {
         linear(none(), ones({5, 4}));
       }},
      {"linear",
       [] {
         linear(floats(), ones({5, 3}), ones({4}));
       }},
      {"conv1d",
       [] {
         conv1d(ones({1, 4, 8}), ones({8, 3, 3}));
       }},
      {"conv1d",
       [] {
         conv1d(none(), ones({8, 3, 3}));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 3, 3, 3}));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 7, 7}));
       }},
      {"conv2d", [] { conv2d(image(), none()); }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}), ones({3}));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}).to(DType::float64));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}), {}, {.stride = {0}});
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}), {}, {.stride = {-1}});
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}), {}, {.padding = {-1, 2}});
       }},
      {"avg_pool2d", [] { avg_pool2d(image(), {-1}); }},
      {"layer_norm", [] { layer_norm(floats(), {-1}); }},
      {"conv_transpose1d",
       [] {
         conv_transpose1d(ones({1, 4, 8}), ones({3, 8, 3}));
       }},
      {"conv_transpose2d",
       [] {
         conv_transpose2d(image(), ones({3, 8, 3, 3}));
       }},
      {"conv_transpose2d", [] { conv_transpose2d(image(), none()); }},
      {"max_pool1d", [] { max_pool1d(image(), {2}); }},
      {"max_pool2d", [] { max_pool2d(image(), {9}); }},
      {"max_pool2d", [] { max_pool2d(none(), {2}); }},
      {"max_pool2d", [] { max_pool2d(image(), {2}, {.padding = {INT64_MAX}}); }},
      {"max_pool2d",
       [] {
         max_pool2d(image(), {2, 2, 2});
       }},
      {"avg_pool1d", [] { avg_pool1d(image(), {2}); }},
      {"avg_pool2d", [] { avg_pool2d(image(), {9}); }},
      {"avg_pool2d", [] { avg_pool2d(image(), {0}); }},
      {"adaptive_avg_pool2d", [] { adaptive_avg_pool2d(floats(), {2}); }},
      {"adaptive_avg_pool2d",
       [] {
         adaptive_avg_pool2d(ones({1, 1, 0, 2}), {2, 3});
       }},
      {"batch_norm", [] { batch_norm(floats(), {}, {}); }},
      {"batch_norm", [] { batch_norm(none(), {}, {}, {}, {}, true); }},
      {"batch_norm", [] { batch_norm(floats(), ones({5}), ones({5})); }},
      {"batch_norm",
       [] {
         batch_norm(ones({1, 3}), {}, {}, {}, {}, true);
       }},
      {"layer_norm", [] { layer_norm(floats(), {4}); }},
      {"layer_norm", [] { layer_norm(none(), {4}); }},
      {"layer_norm", [] { layer_norm(floats(), {3}, ones({4})); }},
      {"group_norm", [] { group_norm(image(), 3); }},
      {"group_norm", [] { group_norm(none(), 3); }},
      {"rms_norm", [] { rms_norm(floats(), {4}); }},
      {"scaled_dot_product_attention",
       [] {
         scaled_dot_product_attention(floats(), ones({2, 4}), ones({2, 4}));
       }},
      {"scaled_dot_product_attention",
       [] { scaled_dot_product_attention(none(), floats(), floats()); }},
      {"dropout", [] { dropout(floats(), 1.5); }},
      {"dropout", [] { dropout(none()); }},
      {"conv3d",
       [] {
         conv3d(image(), ones({8, 4, 3, 3, 3}));
       }},
      {"conv_transpose3d",
       [] {
         conv_transpose3d(ones({1, 4, 2, 2, 2}), ones({3, 4, 2, 2, 2}));
       }},
      {"max_pool3d", [] { max_pool3d(image(), {9}); }},
      {"avg_pool3d", [] { avg_pool3d(none(), {2}); }},
      {"adaptive_avg_pool1d", [] { adaptive_avg_pool1d(image(), 2); }},
      {"adaptive_avg_pool3d",
       [] {
         adaptive_avg_pool3d(image(), {2, 2});
       }},
      {"adaptive_max_pool1d", [] { adaptive_max_pool1d(floats(), 0); }},
      {"adaptive_max_pool2d", [] { adaptive_max_pool2d(integers(), 2); }},
      {"adaptive_max_pool2d", [] { adaptive_max_pool2d(none(), 2); }},
      {"adaptive_max_pool2d",
       [] {
         adaptive_max_pool2d(ones({1, 1, 0, 2}), 1);
       }},
      {"adaptive_max_pool3d", [] { adaptive_max_pool3d(floats(), 2); }},
      {"instance_norm", [] { instance_norm(floats()); }},
      {"instance_norm", [] { instance_norm(none()); }},
      {"instance_norm",
       [] {
         instance_norm(ones({2, 3, 1}));
       }},
      {"instance_norm", [] { instance_norm(image(), {}, {}, {}, {}, false); }},
      {"instance_norm", [] { instance_norm(image(), ones({3})); }},
      {"glu", [] { glu(floats()); }},
      {"glu", [] { glu(floats(), 2); }},
      {"glu", [] { glu(none()); }},
      {"dropout1d", [] { dropout1d(image()); }},
      {"dropout2d", [] { dropout2d(floats()); }},
      {"dropout2d", [] { dropout2d(image(), -1); }},
      {"dropout3d", [] { dropout3d(none()); }},
  };
}

}  // namespace switchyard
