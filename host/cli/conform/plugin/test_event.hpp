#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {

/// A point in a stream's work; destroyed when it ends, as what is in test_device.hpp.
class TestEvent {
 public:
  /// Throws CaseSkipped where `flags` want times, and the device measures none.
  explicit TestEvent(TestDevice& device, std::uint32_t flags = 0);
  ~TestEvent();
  TestEvent(const TestEvent&) = delete;
  TestEvent& operator=(const TestEvent&) = delete;

  sy_event handle() const { return handle_; }
  void record(const TestStream& stream);
  /// Later work of the stream, which may be another device's, waits for what was recorded.
  void make_wait(const TestStream& stream);
  void wait();
  /// Nothing where the device measures no times.
  std::optional<std::int64_t> nanoseconds_to(const TestEvent& end) const;

 private:
  void use(std::string_view slot, sy_status (*function)(sy_event_args*, sy_error*),
           sy_stream stream);

  TestDevice& device_;
  sy_event handle_ = nullptr;
};

/// Throws CaseSkipped where the plugin has no events.
void require_events(const TestDevice& device);

}  // namespace switchyard::cli::conform
