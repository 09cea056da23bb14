#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "autograd/backward_step.hpp"
#include "autograd/rule.hpp"
#include "autograd/saved.hpp"
#include "routing/call.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The way back through one call of an op: what its rule needs, and the rule.
class OpStep final : public BackwardStep {
 public:
  OpStep(const RuleRow& row, std::shared_ptr<const CallSite> site,
         std::span<const TensorRef> inputs, std::size_t output_count);
  /// Keeps what the rule needs of the outputs, once they are made.
  void save_outputs(std::span<const TensorRef> outputs);
  /// Keeps `copy` in place of an input whose elements the call writes over.
  void replace_input(std::size_t i, const TensorRef& copy);
  bool saves_input(std::size_t i) const { return names(row_.inputs, i); }

  std::string_view name() const override { return site_->op->name(); }
  Gradients apply(Gradients arrived) override;
  void release() override;

 private:
  /// Whether a row's bits name that input or output; beyond the bits, whether they name all.
  static bool names(std::uint32_t bits, std::size_t i) {
    return i < 32 ? (bits >> i & 1) != 0 : bits == kAll;
  }

  class Pass;
  struct Input {
    DType dtype = DType::undefined;  // undefined: left out
    Dims shape;
    SavedTensor saved;
  };
  struct Output {
    DType dtype = DType::undefined;
    Dims shape;
    SavedTensor saved;
    OpenDevice* device = nullptr;
  };

  const RuleRow& row_;
  const std::shared_ptr<const CallSite> site_;
  boost::container::small_vector<Input, 2> inputs_;
  boost::container::small_vector<Output, 1> outputs_;
  bool released_ = false;
};

}  // namespace switchyard
