// All families of kernels. A family is one table, at the end of its file under kernels/ or onednn/;
// to add one, declare its function here and list it in kernels.cpp.
#pragma once

#include <span>

#include "run/kernel.hpp"

namespace cpu {

// kernels/
KernelTable unary_kernels();                  // unary.cpp: Abs, Exp, Sin, Not ...
KernelTable activation_kernels();             // activation.cpp: Relu, Gelu ...
KernelTable cast_kernels();                   // cast.cpp
KernelTable arithmetic_kernels();             // arithmetic.cpp: Add, Div, Pow, Max ...
KernelTable comparison_kernels();             // comparison.cpp: Equal, And, BitShift ...
KernelTable choice_kernels();                 // choice.cpp: Where, Clip
KernelTable reduction_kernels();              // reduction.cpp: ReduceSum ...
KernelTable scan_kernels();                   // scan.cpp: ArgMax, ArgMin, CumSum, CumProd
KernelTable softmax_kernels();                // softmax.cpp
KernelTable layer_norm_kernels();             // layer_norm.cpp: LayerNormalization, LpNormalization
KernelTable normalization_kernels();          // normalization.cpp: BatchNormalization, LRN ...
KernelTable quantization_kernels();           // quantization.cpp: QuantizeLinear, DequantizeLinear
KernelTable dynamic_quantization_kernels();   // dynamic_quantization.cpp: DynamicQuantizeLinear
KernelTable quantized_elementwise_kernels();  // quantized_elementwise.cpp: QLinearAdd ...
KernelTable random_kernels();                 // random.cpp: RandomUniform, Bernoulli ...
KernelTable philox_kernels();                 // philox.cpp: PhiloxUniform ...
KernelTable optimizer_kernels();              // optimizer.cpp: SgdStep, AdamStep ...
KernelTable signal_kernels();                 // signal.cpp: DFT, STFT
KernelTable window_kernels();                 // window.cpp: HannWindow ..., MelWeightMatrix
KernelTable loss_kernels();                   // loss.cpp
KernelTable concat_kernels();                 // concat.cpp: Concat, Tile
KernelTable gather_kernels();                 // gather.cpp: Gather, GatherElements, GatherND
KernelTable scatter_kernels();                // scatter.cpp: ScatterElements, ScatterND
KernelTable pad_kernels();                    // pad.cpp
KernelTable generate_kernels();   // generate.cpp: ConstantOfShape, Range, EyeLike, OneHot, Trilu
KernelTable attention_kernels();  // attention.cpp
KernelTable rotary_embedding_kernels();  // rotary_embedding.cpp
KernelTable
linear_attention_kernels();  // linear_attention.cpp: LinearAttention, CausalConvWithState
KernelTable reinterpretation_kernels();  // reinterpretation.cpp: BitCast
KernelTable tensor_scatter_kernels();    // tensor_scatter.cpp
KernelTable col2im_kernels();            // col2im.cpp
KernelTable rearrange_kernels();       // rearrange.cpp: DepthToSpace, SpaceToDepth, ReverseSequence
KernelTable find_kernels();            // find.cpp: NonZero, Compress
KernelTable top_k_kernels();           // top_k.cpp: TopK, Unique
KernelTable dropout_kernels();         // dropout.cpp
KernelTable resize_kernels();          // resize.cpp
KernelTable recurrent_kernels();       // recurrent.cpp: RNN, GRU, LSTM
KernelTable suppression_kernels();     // non_max_suppression.cpp
KernelTable grid_sample_kernels();     // grid_sample.cpp: GridSample, AffineGrid
KernelTable matmul_kernels();          // matmul.cpp
KernelTable linear_kernels();          // linear.cpp: Gemm ...
KernelTable einsum_kernels();          // einsum.cpp
KernelTable determinant_kernels();     // determinant.cpp: Det
KernelTable matmul_integer_kernels();  // matmul_integer.cpp: MatMulInteger, QLinearMatMul
KernelTable convolution_kernels();     // convolution.cpp: Conv
KernelTable convolution_gradient_kernels();    // convolution_gradient.cpp: of input and weights
KernelTable convolution_transpose_kernels();   // convolution_transpose.cpp: ConvTranspose
KernelTable deformable_convolution_kernels();  // deformable_convolution.cpp: DeformConv
KernelTable convolution_integer_kernels();     // convolution_integer.cpp: ConvInteger, QLinearConv
KernelTable pooling_kernels();                 // pooling.cpp: MaxPool, AveragePool, LpPool
KernelTable global_pooling_kernels();          // global_pooling.cpp
KernelTable pooling_gradient_kernels();        // pooling_gradient.cpp: MaxPoolGradient ...
KernelTable softmax_gradient_kernels();        // softmax_gradient.cpp
KernelTable layer_norm_gradient_kernels();     // layer_norm_gradient.cpp
KernelTable max_unpool_kernels();              // max_unpool.cpp
KernelTable region_pooling_kernels();          // region_pooling.cpp: RoiAlign, MaxRoiPool

// onednn/
KernelTable onednn_convolution_kernels();
KernelTable onednn_convolution_gradient_kernels();
KernelTable onednn_product_kernels();  // product.cpp: MatMul and Gemm in bfloat16

// The tables in the order of their claim to a node: rows that are best where they fit come first.
std::span<const KernelTable> kernel_tables();

}  // namespace cpu
