#pragma once

#include <span>

#include <switchyard/error.hpp>

#include "ops/literal.hpp"
#include "routing/call.hpp"
#include "routing/route.hpp"
#include "tensor/placement.hpp"

namespace switchyard {

/// A run that failed before anything was enqueued, in a way that another device may not.
class NotEnqueued : public Error {
 public:
  explicit NotEnqueued(const Error& error) : Error(error.kind(), error.what()) {}
};

/// Brings the inputs to the route's device, allocates the outputs that can be, and enqueues the kernel.
/// Throws NotEnqueued where a failover may follow, else Error.
void run_kernel(const Route& route, std::span<TensorRef> inputs, std::span<const Literal> literals,
                std::span<TensorRef> outputs, CopyCount& count);

void trace_failover(const CallSite& site, const Route& route, const Error& failure);

}  // namespace switchyard
