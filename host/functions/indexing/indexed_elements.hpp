#pragma once

#include <cstdint>
#include <string_view>
#include <switchyard/tensor.hpp>

namespace switchyard {

// Functions of <switchyard/functions/indexing.hpp> as gradient rules call them: of ranks above 0,
// with indices that the rule made, or that an op has taken, which counts them from either end.
/// As index_select.
Tensor select_slices(const Tensor& x, std::int64_t dim, const Tensor& index);
Tensor gather_elements(const Tensor& x, std::int64_t dim, const Tensor& index);
Tensor scatter_elements(const Tensor& x, std::int64_t dim, const Tensor& index,
                        const Tensor& source, std::string_view reduction);
/// As index_add.
Tensor add_slices(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source);
/// Zeros of `shape` to which the elements of `value` are added, each where as_strided(shape,
/// strides, offset) has it: the gradient of a view.
Tensor as_strided_scatter_add(const Dims& shape, const Tensor& value, const Dims& strides,
                              std::int64_t offset);

}  // namespace switchyard
