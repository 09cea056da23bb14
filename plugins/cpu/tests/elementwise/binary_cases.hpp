// Functions of two numbers, and what their results are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {

// A numpy-like reference: the inputs broadcast, element by element, in double.
inline std::vector<double> binary_reference(const Shape& shape, const Value& left,
                                            const Value& right,
                                            const std::function<double(double, double)>& function) {
  const std::vector<double> x = as_doubles(broadcast(left, shape));
  const std::vector<double> y = as_doubles(broadcast(right, shape));
  std::vector<double> made;
  for (size_t i = 0; i < x.size(); ++i) made.push_back(function(x[i], y[i]));
  return made;
}

inline std::vector<double> small_numbers(const Shape& shape, int seed) {
  std::vector<double> made;
  const int64_t count = sy::element_count(shape);
  for (int64_t i = 0; i < count; ++i) made.push_back(static_cast<double>((i * 7 + seed) % 11 + 1));
  return made;
}

struct BinaryCase {
  std::string op;
  std::function<double(double, double)> exact;
  sy_dtype output = 0;  // 0: the inputs'
  bool integers = true;
  bool floats = true;
  double units = 1;  // of floats
  std::string domain = "";

  OneNode node() const { return domain.empty() ? OneNode(op) : OneNode(op, 1, domain); }
};

inline double log_add_exp(double x, double y) {
  return std::max(x, y) + std::log1p(std::exp(-std::abs(x - y)));
}

inline double floored_remainder(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

// Of the domain "switchyard".
inline std::vector<BinaryCase> own_cases() {
  std::vector<BinaryCase> cases = {
      {"Atan2", [](double y, double x) { return std::atan2(y, x); }, 0, false, true, 2.5},
      {"Hypot", [](double x, double y) { return std::hypot(x, y); }, 0, false, true, 1.5},
      {"LogAddExp", log_add_exp, 0, false, true, 2},
      {"Remainder", floored_remainder, 0, false, true, 0.5},
      {"FloorDivide", [](double x, double y) { return std::floor(x / y); }},
  };
  for (BinaryCase& one : cases) one.domain = "switchyard";
  return cases;
}

inline Value run_pair(const char* op, const Value& left, const Value& right, sy_dtype output) {
  return OneNode(op).input(left).input(right).output(output, left.shape).run();
}

}  // namespace cpu::testing
