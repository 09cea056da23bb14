/// @file
/// Claim tables, one line an op:
///
///   const sy::ClaimTable claims = {
///       {.op = "Relu", .min_version = 6, .max_version = 14, .dtypes = sy::float_dtypes},
///       {.op = "Equal", .dtypes = SY_DTYPES_ALL, .output_dtypes = SY_DTYPE_BIT(SY_BOOL)},
///   };
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace sy {

/// Whether a row is about this op, whatever its version and types.
inline bool names_op(const sy_claim& claim, std::string_view domain, std::string_view op) {
  return claim.domain == domain && (claim.op == op || std::string_view(claim.op) == SY_ANY_OP);
}

/// A row of a ClaimTable: an op, and the types and ranks of it that the device takes.
struct Claim {
  const char* op;            ///< lives as long as the plugin; SY_ANY_OP: every op of the domain
  const char* domain = "";   ///< likewise
  uint32_t min_version = 1;  ///< ONNX's since-versions whose meaning the kernels follow
  uint32_t max_version = UINT32_MAX;  ///< the last such version
  uint64_t dtypes = SY_DTYPES_ALL;    ///< of inputs and outputs
  uint64_t output_dtypes = 0;         ///< of outputs, where they differ; 0: as `dtypes`
  uint32_t min_rank = 0;              ///< of inputs and outputs
  uint32_t max_rank = SY_MAX_RANK;    ///< the same
  uint32_t flags = 0;                 ///< SY_CLAIM_*
};

/// A row as the ABI wants it.
inline sy_claim to_abi(const Claim& claim) noexcept {
  return sy_claim{
      .struct_size = sizeof(sy_claim),
      .flags = claim.flags,
      .domain = claim.domain,
      .op = claim.op,
      .min_version = claim.min_version,
      .max_version = claim.max_version,
      .input_dtypes = claim.dtypes,
      .output_dtypes = claim.output_dtypes != 0 ? claim.output_dtypes : claim.dtypes,
      .min_rank = claim.min_rank,
      .max_rank = claim.max_rank,
  };
}

/// All of a device's. Keep the table for as long as the plugin is loaded: a function's
/// static, or part of what never dies.
class ClaimTable {
 public:
  ClaimTable() = default;
  /// Rows in their order.
  ClaimTable(std::initializer_list<Claim> claims) {
    rows_.reserve(claims.size());
    for (const Claim& claim : claims) add(claim);
  }

  /// Adds a row behind the others.
  void add(const Claim& claim) { rows_.push_back(to_abi(claim)); }

  /// The rows as the ABI wants them, until one is added.
  /// @{
  const sy_claim* data() const noexcept { return rows_.data(); }
  uint32_t size() const noexcept { return static_cast<uint32_t>(rows_.size()); }
  /// @}

 private:
  std::vector<sy_claim> rows_;
};

}  // namespace sy
