// Host memory that downloads still have to fill. Work on a stream is in order, but what an upload
// reads of the host it reads when it is recorded: it first waits for these.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>

namespace mps {

// Bytes of the host from `begin` up to `end`.
struct HostRange {
  const char* begin = nullptr;
  const char* end = nullptr;

  bool overlaps(const HostRange& other) const { return begin < other.end && other.begin < end; }
};

// Any thread may call any member.
class PendingDownloads {
 public:
  // Pending as long as somebody holds the result.
  std::shared_ptr<void> add(const HostRange& range);

  bool overlap(const HostRange& range) const;

 private:
  struct State {
    std::atomic<size_t> count{0};  // so that those who find none need no lock
    std::mutex mutex;
    std::list<HostRange> ranges;
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace mps
