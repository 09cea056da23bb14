// What PyTorch gave for cases that a script beside the test names.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <switchyard/functions.hpp>
#include <vector>

namespace switchyard {

/// By name; `check_golden` computes each.
using GoldenCases = std::map<std::string, std::function<Tensor()>>;

/// Compares every case with the line of its name in a file of this folder: dtype, shape and values.
/// A case without a line fails, and so does a line without a case.
void check_golden(const std::string& file, const GoldenCases& cases, double tolerance = 1e-6);

/// The same for the lines whose names begin with `prefix` alone.
void check_golden_part(const std::string& file, const std::string& prefix, const GoldenCases& cases,
                       double tolerance);

}  // namespace switchyard
