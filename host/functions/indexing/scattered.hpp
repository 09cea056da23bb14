#pragma once

#include <cstdint>
#include <string_view>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// scatter() of the function of that name, whose writes ScatterElements joins by `reduction`: a
/// source that is a number is written everywhere. Throws Error(invalid_argument) naming the
/// function for what does not go together, and for indices outside of the dimension.
Tensor scattered(std::string_view function, const Tensor& x, std::int64_t dim, const Tensor& index,
                 const Tensor& source, std::string_view reduction);

}  // namespace switchyard
