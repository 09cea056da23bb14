#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <switchyard/error.hpp>

#include "ops/literal.hpp"
#include "routing/call.hpp"
#include "routing/route.hpp"
#include "tensor/placement.hpp"

namespace switchyard {

/// A run that failed before anything was enqueued, in a way that another device may not.
class NotEnqueued : public Error {
 public:
  /// Whether the kernel was asked to run, or something failed that it needs before.
  enum class Stage : std::uint8_t { before_run, run };

  NotEnqueued(const Error& error, Verdict verdict, Stage stage)
      : Error(error), verdict_(std::move(verdict)), stage_(stage) {}

  /// For the trail of the route that is taken instead.
  const Verdict& verdict() const { return verdict_; }
  Stage stage() const { return stage_; }

 private:
  Verdict verdict_;
  Stage stage_;
};

/// The node of a model that this thread runs while the scope lives: what is said of its work when
/// it fails after it was enqueued.
class NodeScope {
 public:
  explicit NodeScope(std::string_view node) noexcept;
  ~NodeScope();
  NodeScope(const NodeScope&) = delete;
  NodeScope& operator=(const NodeScope&) = delete;

 private:
  std::string_view outer_;
};

/// Brings the inputs to the plan's device, allocates the outputs that can be, and enqueues the
/// kernel. `literals` are the values of host inputs, by input, or none at all. Throws NotEnqueued
/// where a failover may follow, else Error. Inputs without another owner give their memory to
/// outputs if they `may_give`.
void run_kernel(const CallSite& site, const RunPlan& plan, std::span<TensorRef> inputs,
                std::span<const Literal> literals, std::span<TensorRef> outputs, CopyCount& count,
                bool may_give = true);

/// The same for a program of `node_count` nodes.
void run_program(std::size_t node_count, const RunPlan& plan, std::span<TensorRef> inputs,
                 std::span<const Literal> literals, std::span<TensorRef> outputs, CopyCount& count);

/// Reports a failover. Nothing is said of a mere refusal: the fallback that follows is reported.
void trace_failover(std::string_view what, const OpenDevice& device, const NotEnqueued& failure);

}  // namespace switchyard
