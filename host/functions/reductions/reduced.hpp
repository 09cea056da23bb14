#pragma once

#include <string_view>

#include <switchyard/tensor.hpp>

#include "functions/calls/call.hpp"

namespace switchyard {

/// `dims` as a reduction has them: each in [0, rank), or all where none is named. Throws
/// Error(invalid_argument) naming the function if one lies outside or comes twice.
Dims reduced_dims(std::string_view function, const Tensor& x, const Dims& dims);

/// The same; throws Error(invalid_argument) naming the function if there are no elements to choose
/// from.
Dims nonempty_dims(std::string_view function, const Tensor& x, const Dims& dims);

/// What an op of the Reduce family gives over those dimensions.
Tensor reduced(const EagerOp& op, const Tensor& x, const Dims& dims, bool keepdim);

/// Integers and bools as int64, in which they add up and multiply.
Tensor as_summable(const Tensor& x);

}  // namespace switchyard
