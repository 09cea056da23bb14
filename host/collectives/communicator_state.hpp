#pragma once

#include <switchyard/collectives.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include <switchyard/collectives.hpp>

#include "device/open_device.hpp"
#include "memory/uses.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// What stands behind a Communicator: the plugin's handle, destroyed once its work is over.
struct Communicator::State {
  State(std::shared_ptr<OpenDevice> on, const sy_collectives& extension, std::uint32_t as,
        std::uint32_t of);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Throws Error(device_lost) where the device has recovered since it was made, and
  /// Error(device_unavailable) in a child of fork().
  void require_alive(std::string_view function) const;

  const std::shared_ptr<OpenDevice> device;
  const sy_collectives& collectives;
  const std::uint32_t rank, size;
  const std::uint64_t generation;  // the device's when it was made
  const std::uint32_t forks;       // fork_count() where it was made
  sy_communicator handle = nullptr;
  /// Held by who enqueues, from the order of its storages to the numbers that it notes.
  trace::QuietMutex turn;
  Uses uses;  // its work, by stream
};

}  // namespace switchyard
