#include "software/ledger.hpp"

#include <string>

#include "seam/seam.hpp"
#include "switchyard/plugin/machine_memory.hpp"

namespace mps::software {

void Ledger::take(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ || used > limit_ - bytes) {
      throw seam::Failure(seam::Fault::out_of_memory,
                          "no " + std::to_string(bytes) + " bytes: " + std::to_string(used) +
                              " of the device's " + std::to_string(limit_) + " are in use");
    }
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
}

uint64_t default_memory_limit() { return sy::machine_memory_bytes() / 4; }

}  // namespace mps::software
