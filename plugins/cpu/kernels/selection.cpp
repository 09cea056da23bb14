#include "kernels/selection.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/kernels.hpp"
#include "switchyard/plugin/claim_check.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

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

struct Candidate {
  sy_claim claim;
  const KernelRow* row;
};

// In the tables' order; the views are of the rows' own names.
const std::unordered_map<std::string_view, std::vector<Candidate>>& candidates_by_op() {
  static const auto& index = *new auto([] {
    std::unordered_map<std::string_view, std::vector<Candidate>> made;
    for (const KernelTable& table : kernel_tables()) {
      for (const KernelRow& row : table) made[row.op].push_back({claim_of(row), &row});
    }
    return made;
  }());
  return index;
}

}  // namespace

std::span<const sy_claim> all_claims() {
  static const auto& claims = *new auto([] {
    std::vector<sy_claim> made;
    for (const KernelTable& table : kernel_tables()) {
      for (const KernelRow& row : table) made.push_back(claim_of(row));
    }
    return made;
  }());
  return claims;
}

const KernelRow& select_row(const sy::Node& node) {
  const auto found = candidates_by_op().find(node.op());
  if (found == candidates_by_op().end()) {
    throw sy::unsupported(SY_REASON_OP, "no kernel for ", node.op());
  }
  sy::NearestRefusal nearest;
  for (const Candidate& candidate : found->second) {
    const bool fits = nearest.tries([&] {
      sy::check_claim(candidate.claim, node);
      if (candidate.row->check != nullptr) candidate.row->check(node);
    });
    if (fits) return *candidate.row;
  }
  nearest.throw_refusal(node.op());
}

}  // namespace cpu
