// A run: its tensors as the plugin gets them, and the storages that it uses.
#pragma once

#include "call.hpp"
#include "order.hpp"
#include "tensors.hpp"

namespace validation {

struct Run {
  Call& call;
  const sy_run_args& args;
  const std::shared_ptr<Kernel> kernel;
  const std::shared_ptr<Stream> stream;
  std::vector<sy_tensor> inputs = {}, outputs = {};
  sy_storage workspace = 0;
  std::vector<StorageUse> uses = {};
};

// What tells the tensors of this run from another's.
RunTensors tensors_of(const Run& run);

// Checks that the tensor lies in the storage, at an offset that the device allows. Returns whether
// it lies in it.
bool check_lies_in(Run& run, const Storage& storage, const sy_tensor& tensor,
                   const std::string& which);

// Looks all tensors up, and checks that they are what the kernel was prepared for; and the
// workspace. What cannot be passed on stops the call.
void bind_tensors(Run& run);
void bind_workspace(Run& run);

}  // namespace validation
