// What holds for the elements of a storage, wherever a call names some.
#pragma once

#include "call.hpp"
#include "elements.hpp"

namespace validation {

// The type and the rank are such that the other questions can be asked; `which` is told with what
// is not.
bool check_form(Call& call, const std::string& which, sy_dtype dtype, uint32_t rank,
                const int64_t* shape, const int64_t* strides);

// They lie in the storage, which is not mapped. Returns whether they lie in it.
bool check_place(Call& call, const std::string& which, const Storage& storage,
                 const Elements& elements);

}  // namespace validation
