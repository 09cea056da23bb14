#include "ops/rows.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "switchyard/plugin/claim_check.hpp"

namespace mps {
namespace {

const std::vector<std::span<const Row>>& tables() {
  static const std::vector<std::span<const Row>> all = {
      unary_rows(),       binary_rows(),  choice_rows(),        cast_rows(),
      product_rows(),     window_rows(),  normalisation_rows(), reduction_rows(),
      line_rows(),        form_rows(),    pad_rows(),           rearrangement_rows(),
      gather_rows(),      scatter_rows(), moments_rows(),       local_response_rows(),
      top_k_rows(),       resize_rows(),  dropout_rows(),       mean_rows(),
      mixed_power_rows(), generate_rows()};
  return all;
}

// A claim as the ABI has it, beside its row.
struct Candidate {
  sy_claim claim;
  const Row* row;
};

const std::unordered_map<std::string_view, std::vector<Candidate>>& candidates_by_op() {
  static const auto index = [] {
    std::unordered_map<std::string_view, std::vector<Candidate>> made;
    size_t position = 0;
    for (const auto& table : tables()) {
      for (const Row& row : table) {
        made[row.claim.op].push_back({all_claims().data()[position++], &row});
      }
    }
    return made;
  }();
  return index;
}

}  // namespace

const sy::ClaimTable& all_claims() {
  static const sy::ClaimTable claims = [] {
    sy::ClaimTable made;
    for (const auto& table : tables()) {
      for (const Row& row : table) {
        sy::Claim claim = row.claim;
        claim.flags |= SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS;
        if (row.check == nullptr) claim.flags |= SY_CLAIM_NO_SUPPORTS_CALL;
        made.add(claim);
      }
    }
    return made;
  }();
  return claims;
}

const Row& select_row(const sy::Node& node) {
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

}  // namespace mps
