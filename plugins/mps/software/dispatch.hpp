// A dispatch as a command buffer keeps it.
#pragma once

#include <vector>

#include "seam/seam.hpp"
#include "software/executor/call.hpp"
#include "software/library.hpp"
#include "software/memory.hpp"

namespace mps::software {

class Executor;

class RecordedDispatch {
 public:
  // Throws Failure(invalid) for all that is wrong before it runs.
  explicit RecordedDispatch(const seam::Dispatch& dispatch);
  // Throws KernelFault.
  void run(Executor& executor);

 private:
  struct Bound {
    uint32_t index;
    seam::Ref<seam::Buffer> buffer;  // null: `bytes`
    size_t offset;
    std::vector<std::byte> bytes;
  };

  void bind(const seam::Argument& argument);
  const Bound* bound(uint32_t index) const;
  void check_sizes(const seam::Dispatch& dispatch) const;
  void check_group_memory() const;
  void check_parameter(const msl::Parameter& parameter) const;
  void check_buffer(const msl::Parameter& parameter) const;
  [[noreturn]] void refuse(const std::string& message) const;

  const Pipeline& pipeline_;
  Call call_;
  std::vector<Bound> bound_;
};

}  // namespace mps::software
