/// @file
/// Work of one device in more than one order. Each device has a stream of its own, which all
/// threads share and functions use unless told otherwise; most programs need no other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <switchyard/defaults.hpp>
#include <switchyard/device.hpp>
#include <switchyard/export.hpp>

namespace switchyard {

class OpenStream;
class Event;

/// What a new stream is to be.
struct StreamOptions {
  /// Work of streams with higher numbers goes first where a device has more to do than it can at
  /// once. One with fewer levels takes the nearest, and one without any takes no notice.
  std::int32_t priority = 0;
};

/// An ordered queue of a device's work. A tensor may be used on any stream: work on it there waits
/// for the work of others that makes it or reads it. Cheap to copy; copies are the same stream,
/// which stays open as long as its device: make a few and use them again. A stream on which work
/// failed stays failed: every wait says so; make another.
class SWITCHYARD_API Stream {
 public:
  /// A new stream of the device. Throws Error(invalid_argument) for the host.
  explicit Stream(const Device& device, const StreamOptions& options = {});
  // Moving copies, so that a stream which was moved from is still one.
  Stream(const Stream&) = default;
  Stream& operator=(const Stream&) = default;

  /// The device whose work it orders.
  [[nodiscard]] const Device& device() const { return device_; }
  /// Whether all work so far has completed. Sees to it that the work is under way, so that who asks
  /// again and again comes to an end.
  [[nodiscard]] bool query() const;
  /// Waits until it has. Throws the error of work that failed.
  void synchronize() const;
  /// Work from now on waits for what the event marks; this thread does not, where the plugin has
  /// events.
  void wait_event(const Event& event) const;

  /// Whether both are the same stream.
  [[nodiscard]] friend bool operator==(const Stream& a, const Stream& b) {
    return a.open_ == b.open_;
  }

  /// For the library's own use.
  Stream(Device device, OpenStream& open) : device_(std::move(device)), open_(&open) {}
  /// For the library's own use.
  OpenStream& open() const { return *open_; }

 private:
  Device device_;
  OpenStream* open_;
};

/// Where this thread's work on the device goes.
[[nodiscard]] SWITCHYARD_API Stream current_stream(const Device& device = current_device());

/// Puts a stream in the place of its device's own for this thread, until the scope ends. Only the
/// innermost scope counts: work on other devices goes to their own streams.
class SWITCHYARD_API StreamScope {
 public:
  /// Scopes end in the reverse of their order, in the thread that made them.
  [[nodiscard]] explicit StreamScope(const Stream& stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  Stream stream_;
  const void* device_before_;
  OpenStream* stream_before_;
};

/// What a new event is to be.
struct EventOptions {
  /// Whether elapsed_time() will be asked.
  bool enable_timing = false;
};

/// A mark in a stream's work. Copies are the same event. Any thread may use it.
class SWITCHYARD_API Event {
 public:
  /// One that marks nothing yet.
  explicit Event(const EventOptions& options = {});
  // Moving copies, so that an event which was moved from is still one.
  Event(const Event&) = default;
  Event& operator=(const Event&) = default;

  /// Marks all work of the stream so far, in place of what it marked before.
  /// @{
  void record(const Stream& stream) const;
  void record() const { record(current_stream()); }
  /// @}
  /// Whether that work has completed; true before the first record(). Sees to it that the work is
  /// under way.
  [[nodiscard]] bool query() const;
  /// Waits until it has.
  void synchronize() const;
  /// Calls `done` once when that work has completed, failed or been lost, from any thread, perhaps
  /// before this returns. It is quick, and uses neither streams nor tensors. Without a record()
  /// before, it is called at once.
  void on_completion(std::function<void()> done) const;
  /// Milliseconds from what this marks to what `end` marks, having waited for both; below 0 if that
  /// was first. Throws Error(invalid_argument) where one is not recorded, has no timing enabled, or
  /// lies on another device, and Error(unsupported) where the plugin measures no time.
  [[nodiscard]] double elapsed_time(const Event& end) const;

 private:
  friend class Stream;
  struct Mark;
  struct State;
  std::shared_ptr<const Mark> mark() const;

  std::shared_ptr<State> state_;
};

}  // namespace switchyard
