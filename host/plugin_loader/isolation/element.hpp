/// The elements of an array of structs, with a size of their own or without.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

namespace switchyard::isolation {

template <typename Struct>
Struct& element(const Struct* elements, std::uint64_t index) {
  if constexpr (requires { elements->struct_size; }) {
    return const_cast<Struct&>(*SY_AT(Struct, elements, index));
  } else {
    return const_cast<Struct&>(elements[index]);
  }
}

template <typename Struct>
void set_size(Struct& made) {
  if constexpr (requires { made.struct_size; }) made.struct_size = sizeof(Struct);
}

}  // namespace switchyard::isolation
