#include "runtime/fault_record.hpp"

#include <cstring>
#include <utility>

namespace mps {
namespace {

// As kernels/faults.h lays it out.
struct Record {
  uint32_t kind;
  uint32_t bound;
  int64_t value;
};

enum Kind : uint32_t {
  none,
  index_out_of_range,
  sequence_out_of_range,
  empty_range,
  index_elsewhere
};

}  // namespace

FaultRecord::FaultRecord(seam::Device& device)
    : buffer_(device.buffer(sizeof(Record), seam::StorageMode::shared)) {
  std::memset(buffer_->host(), 0, sizeof(Record));
}

std::optional<std::string> FaultRecord::read() const {
  Record record;
  std::memcpy(&record, buffer_->host(), sizeof(record));
  switch (record.kind) {
    case none: return std::nullopt;
    case index_out_of_range:
      return "an index is " + std::to_string(record.value) + ", but its axis has " +
             std::to_string(record.bound) + " elements";
    case sequence_out_of_range:
      return "a sequence length is " + std::to_string(record.value) + ", but there are " +
             std::to_string(record.bound) + " steps";
    case empty_range:
      return "PhiloxInteger: there is no integer from low up to, but not, high: low is not less";
    case index_elsewhere:
      return "an index is " + std::to_string(record.value) +
             ", which counts no element of its plane, number " + std::to_string(record.bound);
    default: return "a kernel reports the unknown fault " + std::to_string(record.kind);
  }
}

std::unique_ptr<FaultRecord> FaultRecords::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<FaultRecord>(device_);
  std::unique_ptr<FaultRecord> record = std::move(free_.back());
  free_.pop_back();
  return record;
}

void FaultRecords::give_back(std::unique_ptr<FaultRecord> record) {
  constexpr size_t most = 64;  // as many as a command buffer has operations
  const std::lock_guard lock(mutex_);
  if (free_.size() < most) free_.push_back(std::move(record));
}

}  // namespace mps
