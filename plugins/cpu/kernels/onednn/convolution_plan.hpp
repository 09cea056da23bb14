// What a convolution of fixed shapes is to oneDNN, for the forward op and its gradients alike.
// Images are channels-last: that is where its code is fastest.
#pragma once

#include "kernels/convolution/attributes.hpp"
#include "onednn/primitive.hpp"
#include "onednn/weights_choice.hpp"

namespace cpu::onednn {

struct ConvolutionPlan {
  // Shapes [N, C, ...], [outputs, C / groups, ...] and [N, outputs, ...].
  ConvolutionPlan(const sy::Node& node, const sy_value& x, const sy_value& weights,
                  const sy_value& y);

  // oneDNN's kernels work along the last axis. Where that has one element it changes places with
  // the axis before, which moves no byte.
  sy::Dimensions turned(sy::Dimensions extents) const;

  Desc plain_weights() const;                      // contiguous
  Desc best_weights() const;                       // whatever oneDNN likes best
  Desc last(const sy::Dimensions& extents) const;  // images, channels last
  Work work() const;
  bool is_small() const { return !work().is_worth_the_team(); }  // not worth a second thread

  ConvolutionPlan of_images(int64_t count) const;  // the same with so many images

  struct Windows {
    dnnl::memory::dims strides, dilations, before, after;
  };
  Windows windows() const;
  bool is_within_reach() const;  // false: oneDNN is not to be asked

  ConvolutionAttributes attributes;
  sy::Dimensions x, weights, y;
  sy_dtype dtype;
  ConvolutionShape shape;
  bool turns;
};

// Throws sy::unsupported unless all shapes are known and not empty, as oneDNN wants them.
void check_convolution_shapes(const sy::Node& node);

}  // namespace cpu::onednn
