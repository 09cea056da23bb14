#pragma once

#include <cstdint>

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// What it is given.
class SWITCHYARD_API Identity : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};

/// Dimensions `start_dim` to `end_dim` as one, as flatten(): a view where strides allow it.
class SWITCHYARD_API Flatten : public Module {
 public:
  /// All but the first, if they are left out.
  explicit Flatten(Dim start_dim = 1, Dim end_dim = -1) : start_dim(start_dim), end_dim(end_dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t start_dim, end_dim;
};

/// One dimension as several, as unflatten().
class SWITCHYARD_API Unflatten : public Module {
 public:
  /// One extent of the shape may be -1: what is left.
  Unflatten(Dim dim, const Dims& shape) : dim(dim), shape(shape) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
  Dims shape;
};

}  // namespace switchyard::nn
