#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ops/row.hpp"

namespace switchyard {

/// A group of rows that share a source file.
struct Family {
  std::string_view name;
  std::vector<Row> (*rows)();
};

/// Every family: the one list that knows them.
std::span<const Family> families();

std::vector<Row> unary_rows();

}  // namespace switchyard
