// The handles that live, as far as faults need to know: whose device they are, and how far a stream
// has come.
#pragma once

#include <switchyard/plugin.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_gate.hpp"

namespace fault_injection {

// What a wait was told, which sticks to the stream from that number on.
struct StuckFailure {
  uint64_t sequence = 0;
  sy_status status = SY_OK;
};

class Handles {
 public:
  using Gate = std::shared_ptr<DeviceGate>;

  void add(sy_device device);
  void add(sy_stream stream, sy_device device);
  void add(sy_event event, sy_device device);
  void remove(sy_device device);
  void remove(sy_stream stream);
  void remove(sy_event event);

  // Null for a handle that is not known, as one of null is not.
  Gate gate_of(sy_device device) const;
  Gate gate_of(sy_stream stream) const;
  Gate gate_of(sy_event event) const;

  void note_enqueued(sy_stream stream, uint64_t sequence);
  void stick(sy_stream stream, const StuckFailure& failure);
  // The failure that waits for the number return.
  std::optional<sy_status> stuck(sy_stream stream, uint64_t sequence) const;

  struct Work {
    sy_stream stream = nullptr;
    uint64_t last = 0;
  };
  // Of the streams of a device that have had any.
  std::vector<Work> enqueued_on(const Gate& gate) const;

 private:
  struct Stream {
    Gate gate;
    uint64_t last = 0;
    std::optional<StuckFailure> failure;
  };

  mutable std::mutex guard_;
  std::unordered_map<sy_device, Gate> devices_;
  std::unordered_map<sy_stream, Stream> streams_;
  std::unordered_map<sy_event, Gate> events_;
};

}  // namespace fault_injection
