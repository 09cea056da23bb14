/// @file
/// Losses: how far an input is from what it should be. `Reduction` says what becomes of the losses:
/// their mean, which is of rank 0 and NaN of nothing, their sum, or none. Results are new tensors
/// on the device of the input. Errors: Error(shape_mismatch) for shapes that do not fit,
/// Error(invalid_argument) for a dtype that is refused and for options out of their range.
#pragma once

#include <cstdint>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What becomes of the losses of single elements or samples: nothing, their mean, or their sum.
enum class Reduction { none, mean, sum };

/// What cross_entropy() makes of its losses.
struct CrossEntropyOptions {
  /// Classes of this number count for nothing. From 0 on it is Error(invalid_argument) beside
  /// probabilities, of which none is a class.
  std::int64_t ignore_index = -100;
  double label_smoothing = 0;  ///< from 0 to 1: the share of targets that all classes have alike
  Reduction reduction = Reduction::mean;  ///< the mean is by the weights of targets that count
  Tensor weight = {};                     ///< of each class
};
/// -log softmax(input)[target] of logits [N, C, ...] and classes [N, ...], integers of any dtype,
/// or of probabilities [N, C, ...]; one sample is [C] with a class of rank 0. Logits have a
/// floating-point dtype, which the result has. Gradient: to the logits, and to probabilities.
/// Error(shape_mismatch) for targets of another shape or dtype; Error(invalid_argument) for a class
/// that is not there, which a device that computes later tells at the next wait.
[[nodiscard]] SWITCHYARD_API Tensor cross_entropy(const Tensor& input, const Tensor& target,
                                                  const CrossEntropyOptions& options = {});
/// -input[target] of log-probabilities [N, C, ...] and classes [N, ...], integers of any dtype,
/// with `weight` [C] of each class. Log-probabilities have a floating-point dtype. Gradient: to
/// these alone. Errors are those of cross_entropy().
[[nodiscard]] SWITCHYARD_API Tensor nll_loss(const Tensor& input, const Tensor& target,
                                             const Tensor& weight = {}, Int ignore_index = -100,
                                             Reduction reduction = Reduction::mean);
/// binary_cross_entropy() of sigmoid(input), also where that is near 0 or 1. `target` has the shape
/// of `input`; `weight` broadcasts, and `pos_weight` multiplies the losses of targets that are 1.
/// `input` has a floating-point dtype, others promote. Gradient: to all. Error(shape_mismatch) for
/// another shape.
[[nodiscard]] SWITCHYARD_API Tensor binary_cross_entropy_with_logits(
    const Tensor& input, const Tensor& target, const Tensor& weight = {},
    const Tensor& pos_weight = {}, Reduction reduction = Reduction::mean);
/// -target log(input) - (1 - target) log(1 - input) of probabilities; what is not a number from 0
/// to 1 gives NaN. Logarithms are at least -100, and the gradient (input - target) / (input (1 -
/// input)) divides by at least 1e-12. `target` has the shape of `input`, `weight` broadcasts.
/// `input` has a floating-point dtype. Gradient: to all three. Error(shape_mismatch) for another
/// shape.
[[nodiscard]] SWITCHYARD_API Tensor binary_cross_entropy(const Tensor& input, const Tensor& target,
                                                         const Tensor& weight = {},
                                                         Reduction reduction = Reduction::mean);
/// (input - target)^2, and |input - target|. The shapes broadcast: mind that [N, 1] and [N] give
/// [N, N]. `input` has a floating-point dtype, with which that of `target` promotes. Gradient: to
/// both.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor mse_loss(const Tensor& input, const Tensor& target,
                                             Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor l1_loss(const Tensor& input, const Tensor& target,
                                            Reduction reduction = Reduction::mean);
/// @}
/// With d = input - target: d^2 / 2 where |d| is at most delta, else delta (|d| - delta / 2); and
/// that over beta, with beta for delta: at 0 l1_loss(). Shapes broadcast. `input` has a
/// floating-point dtype, with which that of `target` promotes. Gradient: to both.
/// Error(invalid_argument) for a `delta` of 0 or less, and a `beta` below 0.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor huber_loss(const Tensor& input, const Tensor& target,
                                               Real delta = 1,
                                               Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor smooth_l1_loss(const Tensor& input, const Tensor& target,
                                                   Real beta = 1,
                                                   Reduction reduction = Reduction::mean);
/// @}
/// target (log target - input), of log-probabilities `input` and of probabilities, or with
/// `log_target` their logarithms. The shapes broadcast; the mean is over all elements.
/// Floating-point dtypes alone, which promote. Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor kl_div(const Tensor& input, const Tensor& target,
                                           Reduction reduction = Reduction::mean,
                                           Flag log_target = false);

/// max(0, margin - target (a - b)): a target of 1 wants `a` to be larger, of -1 `b`. The shapes
/// broadcast. `a` has a floating-point dtype, with which others promote. Gradient: to `a`, `b` and
/// `target`; the derivative where the loss becomes 0 is that of the slope.
[[nodiscard]] SWITCHYARD_API Tensor margin_ranking_loss(const Tensor& a, const Tensor& b,
                                                        const Tensor& target, Real margin = 0,
                                                        Reduction reduction = Reduction::mean);
/// 1 - cosine_similarity(a, b) where the target is 1, what it is above `margin` where it is -1: of
/// [N, D] and targets [N], or [D] and a target of rank 0. Floating-point dtypes, which promote;
/// targets of any. Gradient: to `a` and `b`. Error(shape_mismatch) for targets of another shape.
[[nodiscard]] SWITCHYARD_API Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b,
                                                          const Tensor& target, Real margin = 0,
                                                          Reduction reduction = Reduction::mean);
/// How triplet_margin_loss() measures.
struct TripletMarginOptions {
  double eps = 1e-6;                      ///< added to all differences
  double margin = 1;                      ///< by which the negative is to be farther away
  double p = 2;                           ///< the order of the norm
  Reduction reduction = Reduction::mean;  ///< of the losses
  bool swap = false;  ///< the negative is as far as it is from the nearer of anchor and positive
};
/// max(0, distance to the positive - distance to the negative + margin) by pairwise_distance(), of
/// [N, D] or [D]. Floating-point dtypes, which promote. Gradient: to all three.
[[nodiscard]] SWITCHYARD_API Tensor triplet_margin_loss(const Tensor& anchor,
                                                        const Tensor& positive,
                                                        const Tensor& negative,
                                                        const TripletMarginOptions& options = {});

/// What ctc_loss() takes for the blank, and makes of its losses.
struct CTCLossOptions {
  std::int64_t blank = 0;                 ///< the class of no label
  Reduction reduction = Reduction::mean;  ///< of losses over the lengths of their targets
  bool zero_infinity = false;  ///< a target that does not fit its input counts for nothing
};
/// -log of the probability of all ways to write targets, blanks and repetitions in between (Graves
/// and others, 2006): log-probabilities [T, N, C] with targets [N, S] or [all target_lengths], and
/// lengths [N]; or [T, C], [S] and lengths of rank 0. Log-probabilities have a floating-point
/// dtype; targets and lengths are integers, which are waited for. Gradient: to the
/// log-probabilities. A target that is too long for its input gives infinity.
/// Error(shape_mismatch) for another number of targets or lengths than there are samples, and for
/// none; Error(invalid_argument) for a length beyond its extent and a target that is no class.
[[nodiscard]] SWITCHYARD_API Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets,
                                             const Tensor& input_lengths,
                                             const Tensor& target_lengths,
                                             const CTCLossOptions& options = {});

}  // namespace switchyard
