#include "tensor/call_sites.hpp"

#include <atomic>
#include <mutex>

namespace switchyard {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

CallSites::CallSites() : number_(next_number()) {}

const std::shared_ptr<const CallSite>& CallSites::find(const Op& op, const Attributes& attributes,
                                                       OpenDevice* placement,
                                                       std::uint32_t math_flags) {
  const std::uint64_t hash = site_hash(op, attributes, Purpose::ordinary, placement, math_flags);
  std::scoped_lock guard(guard_);
  const auto [first, last] = sites_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const CallSite& site = *known->second;
    if (site.op == &op && site.placement == placement && site.math_flags == math_flags &&
        site.attributes == attributes) {
      return known->second;
    }
  }
  auto made = std::make_shared<const CallSite>(
      make_site(op, attributes, Purpose::ordinary, placement, math_flags));
  return sites_.emplace(hash, std::move(made))->second;
}

}  // namespace switchyard
