// A graph for MPSGraph, as a value: nodes in an order in which each is made before it is used. Each
// backend walks it in one switch; apple/OPERATIONS.md has the selector of each operation. No tensor
// has more than four axes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace mps::seam {

enum class ElementType : uint8_t {
  float32,
  float16,
  bfloat16,
  int8,
  uint8,
  int16,
  int32,
  int64,
  boolean
};

struct TensorType {
  ElementType element = ElementType::float32;
  std::vector<int64_t> shape;
  bool operator==(const TensorType&) const = default;
};

// `x`, `y`, `z` are a node's operands in order. Binary operations and select broadcast as NumPy
// does. The element type and shape of a result are the node's `type`; comparisons give booleans.
enum class Operation : uint8_t {
  input,
  constant,  // `data`: the elements, contiguous
  // unary
  absolute,
  ceiling,
  cosine,
  error_function,
  exponential,
  floor,
  hyperbolic_tangent,
  is_nan,
  logarithm,
  logical_not,
  negative,
  reciprocal,
  reciprocal_square_root,
  rectified_linear,
  round_to_even,
  sigmoid,
  sign,
  sine,
  square_root,
  // binary
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,  // a NaN on either side gives NaN
  maximum,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_exclusive_or,
  // form
  select,       // x ? y : z
  clamp,        // x, least, most; NaN stays NaN
  cast,         // to `type`; floats towards zero, as C++ does
  reshape,      // to `type`
  broadcast,    // to `type`
  transpose,    // Axes: axis i of the result is axis axes[i] of x
  concatenate,  // Axes: the one axis
  slice,        // Slice
  pad,          // Padding
  gather,       // x, int32 indices, none negative; Axes: the one axis
  // reductions: Axes; the axes stay, with extent 1
  sum,
  mean,
  product,
  largest,
  smallest,
  softmax,  // Axes: the one axis
  // products and windows
  matrix_product,               // x [..., m, k], y [..., k, n]; leading extents broadcast
  convolution,                  // x [n, c, h, w], weights [o, c / groups, kh, kw]; Window
  transposed_convolution,       // x [n, c, h, w], weights [c, o / groups, kh, kw]; Window: of the
                                // convolution whose gradient it is; `type` has the extents
  convolution_weight_gradient,  // x [n, c, h, w], the gradient of a convolution's result
                                // [n, o, h', w'], to its weights [o, c / groups, kh, kw]; Window
  max_pool,                     // x [n, c, h, w]; Window; padding never wins
  average_pool,                 // x [n, c, h, w]; Window
  normalize,                    // x, mean, variance, scale, bias, broadcast to x; Normalization
  resize                        // x [n, c, h, w] to `type`; Resizing
};

struct Axes {
  std::vector<int64_t> axes;  // none negative
  bool operator==(const Axes&) const = default;
};

// The two axes are height and width.
struct Window {
  using Pair = std::array<int64_t, 2>;
  Pair size{1, 1};
  Pair strides{1, 1};
  Pair dilations{1, 1};
  Pair padding_before{0, 0};
  Pair padding_after{0, 0};
  int64_t groups = 1;           // convolutions
  bool counts_padding = false;  // average_pool: padding is part of the mean
  bool operator==(const Window&) const = default;
};

struct Slice {
  std::vector<int64_t> starts;
  std::vector<int64_t> ends;   // not included
  std::vector<int64_t> steps;  // not 0; where negative, start is above end and end may be -1
  bool operator==(const Slice&) const = default;
};

enum class PaddingMode : uint8_t { constant, reflect, edge };

struct Padding {
  std::vector<int64_t> before;
  std::vector<int64_t> after;
  PaddingMode mode = PaddingMode::constant;
  double value = 0;
  // Of values the bits: zeros of either sign pad otherwise.
  bool operator==(const Padding& other) const {
    return before == other.before && after == other.after && mode == other.mode &&
           std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(other.value);
  }
};

struct Normalization {
  double epsilon = 0;
  bool operator==(const Normalization&) const = default;
};

struct Resizing {
  bool linear = false;         // else nearest
  bool align_corners = false;  // the corner elements' centres meet
  bool centre = true;          // elements have their centre at +0.5; not with align_corners
  bool operator==(const Resizing&) const = default;
};

using Attributes =
    std::variant<std::monostate, Axes, Window, Slice, Padding, Normalization, Resizing>;

struct Node {
  Operation operation = Operation::input;
  TensorType type;
  std::vector<uint32_t> operands;  // numbers of earlier nodes
  Attributes attributes;
  std::vector<std::byte> data;  // of a constant
  bool operator==(const Node&) const = default;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<uint32_t> inputs;   // the nodes of operation input, in the order of a run
  std::vector<uint32_t> outputs;  // none of them an input or a constant
  bool operator==(const Graph&) const = default;
};

}  // namespace mps::seam
