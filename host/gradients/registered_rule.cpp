#include "gradients/registered_rule.hpp"

#include <fmt/format.h>

#include <mutex>
#include <switchyard/error.hpp>
#include <unordered_map>
#include <vector>

#include "autograd/gradient_form.hpp"
#include "gradients/rule.hpp"
#include "ops/registered_op.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

std::vector<ValueInfo> inputs_of(const Backward& backward) {
  std::vector<ValueInfo> inputs(backward.input_count());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!backward.has_input(i)) continue;
    inputs[i] = {.dtype = backward.input_dtype(i), .shape = backward.input_shape(i)};
  }
  return inputs;
}

void apply_definition(Backward& backward) {
  const OpDefinition& definition = backward.op().registered->definition;
  if (!definition.gradient) {
    Error error(ErrorKind::unsupported,
                fmt::format("[{}] has no gradient; give register_op one, or call the op on "
                            "detached tensors",
                            full_name(definition)));
    throw error.set_op(definition.name);
  }
  const std::vector<ValueInfo> inputs = inputs_of(backward);
  OpGradient gradient(backward, inputs);
  definition.gradient(gradient);
}

RuleRow row_of(const OpDefinition& definition) {
  return {.op = definition.name,
          .rule = apply_definition,
          .inputs = definition.gradient_reads_inputs ? kAll : kNothing,
          .outputs = definition.gradient_reads_outputs ? kAll : kNothing,
          .domain = definition.domain};
}

void require_saved(const Backward& backward, bool is_saved, std::string_view what) {
  if (is_saved) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{0}] its gradient reads {1}s, but the definition does not say so; set "
                          "gradient_reads_{1}s",
                          full_name(backward.op()), what));
}

/// Whether the call made that output of the op.
bool has_output(const Backward& backward, std::size_t i) {
  const std::size_t most = backward.op().canonical.outputs.size();
  if (i < most) return i < backward.output_count();
  throw Error(ErrorKind::invalid_argument, fmt::format("[{}] its gradient asks for output {} of {}",
                                                       full_name(backward.op()), i, most));
}

/// What the gradient of an input must be like: on the device of the gradients that flow in.
GradientForm form_of_input(const Backward& backward, std::size_t i) {
  GradientForm form;
  for (std::size_t o = 0; o < backward.output_count() && !form.device; ++o) {
    if (backward.has_grad_output(o)) form = GradientForm(*backward.grad_output(o).impl());
  }
  form.dtype = backward.input_dtype(i);
  form.shape = backward.input_shape(i);
  return form;
}

}  // namespace

const RuleRow& registered_rule(const Op& op) {
  static auto& guard = *new trace::QuietMutex;
  static auto& rows = *new std::unordered_map<const Op*, RuleRow>;
  const std::scoped_lock lock(guard);
  return rows.try_emplace(&op, row_of(op.registered->definition)).first->second;
}

OpGradient::OpGradient(Backward& backward, std::span<const ValueInfo> inputs)
    : OpCall(backward.op(), backward.attributes(), inputs), backward_(backward) {}

Tensor OpGradient::input(std::size_t i) const {
  require_saved(backward_, backward_.op().registered->definition.gradient_reads_inputs, "input");
  if (!has_input(i)) return {};
  return backward_.input(i);
}

Tensor OpGradient::output(std::size_t i) const {
  require_saved(backward_, backward_.op().registered->definition.gradient_reads_outputs, "output");
  return has_output(i) ? backward_.output(i) : Tensor();
}

Tensor OpGradient::grad_output(std::size_t i) const {
  return has_output(i) ? backward_.grad_output(i) : Tensor();
}

bool OpGradient::has_output(std::size_t i) const { return switchyard::has_output(backward_, i); }

bool OpGradient::needs_grad_input(std::size_t i) const {
  return has_input(i) && backward_.needs_input_grad(i);
}

void OpGradient::set_grad_input(std::size_t i, const Tensor& gradient) {
  if (!has_input(i)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] its gradient sets that of input {}, which the call does not have",
                            full_name(backward_.op()), i));
  }
  if (!gradient.defined()) return backward_.set_grad_input(i, gradient);
  backward_.set_grad_input(
      i, fitting_gradient(gradient, form_of_input(backward_, i), full_name(backward_.op()),
                          fmt::format("input {}", i)));
}

}  // namespace switchyard
