#include <fmt/format.h>

#include <algorithm>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>

#include "autograd/gradient_form.hpp"
#include "autograd/mode.hpp"
#include "autograd/released.hpp"
#include "autograd/saved.hpp"
#include "autograd/variable.hpp"
#include "tensor/placement.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {
namespace {

bool share_elements(const TensorImpl& a, const TensorImpl& b) {
  return &a == &b || (a.storage && a.storage.get() == b.storage.get());
}

/// The backward pass of a function of the user's.
class CustomStep final : public BackwardStep {
 public:
  CustomStep(const CustomFunction& function, FunctionContext context,
             std::span<const Tensor> inputs, std::size_t output_count)
      : BackwardStep(static_cast<std::uint32_t>(output_count)),
        name_(function.name),
        backward_(function.backward),
        context_(std::move(context)) {
    for (const Tensor& input : inputs) {
      edges.push_back(input.defined() ? edge_of(*input.impl()) : Edge());
      context_.needs_gradient.push_back(static_cast<bool>(edges.back()));
      inputs_.push_back(input.defined() ? GradientForm(*input.impl()) : GradientForm());
    }
    assign_sequence_number();
  }

  /// What is saved must not lead back here, so outputs and their views are kept without history.
  void save(std::span<const Tensor> outputs) {
    for (Tensor& tensor : context_.saved) {
      if (!tensor.defined()) continue;
      std::int32_t output = -1;
      bool leads_back = false;
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!outputs[i].defined()) continue;
        if (outputs[i].impl() == tensor.impl()) output = static_cast<std::int32_t>(i);
        leads_back = leads_back || share_elements(*outputs[i].impl(), *tensor.impl());
      }
      if (leads_back) tensor = tensor.detach();
      is_output_.push_back(output);
      saved_.emplace_back(TensorRef(tensor.impl()));
    }
  }

  std::string_view name() const override { return name_; }

  Gradients apply(const BackwardFormulas&, Gradients grad_outputs) override {
    if (is_released_) refuse_released(name_);
    FunctionContext context = context_;
    restore(context);
    if (!backward_) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] has no backward; give it one, or call it "
                              "under NoGrad",
                              name_));
    }
    const std::vector<Tensor> given =
        backward_(context, {grad_outputs.data(), grad_outputs.size()});
    if (given.size() != edges.size()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] backward gave {} gradients for {} inputs", name_, given.size(),
                              edges.size()));
    }
    Gradients gradients(given.begin(), given.end());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i].defined() || !edges[i]) continue;
      gradients[i] = fitting_gradient(gradients[i], inputs_[i], name_, fmt::format("input {}", i));
    }
    return gradients;
  }

  void release() override {
    is_released_ = is_released_ || !saved_.empty();  // with nothing saved it may be applied again
    context_.saved.clear();
    saved_.clear();
  }

 private:
  void restore(FunctionContext& context) {
    for (std::size_t i = 0, s = 0; i < context.saved.size(); ++i) {
      if (!context.saved[i].defined()) continue;
      saved_[s].check(name_);
      if (is_output_[s] >= 0 && grad_mode()) {
        context.saved[i] = context.saved[i].detach();
        set_made_by(*context.saved[i].impl(), StepRef(this),
                    static_cast<std::uint32_t>(is_output_[s]));
      }
      ++s;
    }
  }

  const std::string name_;
  const std::function<std::vector<Tensor>(FunctionContext&, std::span<const Tensor>)> backward_;
  FunctionContext context_;
  std::vector<GradientForm> inputs_;
  std::vector<SavedTensor> saved_;
  std::vector<std::int32_t> is_output_;
  bool is_released_ = false;
};

/// Whether anyone but the call that `forward` was asked for holds the very tensor.
bool is_held_elsewhere(const Tensor& output, std::span<const Tensor> outputs,
                       std::span<const Tensor> saved) {
  std::size_t own = 0;
  for (const std::span<const Tensor> list : {outputs, saved}) {
    own += static_cast<std::size_t>(std::ranges::count(list, output.impl(), &Tensor::impl));
  }
  return output.impl()->references.load(std::memory_order_acquire) > own;
}

/// A result of its own: one that shares elements with an input or a leaf would become that one's
/// history, and a way to write to a leaf; a number, or a tensor that others hold, would become that
/// of all who use it.
Tensor kept_apart(const Tensor& output, std::span<const Tensor> inputs,
                  std::span<const Tensor> outputs, std::span<Tensor> saved) {
  const bool is_of_input = std::ranges::any_of(inputs, [&](const Tensor& input) {
    return input.defined() && share_elements(*input.impl(), *output.impl());
  });
  if (is_of_input || requires_grad(*output.impl())) {
    if (!output.impl()->device) return output.detach();
    CopyCount count;
    const TensorRef made(output.impl());
    return Tensor(copy_to(*made->device, made, count).get());
  }
  const bool is_shared = output.impl()->is_number || is_held_elsewhere(output, outputs, saved);
  if (!is_shared) return output;
  const Tensor own = output.detach();
  std::ranges::replace_if(
      saved, [&](const Tensor& tensor) { return tensor.impl() == output.impl(); }, own);
  return own;
}

}  // namespace

std::vector<Tensor> CustomFunction::operator()(std::span<const Tensor> inputs) const {
  if (!forward) {
    throw Error(ErrorKind::invalid_argument, fmt::format("[{}] has no forward; give it one", name));
  }
  FunctionContext context;
  std::vector<Tensor> outputs;
  {
    const NoGrad off;
    outputs = forward(context, inputs);
  }
  for (Tensor& output : outputs) {
    if (output.defined()) output = kept_apart(output, inputs, outputs, context.saved);
  }
  const bool is_recorded = grad_mode() && std::ranges::any_of(inputs, [](const Tensor& input) {
                             return input.defined() && input.requires_grad();
                           });
  if (!is_recorded) return outputs;
  const auto step = make_step<CustomStep>(*this, std::move(context), inputs, outputs.size());
  step->save(outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined() || !is_floating(outputs[i].dtype())) continue;
    set_made_by(*outputs[i].impl(), step, static_cast<std::uint32_t>(i));
  }
  return outputs;
}

}  // namespace switchyard
