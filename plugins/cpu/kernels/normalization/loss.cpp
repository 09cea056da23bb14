// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss of [N, C, ...] scores and [N, ...] labels.
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/convert.hpp"
#include "loops/line_loop.hpp"
#include "loops/numbers.hpp"
#include "simd/reduce_functions.hpp"
#include "simd/vector_lines.hpp"

namespace cpu {
namespace {

enum class Join { none, sum, mean };

struct Loss {
  bool takes_softmax;  // else scores are logarithms of probabilities already
  std::optional<int64_t> ignored;
  Join join;

  static Loss of(const sy::Node& node) {
    Loss loss{node.op() == "SoftmaxCrossEntropyLoss", {}, Join::mean};
    if (node.has("ignore_index")) loss.ignored = node.integer("ignore_index");
    const std::string_view reduction = node.text("reduction", "mean");
    if (reduction == "none") loss.join = Join::none;
    if (reduction == "sum") loss.join = Join::sum;
    return loss;
  }
};

// The logarithm of the sum of exponentials, in two parts: a score's difference from the largest is
// exact, while their sum may leave nothing of the smaller one.
struct LogSum {
  double largest = 0, rest = 0;

  double below(double score) const { return score - largest - rest; }
};
LogSum log_sum(const float* x, int64_t count) {
  const double largest = reduce_functions<float>(ReduceKind::max).row(x, count);
  if (!std::isfinite(largest)) return {std::numeric_limits<double>::quiet_NaN()};
  return {largest, std::log(vector_lines().powers(x, count, static_cast<float>(largest)))};
}
LogSum log_sum(const double* x, int64_t count) {
  const double largest = reduce_functions<double>(ReduceKind::max).row(x, count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(x[i] - largest);
  return {largest, std::log(sum)};
}

int64_t label_at(const ConstTensor& labels, int64_t offset) {
  const char* at = labels.as<char>() + offset;
  return labels.dtype == SY_INT32 ? *reinterpret_cast<const int32_t*>(at)
                                  : *reinterpret_cast<const int64_t*>(at);
}

// What each line, a sample's scores over the classes, adds: its loss and the weight that counts.
struct Parts {
  std::vector<double> losses, weights;
};

template <typename W>
class LossRun {
 public:
  LossRun(const Loss& loss, Call& call)
      : loss_(loss), call_(call), scores_(call.input(0)), labels_(call.input(1)) {
    if (call.has_input(2)) weights_ = numbers_of<double>(call.input(2));
  }

  void run() {
    constexpr uint64_t class_axis = 2;
    const bool writes = call_.has_output(1);
    const bool keeps = loss_.join == Join::none;
    const Tensor& output = call_.output(0);
    const std::array<LineOperand, 4> operands = {
        LineOperand::whole(scores_), LineOperand::whole(writes ? call_.output(1) : scores_),
        LineOperand::reduced(labels_, class_axis, scores_.rank()),
        LineOperand::reduced(keeps ? output : labels_, class_axis, scores_.rank())};
    const LineWalk walk(scores_.shape, class_axis, operands);
    Parts parts;
    if (!keeps) {
      parts.losses.assign(static_cast<size_t>(walk.count()), 0);
      parts.weights = parts.losses;
    }
    const ConvertRow store = convert_row(SY_FLOAT64, output.dtype);
    for_each_line<W>(walk, {&scores_, writes ? &call_.output(1) : nullptr}, medium_grain,
                     [&](const W* x, W* y, const LineOffsets& offsets, int64_t line) {
                       const auto [value, weight] =
                           line_loss(x, y, walk.length(), label_at(labels_, offsets[2]));
                       if (keeps) {
                         store(reinterpret_cast<const char*>(&value), 0,
                               output.as<char>() + offsets[3], 0, 1);
                       } else {
                         parts.losses[line] = value;
                         parts.weights[line] = weight;
                       }
                     });
    if (!keeps) join(parts, store, output);
  }

 private:
  struct Weighted {
    double loss, weight;
  };

  // Also writes the logarithms of the probabilities, if they are asked for.
  Weighted line_loss(const W* x, W* y, int64_t classes, int64_t label) const {
    const LogSum sum = loss_.takes_softmax ? log_sum(x, classes) : LogSum{};
    const bool counts = !loss_.ignored || label != *loss_.ignored;
    if (counts && (label < 0 || label >= classes)) {
      throw sy::invalid("label ", label, " is not one of ", classes, " classes");
    }
    const double score = counts ? sum.below(static_cast<double>(x[label])) : 0;
    if (y != nullptr) {
      for (int64_t c = 0; c < classes; ++c)
        y[c] = static_cast<W>(sum.below(static_cast<double>(x[c])));
    }
    if (!counts) return {0, 0};
    const double weight = weights_.empty() ? 1 : weights_.at(static_cast<size_t>(label));
    return {-score * weight, weight};
  }

  void join(const Parts& parts, ConvertRow store, const Tensor& output) const {
    const auto sum = reduce_functions<double>(ReduceKind::sum).row;
    const auto count = static_cast<int64_t>(parts.losses.size());
    double value = sum(parts.losses.data(), count);
    if (loss_.join == Join::mean) value /= sum(parts.weights.data(), count);
    store(reinterpret_cast<const char*>(&value), 0, output.as<char>(), 0, 1);
  }

  const Loss& loss_;
  Call& call_;
  const ConstTensor& scores_;
  const ConstTensor& labels_;
  std::vector<double> weights_;
};

Prepared make_loss(const sy::Node& node) {
  const Loss loss = Loss::of(node);
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  Prepared made;
  made.kernel = function_kernel([loss, wide](Call& call) {
    if (wide) return LossRun<double>(loss, call).run();
    LossRun<float>(loss, call).run();
  });
  return made;
}

constexpr uint64_t labels = SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow loss_rows[] = {
    {"NegativeLogLikelihoodLoss", float_types | labels, float_types, make_loss, nullptr,
     any_strides},
    {"SoftmaxCrossEntropyLoss", float_types | labels, float_types, make_loss, nullptr, any_strides},
};

}  // namespace

KernelTable loss_kernels() { return loss_rows; }

}  // namespace cpu
