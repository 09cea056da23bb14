// One axis of a Resize: which input elements, with which weights, make each output element.
// Formulas: ONNX operator Resize-19, its section on coordinate_transformation_mode and its
// reference.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/plugin/program.hpp"

namespace cpu {

enum class ResizeMode { nearest, linear, cubic };
enum class Coordinates {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  tf_half_pixel_for_nn,  // until opset 13
  align_corners,
  asymmetric,
  tf_crop_and_resize
};
enum class Rounding { prefer_floor, prefer_ceil, floor, ceil };

// A Resize's attributes. Throws sy::unsupported for values that ONNX does not name.
struct ResizeRule {
  explicit ResizeRule(const sy::Node& node);

  ResizeMode mode;
  Coordinates coordinates;
  Rounding rounding;
  float cubic_a;
  bool antialias;
  bool exclude_outside;
  float extrapolation;
};

struct ResizeAxis {
  int64_t input = 0;
  int64_t output = 0;
  int64_t taps = 0;              // elements that make one output
  std::vector<int64_t> index;    // output * taps, each in [0, input)
  std::vector<double> weight;    // likewise
  std::vector<uint8_t> outside;  // by output: shows the extrapolation value; empty if none does

  bool identity() const;
};

// `scale` is output over input as the node gives it; `first` and `last` the region of interest.
ResizeAxis resize_axis(const ResizeRule& rule, int64_t input, int64_t output, double scale,
                       double first, double last);

}  // namespace cpu
