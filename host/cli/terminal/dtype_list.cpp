#include "cli/terminal/dtype_list.hpp"

#include <string_view>
#include <switchyard/dtype.hpp>

namespace switchyard::cli {
namespace {

constexpr DType kInOrder[] = {
    DType::float16,        DType::float32,      DType::float64,        DType::bfloat16,
    DType::float4e2m1,     DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2,
    DType::float8e5m2fnuz, DType::float8e8m0,   DType::int2,           DType::int4,
    DType::int8,           DType::int16,        DType::int32,          DType::int64,
    DType::uint2,          DType::uint4,        DType::uint8,          DType::uint16,
    DType::uint32,         DType::uint64,       DType::bool_,          DType::complex64,
    DType::complex128,     DType::string};

/// The name without the width that it ends in.
std::string_view kind_of(std::string_view name) {
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

}  // namespace

std::string dtype_list(std::uint64_t dtypes) {
  std::string text;
  std::string_view kind;
  for (const DType dtype : kInOrder) {
    if ((dtypes >> static_cast<int>(dtype) & 1) == 0) continue;
    const std::string_view name = name_of(dtype);
    if (!text.empty() && kind == kind_of(name)) {
      text.append("/").append(name.substr(kind.size()));
      continue;
    }
    kind = kind_of(name);
    if (!text.empty()) text += " ";
    text += name;
  }
  return text.empty() ? "-" : text;
}

}  // namespace switchyard::cli
