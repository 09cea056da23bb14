// What transformers are made of, and layers that take attention's place.
#include "ops/shapes/attention.hpp"
#include "ops/rows/families.hpp"

namespace switchyard {

namespace {

/// Before 24 padding was told by the mask alone.
Row attention_row() {
  return {.op = "Attention",
          .version = 24,
          .signature =
              "Q:T1 K:T1 V:T2 attn_mask:U? past_key:T1? past_value:T2? nonpad_kv_seqlen:int64? -> "
              "Y:T1 present_key:T1? present_value:T2? qk_matmul_output:T1?",
          .attributes =
              "is_causal:flag=0 kv_num_heads:int q_num_heads:int qk_matmul_output_mode:int(0..3)=0 "
              "scale:float softcap:float=0 softmax_precision:int",
          .types = "T1=float T2=float U=numeric|bool",
          .revisions = {{23, "",
                         "Q:T1 K:T1 V:T2 attn_mask:U? past_key:T1? past_value:T2? -> "
                         "Y:T1 present_key:T1? present_value:T2? qk_matmul_output:T1?"}},
          .shape = attention_shape,
          .example = "f1x2x3x4 f1x2x5x4 f1x2x5x4"};
}

Row rotary_embedding_row() {
  return {.op = "RotaryEmbedding",
          .version = 23,
          .signature = "X:T cos_cache:T sin_cache:T position_ids:int64? -> Y:T",
          .attributes = "interleaved:flag=0 num_heads:int rotary_embedding_dim:int=0",
          .types = "T=float",
          .onnx_types = "T=float32|float16|bfloat16",
          .shape = rotary_embedding_shape,
          .example = "f1x2x3x4 f1x3x2 f1x3x2"};
}

Row tensor_scatter_row() {
  return {.op = "TensorScatter",
          .version = 24,
          .signature = "past_cache:T update:T write_indices:int64? -> present_cache:T",
          .attributes = "axis:int=-2 mode:text(linear|circular)=linear",
          .types = "T=all",
          .onnx_types = "T=any_ir12",
          .shape = tensor_scatter_shape,
          .example = "f2x4x3 f2x1x3 l0,2"};
}

Row linear_attention_row() {
  return {.op = "LinearAttention",
          .version = 27,
          .signature =
              "query:T key:T value:T past_state:S? decay:T? beta:T? -> output:T present_state:S",
          .attributes =
              "chunk_size:int=64 kv_num_heads:int! q_num_heads:int! scale:float=0 "
              "update_rule:text(linear|gated|delta|gated_delta)=gated_delta",
          .types = "T=float32|float16|bfloat16 S=float32|float16|bfloat16",
          .shape = linear_attention_shape,
          .type = linear_attention_type,
          .example = "f1x3x4 f1x3x4 f1x3x4 q_num_heads=2 kv_num_heads=2 update_rule=linear"};
}

Row causal_convolution_row() {
  return {.op = "CausalConvWithState",
          .version = 27,
          .signature = "input:T weight:T bias:T? past_state:T? -> output:T present_state:T",
          .attributes = "activation:text(none|silu|swish)=none",
          .types = "T=float32|float16|bfloat16",
          .shape = causal_convolution_shape,
          .example = "f1x2x5 f2x1x3"};
}

}  // namespace

std::vector<Row> attention_rows() {
  return {attention_row(), rotary_embedding_row(), tensor_scatter_row(), linear_attention_row(),
          causal_convolution_row()};
}

}  // namespace switchyard
