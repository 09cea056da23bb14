#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/row.hpp"

namespace switchyard {

/// The domain of onnxruntime's own ops, whose rows stand in contrib_*.cpp.
inline constexpr std::string_view kContribDomain = "com.microsoft";

/// A group of rows that share a source file.
struct Family {
  std::string_view name;
  std::vector<Row> (*rows)();
};

#define FAMILY(name) std::vector<Row> name##_rows();
#include "ops/rows/families.def"
#undef FAMILY

/// All that families.def lists.
std::span<const Family> families();

}  // namespace switchyard
