// What the kernels of one operation report of their input while they run: an index beyond its axis,
// for one. Read when its last command buffer completes.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "seam/seam.hpp"

namespace mps {

class FaultRecord {
 public:
  explicit FaultRecord(seam::Device& device);

  const seam::Ref<seam::Buffer>& buffer() const { return buffer_; }

  // A sentence, if a kernel has reported.
  std::optional<std::string> read() const;

 private:
  seam::Ref<seam::Buffer> buffer_;
};

// Records without a report, for any thread.
class FaultRecords {
 public:
  explicit FaultRecords(seam::Device& device) : device_(device) {}

  std::unique_ptr<FaultRecord> take();
  void give_back(std::unique_ptr<FaultRecord> record);

 private:
  seam::Device& device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<FaultRecord>> free_;
};

}  // namespace mps
