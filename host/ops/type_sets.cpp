#include "ops/type_sets.hpp"

#include <optional>
#include <vector>

#include <switchyard/error.hpp>

#include <fmt/format.h>

namespace switchyard {

namespace {

constexpr TypeSet sets(std::initializer_list<DType> dtypes) {
  TypeSet set = 0;
  for (DType dtype : dtypes) set |= type_set_of(dtype);
  return set;
}

constexpr TypeSet kUnsigned = sets({DType::uint8, DType::uint16, DType::uint32, DType::uint64});
constexpr TypeSet kSigned = sets({DType::int8, DType::int16, DType::int32, DType::int64});
constexpr TypeSet kFloatIr3 = sets({DType::float16, DType::float32, DType::float64});
constexpr TypeSet kBfloat = sets({DType::bfloat16});
constexpr TypeSet kNumericIr3 = kUnsigned | kSigned | kFloatIr3;
constexpr TypeSet kFloat8 =
    sets({DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz});
constexpr TypeSet kInt4 = sets({DType::int4, DType::uint4});
constexpr TypeSet kInt2 = sets({DType::int2, DType::uint2});
constexpr TypeSet kFloat4 = sets({DType::float4e2m1});
constexpr TypeSet kFloat8E8M0 = sets({DType::float8e8m0});
constexpr TypeSet kString = sets({DType::string});
constexpr TypeSet kAllIr3 = kNumericIr3 | sets({DType::bool_, DType::complex64, DType::complex128});
constexpr TypeSet kAllIr10 = kAllIr3 | kBfloat | kFloat8 | kInt4;
constexpr TypeSet kAllIr11 = kAllIr10 | kFloat4;
constexpr TypeSet kAllIr12 = kAllIr11 | kFloat8E8M0;
constexpr TypeSet kAll = kAllIr12 | kInt2;
// What Cast takes, but text.
constexpr TypeSet kNumbers = kAll & ~sets({DType::complex64, DType::complex128});

struct Group {
  std::string_view name;
  TypeSet set;
};

constexpr Group kGroups[] = {
    {"all", kAll},
    {"any", kAll | kString},
    {"float", kFloatIr3 | kBfloat},
    {"integer", kUnsigned | kSigned},
    {"signed", kSigned},
    {"unsigned", kUnsigned},
    {"numeric", kNumericIr3 | kBfloat},
    {"float8", kFloat8},
    {"int4s", kInt4},
    {"int2s", kInt2},
    {"numbers", kNumbers},
    {"numbers_ir10", kAllIr10& kNumbers},
    {"numbers_ir11", kAllIr11& kNumbers},
    {"numbers_ir12", kAllIr12& kNumbers},
    {"all_ir3", kAllIr3},
    {"all_ir4", kAllIr3 | kBfloat},
    {"all_ir9", kAllIr3 | kBfloat | kFloat8},
    {"all_ir10", kAllIr10},
    {"all_ir11", kAllIr11},
    {"all_ir12", kAllIr12},
    {"any_ir3", kAllIr3 | kString},
    {"any_ir4", kAllIr3 | kBfloat | kString},
    {"any_ir9", kAllIr3 | kBfloat | kFloat8 | kString},
    {"any_ir10", kAllIr10 | kString},
    {"any_ir11", kAllIr11 | kString},
    {"any_ir12", kAllIr12 | kString},
    {"float_ir3", kFloatIr3},
    {"numeric_ir3", kNumericIr3},
};

TypeSet named_set(std::string_view name) {
  for (const Group& group : kGroups) {
    if (group.name == name) return group.set;
  }
  if (const std::optional<DType> dtype = dtype_named(name)) return type_set_of(*dtype);
  throw Error(ErrorKind::internal,
              fmt::format("\"{}\" names neither a type nor a set of types", name));
}

}  // namespace

TypeSet parse_type_set(std::string_view text) {
  TypeSet set = 0;
  while (true) {
    const std::size_t bar = text.find('|');
    set |= named_set(text.substr(0, bar));
    if (bar == std::string_view::npos) return set;
    text.remove_prefix(bar + 1);
  }
}

std::string describe(TypeSet set) {
  std::vector<std::string_view> names;
  for (int number = 1; number < 64; ++number) {
    if (set >> number & 1) names.push_back(name_of(static_cast<DType>(number)));
  }
  if (names.empty()) return "no type";
  std::string text(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace switchyard
