/// @file
/// Gradients, define by run: a function of a tensor that requires a gradient records how its result
/// was made, and backward() computes the gradients from that record.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// Whether functions of this thread record what gradients need; true at first.
[[nodiscard]] SWITCHYARD_API bool is_grad_enabled();

/// Turns the recording of this thread off, or on, until the scope ends.
class SWITCHYARD_API GradMode {
 public:
  /// Scopes end in the reverse of their order, in the thread that made them.
  [[nodiscard]] explicit GradMode(Flag enabled);
  ~GradMode();
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  bool before_;
};
/// Turns the recording of this thread off until the scope ends.
class NoGrad : public GradMode {
 public:
  [[nodiscard]] NoGrad() : GradMode(false) {}
};

/// How grad() goes about it.
struct GradOptions {
  bool allow_unused = false;  ///< no tensor for an input that the outputs do not depend on
  bool create_graph = false;  ///< gradients that have gradients; keeps what was saved
  std::vector<Tensor> grad_outputs = {};  ///< of the outputs; may be left out for single elements
  bool retain_graph = false;              ///< keep what was saved, for another backward pass
};

/// The gradients of `outputs`, added up, with respect to `inputs`; leaves keep theirs. Throws
/// Error(invalid_argument) where an input is not part of how the outputs were made, unless
/// `allow_unused`.
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> grad(std::span<const Tensor> outputs,
                                                      std::span<const Tensor> inputs,
                                                      const GradOptions& options = {});
/// Of one output and one input, `grad(y, x)`: the gradient itself, whose [0] is its first row.
[[nodiscard]] SWITCHYARD_API Tensor grad(const Tensor& output, const Tensor& input,
                                         const GradOptions& options = {});

/// The name of the function whose result the tensor is, as recorded for the backward pass: an op's
/// ("MatMul"), that of a CustomFunction, or View or WriteToView where elements are shared. "" for a
/// leaf.
[[nodiscard]] SWITCHYARD_API std::string grad_fn_name(const Tensor& tensor);

/// What a CustomFunction keeps from `forward` for `backward`.
struct FunctionContext {
  std::vector<Tensor> saved;  ///< what `forward` put here, with the gradients that it has
  /// Which inputs need a gradient; set before `backward` is called.
  std::vector<bool> needs_gradient;
};

/// A function whose gradient its user defines. `forward` runs on the caller's thread, `backward` on
/// that of the backward pass.
struct SWITCHYARD_API CustomFunction {
  std::string name;  ///< in messages, and of grad_fn_name()
  /// Runs without recording; may put what `backward` needs into `saved`, inputs and outputs too.
  std::function<std::vector<Tensor>(FunctionContext&, std::span<const Tensor> inputs)> forward;
  /// Gives the gradient of each input, of its shape and dtype (or no tensor), from those of the
  /// outputs; an output that nothing was made of comes as no tensor. Written with differentiable
  /// functions of `saved`, it has second derivatives.
  std::function<std::vector<Tensor>(FunctionContext&, std::span<const Tensor> gradients)> backward;

  /// Calls `forward`; the outputs require a gradient if an input does. One that shares elements
  /// with an input is copied, in any mode. Throws
  /// Error(invalid_argument) where `forward` is empty; a backward pass throws it for gradients of
  /// other shapes or dtypes, or too few.
  std::vector<Tensor> operator()(std::span<const Tensor> inputs) const;
};

/// Scales gradients in place so that their common norm of order `norm_type` (INFINITY: the largest)
/// is at most `max_norm`; gives the norm before. Tensors without a gradient do not count.
/// Error(invalid_argument) for a negative `max_norm`, and NaN.
SWITCHYARD_API Tensor clip_grad_norm_(std::span<const Tensor> parameters, Real max_norm,
                                      Real norm_type = 2);
/// Clamps each gradient to [-limit, limit], in place. Tensors without a gradient do not count.
/// Error(invalid_argument) for a negative limit, and NaN.
SWITCHYARD_API void clip_grad_value_(std::span<const Tensor> parameters, Real limit);

}  // namespace switchyard
