#pragma once

#include <cstdint>

#include <switchyard/tensor.hpp>

namespace switchyard {

enum class Reduction { none, mean, sum };

struct CrossEntropyOptions {
  std::int64_t ignore_index = -100;
  double label_smoothing = 0;
  Reduction reduction = Reduction::mean;
  Tensor weight = {};  // of each class
};
/// Of logits [N, C, ...] and classes [N, ...] (integers), or probabilities [N, C, ...].
[[nodiscard]] SWITCHYARD_API Tensor cross_entropy(const Tensor& input, const Tensor& target,
                                                  const CrossEntropyOptions& options = {});
/// Of log-probabilities [N, C, ...] and classes [N, ...].
[[nodiscard]] SWITCHYARD_API Tensor nll_loss(const Tensor& input, const Tensor& target,
                                             const Tensor& weight = {},
                                             std::int64_t ignore_index = -100,
                                             Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor binary_cross_entropy_with_logits(
    const Tensor& input, const Tensor& target, const Tensor& weight = {},
    const Tensor& pos_weight = {}, Reduction reduction = Reduction::mean);
/// Of probabilities; what is not a number from 0 to 1 gives NaN. Logarithms are at least -100, and
/// the gradient (input - target) / (input (1 - input)) divides by at least 1e-12.
[[nodiscard]] SWITCHYARD_API Tensor binary_cross_entropy(const Tensor& input, const Tensor& target,
                                                         const Tensor& weight = {},
                                                         Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor mse_loss(const Tensor& input, const Tensor& target,
                                             Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor l1_loss(const Tensor& input, const Tensor& target,
                                            Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor huber_loss(const Tensor& input, const Tensor& target,
                                               double delta = 1,
                                               Reduction reduction = Reduction::mean);
[[nodiscard]] SWITCHYARD_API Tensor smooth_l1_loss(const Tensor& input, const Tensor& target,
                                                   double beta = 1,
                                                   Reduction reduction = Reduction::mean);
/// target (log target - input), of log-probabilities; the mean is over all elements.
[[nodiscard]] SWITCHYARD_API Tensor kl_div(const Tensor& input, const Tensor& target,
                                           Reduction reduction = Reduction::mean,
                                           bool log_target = false);

/// max(0, margin - target (a - b)): a target of 1 wants `a` to be larger, of -1 `b`.
[[nodiscard]] SWITCHYARD_API Tensor margin_ranking_loss(const Tensor& a, const Tensor& b,
                                                        const Tensor& target, double margin = 0,
                                                        Reduction reduction = Reduction::mean);
/// 1 - cosine_similarity(a, b) where the target is 1, what it is above `margin` where it is -1: of
/// [N, D] and targets [N], or [D] and a target of rank 0.
[[nodiscard]] SWITCHYARD_API Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b,
                                                          const Tensor& target, double margin = 0,
                                                          Reduction reduction = Reduction::mean);
struct TripletMarginOptions {
  double eps = 1e-6;
  double margin = 1;
  double p = 2;
  Reduction reduction = Reduction::mean;
  bool swap = false;  // the negative is as far as it is from the nearer of anchor and positive
};
/// max(0, distance to the positive - distance to the negative + margin), of [N, D] or [D].
[[nodiscard]] SWITCHYARD_API Tensor triplet_margin_loss(const Tensor& anchor,
                                                        const Tensor& positive,
                                                        const Tensor& negative,
                                                        const TripletMarginOptions& options = {});

struct CTCLossOptions {
  std::int64_t blank = 0;                 // the class of no label
  Reduction reduction = Reduction::mean;  // of losses over the lengths of their targets
  bool zero_infinity = false;             // a target that does not fit its input counts for nothing
};
/// -log of the probability of all ways to write targets, blanks and repetitions in between (Graves
/// and others, 2006): log-probabilities [T, N, C] with targets [N, S] or [all target_lengths], and
/// lengths [N]; or [T, C], [S] and lengths of rank 0. Targets and lengths are integers, which are
/// waited for. A target that is too long for its input gives infinity.
[[nodiscard]] SWITCHYARD_API Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets,
                                             const Tensor& input_lengths,
                                             const Tensor& target_lengths,
                                             const CTCLossOptions& options = {});

}  // namespace switchyard
