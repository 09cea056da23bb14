#include "ops/rows.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "ops/graph_builder.hpp"
#include "switchyard/plugin/claim_check.hpp"

namespace mps {
namespace {

const std::vector<std::span<const Row>>& tables() {
  static const std::vector<std::span<const Row>> all = {
      unary_rows(),          binary_rows(),      choice_rows(),  cast_rows(),
      small_product_rows(),  product_rows(),     window_rows(),  normalisation_rows(),
      reduction_rows(),      line_rows(),        form_rows(),    pad_rows(),
      rearrangement_rows(),  gather_rows(),      scatter_rows(), moments_rows(),
      local_response_rows(), top_k_rows(),       resize_rows(),  dropout_rows(),
      mean_rows(),           mixed_power_rows(), view_rows(),    generate_rows(),
      recurrent_rows(),      random_rows(),      einsum_rows()};
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

void check(const Candidate& candidate, const sy::Node& node) {
  sy::check_claim(candidate.claim, node);
  if (candidate.row->check != nullptr) candidate.row->check(node);
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
    if (nearest.tries([&] { check(candidate, node); })) return *candidate.row;
  }
  nearest.throw_refusal(node.op());
}

const Row* select_graph_row(const sy::Node& node) {
  const auto found = candidates_by_op().find(node.op());
  if (found == candidates_by_op().end()) return nullptr;
  sy::NearestRefusal unsaid;
  for (const Candidate& candidate : found->second) {
    if (candidate.row->lower == nullptr) continue;
    if (unsaid.tries([&] { check(candidate, node); })) return candidate.row;
  }
  return nullptr;
}

Prepared prepared_by(const Row& row, Device& device, const sy::Node& node) {
  return row.make != nullptr ? row.make(device, node) : make_by_graph(device, node, row.lower);
}

}  // namespace mps
