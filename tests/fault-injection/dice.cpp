#include "dice.hpp"

namespace fault_injection {
namespace {

// splitmix64: each input bit changes half of the output's.
uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30u)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27u)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31u);
}

double unit(uint64_t bits) { return static_cast<double>(bits >> 11u) * 0x1.0p-53; }

bool enqueues(Slot slot) { return slot == Slot::run || slot == Slot::copy; }

sy_status pick_status(const Settings& settings, Slot slot, uint64_t bits) {
  std::vector<sy_status> allowed;
  for (const sy_status status : settings.statuses) {
    if (may_return(slot, status)) allowed.push_back(status);
  }
  return allowed.empty() ? SY_OK : allowed[bits % allowed.size()];
}

}  // namespace

Decision decide(const Settings& settings, Slot slot, uint64_t number) {
  Decision decision;
  decision.number = number;
  if (number <= settings.after || !settings.slots[static_cast<size_t>(slot)]) return decision;
  const uint64_t call = mix(mix(settings.seed) ^ mix(static_cast<uint64_t>(slot) + 1) ^ number);
  const uint64_t details = mix(call);
  uint64_t bits = call;
  for (const Fault fault : {Fault::crash, Fault::hang, Fault::wrong_sequence, Fault::wrong_status,
                            Fault::status, Fault::delay}) {
    bits = mix(bits + static_cast<uint64_t>(fault));
    if (unit(bits) >= settings.chance(fault)) continue;
    if (fault == Fault::wrong_sequence && !enqueues(slot)) continue;
    decision.fault = fault;
    break;
  }
  decision.chosen = details;
  if (decision.fault == Fault::status) decision.status = pick_status(settings, slot, details);
  if (decision.fault == Fault::wrong_status) decision.status = details % 2 == 0 ? 77 : -1;
  if (decision.fault == Fault::status && decision.status == SY_OK) decision.fault = Fault::none;
  if (decision.fault == Fault::delay && settings.delay_microseconds > 0) {
    decision.microseconds =
        static_cast<int64_t>(details % static_cast<uint64_t>(settings.delay_microseconds)) + 1;
  }
  return decision;
}

}  // namespace fault_injection
