// com.microsoft: ops on bytes that stand for real numbers. Each is the op on the real numbers,
// between DequantizeLinear and QuantizeLinear, and is read so. What a device may compute at once,
// `RunsOn::device`, is joined again from these three (graph/quantized_fusion.hpp).
#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "ops/shapes/movement/movement.hpp"
#include "ops/shapes/windows/pooling.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kBytes = "T=int8|uint8";
constexpr std::string_view kUnary =
    "X:T X_scale:float32 X_zero_point:T? Y_scale:float32 Y_zero_point:T? -> Y:T";
constexpr std::string_view kBinary =
    "A:T A_scale:float32 A_zero_point:T? B:T B_scale:float32 B_zero_point:T? C_scale:float32 "
    "C_zero_point:T? -> C:T";

/// Input `first` and the one after it are a scale and a zero point, each one number.
void require_scale(const Inference& node, std::size_t first) {
  require_one_element(node, first, "scale");
  require_one_element(node, first + 1, "zero point");
}

void unary_shape(Inference& node) {
  require_scale(node, 1);
  require_scale(node, 3);
  shape_of_first_input(node);
}

void binary_shape(Inference& node) {
  for (const std::size_t i : {1, 4, 6}) require_scale(node, i);
  if (!node.has_rank(0) || !node.has_rank(3)) return;
  node.set_shape(0, broadcast(node, node.shape(0), node.shape(3)));
}

/// Adds `real`: the numbers that `bytes` stands for.
void add_real(BodyText& body, std::string_view real, std::string_view bytes, std::string_view scale,
              std::string_view zero_point) {
  add_scalar(body, fmt::format("{}Scale", real), scale);
  if (zero_point.empty()) {
    return body.add("{0} = DequantizeLinear ({1}, {0}Scale)", real, bytes);
  }
  add_scalar(body, fmt::format("{}Zero", real), zero_point);
  body.add("{0} = DequantizeLinear ({1}, {0}Scale, {0}Zero)", real, bytes);
}

/// Adds `bytes`, of type `dtype`, which stand for the numbers `real`.
void add_bytes(BodyText& body, std::string_view bytes, std::string_view real,
               std::string_view scale, std::string_view zero_point, DType dtype) {
  add_scalar(body, "ResultScale", scale);
  if (zero_point.empty()) {
    return body.add("{} = QuantizeLinear <output_dtype = {}> ({}, ResultScale)", bytes,
                    static_cast<int>(dtype), real);
  }
  add_scalar(body, "ResultZero", zero_point);
  body.add("{} = QuantizeLinear ({}, ResultScale, ResultZero)", bytes, real);
}

/// The name of an input if the node has it.
std::string_view given(const Inference& node, std::size_t input, std::string_view name) {
  return node.has(input) ? name : "";
}

template <typename AddOp>
std::string unary_body(const Inference& node, const AddOp& add_op) {
  BodyText body;
  add_real(body, "Real", "X", "X_scale", given(node, 2, "X_zero_point"));
  add_op(body);
  add_bytes(body, "Y", "Result", "Y_scale", given(node, 4, "Y_zero_point"), node.dtype(0));
  return body.text();
}

std::string sigmoid_body(const Inference& node) {
  return unary_body(node, [](BodyText& body) { body.add("Result = Sigmoid (Real)"); });
}

std::string leaky_relu_body(const Inference& node) {
  return unary_body(
      node, [](BodyText& body) { body.add("Result = LeakyRelu <alpha: float = @alpha> (Real)"); });
}

Row unary_row(std::string_view name, std::string_view attributes, BodyRule write_body,
              RunsOn runs_on = RunsOn::device) {
  return {.op = name,
          .domain = kContribDomain,
          .signature = kUnary,
          .attributes = attributes,
          .types = kBytes,
          .shape = unary_shape,
          .runs_on = runs_on,
          .write_body = write_body,
          .example = "u2x3 p u p u"};
}

std::string binary_body(const Inference& node, std::string_view op) {
  BodyText body;
  add_real(body, "RealA", "A", "A_scale", given(node, 2, "A_zero_point"));
  add_real(body, "RealB", "B", "B_scale", given(node, 5, "B_zero_point"));
  body.add("Result = {} (RealA, RealB)", op);
  add_bytes(body, "C", "Result", "C_scale", given(node, 7, "C_zero_point"), node.dtype(0));
  return body.text();
}

Row binary_row(std::string_view name, BodyRule write_body) {
  return {.op = name,
          .domain = kContribDomain,
          .signature = kBinary,
          .types = kBytes,
          .shape = binary_shape,
          .write_body = write_body,
          .example = "u2x3 p u u3 p u p u"};
}

bool has_channels_last(const Inference& node) {
  return node.attributes().get_int("channels_last", 0) != 0;
}

/// Pools `Real` by a line that makes Pooled of Channelled, with the channels where ONNX has them.
template <typename AddPool>
std::string pool_body(const Inference& node, const AddPool& add_pool) {
  return unary_body(node, [&](BodyText& body) {
    if (!has_channels_last(node)) {
      body.add("Channelled = Identity (Real)");
      add_pool(body);
      return body.add("Result = Identity (Pooled)");
    }
    if (!node.has_rank(0)) {
      node.fail("the rank of X is not known, which channels_last needs; declare its shape");
    }
    std::string there = "0, " + std::to_string(node.rank(0) - 1), back = "0";
    for (std::int64_t axis = 1; axis + 1 < node.rank(0); ++axis) {
      there += fmt::format(", {}", axis);
      back += fmt::format(", {}", axis + 1);
    }
    body.add("Channelled = Transpose <perm = [{}]> (Real)", there);
    add_pool(body);
    body.add("Result = Transpose <perm = [{}, 1]> (Pooled)", back);
  });
}

std::string average_pool_body(const Inference& node) {
  return pool_body(node, [](BodyText& body) {
    body.add(
        "Pooled = AveragePool <auto_pad: string = @auto_pad, ceil_mode: int = @ceil_mode, "
        "count_include_pad: int = @count_include_pad, kernel_shape: ints = @kernel_shape, "
        "pads: ints = @pads, strides: ints = @strides> (Channelled)");
  });
}

std::string global_pool_body(const Inference& node) {
  return pool_body(node,
                   [](BodyText& body) { body.add("Pooled = GlobalAveragePool (Channelled)"); });
}

void require_scales(Inference& node) {
  require_scale(node, 1);
  require_scale(node, 3);
  require_rank_of_at_least(node, 0, 3);
}

void average_pool_shape(Inference& node) {
  require_scales(node);
  if (!has_channels_last(node)) pool_shape(node);
}

void global_pool_bytes_shape(Inference& node) {
  require_scales(node);
  if (!has_channels_last(node)) global_pool_shape(node);
}

Row qlinear_average_pool_row() {
  return {
      .op = "QLinearAveragePool",
      .domain = kContribDomain,
      .signature = "X:T X_scale:float32 X_zero_point:T? Y_scale:float32 Y_zero_point:T? -> Y:T",
      .attributes =
          "auto_pad:padding=NOTSET ceil_mode:flag=0 channels_last:flag=0 count_include_pad:flag=0 "
          "kernel_shape:ints! pads:ints strides:ints",
      .types = kBytes,
      .shape = average_pool_shape,
      .runs_on = RunsOn::body,
      .write_body = average_pool_body};
}

Row global_pool_row() {
  return {.op = "QLinearGlobalAveragePool",
          .domain = kContribDomain,
          .signature = "X:T X_scale:float32 X_zero_point:T? Y_scale:float32 Y_zero_point:T? -> Y:T",
          .attributes = "channels_last:flag=0",
          .types = kBytes,
          .shape = global_pool_bytes_shape,
          .runs_on = RunsOn::body,
          .write_body = global_pool_body};
}

/// Before opset 13 a Softmax was over all axes from its own on.
std::string softmax_body(const Inference& node) {
  return unary_body(node, [&](BodyText& body) {
    const std::int64_t opset = attribute_within(node, "opset", 0, 1, kTooLarge);
    const std::int64_t axis = node.attributes().get_int("axis", opset < 13 ? 1 : -1);
    if (opset >= 13) return body.add("Result = Softmax <axis = {}> (Real)", axis);
    body.add("Flat = Flatten <axis = {}> (Real)", axis);
    body.add("FlatResult = Softmax <axis = 1> (Flat)");
    body.add("XShape = Shape (X)");
    body.add("Result = Reshape <allowzero = 1> (FlatResult, XShape)");
  });
}

/// After the scale and zero point of the result, its parts: each with a scale and a zero point.
void concat_bytes_shape(Inference& node) {
  require_scale(node, 0);
  if (node.input_count() < 5 || (node.input_count() - 2) % 3 != 0) {
    node.fail(fmt::format("{} inputs are not a list of tensors, each with its scale and zero point",
                          node.input_count()));
  }
  for (std::size_t i = 2; i < node.input_count(); i += 3) {
    const bool fits = node.dtype(i) == node.dtype(1) && node.dtype(i + 1) == DType::float32 &&
                      node.dtype(i + 2) == node.dtype(1);
    if (!fits) {
      node.fail(
          fmt::format("inputs {} to {} must be a tensor of {}, a float32 scale and a zero "
                      "point of {}",
                      i, i + 2, name_of(node.dtype(1)), name_of(node.dtype(1))));
    }
    require_scale(node, i + 1);
  }
  concat_shape(node, 2, 3);
}

std::string concat_body(const Inference& node) {
  BodyText body;
  std::string parts;
  for (std::size_t i = 0; i + 2 < node.input_count(); i += 3) {
    const std::string real = fmt::format("Real{}", i);
    add_real(body, real, fmt::format("inputs_{}", i), fmt::format("inputs_{}", i + 1),
             fmt::format("inputs_{}", i + 2));
    parts += (i == 0 ? "" : ", ") + real;
  }
  body.add("Result = Concat <axis: int = @axis> ({})", parts);
  add_bytes(body, "Y", "Result", "Y_scale", "Y_zero_point", node.dtype(1));
  return body.text();
}

Row concat_row() {
  return {.op = "QLinearConcat",
          .domain = kContribDomain,
          .signature = "Y_scale:float32 Y_zero_point:T inputs:int8|uint8|float32*~ -> Y:T",
          .attributes = "axis:int!",
          .types = kBytes,
          .shape = concat_bytes_shape,
          .write_body = concat_body,
          .example = "p u u2x3 p u u2x1 p u axis=1"};
}

void where_bytes_shape(Inference& node) {
  for (const std::size_t i : {2, 5, 7}) require_scale(node, i);
  if (!node.has_rank(0) || !node.has_rank(1) || !node.has_rank(4)) return;
  const Dims operands = broadcast(node, node.shape(1), node.shape(4));
  node.set_shape(0, broadcast(node, node.shape(0), operands));
}

std::string where_body(const Inference& node) {
  BodyText body;
  add_real(body, "RealX", "X", "x_scale", "x_zero_point");
  add_real(body, "RealY", "Y", "y_scale", "y_zero_point");
  body.add("Result = Where (condition, RealX, RealY)");
  add_bytes(body, "Z", "Result", "z_scale", "z_zero_point", node.dtype(1));
  return body.text();
}

Row where_bytes_row() {
  return {.op = "QLinearWhere",
          .domain = kContribDomain,
          .signature =
              "condition:bool X:T x_scale:float32 x_zero_point:T Y:T y_scale:float32 "
              "y_zero_point:T z_scale:float32 z_zero_point:T -> Z:T",
          .types = kBytes,
          .shape = where_bytes_shape,
          .runs_on = RunsOn::body,
          .write_body = where_body};
}

}  // namespace

std::vector<Row> contrib_qlinear_rows() {
  return {binary_row("QLinearAdd", [](const Inference& node) { return binary_body(node, "Add"); }),
          binary_row("QLinearMul", [](const Inference& node) { return binary_body(node, "Mul"); }),
          unary_row("QLinearSigmoid", "", sigmoid_body),
          unary_row("QLinearLeakyRelu", "alpha:float=0.01", leaky_relu_body),
          unary_row("QLinearSoftmax", "axis:int opset:int!", softmax_body, RunsOn::body),
          qlinear_average_pool_row(),
          global_pool_row(),
          concat_row(),
          where_bytes_row()};
}

}  // namespace switchyard
