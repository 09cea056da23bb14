#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// The type that `output_datatype` names.
void output_datatype_type(Inference& inference);

/// HannWindow and its like: as long as input 0 says.
void window_function_shape(Inference& inference);

void mel_weight_matrix_shape(Inference& inference);
void dft_shape(Inference& inference);
void stft_shape(Inference& inference);

}  // namespace switchyard
