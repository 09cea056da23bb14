#pragma once

#include <string_view>

namespace switchyard {

/// Throws Error(invalid_argument): what the backward pass of that op or function had saved is gone.
[[noreturn]] void refuse_released(std::string_view name);

}  // namespace switchyard
