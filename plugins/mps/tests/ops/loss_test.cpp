// Losses of classes against the definition in double.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

const Shape scores_shape{3, 5, 2, 2}, labels_shape{3, 2, 2};

struct Setting {
  const char* reduction;
  bool softmax, weighted;
  std::optional<int64_t> ignored;

  const char* op() const {
    return softmax ? "SoftmaxCrossEntropyLoss" : "NegativeLogLikelihoodLoss";
  }
};

template <typename T>
class LossOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float>  ? 2e-6
                                     : std::is_same_v<T, half> ? 0x1.1p-10
                                                               : 0x1.1p-8;
  const std::vector<T> scores_ = numbers<T>(count_of(scores_shape));
  const std::vector<T> weights_ = {0.5f, 1.0f, 2.0f, 0.25f, 1.5f};
  std::vector<double> losses_, counted_;
  std::vector<T> logarithms_;

  double score(Shape at, int64_t of) const {
    at.insert(at.begin() + 1, of);
    return static_cast<double>(static_cast<float>(scores_[flat(scores_shape, at)]));
  }
  double logarithm(const Shape& at, int64_t of, bool softmax) const {
    double sum = 0;
    for (int64_t c = 0; c < 5; ++c) sum += std::exp(score(at, c));
    return score(at, of) - (softmax ? std::log(sum) : 0);
  }

  // Fills in what is expected of labels.
  template <typename I>
  void expect_of(const Setting& setting, const std::vector<I>& labels) {
    losses_.clear();
    counted_.clear();
    each_position(labels_shape, [&](const Shape& at) {
      const auto label = static_cast<int64_t>(labels[flat(labels_shape, at)]);
      const bool counts = label != setting.ignored;
      const double weight = !counts ? 0
                            : !setting.weighted
                                ? 1
                                : static_cast<double>(static_cast<float>(weights_[label]));
      counted_.push_back(weight);
      losses_.push_back(counts ? -logarithm(at, label, setting.softmax) * weight : 0);
    });
    logarithms_ = made_by<T>(scores_shape, [&](const Shape& at) {
      return logarithm({at[0], at[2], at[3]}, at[1], true);
    });
  }

  template <typename I>
  void check(const Setting& setting) {
    auto labels = below<I>(5, count_of(labels_shape), 7);
    if (setting.ignored) labels[2] = labels[9] = static_cast<I>(*setting.ignored);
    expect_of(setting, labels);
    Case node(setting.op(), 13);
    node.attribute("reduction", setting.reduction);
    if (setting.ignored) node.attribute("ignore_index", *setting.ignored);
    node.input(scores_shape, scores_).input(labels_shape, labels);
    if (setting.weighted) node.input({5}, weights_);
    const std::string reduction = setting.reduction;
    if (reduction == "none") {
      node.output(labels_shape, std::vector<T>(losses_.begin(), losses_.end()), rounding);
    } else {
      double loss = 0, counted = 0;
      for (const double one : losses_) loss += one;
      for (const double one : counted_) counted += one;
      const double joined = reduction == "mean" ? loss / counted : loss;
      node.output<T>({}, {static_cast<T>(joined)}, rounding);
    }
    if (setting.softmax) node.output(scores_shape, logarithms_, rounding);
    node.check();
  }
};
TYPED_TEST_SUITE(LossOf, Floating);

// A label that is ignored may be none of the classes.
TYPED_TEST(LossOf, LabelsJoinedAndApart) {
  for (const char* reduction : {"none", "sum", "mean"}) {
    for (const bool softmax : {false, true}) {
      for (const bool weighted : {false, true}) {
        this->template check<int64_t>({reduction, softmax, weighted, {}});
        this->template check<int64_t>({reduction, softmax, weighted, -100});
        this->template check<int32_t>({reduction, softmax, weighted, 3});
      }
    }
  }
}

// More labels than the group that joins them has threads, more classes than a line's group.
TEST(Loss, OfManyLabelsAndClasses) {
  const int64_t labels_count = 700, classes = 600;
  const auto scores = numbers<float>(labels_count * classes);
  const auto labels = below<int64_t>(classes, labels_count, 3);
  double loss = 0;
  for (int64_t n = 0; n < labels_count; ++n) {
    const float* line = &scores[static_cast<size_t>(n * classes)];
    double sum = 0;
    for (int64_t c = 0; c < classes; ++c) sum += std::exp(double{line[c]});
    loss += std::log(sum) - double{line[labels[static_cast<size_t>(n)]]};
  }
  Case("SoftmaxCrossEntropyLoss", 13)
      .input({labels_count, classes}, scores)
      .input({labels_count}, labels)
      .output<float>({}, {static_cast<float>(loss / labels_count)}, 5e-6)
      .check_once();
}

TEST(Loss, LargeScoresDoNotOverflow) {
  Case("SoftmaxCrossEntropyLoss", 13)
      .input<float>({1, 2}, {1000, 998})
      .input<int64_t>({1}, {1})
      .expect<float>({}, {2.126928f}, 1e-6);
}

TEST(Loss, LabelsAreClasses) {
  for (const int64_t label : {-1, 2}) {
    const std::string message = Case("NegativeLogLikelihoodLoss", 13)
                                    .input<float>({1, 2}, {1, 2})
                                    .input<int64_t>({1}, {label})
                                    .output<float>({}, {0})
                                    .failure()
                                    .what();
    EXPECT_NE(message.find("but its axis has 2 elements"), std::string::npos) << message;
  }
  EXPECT_EQ(Case("NegativeLogLikelihoodLoss", 13)
                .input<float>({0, 2}, {})
                .input<int64_t>({0}, {})
                .output<float>({}, {NAN})
                .failure()
                .reason(),
            SY_REASON_LIMIT);
}

}  // namespace
}  // namespace mps::op_tests
