#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <switchyard/dtype.hpp>

namespace switchyard {

/// A set of element types: bit `1 << dtype` for each.
using TypeSet = std::uint64_t;

constexpr TypeSet type_set_of(DType dtype) { return TypeSet{1} << static_cast<int>(dtype); }

constexpr bool contains(TypeSet set, DType dtype) { return (set & type_set_of(dtype)) != 0; }

/// The set that a row's text names, "float|int32|bool": groups (see Row) and single types.
/// A name that is neither is an Error(internal).
TypeSet parse_type_set(std::string_view text);

/// The set as people read it: "float32, int64 or bool".
std::string describe(TypeSet set);

}  // namespace switchyard
