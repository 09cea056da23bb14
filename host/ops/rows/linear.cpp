// Products of matrices and tensors.
#include "ops/rows/families.hpp"
#include "ops/shapes/einsum.hpp"
#include "ops/shapes/matmul.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kWide = "T=float|int32|int64|uint32|uint64";
constexpr std::string_view kWideIr3 = "T=float_ir3|int32|int64|uint32|uint64";
constexpr std::string_view kGemmAttributes =
    "alpha:float=1 beta:float=1 transA:flag=0 transB:flag=0";
constexpr std::string_view kFirstGemmAttributes =
    "alpha:float=1 beta:float=1 broadcast:flag=0 transA:flag=0 transB:flag=0";

Row matmul_row() {
  return {.op = "MatMul",
          .version = 13,
          .signature = "A:T B:T -> Y:T",
          .types = kWide,
          .revisions = {{1, "T=float_ir3"}, {9, kWideIr3}},
          .shape = matmul_shape,
          .example = "f2x3x4 f4x5",
          .autocast = AutocastTo::low_precision};
}

/// C has always broadcast as NumPy does; the first versions wanted an attribute for it.
Row gemm_row() {
  const auto drop_broadcast = [](NodeDraft& node) { node.attributes.remove("broadcast"); };
  return {
      .op = "Gemm",
      .version = 13,
      .signature = "A:T B:T C:T? -> Y:T",
      .attributes = kGemmAttributes,
      .types = kWide,
      .revisions = {{1, "T=float_ir3", "A:T B:T C:T -> Y:T", kFirstGemmAttributes},
                    {6, "T=float_ir3", "A:T B:T C:T -> Y:T", kFirstGemmAttributes, drop_broadcast},
                    {7, "T=float_ir3", "A:T B:T C:T -> Y:T"},
                    {9, kWideIr3, "A:T B:T C:T -> Y:T"},
                    {11, kWideIr3}},
      .shape = gemm_shape,
      .example = "f2x3 f4x3 f4 transB=1 alpha=0.5",
      .autocast = AutocastTo::low_precision};
}

Row einsum_row() {
  return {.op = "Einsum",
          .version = 12,
          .signature = "Inputs:T* -> Output:T",
          .attributes = "equation:text!",
          .types = "T=numeric",
          .onnx_types = "T=numeric_ir3",
          .shape = einsum_shape,
          .example = "f2x3 f3x4 equation=ij,jk->ki",
          .autocast = AutocastTo::low_precision};
}

Row matmul_integer_row() {
  return {.op = "MatMulInteger",
          .version = 10,
          .signature = "A:T1 B:T2 a_zero_point:T1? b_zero_point:T2? -> Y:T3",
          .types = "T1=int8|uint8 T2=int8|uint8 T3=int32",
          .shape = matmul_integer_shape,
          .example = "u2x3 c3x4"};
}

Row det_row() {
  return {.op = "Det",
          .version = 22,
          .signature = "X:T -> Y:T",
          .types = "T=float",
          .revisions = {{11, "T=float_ir3"}},
          .shape = det_shape,
          .example = "f2x3x3"};
}

}  // namespace

std::vector<Row> linear_rows() {
  return {matmul_row(), gemm_row(), einsum_row(), matmul_integer_row(), det_row()};
}

}  // namespace switchyard
