#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "autograd/backward_step.hpp"
#include "autograd/rule_row.hpp"
#include "autograd/saved.hpp"
#include "routing/call.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The record of one call of an op: its rule, and what that needs.
class OpStep final : public BackwardStep {
 public:
  struct Input {
    DType dtype = DType::undefined;  // undefined: left out
    Dims shape;
    SavedTensor saved;
  };
  struct Output {
    DType dtype = DType::undefined;
    Dims shape;
    SavedTensor saved;
  };

  OpStep(const RuleRow& row, std::shared_ptr<const CallSite> site,
         std::span<const TensorRef> inputs, std::size_t output_count);
  /// Keeps what the rule needs of the outputs, once they are made.
  void save_outputs(std::span<const TensorRef> outputs);
  /// Keeps `copy` in place of an input whose elements the call writes over.
  void replace_input(std::size_t i, const TensorRef& copy);
  bool saves_input(std::size_t i) const { return names(row_.inputs, i); }

  std::string_view name() const override { return site_->op->name(); }
  Gradients apply(const BackwardFormulas& formulas, Gradients grad_outputs) override {
    return formulas.of_op(*this, std::move(grad_outputs));
  }
  void release() override;

  const RuleRow& row() const { return row_; }
  const Op& op() const { return *site_->op; }
  const Attributes& attributes() const { return site_->attributes; }
  std::span<const Input> inputs() const { return {inputs_.data(), inputs_.size()}; }
  std::span<const Output> outputs() const { return {outputs_.data(), outputs_.size()}; }
  /// Whether something that had been saved was released.
  bool is_released() const { return is_released_; }

 private:
  /// Whether a row's bits name that input or output; beyond the bits, whether they name all.
  static bool names(std::uint32_t bits, std::size_t i) {
    return i < 32 ? (bits >> i & 1) != 0 : bits == kAll;
  }

  const RuleRow& row_;
  const std::shared_ptr<const CallSite> site_;
  boost::container::small_vector<Input, 2> inputs_;
  boost::container::small_vector<Output, 1> outputs_;
  bool is_released_ = false;
};

}  // namespace switchyard
