#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "memory/per_thread.hpp"
#include "tensor/engine.hpp"

namespace switchyard {

/// A thread's latest call sites of functions, by op: those without attributes, which then cost a
/// compare. A site of a runtime that has gone stays until its slot is needed; nothing reads it, as
/// no two runtimes have one number.
class RecentSites {
 public:
  struct Slot {
    std::uint64_t engine = 0;
    const OpenDevice* device = nullptr;
    const std::shared_ptr<const CallSite>* site = nullptr;
  };

  RecentSites() : by_op_(all_ops().size()) {}
  Slot& operator[](const Op& op) {
    if (op.id >= by_op_.size()) by_op_.resize(op.id + 1);  // a registered op
    return by_op_[op.id];
  }

 private:
  std::vector<Slot> by_op_;
};

/// The same without the thread's memory.
const std::shared_ptr<const CallSite>& look_up_site(Engine& engine, const Op& op,
                                                    const Attributes& attributes,
                                                    OpenDevice& device);

/// The call site of a function's op. Kept for as long as the engine lives.
inline const std::shared_ptr<const CallSite>& find_site(Engine& engine, const Op& op,
                                                        const Attributes& attributes,
                                                        OpenDevice& device) {
  RecentSites* recent = attributes.size() == 0 ? PerThread<RecentSites>::get() : nullptr;
  if (!recent) return look_up_site(engine, op, attributes, device);
  RecentSites::Slot& slot = (*recent)[op];
  if (slot.engine != engine.sites.number() || slot.device != &device) [[unlikely]] {
    slot = {engine.sites.number(), &device, &look_up_site(engine, op, attributes, device)};
  }
  return *slot.site;
}

}  // namespace switchyard
