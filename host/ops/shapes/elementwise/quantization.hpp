#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// QuantizeLinear and DequantizeLinear: the output has the input's shape; the scale is a scalar,
/// one number for each element along `axis`, or, with `block_size`, one for each block.
void linear_quantization_shape(Inference& inference);

/// QuantizeLinear without a zero point: `output_dtype`, else uint8.
void quantize_type(Inference& inference);

/// The output has the type that `output_dtype` names, else the scale's.
void dequantize_type(Inference& inference);

void dynamic_quantize_shape(Inference& inference);

/// ConvInteger and QLinearConv: Conv of inputs 0 and 1, or 0 and 3.
void conv_integer_shape(Inference& inference);
void qlinear_conv_shape(Inference& inference);

}  // namespace switchyard
