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
std::vector<Row> arithmetic_rows();
std::vector<Row> comparison_rows();
std::vector<Row> activation_rows();
std::vector<Row> reduction_rows();
std::vector<Row> linear_rows();
std::vector<Row> normalization_rows();
std::vector<Row> quantization_rows();
std::vector<Row> cast_rows();
std::vector<Row> random_rows();
std::vector<Row> loss_rows();
std::vector<Row> signal_rows();

}  // namespace switchyard
