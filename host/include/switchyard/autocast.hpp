/// @file
/// Mixed precision: heavy ops in a smaller type, delicate ones in float32, chosen op by op.
#pragma once

#include <optional>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

struct AutocastState;

/// Until the scope ends, functions of this thread convert their float32, float16 and bfloat16
/// inputs by what each op bears: products and convolutions take them as `dtype` (float16 or
/// bfloat16), softmaxes, norms, losses, sums, exponentials and powers as float32, and all others as
/// they come, promoted. Tensors of float64 and integers are left alone. The conversion of a leaf
/// that requires a gradient, a weight, is made once in a scope. Gradients run outside of the scope,
/// each in the type of what it is the gradient of. Scopes nest; `enabled` = false suspends the
/// outer one.
///
/// Nothing is converted outside of a scope: reduced precision is always asked for.
class SWITCHYARD_API Autocast {
 public:
  /// Throws Error(invalid_argument) for a `dtype` but float16 and bfloat16.
  [[nodiscard]] explicit Autocast(DType dtype, Flag enabled = true);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  AutocastState* state_;
  AutocastState* before_;
};

/// The type of the innermost scope of this thread; nothing outside of one, or where it is
/// suspended.
[[nodiscard]] SWITCHYARD_API std::optional<DType> autocast_dtype();

}  // namespace switchyard
