#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>
#include <switchyard/text.hpp>

namespace switchyard::nn {

/// Parameters by number, named "0", "1", ...
///
///   nn::ParameterList scales({ones({3}), ones({4})});
///   scales.append(zeros({2}));
class SWITCHYARD_API ParameterList : public Module {
 public:
  /// Empty, or with these tensors, as append() adds them.
  ParameterList() = default;
  /// The tensors, as append() adds them.
  explicit ParameterList(std::initializer_list<Tensor> values);

  /// Notes a tensor as learned and gives it back. Throws Error(invalid_argument) for a tensor that
  /// holds nothing, or cannot have a gradient.
  Tensor append(const Tensor& value);
  /// How many there are.
  [[nodiscard]] std::size_t size() const { return own_parameters().size(); }
  /// By number, from the end with -1. Throws Error(invalid_argument) where there is none.
  Tensor operator[](Int index) const;
  std::string extra_repr() const override;
};

/// Parameters by names of one's own, in the order in which they came.
class SWITCHYARD_API ParameterDict : public Module {
 public:
  /// The same as append(). Throws Error(invalid_argument) for a name with a dot, or one that is
  /// taken, too.
  Tensor insert(Text name, const Tensor& value);
  /// How many there are, whether one has that name, and all names in the order in which they came.
  /// @{
  [[nodiscard]] std::size_t size() const { return own_parameters().size(); }
  [[nodiscard]] bool contains(Text name) const;
  [[nodiscard]] std::vector<std::string> keys() const;
  /// @}
  /// By name. Throws Error(invalid_argument) that lists the names that there are.
  Tensor operator[](Text name) const;
  std::string extra_repr() const override;
};

}  // namespace switchyard::nn
