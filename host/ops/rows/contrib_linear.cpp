// com.microsoft: products and convolutions with what follows them.
#include <algorithm>
#include <numeric>

#include <fmt/ranges.h>

#include "ops/bodies/activation.hpp"
#include "ops/bodies/body_text.hpp"
#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/matmul.hpp"
#include "ops/shapes/windows/convolution.hpp"

namespace switchyard {

namespace {

/// The order of the axes of one factor of a FusedMatMul, from the front; empty if it is as it was.
/// A vector has nothing to transpose.
std::vector<std::int64_t> factor_axes(const Inference& node, std::size_t input,
                                      std::string_view matrix, std::string_view batch) {
  const bool turns_matrix = node.attributes().get_int(matrix, 0) != 0;
  const bool turns_batch = node.attributes().get_int(batch, 0) != 0;
  if (!turns_matrix && !turns_batch) return {};
  if (!node.has_rank(input)) {
    node.fail(
        fmt::format("the rank of input {} is not known, which transposing it needs; declare "
                    "its shape in the model",
                    input));
  }
  const std::int64_t rank = node.rank(input);
  if (rank < 2) return {};
  std::vector<std::int64_t> axes(static_cast<std::size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (turns_batch) std::rotate(axes.begin(), axes.begin() + 1, axes.end() - 1);
  if (turns_matrix) std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return axes;
}

Dims turned(const Dims& shape, const std::vector<std::int64_t>& axes) {
  if (axes.empty()) return shape;
  Dims result;
  for (const std::int64_t axis : axes) result.push_back(shape[static_cast<std::size_t>(axis)]);
  return result;
}

void fused_matmul_shape(Inference& node) {
  if (!node.has_rank(0) || !node.has_rank(1)) return;
  const Dims a = turned(node.shape(0), factor_axes(node, 0, "transA", "transBatchA"));
  const Dims b = turned(node.shape(1), factor_axes(node, 1, "transB", "transBatchB"));
  node.set_shape(0, matmul(node, a, b));
}

std::string add_factor(BodyText& body, std::string_view name,
                       const std::vector<std::int64_t>& axes) {
  if (axes.empty()) return std::string(name);
  body.add("{}Turned = Transpose <perm = [{}]> ({})", name, fmt::join(axes, ", "), name);
  return fmt::format("{}Turned", name);
}

std::string fused_matmul_body(const Inference& node) {
  BodyText body;
  const std::string a = add_factor(body, "A", factor_axes(node, 0, "transA", "transBatchA"));
  const std::string b = add_factor(body, "B", factor_axes(node, 1, "transB", "transBatchB"));
  const float alpha = node.attributes().get_float("alpha", 1);
  if (alpha == 1) {
    body.add("Y = MatMul ({}, {})", a, b);
    return body.text();
  }
  body.add("Product = MatMul ({}, {})", a, b);
  body.add_number("Alpha", alpha, "A");
  body.add("Y = Mul (Product, Alpha)");
  return body.text();
}

/// TransposeMatMul is FusedMatMul under its first name.
Row fused_matmul_row(std::string_view name) {
  return {.op = name,
          .domain = kContribDomain,
          .signature = "A:T B:T -> Y:T",
          .attributes =
              "alpha:float=1 transA:flag=0 transB:flag=0 transBatchA:flag=0 transBatchB:flag=0",
          .types = "T=float",
          .shape = fused_matmul_shape,
          .runs_on = RunsOn::body,
          .write_body = fused_matmul_body};
}

void fused_conv_shape(Inference& node) {
  conv_shape(node);
  if (node.has_rank(3) && node.output_shape(0)) {
    require_shape(node, 3, "Z", *node.output_shape(0), "the shape of the convolution");
  }
}

std::string fused_conv_body(const Inference& node) {
  BodyText body;
  body.add(
      "Convolved = Conv <auto_pad: string = @auto_pad, dilations: ints = @dilations, "
      "group: int = @group, kernel_shape: ints = @kernel_shape, pads: ints = @pads, "
      "strides: ints = @strides> (X, W{})",
      node.has(2) ? ", B" : "");
  if (node.has(3)) {
    body.add("ConvolvedShape = Shape (Convolved)");
    body.add("Broadcast = Add (Convolved, Z)");
    body.add("Sum = Reshape <allowzero = 1> (Broadcast, ConvolvedShape)");
  }
  add_activation(body, node, node.attributes().get_text("activation", ""),
                 node.attributes().get_floats("activation_params"), "Y",
                 node.has(3) ? "Sum" : "Convolved");
  return body.text();
}

Row fused_conv_row() {
  return {.op = "FusedConv",
          .domain = kContribDomain,
          .signature = "X:T W:T B:T? Z:T? -> Y:T",
          .attributes =
              "activation:text activation_params:floats auto_pad:padding=NOTSET dilations:ints "
              "group:int=1 kernel_shape:ints pads:ints strides:ints",
          .types = "T=float",
          .shape = fused_conv_shape,
          .runs_on = RunsOn::body,
          .write_body = fused_conv_body};
}

std::string fused_gemm_body(const Inference& node) {
  BodyText body;
  body.add(
      "Product = Gemm <alpha: float = @alpha, beta: float = @beta, transA: int = @transA, "
      "transB: int = @transB> (A, B{})",
      node.has(2) ? ", C" : "");
  std::vector<float> parameters;
  for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (!node.attributes().has(name)) continue;
    parameters.push_back(node.attributes().get_float(name, 0));
  }
  add_activation(body, node, node.attributes().get_text("activation", ""), parameters, "Y",
                 "Product");
  return body.text();
}

Row fused_gemm_row() {
  return {.op = "FusedGemm",
          .domain = kContribDomain,
          .signature = "A:T B:T C:T? -> Y:T",
          .attributes =
              "activation:text activation_alpha:float activation_beta:float "
              "activation_gamma:float alpha:float=1 beta:float=1 transA:flag=0 transB:flag=0",
          .types = "T=float",
          .shape = gemm_shape,
          .runs_on = RunsOn::body,
          .write_body = fused_gemm_body};
}

}  // namespace

std::vector<Row> contrib_linear_rows() {
  return {fused_matmul_row("FusedMatMul"), fused_matmul_row("TransposeMatMul"), fused_conv_row(),
          fused_gemm_row()};
}

}  // namespace switchyard
