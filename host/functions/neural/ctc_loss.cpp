// Connectionist temporal classification: Graves, Fernandez, Gomez and Schmidhuber, 2006.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

[[noreturn]] void refuse_ctc(const std::string& why, ErrorKind kind = ErrorKind::invalid_argument) {
  throw Error(kind, "[ctc_loss] " + why);
}

std::vector<std::int64_t> integers_of(const char* what, const Tensor& x) {
  if (x.defined() && !is_floating(x.dtype()) && x.dtype() != DType::bool_) {
    return reshape(x, {-1}).to(DType::int64).to_vector<std::int64_t>();
  }
  refuse_ctc(
      fmt::format("{} must be integers, got {}", what, x.defined() ? name_of(x.dtype()) : "none"));
}

/// One length for each sample, from 0 to `most`.
std::vector<std::int64_t> lengths_of(const char* what, const Tensor& lengths, std::int64_t samples,
                                     std::int64_t most) {
  std::vector<std::int64_t> all = integers_of(what, lengths);
  if (static_cast<std::int64_t>(all.size()) != samples) {
    refuse_ctc(fmt::format("{} has {} numbers for {} samples", what, all.size(), samples),
               ErrorKind::shape_mismatch);
  }
  for (const std::int64_t length : all) {
    if (length >= 0 && length <= most) continue;
    refuse_ctc(fmt::format("{} has {}; it must lie in [0, {}]", what, length, most));
  }
  return all;
}

/// The labels of each sample with blanks around them, as long as the longest: [N, 2 S + 1].
struct Extended {
  std::int64_t width = 0;
  std::vector<std::int64_t> labels;
  std::vector<std::uint8_t> may_skip;  // whether a path may come from the label two before

  Extended(const std::vector<std::vector<std::int64_t>>& targets, std::int64_t blank) {
    for (const auto& target : targets) {
      width = std::max(width, 2 * static_cast<std::int64_t>(target.size()) + 1);
    }
    for (const auto& target : targets) {
      for (std::int64_t s = 0; s < width; ++s) {
        const auto at = static_cast<std::size_t>(s / 2);
        const bool is_label = s % 2 == 1 && at < target.size();
        labels.push_back(is_label ? target[at] : blank);
        may_skip.push_back(is_label && at > 0 && target[at] != target[at - 1] ? 1 : 0);
      }
    }
  }
};

/// The targets of each sample, cut out of rows, or of one line.
std::vector<std::vector<std::int64_t>> targets_of(const Tensor& targets,
                                                  const std::vector<std::int64_t>& lengths,
                                                  bool are_rows, std::int64_t classes,
                                                  std::int64_t blank) {
  const std::vector<std::int64_t> all = integers_of("targets", targets);
  std::vector<std::vector<std::int64_t>> made;
  std::int64_t begin = 0;
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    if (are_rows) begin = static_cast<std::int64_t>(n) * targets.size(1);
    made.emplace_back(all.begin() + begin, all.begin() + begin + lengths[n]);
    begin += lengths[n];
    for (const std::int64_t label : made.back()) {
      if (label >= 0 && label < classes && label != blank) continue;
      refuse_ctc(fmt::format("target {} must be one of {} classes, and not the blank {}", label,
                             classes, blank));
    }
  }
  return made;
}

/// log(exp(a) + exp(b) + ...) of numbers of which all may be -infinity, which then get no gradient.
Tensor log_of_sum(const Tensor& stacked) {
  const Tensor greatest = amax(stacked.detach(), {0}, true);
  const Tensor is_possible = ne(greatest, kImpossible);
  const Tensor base = where(is_possible, greatest, 0);
  const Tensor shifted = sub(stacked, base);
  const Tensor total = sum(where(ne(stacked, kImpossible), exp(shifted), 0), {0}, true);
  const Tensor logs = add(log(where(is_possible, total, 1)), base);
  return squeeze(where(is_possible, logs, kImpossible), 0);
}

/// `x` [N, width] moved to the right by `by`.
Tensor moved(const Tensor& x, std::int64_t by) {
  const std::int64_t kept = std::max<std::int64_t>(x.size(1) - by, 0);
  const Tensor before = x.detach().new_full({x.size(0), x.size(1) - kept}, kImpossible);
  return cat({before, narrow(x, 1, 0, kept)}, 1);
}

/// Bools of each sample, or of each label of each, that `is` says.
template <typename Is>
Tensor mask_of(const Tensor& like, const Dims& shape, const Is& is) {
  std::vector<std::uint8_t> bools;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    for (std::int64_t s = 0; s < shape[1]; ++s) bools.push_back(is(n, s) ? 1 : 0);
  }
  const std::span<const std::uint8_t> all = bools;
  return place(host_tensor_from_bytes(DType::bool_, std::as_bytes(all), shape),
               {.device = options_like(like).device});
}

/// Losses of samples [T, N, C].
Tensor losses_of(const Tensor& log_probs, const Extended& extended,
                 const std::vector<std::int64_t>& input_lengths,
                 const std::vector<std::int64_t>& target_lengths) {
  const std::int64_t steps = log_probs.size(0), samples = log_probs.size(1);
  const Dims table{samples, extended.width};
  const auto input_length = [&](std::int64_t n) {
    return input_lengths[static_cast<std::size_t>(n)];
  };
  const auto target_length = [&](std::int64_t n) {
    return target_lengths[static_cast<std::size_t>(n)];
  };
  const auto mask = [&](const Dims& shape, const auto& is) {
    return mask_of(log_probs, shape, is);
  };
  const Tensor labels =
      place(host_tensor(table, extended.labels), {.device = options_like(log_probs).device});
  const Tensor may_skip = mask(table, [&](std::int64_t n, std::int64_t s) {
    return extended.may_skip[static_cast<std::size_t>(n * extended.width + s)] != 0;
  });
  // [T, N, width]: what each label adds at each step.
  const Tensor emitted =
      gather(log_probs, 2, expand(unsqueeze(labels, 0), {steps, samples, extended.width}));
  // Of the last step of each sample: without steps, of an empty target alone.
  const Tensor is_empty =
      mask({samples, 1}, [&](std::int64_t n, std::int64_t) { return target_length(n) == 0; });
  Tensor ended = where(is_empty, 0, log_probs.detach().new_full(table, kImpossible));
  Tensor alpha;
  for (std::int64_t t = 0; t < steps; ++t) {
    const Tensor now = select(emitted, 0, t);
    if (t == 0) {
      const Tensor starts = mask(table, [](std::int64_t, std::int64_t s) { return s < 2; });
      alpha = where(starts, now, kImpossible);
    } else {
      const Tensor skipped = where(may_skip, moved(alpha, 2), kImpossible);
      alpha = add(log_of_sum(stack({alpha, moved(alpha, 1), skipped})), now);
    }
    if (std::find(input_lengths.begin(), input_lengths.end(), t + 1) == input_lengths.end()) {
      continue;
    }
    const Tensor ends =
        mask({samples, 1}, [&](std::int64_t n, std::int64_t) { return input_length(n) == t + 1; });
    ended = where(ends, alpha, ended);
  }
  const Tensor is_last = mask(table, [&](std::int64_t n, std::int64_t s) {  // or the blank after it
    return s == 2 * target_length(n) || s == 2 * target_length(n) - 1;
  });
  return neg(log_of_sum(transpose(where(is_last, ended, kImpossible), 0, 1)));
}

}  // namespace

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, const CTCLossOptions& options) {
  const CalledFunction here;
  require_floating("ctc_loss", log_probs);
  require_rank("ctc_loss", log_probs, 2, 3);
  const bool is_batch = log_probs.dim() == 3;
  require_rank("ctc_loss", targets, 1, is_batch ? 2 : 1);
  const Tensor batch = is_batch ? log_probs : unsqueeze(log_probs, 1);
  const std::int64_t samples = batch.size(1), classes = batch.size(2);
  if (options.blank < 0 || options.blank >= classes) {
    refuse_ctc(fmt::format("the blank {} lies outside of {} classes", options.blank, classes));
  }
  const bool are_rows = targets.dim() == 2;
  if (are_rows && targets.size(0) != samples) {
    refuse_ctc(fmt::format("targets {} do not go with log-probabilities {}",
                           describe(targets.shape()), describe(log_probs.shape())),
               ErrorKind::shape_mismatch);
  }
  if (samples == 0) {
    refuse_ctc(fmt::format("log-probabilities {} have no samples", describe(log_probs.shape())),
               ErrorKind::shape_mismatch);
  }
  const auto inputs = lengths_of("input_lengths", input_lengths, samples, batch.size(0));
  const auto lengths = lengths_of("target_lengths", target_lengths, samples, targets.size(-1));
  std::int64_t total = 0;
  for (const std::int64_t length : lengths) total += length;
  if (!are_rows && total != targets.size()) {
    refuse_ctc(
        fmt::format("target_lengths sum to {}, but there are {} targets", total, targets.size()),
        ErrorKind::shape_mismatch);
  }
  const Extended extended(targets_of(targets, lengths, are_rows, classes, options.blank),
                          options.blank);
  Tensor losses = losses_of(batch, extended, inputs, lengths);
  if (options.zero_infinity) {
    losses = where(eq(losses, -kImpossible), 0, losses);
  }
  if (options.reduction == Reduction::sum) return sum(losses);
  if (options.reduction == Reduction::none) return is_batch ? losses : squeeze(losses, 0);
  std::vector<double> divisors;
  for (const std::int64_t length : lengths) {
    divisors.push_back(static_cast<double>(std::max<std::int64_t>(length, 1)));
  }
  return mean(div(losses, place(host_tensor({samples}, divisors), options_like(losses))));
}

}  // namespace switchyard
