// What kernels report of their input while they run: an index beyond its axis, for one. The first
// report counts. Checked whenever a command buffer completes.
#pragma once

#include <optional>
#include <string>

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

}  // namespace mps
