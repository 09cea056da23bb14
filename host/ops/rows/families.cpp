#include "ops/rows/families.hpp"

namespace switchyard {

std::span<const Family> families() {
  static constexpr Family kFamilies[] = {
      {"unary", unary_rows},
      {"arithmetic", arithmetic_rows},
      {"comparison", comparison_rows},
      {"activation", activation_rows},
      {"reduction", reduction_rows},
      {"linear", linear_rows},
      {"normalization", normalization_rows},
      {"quantization", quantization_rows},
      {"cast", cast_rows},
      {"random", random_rows},
      {"gradient", gradient_rows},
      {"line gradient", line_gradient_rows},
      {"optimizer", optimizer_rows},
      {"attention", attention_rows},
      {"loss", loss_rows},
      {"signal", signal_rows},
      {"view", view_rows},
      {"shaping", shaping_rows},
      {"movement", movement_rows},
      {"selection", selection_rows},
      {"indexing", indexing_rows},
      {"convolution", convolution_rows},
      {"pooling", pooling_rows},
      {"image", image_rows},
      {"recurrent", recurrent_rows},
      {"control", control_rows},
      {"sequence", sequence_rows},
      {"optional", optional_rows},
      {"text", text_rows},
      {"assertion", assertion_rows},
      {"contrib pointwise", contrib_pointwise_rows},
      {"contrib linear", contrib_linear_rows},
      {"contrib normalization", contrib_normalization_rows},
      {"contrib quantization", contrib_quantization_rows},
      {"contrib qlinear", contrib_qlinear_rows},
      {"contrib attention", contrib_attention_rows},
      {"contrib decoder", contrib_decoder_rows},
  };
  return kFamilies;
}

}  // namespace switchyard
