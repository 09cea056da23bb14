#pragma once

#include "ops/row.hpp"

// Ops on text. No plugin gets text; the rules serve to check models.
namespace switchyard {

void string_normalizer_shape(Inference& node);
void tf_idf_vectorizer_shape(Inference& node);
void string_split_shape(Inference& node);

}  // namespace switchyard
