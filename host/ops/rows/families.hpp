#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/row.hpp"

namespace switchyard {

/// The domain of onnxruntime's own ops, whose rows stand in contrib_*.cpp.
inline constexpr std::string_view kContribDomain = "com.microsoft";

/// A group of rows that share a source file.
struct Family {
  std::string_view name;
  std::vector<Row> (*rows)();
};

/// Every family: the one list that knows them.
std::span<const Family> families();

std::vector<Row> unary_rows();
std::vector<Row> arithmetic_rows();
std::vector<Row> comparison_rows();
std::vector<Row> activation_rows();
std::vector<Row> reduction_rows();
std::vector<Row> linear_rows();
std::vector<Row> normalization_rows();
std::vector<Row> quantization_rows();
std::vector<Row> cast_rows();
std::vector<Row> random_rows();
std::vector<Row> gradient_rows();
std::vector<Row> line_gradient_rows();
std::vector<Row> optimizer_rows();
std::vector<Row> attention_rows();
std::vector<Row> loss_rows();
std::vector<Row> signal_rows();
std::vector<Row> view_rows();
std::vector<Row> shaping_rows();
std::vector<Row> movement_rows();
std::vector<Row> selection_rows();
std::vector<Row> indexing_rows();
std::vector<Row> convolution_rows();
std::vector<Row> pooling_rows();
std::vector<Row> image_rows();
std::vector<Row> recurrent_rows();
std::vector<Row> control_rows();
std::vector<Row> sequence_rows();
std::vector<Row> optional_rows();
std::vector<Row> text_rows();
std::vector<Row> assertion_rows();
std::vector<Row> contrib_pointwise_rows();
std::vector<Row> contrib_linear_rows();
std::vector<Row> contrib_normalization_rows();
std::vector<Row> contrib_quantization_rows();
std::vector<Row> contrib_qlinear_rows();
std::vector<Row> contrib_attention_rows();
std::vector<Row> contrib_decoder_rows();

}  // namespace switchyard
