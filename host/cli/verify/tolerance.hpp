#pragma once

#include <optional>
#include <string>

#include "ops/literal.hpp"

namespace switchyard::cli {

/// How far an element may be from what is expected:
///     absolute + relative * |expected| + peak * (largest |expected| of the output)
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  double peak = 0;
};

/// What the user set of it; what is not set has the default of the dtype.
struct ToleranceOptions {
  std::optional<double> relative;
  std::optional<double> absolute;
  std::optional<double> peak;
  int quantization_steps = 0;  // by how much elements of int8 and uint8 may differ
};

/// The defaults: float32, float64 and complex 1e-3 relative and 1e-7 absolute, as ONNX's own test
/// runner has it; float16 1e-2 and 1e-3, bfloat16 2e-2 and 1e-2, two steps of their mantissas;
/// every other type equal. A peak tolerance that is set replaces the default relative one.
Tolerance tolerance_for(DType dtype, const ToleranceOptions& options);

/// What came of comparing an output with the expected one.
struct Comparison {
  bool is_equal = true;
  bool has_same_form = true;  // dtype and shape, or for other values kind and length, agree
  double max_error = 0;       // the largest difference; infinite if a NaN or infinity stands alone
  std::string difference;     // what differs most: "differs in ...", "has shape ..."; "" if equal
};

/// Equal: of one dtype and shape, every element within tolerance; NaN equals NaN, an infinity the
/// infinity of its sign, and text itself.
Comparison compare(const Literal& got, const Literal& expected, const ToleranceOptions& options);

}  // namespace switchyard::cli
