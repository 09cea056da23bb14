#pragma once

#include <cstdint>

namespace switchyard {

/// The progress of one stream: numbers rise as its work completes.
class StreamProgress {
 public:
  virtual std::uint64_t completed() noexcept = 0;  // the last completed number; 0 if it cannot tell
  virtual void wait(
      std::uint64_t sequence) = 0;  // until it has completed; throws what the work threw
  /// Sees to it that later work of this stream comes after that of `other`, of the same device, up
  /// to `sequence`, without waiting here; then what that work throws is thrown by waits for the
  /// later work. False if it cannot, or if that work has completed.
  virtual bool follow(StreamProgress& other, std::uint64_t sequence) = 0;
  /// The number of the last work that a thread has begun to enqueue; waits until it is enqueued,
  /// unless this thread is the one.
  virtual std::uint64_t last_begun() = 0;

 protected:
  ~StreamProgress() = default;
};

}  // namespace switchyard
