// What must hold of each operation beyond its row: each rule throws seam::Failure if it does not.
#pragma once

#include "software/interpreter/inspection.hpp"

namespace mps::software::interpreter {

void check_input(const Inspection& node);
void check_constant(const Inspection& node);

void check_unary(const Inspection& node);
void check_is_nan(const Inspection& node);
void check_arithmetic(const Inspection& node);
void check_relation(const Inspection& node);
void check_select(const Inspection& node);
void check_clamp(const Inspection& node);
void check_cast(const Inspection& node);
void check_normalize(const Inspection& node);

void check_reshape(const Inspection& node);
void check_broadcast(const Inspection& node);
void check_transpose(const Inspection& node);
void check_concatenate(const Inspection& node);
void check_slice(const Inspection& node);
void check_pad(const Inspection& node);
void check_gather(const Inspection& node);

void check_reduction(const Inspection& node);
void check_softmax(const Inspection& node);
void check_matrix_product(const Inspection& node);

void check_convolution(const Inspection& node);
void check_transposed_convolution(const Inspection& node);
void check_convolution_weight_gradient(const Inspection& node);
void check_pooling(const Inspection& node);
void check_resize(const Inspection& node);

}  // namespace mps::software::interpreter
