#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/error.hpp>

#include "memory/uses.hpp"
#include "routing/bindings.hpp"

namespace switchyard {

class OpenDevice;

/// What a kernel says of one of its outputs.
struct OutputPlan {
  sy_output_mode mode = SY_OUTPUT_EXACT;
  std::uint64_t may_alias = 0;  // mask over program inputs
  Dims bound;                   // bounded outputs
  Dims strides;                 // a proposal; empty if none
};

/// A device's refusal of a program that it had not refused when it was asked.
class PrepareRefusal : public Error {
 public:
  PrepareRefusal(sy_reason reason, const std::string& message)
      : Error(ErrorKind::unsupported, message), reason_(reason) {}
  sy_reason reason() const { return reason_; }

 private:
  sy_reason reason_;
};

/// Throws PrepareRefusal if a tensor of so many bytes passes the device's limit for one.
void check_memory(OpenDevice& device, std::size_t bytes);

/// A program prepared by a device. Immutable; destroys what the plugin made.
class Kernel {
 public:
  /// Throws PrepareRefusal if the device refuses after all, else the plugin's error.
  Kernel(OpenDevice& device, const sy_program& program);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  OpenDevice& device() const { return *device_; }
  sy_kernel handle() const { return handle_; }
  /// Of each run; SY_WORKSPACE_PER_RUN where the plugin is to be asked.
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  /// Whether runs are to tell that they bind the tensors of an earlier one; null if not.
  BindingTable* bindings() const { return bindings_.get(); }
  std::uint64_t packed_bytes() const { return packed_bytes_; }
  /// Program inputs whose bytes the kernel does not read: constants that it has packed. Empty if
  /// it reads all.
  const std::vector<bool>& unneeded_constants() const { return unneeded_constants_; }
  const std::vector<std::uint8_t>& specialised_on() const { return specialised_on_; }
  const std::vector<OutputPlan>& outputs() const { return outputs_; }
  /// The device's when the kernel was prepared.
  std::uint64_t generation() const { return generation_; }

  /// Says that work up to `sequence` on the stream behind `stream` runs this kernel, which is not
  /// destroyed before that has completed.
  void record_use(StreamProgress& stream, std::uint64_t sequence) const {
    uses_.record_read(stream, sequence);
  }

 private:
  void keep_plans(const std::vector<sy_output_plan>& plans);
  void destroy() noexcept;

  const std::shared_ptr<OpenDevice> device_;
  sy_kernel handle_ = nullptr;
  std::uint64_t workspace_bytes_ = 0;
  std::uint64_t packed_bytes_ = 0;
  std::unique_ptr<BindingTable> bindings_;
  std::vector<bool> unneeded_constants_;
  std::vector<std::uint8_t> specialised_on_;
  std::vector<OutputPlan> outputs_;
  std::vector<sy_constant> packed_;
  const std::uint64_t generation_;
  mutable Uses uses_;
};

}  // namespace switchyard
