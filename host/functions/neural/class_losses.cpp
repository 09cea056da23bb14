// Losses of classes: how little probability the scores give to the right ones.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kCrossEntropy("SoftmaxCrossEntropyLoss"),
    kLikelihood("NegativeLogLikelihoodLoss");

std::string word_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::none: return "none";
    case Reduction::mean: return "mean";
    case Reduction::sum: break;
  }
  return "sum";
}

[[noreturn]] void refuse(ErrorKind kind, std::string_view function, const Tensor& input,
                         const Tensor& target, std::string_view wanted) {
  throw Error(kind,
              fmt::format("[{}] a target of {} {} does not go with an input {}: it must be {}",
                          function, name_of(target.dtype()), describe(target.shape()),
                          describe(input.shape()), wanted));
}

/// [N, C, ...] and [N, ...]; one sample, [C] and [], has a batch dimension put before.
struct Classes {
  Tensor input, target;
  bool single;

  Classes(std::string_view function, const Tensor& given_input, const Tensor& given_target)
      : input(given_input), target(given_target), single(given_input.dim() == 1) {
    Dims expected = input.shape();
    expected.erase(single ? 0 : 1);
    const bool is_of_classes = is_integer(target.dtype());
    if (!is_of_classes || target.shape() != expected) {
      refuse(is_of_classes ? ErrorKind::shape_mismatch : ErrorKind::invalid_argument, function,
             input, target, fmt::format("integers {}", describe(expected)));
    }
    if (target.dtype() != DType::int32) target = as_dtype(target, DType::int64);
    if (!single) return;
    input = unsqueeze(input, 0);
    target = unsqueeze(target, 0);
  }
};

void check_weight(std::string_view function, const Tensor& weight, std::int64_t classes) {
  if (!weight.defined() || weight.shape() == Dims{classes}) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] the weight {} must hold one number for each of {} "
                          "classes",
                          function, describe(weight.shape()), classes));
}

Tensor of_classes(const EagerOp& op, const Classes& classes, const Tensor& weight,
                  std::int64_t ignore_index, Reduction reduction, bool with_log_probabilities) {
  const Attributes given =
      attributes({{"ignore_index", ignore_index}, {"reduction", word_of(reduction)}});
  std::vector<Tensor> inputs = {classes.input, classes.target};
  if (weight.defined()) inputs.push_back(weight);
  const Tensor loss = op.outputs(with_log_probabilities ? 2 : 1, inputs, given)[0];
  return classes.single && reduction == Reduction::none ? squeeze(loss, 0) : loss;
}

/// A vector with one number for each class, to broadcast over [N, C, ...].
Tensor by_class(const Tensor& weight, const Tensor& like) {
  Dims shape = Dims::filled(like.shape().size() - 1, 1);
  shape[0] = weight.size();
  return reshape(weight, shape);
}

/// The loss against all classes alike, which label smoothing mixes in.
Tensor of_all_classes(const Tensor& log_probabilities, const Tensor& target,
                      const CrossEntropyOptions& options) {
  const Tensor& weight = options.weight;
  const Tensor each =
      neg(sum(weight.defined() ? mul(log_probabilities, by_class(weight, log_probabilities))
                               : log_probabilities,
              Dims{1}));
  const Tensor counts = ne(target, options.ignore_index);
  const Tensor losses = where(counts, each, 0);
  if (options.reduction == Reduction::none) return losses;
  const Tensor total = sum(losses);
  if (options.reduction == Reduction::sum) return total;
  if (!weight.defined()) return div(total, sum(counts.to(each.dtype())));
  const Tensor of_target = index_select(weight, 0, reshape(where(counts, target, 0), {-1}));
  return div(total, sum(where(reshape(counts, {-1}), of_target, 0)));
}

Tensor smoothed(const Classes& classes, const CrossEntropyOptions& options) {
  const double share = options.label_smoothing / static_cast<double>(classes.input.size(1));
  const Tensor logs = log_softmax(classes.input, 1);
  const Tensor of_labels =
      nll_loss(logs, classes.target, options.weight, options.ignore_index, options.reduction);
  const Tensor of_all = of_all_classes(logs, classes.target, options);
  const Tensor loss = add(mul(of_labels, 1 - options.label_smoothing), mul(of_all, share));
  return classes.single && options.reduction == Reduction::none ? squeeze(loss, 0) : loss;
}

Tensor of_probabilities(const Tensor& input, const Tensor& target,
                        const CrossEntropyOptions& options) {
  if (input.dim() == 1) {
    const Tensor loss = of_probabilities(unsqueeze(input, 0), unsqueeze(target, 0), options);
    return options.reduction == Reduction::none ? squeeze(loss, 0) : loss;
  }
  const auto classes = static_cast<double>(input.size(1));
  const double smoothing = options.label_smoothing;
  const Tensor wanted =
      smoothing > 0 ? add(mul(target, 1 - smoothing), smoothing / classes) : target;
  Tensor losses = mul(log_softmax(input, 1), wanted);
  if (options.weight.defined()) losses = mul(losses, by_class(options.weight, input));
  if (options.reduction == Reduction::none) return neg(sum(losses, Dims{1}));
  const Tensor total = neg(sum(losses));
  if (options.reduction == Reduction::sum) return total;
  return div(total, static_cast<double>(input.size()) / classes);
}

}  // namespace

Tensor cross_entropy(const Tensor& input, const Tensor& target,
                     const CrossEntropyOptions& options) {
  const CalledFunction here;
  require_floating("cross_entropy", input);
  require_rank("cross_entropy", input, 1, 8);
  require_within("cross_entropy", "label_smoothing", options.label_smoothing, 0, 1);
  check_weight("cross_entropy", options.weight, input.size(input.dim() == 1 ? 0 : 1));
  if (is_floating(target.dtype())) {
    if (options.ignore_index >= 0) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[cross_entropy] ignore_index is {}, but the targets are "
                              "probabilities, of which none is ignored",
                              options.ignore_index));
    }
    if (target.shape() == input.shape()) return of_probabilities(input, target, options);
    refuse(ErrorKind::shape_mismatch, "cross_entropy", input, target,
           "probabilities of its shape, or classes (integers)");
  }
  const Classes classes("cross_entropy", input, target);
  if (options.label_smoothing > 0) return smoothed(classes, options);
  return of_classes(kCrossEntropy, classes, options.weight, options.ignore_index, options.reduction,
                    true);
}

Tensor nll_loss(const Tensor& input, const Tensor& target, const Tensor& weight, Int ignore_index,
                Reduction reduction) {
  const CalledFunction here;
  require_floating("nll_loss", input);
  require_rank("nll_loss", input, 1, 8);
  check_weight("nll_loss", weight, input.size(input.dim() == 1 ? 0 : 1));
  return of_classes(kLikelihood, Classes("nll_loss", input, target), weight, ignore_index,
                    reduction, false);
}

}  // namespace switchyard
