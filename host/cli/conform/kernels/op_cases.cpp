#include "cli/conform/kernels/op_cases.hpp"

#include <map>
#include <string>
#include <switchyard/plugin/claims.hpp>

#include "cli/conform/kernels/kernel_trials.hpp"
#include "ops/registered_op.hpp"

namespace switchyard::cli::conform {
namespace {

/// "Relu", or "switchyard.Sort".
std::string name_in_domain(std::string_view domain, std::string_view op) {
  return domain.empty() ? std::string(op) : fmt::format("{}.{}", domain, op);
}

void add_op(const Op& op, std::vector<Case>& cases) {
  const std::string name = name_in_domain(op.row->domain, op.name());
  for (const KernelTrial& trial : kernel_trials()) {
    cases.push_back({fmt::format("kernels/{}/{}", name, trial.name), std::string(trial.proves),
                     [&op, &trial](CaseRun& run) {
                       if (op.row->random && op.row->example.empty()) {
                         skip("each device may draw other random numbers");
                       }
                       if (example_words(op).empty()) skip("the op's row has no example");
                       TriedOp tried(run, op);
                       trial.run(tried);
                     }});
  }
}

void add_unknown(const sy_claim& claim, std::vector<Case>& cases) {
  const std::string name = name_in_domain(claim.domain, claim.op);
  cases.push_back({fmt::format("kernels/{}/example", name), "What the claim names is computed.",
                   [](CaseRun&) { skip("this host knows no op of that name"); }});
}

}  // namespace

void add_kernel_cases(const sy_device_info& info, std::vector<Case>& cases) {
  std::map<std::string, const Op*> ops;
  std::map<std::string, const sy_claim*> unknown;
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    bool is_known = false;
    for (const Op& op : all_ops()) {
      if (!sy::names_op(claim, op.row->domain, op.name())) continue;
      is_known = true;
      const bool runs = op.row->runs_on == RunsOn::device || op.row->runs_on == RunsOn::view;
      if (runs) ops.emplace(name_in_domain(op.row->domain, op.name()), &op);
    }
    if (!is_known) unknown.emplace(name_in_domain(claim.domain, claim.op), &claim);
  }
  for (const auto& [name, op] : ops) add_op(*op, cases);
  for (const auto& [name, claim] : unknown) add_unknown(*claim, cases);
}

}  // namespace switchyard::cli::conform
