#pragma once

#include "ops/inference.hpp"

namespace switchyard {

void attention_shape(Inference& inference);

void rotary_embedding_shape(Inference& inference);

/// TensorScatter: the cache's shape, of which the update differs along `axis` alone.
void tensor_scatter_shape(Inference& inference);

void linear_attention_shape(Inference& inference);

/// The state has the type of the state before; without one, the query's.
void linear_attention_type(Inference& inference);

void causal_convolution_shape(Inference& inference);

}  // namespace switchyard
