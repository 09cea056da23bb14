// A graph, compiled for one device.
#pragma once

#include <mutex>
#include <vector>

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Executable final : public seam::Executable {
 public:
  // One of the executable's own inputs or outputs, whose order is not the graph's.
  struct Slot {
    size_t index;  // in the graph's order
    MPSShape* shape;
    MPSDataType type;
    size_t bytes;
  };

  Executable(MPSGraphExecutable* executable, std::vector<Slot> inputs, std::vector<Slot> outputs,
             size_t input_count);

  // Throws Failure(invalid) for a wrong count of buffers or one that is too small.
  void require_valid(std::span<const seam::Ref<seam::Buffer>> inputs,
                     std::span<const seam::Ref<seam::Buffer>> outputs) const;
  // May commit what `commands` holds and go on in a new root.
  void encode(MPSCommandBuffer* commands, std::span<const seam::Ref<seam::Buffer>> inputs,
              std::span<const seam::Ref<seam::Buffer>> outputs);

 private:
  MPSGraphExecutable* executable_;
  std::vector<Slot> inputs_;
  std::vector<Slot> outputs_;
  size_t input_count_;
  std::mutex encoding_;  // an executable is encoded by one thread at a time
};

seam::Ref<seam::Executable> make_executable(id<MTLDevice> device, const seam::Graph& graph,
                                            bool has_bfloat16);

}  // namespace mps::apple
