// A kernel of the null device: nothing to compute, but shapes to invent where only computing would
// tell them.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace null {

struct Kernel {
  // An output whose shape depends on data: empty along each dimension that is not known.
  struct Deferred {
    uint32_t output;
    std::vector<int64_t> shape;
  };
  std::vector<Deferred> deferred;
};

// Fills in the plan too: shared by all shapes, unless an output is deferred.
std::unique_ptr<Kernel> prepare_kernel(sy_prepare_args& args);

void allocate_deferred(const Kernel& kernel, const sy_run_args& args);

}  // namespace null
