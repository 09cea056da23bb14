#pragma once

#include <string_view>

namespace switchyard::c_api {

/// A copy that the caller of the C API frees with swy_text_release. Throws std::bad_alloc.
char* text_for_caller(std::string_view text);

}  // namespace switchyard::c_api
