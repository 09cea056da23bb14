// A software device with as much memory as a test asks for, and what the runtime's parts need
// beside it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/allocator.hpp"
#include "runtime/stream.hpp"
#include "sizes.hpp"
#include "software/backend.hpp"

namespace mps::runtime_tests {

inline seam::Ref<seam::Device> open_software(uint64_t memory_bytes = 256 * mebi,
                                             bool unified = true) {
  software::Settings settings;
  settings.memory_bytes = memory_bytes;
  settings.unified = unified;
  return software::backend(settings).open(0);
}

// An event that keeps a stream's work from running until it is opened.
class Gate {
 public:
  explicit Gate(seam::Device& device) : event_(device.event()) {}
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // What the stream runs from now on waits.
  void hold(Stream& stream) { stream.wait_for(event_, 1, std::make_shared<Outcome>()); }
  void open() { event_->signal(1); }

 private:
  const seam::Ref<seam::Event> event_;
};

}  // namespace mps::runtime_tests
