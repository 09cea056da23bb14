#pragma once

#include <cstddef>

#include <switchyard/tensor.hpp>

#include "autograd/rule_row.hpp"

namespace switchyard {

/// The backward pass of one call of an op, as its rule sees it. Inputs and outputs are numbered as
/// in the op's row.
class Backward {
 public:
  virtual const Op& op() const = 0;
  virtual const Attributes& attributes() const = 0;
  virtual std::size_t input_count() const = 0;
  /// Whether the call had that input, and whether it needs a gradient.
  virtual bool has_input(std::size_t i) const = 0;
  virtual bool needs_input_grad(std::size_t i) const = 0;

  virtual const Dims& input_shape(std::size_t i) const = 0;
  virtual DType input_dtype(std::size_t i) const = 0;
  /// The elements, for those that the row says are saved; no tensor for an input that was left out.
  virtual Tensor input(std::size_t i) const = 0;
  virtual Tensor output(std::size_t i = 0) const = 0;
  virtual std::size_t output_count() const = 0;
  /// Whether the call was asked for an output that the row says is saved.
  virtual bool has_output(std::size_t i) const = 0;

  /// Whether there is a gradient of that output; and the gradient, zeros if there is none.
  virtual bool has_grad_output(std::size_t i) const = 0;
  virtual Tensor grad_output(std::size_t i = 0) const = 0;

  /// Sets an input's gradient, which must have its shape and dtype.
  virtual void set_grad_input(std::size_t i, Tensor gradient) = 0;

 protected:
  ~Backward() = default;
};

/// The op's row, or null if there is none.
const RuleRow* rule_of(const Op& op);
/// The same for calls with such attributes.
const RuleRow* rule_of(const Op& op, const Attributes& attributes);

}  // namespace switchyard
