#include "kernels/kernels.hpp"

#include <vector>

namespace cpu {

std::span<const KernelTable> kernel_tables() {
  static const auto& tables = *new std::vector<KernelTable>{
#ifdef SWITCHYARD_CPU_ONEDNN
      onednn_convolution_kernels(),
      onednn_convolution_gradient_kernels(),
      onednn_product_kernels(),
#endif
      unary_kernels(),
      activation_kernels(),
      cast_kernels(),
      arithmetic_kernels(),
      comparison_kernels(),
      choice_kernels(),
      reduction_kernels(),
      scan_kernels(),
      softmax_kernels(),
      layer_norm_kernels(),
      normalization_kernels(),
      quantization_kernels(),
      dynamic_quantization_kernels(),
      quantized_elementwise_kernels(),
      random_kernels(),
      philox_kernels(),
      optimizer_kernels(),
      signal_kernels(),
      window_kernels(),
      loss_kernels(),
      concat_kernels(),
      gather_kernels(),
      scatter_kernels(),
      pad_kernels(),
      generate_kernels(),
      attention_kernels(),
      rotary_embedding_kernels(),
      linear_attention_kernels(),
      reinterpretation_kernels(),
      tensor_scatter_kernels(),
      col2im_kernels(),
      rearrange_kernels(),
      find_kernels(),
      top_k_kernels(),
      dropout_kernels(),
      resize_kernels(),
      recurrent_kernels(),
      suppression_kernels(),
      grid_sample_kernels(),
      matmul_kernels(),
      linear_kernels(),
      einsum_kernels(),
      determinant_kernels(),
      matmul_integer_kernels(),
      convolution_kernels(),
      convolution_gradient_kernels(),
      convolution_transpose_kernels(),
      deformable_convolution_kernels(),
      convolution_integer_kernels(),
      pooling_kernels(),
      global_pooling_kernels(),
      pooling_gradient_kernels(),
      softmax_gradient_kernels(),
      layer_norm_gradient_kernels(),
      max_unpool_kernels(),
      region_pooling_kernels(),
  };
  return tables;
}

}  // namespace cpu
