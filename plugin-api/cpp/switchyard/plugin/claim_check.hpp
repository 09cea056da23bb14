/// @file
/// Whether a claim covers a node, and which of several refusals to tell: a plugin that keeps its
/// kernels in a table with a claim each asks the rows in turn.
///
///   sy::NearestRefusal nearest;
///   for (const Row& row : rows) {
///     if (nearest.tries([&] { sy::check_claim(row.claim, node); })) return row;
///   }
///   nearest.throw_refusal(node.op());
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/shape.hpp"

namespace sy {

/// Throws sy::unsupported for a value of another dtype, and for one that is strided unless it may
/// be.
inline void check_claimed_value(const sy_value& value, uint64_t dtypes, bool may_be_strided,
                                std::string_view side, uint32_t index) {
  if ((dtypes & SY_DTYPE_BIT(value.dtype)) == 0) {
    throw unsupported(SY_REASON_DTYPE, side, " ", index, " is ", dtype_name(value.dtype));
  }
  if (may_be_strided || value.strides == nullptr || !has_known_shape(value)) return;
  if (!is_contiguous(shape_of(value), value.strides)) {
    throw unsupported(SY_REASON_STRIDE, side, " ", index, " is not contiguous");
  }
}

/// Throws sy::unsupported for what the claim leaves out, and for flags that nobody here knows.
inline void check_claim(const sy_claim& claim, const Node& node) {
  node.require_known();
  if (node.domain() != claim.domain || node.version() < claim.min_version ||
      node.version() > claim.max_version) {
    throw unsupported(SY_REASON_OP, "no kernel for version ", node.version());
  }
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value* value = node.input(i);
    if (value == nullptr || is_host_input(*value)) continue;
    check_claimed_value(*value, claim.input_dtypes, (claim.flags & SY_CLAIM_STRIDED_INPUTS) != 0,
                        "input", i);
    if (is_immediate(*value) && (claim.flags & SY_CLAIM_IMMEDIATES) == 0) {
      throw unsupported(SY_REASON_LIMIT, "input ", i, " lies in the arguments");
    }
    if (has_rank(*value) && (value->rank < claim.min_rank || value->rank > claim.max_rank)) {
      throw unsupported(SY_REASON_RANK, "input ", i, " has rank ", value->rank);
    }
  }
  for (uint32_t i = 0; i < node.output_count(); ++i) {
    const sy_value* value = node.output(i);
    if (value == nullptr) continue;
    check_claimed_value(*value, claim.output_dtypes, (claim.flags & SY_CLAIM_STRIDED_OUTPUTS) != 0,
                        "output", i);
  }
}

/// Of several refusals, the one of the row that came nearest.
class NearestRefusal {
 public:
  /// True if `check` returns; false, remembering why, if it throws a Failure of SY_UNSUPPORTED.
  template <typename Check>
  bool tries(Check&& check) {
    try {
      check();
      return true;
    } catch (const Failure& failure) {
      if (failure.status() != SY_UNSUPPORTED) throw;
      if (!nearest_ || nearness(failure.reason()) > nearness(nearest_->reason())) {
        nearest_ = failure;
      }
      return false;
    }
  }

  /// Throws it, as sy::unsupported that names the op.
  [[noreturn]] void throw_refusal(std::string_view op) const {
    if (!nearest_) throw unsupported(SY_REASON_OP, op, ": the plugin has no kernel for it");
    throw unsupported(nearest_->reason(), op, ": ", nearest_->what());
  }

 private:
  static int nearness(sy_reason reason) noexcept {
    switch (reason) {
      case SY_REASON_OP: return 0;
      case SY_REASON_DTYPE: return 1;
      case SY_REASON_RANK: return 2;
      case SY_REASON_STRIDE: return 3;
      default: return 4;
    }
  }

  std::optional<Failure> nearest_;
};

}  // namespace sy
