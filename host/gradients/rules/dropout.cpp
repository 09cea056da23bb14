// The gradient of Dropout: what was dropped then is dropped now.
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"

namespace switchyard {
namespace {

/// Nothing drawn can be drawn once more, so in training the mask must have been asked for. The
/// gradient by the ratio is that of the scale, as what is dropped stays.
std::vector<Tensor> dropout(const Backward& step, std::span<const Tensor> in) {
  const CalledFunction here;
  const bool training = in.size() > 2 && in[2].defined() && in[2].item<bool>();
  if (!training) return {in[0]};
  if (!step.has_output(1)) {
    throw Error(ErrorKind::unsupported,
                "[Dropout] in training has a gradient only where its mask is asked for, too");
  }
  Tensor kept = Tensor(0.5);
  if (in.size() > 1 && in[1].defined()) {
    const Tensor ratio = reshape(in[1].to(in[0].dtype()), {});
    kept = where(eq(ratio, 1), 1, sub(1, ratio));
  }
  return {where(step.output(1).detach(), div(in[0], kept), 0)};
}

constexpr RuleRow kDropoutRules[] = {{"Dropout", composite_gradient<dropout>, kAll, saves(1)}};

}  // namespace

std::span<const RuleRow> dropout_rules() { return kDropoutRules; }

}  // namespace switchyard
