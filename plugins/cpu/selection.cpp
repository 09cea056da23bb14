#include "selection.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu {
namespace {

using Rows = std::vector<const KernelRow*>;

// Rows by op, in the tables' order; the views are of the rows' own names.
const std::unordered_map<std::string_view, Rows>& rows_by_op() {
  static const auto index = [] {
    std::unordered_map<std::string_view, Rows> made;
    for (const KernelTable& table : kernel_tables()) {
      for (const KernelRow& row : table) made[row.op].push_back(&row);
    }
    return made;
  }();
  return index;
}

void check_dtype(const sy_value& value, uint64_t dtypes, const char* side, uint32_t index) {
  if ((dtypes & SY_DTYPE_BIT(value.dtype)) == 0) {
    throw sy::unsupported(SY_REASON_DTYPE, side, " ", index, " is ", sy::dtype_name(value.dtype));
  }
}

void check_strides(const sy_value& value, uint32_t flags, uint32_t flag, const char* side,
                   uint32_t index) {
  if ((flags & flag) != 0 || value.strides == nullptr || !sy::has_known_shape(value)) return;
  if (!sy::is_contiguous(sy::shape_of(value), value.strides)) {
    throw sy::unsupported(SY_REASON_STRIDE, side, " ", index, " is not contiguous");
  }
}

void check_input(const KernelRow& row, const sy_value& value, uint32_t index) {
  if (sy::is_host_input(value)) return;
  check_dtype(value, row.input_dtypes, "input", index);
  if (sy::has_rank(value) && (value.rank < row.min_rank || value.rank > row.max_rank)) {
    throw sy::unsupported(SY_REASON_RANK, "input ", index, " has rank ", value.rank);
  }
  check_strides(value, row.flags, SY_CLAIM_STRIDED_INPUTS, "input", index);
}

// Throws what is wrong first; the later in this order, the nearer the row came.
void check_row(const KernelRow& row, const sy::Node& node) {
  if (node.domain() != row.domain || node.version() < row.min_version ||
      node.version() > row.max_version) {
    throw sy::unsupported(SY_REASON_OP, "no kernel for version ", node.version());
  }
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    if (const sy_value* value = node.input(i)) check_input(row, *value, i);
  }
  for (uint32_t i = 0; i < node.output_count(); ++i) {
    const sy_value* value = node.output(i);
    if (value == nullptr) continue;
    check_dtype(*value, row.output_dtypes, "output", i);
    check_strides(*value, row.flags, SY_CLAIM_STRIDED_OUTPUTS, "output", i);
  }
  if (row.check != nullptr) row.check(node);
}

int nearness(sy_reason reason) {
  switch (reason) {
    case SY_REASON_OP: return 0;
    case SY_REASON_DTYPE: return 1;
    case SY_REASON_RANK: return 2;
    case SY_REASON_STRIDE: return 3;
    default: return 4;
  }
}

sy_claim claim_of(const KernelRow& row) {
  sy_claim claim{};
  claim.struct_size = sizeof(claim);
  claim.flags = row.flags;
  if (row.check == nullptr) claim.flags |= SY_CLAIM_NO_SUPPORTS_CALL;
  claim.domain = row.domain;
  claim.op = row.op;
  claim.min_version = row.min_version;
  claim.max_version = row.max_version;
  claim.input_dtypes = row.input_dtypes;
  claim.output_dtypes = row.output_dtypes;
  claim.min_rank = row.min_rank;
  claim.max_rank = row.max_rank;
  return claim;
}

}  // namespace

std::span<const sy_claim> all_claims() {
  static const auto claims = [] {
    std::vector<sy_claim> made;
    for (const KernelTable& table : kernel_tables()) {
      for (const KernelRow& row : table) made.push_back(claim_of(row));
    }
    return made;
  }();
  return claims;
}

const KernelRow& select_row(const sy::Node& node) {
  const auto found = rows_by_op().find(node.op());
  if (found == rows_by_op().end()) {
    throw sy::unsupported(SY_REASON_OP, "no kernel for ", node.op());
  }
  std::optional<sy::Failure> nearest;
  for (const KernelRow* row : found->second) {
    try {
      check_row(*row, node);
      return *row;
    } catch (const sy::Failure& failure) {
      if (failure.status() != SY_UNSUPPORTED) throw;
      if (!nearest || nearness(failure.reason()) > nearness(nearest->reason())) nearest = failure;
    }
  }
  throw sy::unsupported(nearest->reason(), node.op(), ": ", nearest->what());
}

}  // namespace cpu
