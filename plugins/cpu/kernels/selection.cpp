#include "kernels/selection.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/kernels.hpp"
#include "switchyard/plugin/claim_check.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

// The host need not ask further where no check does.
sy::Claim claim_of(const KernelRow& row) {
  return {.op = row.op,
          .domain = row.domain,
          .min_version = row.min_version,
          .max_version = row.max_version,
          .dtypes = row.input_dtypes,
          .output_dtypes = row.output_dtypes,
          .min_rank = row.min_rank,
          .max_rank = row.max_rank,
          .flags = row.flags | SY_CLAIM_IMMEDIATES |
                   (row.check == nullptr ? SY_CLAIM_NO_SUPPORTS_CALL : 0)};
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
      for (const KernelRow& row : table) {
        made[row.op].push_back({sy::to_abi(claim_of(row)), &row});
      }
    }
    return made;
  }());
  return index;
}

}  // namespace

const sy::ClaimTable& all_claims() {
  static const auto& claims = *new auto([] {
    sy::ClaimTable made;
    for (const KernelTable& table : kernel_tables()) {
      for (const KernelRow& row : table) made.add(claim_of(row));
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
