#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "routing/call.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// The call sites of eager functions: one for each op, attributes, device and flags that were ever
/// used together, so that routes can be found again by the site's number. Any thread may use it.
class CallSites {
 public:
  CallSites();

  /// Never returns to another object.
  std::uint64_t number() const { return number_; }

  /// The site; defaults of attributes must be set. Kept for as long as this lives.
  const std::shared_ptr<const CallSite>& find(const Op& op, const Attributes& attributes,
                                              OpenDevice* placement, std::uint32_t math_flags);

 private:
  const std::uint64_t number_;
  trace::QuietMutex guard_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const CallSite>> sites_;
};

}  // namespace switchyard
