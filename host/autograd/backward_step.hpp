#pragma once

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <switchyard/tensor.hpp>

#include "autograd/gradient_hooks.hpp"
#include "memory/counted.hpp"

namespace switchyard {

class AccumulateGrad;
class BackwardStep;
class OpStep;
class ViewStep;
class WriteToViewStep;
using StepRef = boost::intrusive_ptr<BackwardStep>;

/// Where a gradient goes: a step, and which of its outputs the gradient is of. Empty: nowhere.
struct Edge {
  StepRef step;
  std::uint32_t output = 0;

  explicit operator bool() const { return step != nullptr; }
};

using Edges = boost::container::small_vector<Edge, 3>;
using Gradients = boost::container::small_vector<Tensor, 3>;

/// The formulas of the steps that recording makes. They are written with functions, which stand
/// above this module: the backward pass brings them.
class BackwardFormulas {
 public:
  virtual Gradients of_op(OpStep& step, Gradients grad_outputs) const = 0;
  virtual Gradients of_view(const ViewStep& step, Gradients grad_outputs) const = 0;
  virtual Gradients of_write(const WriteToViewStep& step, Gradients grad_outputs) const = 0;
  virtual Gradients of_leaf(AccumulateGrad& step, Gradients grad_outputs) const = 0;

 protected:
  ~BackwardFormulas() = default;
};

/// One step of the backward pass: takes the gradients of what a function made and gives those of
/// what it was made from. Counted by reference; make_step() makes one.
class BackwardStep {
 public:
  explicit BackwardStep(std::uint32_t output_count)
      : output_count_(output_count), references_(&own_references_) {}
  /// Steps that only this one held go one after the other, however long the chain.
  virtual ~BackwardStep();
  BackwardStep(const BackwardStep&) = delete;
  BackwardStep& operator=(const BackwardStep&) = delete;

  /// For messages: the function that made the outputs.
  virtual std::string_view name() const = 0;
  /// `grad_outputs` has a gradient, or no tensor, for each output; the result one for each edge.
  virtual Gradients apply(const BackwardFormulas& formulas, Gradients grad_outputs) = 0;
  /// Lets go of what was saved; apply() then throws Error(invalid_argument).
  virtual void release() {}

  /// The functions that are called with the gradient of that output from now on.
  std::shared_ptr<GradientHooks> hooks_of(std::uint32_t output);
  void call_hooks(Gradients& grad_outputs) const {
    if (!hooks_.empty()) [[unlikely]]
      call_each_hook(grad_outputs);
  }

  /// From now on the gradient of that output is also put into `retained`.
  void retain_grad(std::uint32_t output, std::shared_ptr<Tensor> retained);
  void put_retained(const Gradients& grad_outputs) const {
    if (retained_) [[unlikely]]
      copy_to_retained(grad_outputs);
  }

  /// Greater than those of all steps that the edges lead to.
  std::uint64_t sequence_number() const { return sequence_number_; }
  std::uint32_t output_count() const { return output_count_; }

  bool has_one_reference() const { return references_->load(std::memory_order_acquire) == 1; }
  friend void intrusive_ptr_add_ref(const BackwardStep* step) {
    step->references_->fetch_add(1, std::memory_order_relaxed);
  }
  friend void intrusive_ptr_release(BackwardStep* step) {
    if (drop_counted(*step->references_)) step->unreferenced();
  }

  Edges edges;  // by input; empty where no gradient is wanted

 protected:
  /// A step that is part of what `references` counts.
  BackwardStep(std::uint32_t output_count, std::atomic<std::uint32_t>& references)
      : output_count_(output_count), references_(&references) {}
  /// The last reference has gone.
  virtual void unreferenced() { delete this; }

  /// To be called once a step has found its edges, which may be new steps. A step without edges may
  /// keep the number 0.
  void assign_sequence_number();

 private:
  using Retained = std::vector<std::pair<std::uint32_t, std::shared_ptr<Tensor>>>;
  void copy_to_retained(const Gradients& grad_outputs) const;

  void call_each_hook(Gradients& grad_outputs) const;

  std::unique_ptr<Retained> retained_;
  std::vector<std::shared_ptr<GradientHooks>> hooks_;  // by output; empty where there are none
  std::uint64_t sequence_number_ = 0;
  const std::uint32_t output_count_;
  std::atomic<std::uint32_t> own_references_{1};
  std::atomic<std::uint32_t>* const references_;
};

/// A step, and the first reference to it.
template <typename Step, typename... Arguments>
boost::intrusive_ptr<Step> make_step(Arguments&&... arguments) {
  return {new Step(std::forward<Arguments>(arguments)...), false};
}

}  // namespace switchyard
