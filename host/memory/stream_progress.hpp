#pragma once

#include <cstdint>

namespace switchyard {

/// The progress of one stream: numbers rise as its work completes.
class StreamProgress {
 public:
  virtual std::uint64_t completed() noexcept = 0;  // the last completed number; 0 if it cannot tell
  virtual void wait(
      std::uint64_t sequence) = 0;  // until it has completed; throws what the work threw

 protected:
  ~StreamProgress() = default;
};

}  // namespace switchyard
