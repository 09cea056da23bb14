#pragma once

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

#include <switchyard/tensor.hpp>

#include "ops/attributes.hpp"
#include "ops/row.hpp"
#include "tensor/engine.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// An op as functions call it: on the device of its inputs, recording what gradients
/// need. Each use names the op once, as a constant: `constexpr`-initialised, found on first call.
///
///   constinit const EagerOp kRelu("Relu");
///   Tensor relu(const Tensor& x) { return kRelu(x); }
class EagerOp {
 public:
  constexpr explicit EagerOp(std::string_view name, std::string_view domain = "")
      : name_(name), domain_(domain) {}

  Tensor operator()(const Tensor& a) const;
  Tensor operator()(const Tensor& a, const Tensor& b) const;
  /// The first output. Inputs that are left out hold nothing; attributes that are not given have
  /// their defaults.
  Tensor operator()(std::initializer_list<Tensor> inputs, Attributes attributes = {}) const;
  Tensor operator()(std::span<const Tensor> inputs, Attributes attributes = {}) const;
  /// The first `count` outputs.
  std::vector<Tensor> outputs(std::size_t count, std::span<const Tensor> inputs,
                              Attributes attributes = {}) const;
  std::vector<Tensor> outputs(std::size_t count, std::initializer_list<Tensor> inputs,
                              Attributes attributes = {}) const;

  /// Writes the first output over the elements of `target`, which may be an input; it must have the
  /// output's shape and dtype.
  void write_to(const Tensor& target, std::initializer_list<Tensor> inputs,
                Attributes attributes = {}) const;
  /// Writes the outputs over those targets that are tensors.
  void write_to(std::span<const Tensor> targets, std::span<const Tensor> inputs,
                Attributes attributes = {}) const;

  const Op& op() const {
    const Op* known = op_.load(std::memory_order_acquire);
    return known ? *known : find();
  }

 private:
  const Op& find() const;

  const std::string_view name_, domain_;
  mutable std::atomic<const Op*> op_{nullptr};
};

/// Runs the op, or where no device takes it, its function body. Fills in all outputs.
void dispatch(Engine& engine, const CallSite& site, std::span<TensorRef> inputs,
              std::span<TensorRef> outputs, Inputs ownership);

/// Runs the op on the device of its inputs, records what gradients need, and fills in the outputs.
/// Attributes have their defaults. Inputs whose only reference this is may give their memory away.
void call_recorded(const Op& op, const Attributes& attributes, std::span<TensorRef> inputs,
                   std::span<TensorRef> outputs);

/// Attributes by name, as calls give them.
Attributes attributes(std::initializer_list<Attributes::Entry> entries);

/// A rank-0 or rank-1 int64 tensor of the host: axes, shapes, indices.
Tensor int64s(std::span<const std::int64_t> values);
Tensor int64s(const Dims& values);
Tensor int64_scalar(std::int64_t value);

}  // namespace switchyard
