#include "cli/doctor/claimed_ops.hpp"

#include "device/open_device.hpp"

namespace switchyard::cli {

std::set<std::string> claimed_ops(const Device& device) {
  std::set<std::string> ops;
  const sy_device_info& info = device.open()->info();
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    ops.insert(SY_AT(sy_claim, info.claims, i)->op);
  }
  return ops;
}

}  // namespace switchyard::cli
