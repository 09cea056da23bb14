#include "cli/doctor/claimed_ops.hpp"

#include <switchyard/plugin/claims.hpp>

#include "device/open_device.hpp"
#include "ops/registered_op.hpp"

namespace switchyard::cli {
namespace {

void add_all_of_domain(std::string_view domain, std::set<std::string>& ops) {
  for (const Op* op : all_known_ops()) {
    if (op->row->domain == domain && op->row->runs_on == RunsOn::device) ops.emplace(op->name());
  }
}

}  // namespace

std::set<std::string> claimed_ops(const Device& device) {
  std::set<std::string> ops;
  const sy_device_info& info = device.open()->info();
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    if (std::string_view(claim.op) == SY_ANY_OP) {
      add_all_of_domain(claim.domain, ops);
    } else {
      ops.insert(claim.op);
    }
  }
  return ops;
}

}  // namespace switchyard::cli
