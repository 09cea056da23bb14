#include "slots.hpp"

namespace fault_injection {

std::optional<Slot> slot_named(std::string_view name) {
  for (size_t i = 0; i < kSlots.size(); ++i) {
    if (kSlots[i].name == name) return static_cast<Slot>(i);
  }
  return std::nullopt;
}

bool may_return(Slot slot, sy_status status) {
  if (row_of(slot).kind != SlotKind::ends) return true;
  return status == SY_UNSUPPORTED || status == SY_INVALID || status == SY_BUG;
}

}  // namespace fault_injection
