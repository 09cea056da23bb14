#pragma once

#include <switchyard/collectives.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <switchyard/collectives.hpp>

#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// One collective that a program has called, checked, and not yet enqueued.
struct Collective {
  std::string_view function;  // that was called
  std::shared_ptr<Communicator::State> communicator;
  sy_collective_kind kind;
  sy_reduction reduction = SY_REDUCE_NONE;
  std::uint32_t peer = 0;
  std::uint64_t count = 0;  // elements, as collectives.h has it
  TensorRef input = {};     // empty where there is none
  TensorRef output = {};
};

/// Enqueues a group, each on its device's current stream. Throws Error(invalid_argument) where they
/// are of several plugins, or two touch elements that one of them writes.
void enqueue_collectives(std::vector<Collective> group);

/// Into this thread's group, or enqueued at once where there is none.
void call_collective(Collective collective);
/// Throws Error(invalid_argument) within a group, where there is nothing yet that the function
/// could give; `instead` does not give anything.
void refuse_in_group(std::string_view function, std::string_view instead);

}  // namespace switchyard
