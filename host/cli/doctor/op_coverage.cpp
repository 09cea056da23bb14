#include "cli/doctor/op_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/plugin/claims.hpp>

#include "device/open_device.hpp"
#include "gradients/rule.hpp"
#include "ops/registered_op.hpp"

namespace switchyard::cli {
namespace {

std::uint64_t allowed(const std::vector<Formal>& formals) {
  std::uint64_t mask = 0;
  for (const Formal& formal : formals) mask |= formal.host_input ? 0 : formal.allowed;
  return mask;
}

bool is_about(const sy_claim& claim, const Op& op) {
  const auto version = static_cast<std::uint32_t>(op.version());
  return op.row->runs_on == RunsOn::device && sy::names_op(claim, op.row->domain, op.name()) &&
         claim.min_version <= version && version <= claim.max_version;
}

std::uint64_t claimed_dtypes(const sy_device_info& device, const Op& op) {
  const std::uint64_t inputs = allowed(op.canonical.inputs);
  std::uint64_t mask = 0;
  for (std::uint32_t i = 0; i < device.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, device.claims, i);
    if (!is_about(claim, op)) continue;
    mask |= inputs != 0 ? claim.input_dtypes & inputs
                        : claim.output_dtypes & allowed(op.canonical.outputs);
  }
  return mask;
}

bool gradients_flow(const Op& op) {
  if (op.registered) return op.registered->definition.gradient != nullptr;
  const RuleRow* row = rule_of(op);
  return row && row->rule != none;
}

}  // namespace

std::vector<OpCoverage> op_coverage(const std::vector<Device>& devices) {
  std::vector<OpCoverage> lines;
  for (const Op* op : all_known_ops()) {
    OpCoverage line{op, gradients_flow(*op), {}};
    for (const Device& device : devices) {
      line.dtypes.push_back(claimed_dtypes(device.open()->info(), *op));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string qualified_name(const Op& op) {
  const std::string_view domain = op.row->domain;
  return domain.empty() ? std::string(op.name()) : fmt::format("{}.{}", domain, op.name());
}

}  // namespace switchyard::cli
