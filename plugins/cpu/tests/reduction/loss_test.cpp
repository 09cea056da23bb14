#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"

namespace cpu::testing {
namespace {

constexpr int64_t samples = 3, classes = 5, positions = 4;
const Shape scores_shape = {samples, classes, 2, 2};
const Shape labels_shape = {samples, 2, 2};

struct Setting {
  std::string reduction;
  bool weighted, softmax;
  std::optional<int64_t> ignored;
};

std::vector<double> scores() {
  std::vector<double> made;
  for (int64_t i = 0; i < samples * classes * positions; ++i) {
    made.push_back(static_cast<double>(i * 37 % 101) * 0.05 - 2.5);
  }
  return made;
}
std::vector<double> labels() {
  std::vector<double> made;
  for (int64_t i = 0; i < samples * positions; ++i)
    made.push_back(static_cast<double>(i * 3 % classes));
  return made;
}
const std::vector<double> class_weights = {0.5, 1, 2, 0.25, 1.5};

struct Expected {
  std::vector<double> loss, log_prob;
};

Expected expected(const Value& input, const Setting& setting) {
  const std::vector<double> x = as_doubles(input);
  Expected made;
  made.log_prob = x;
  double sum = 0, weight_sum = 0;
  for (int64_t n = 0; n < samples; ++n) {
    for (int64_t p = 0; p < positions; ++p) {
      const auto at = [&](int64_t c) {
        return static_cast<size_t>((n * classes + c) * positions + p);
      };
      double total = 0;
      for (int64_t c = 0; c < classes; ++c) total += std::exp(x[at(c)]);
      for (int64_t c = 0; c < classes; ++c) {
        if (setting.softmax) made.log_prob[at(c)] -= std::log(total);
      }
      const auto label = static_cast<int64_t>(labels()[n * positions + p]);
      double weight = setting.weighted ? class_weights[label] : 1;
      if (setting.ignored && label == *setting.ignored) weight = 0;
      made.loss.push_back(-made.log_prob[at(label)] * weight);
      sum += made.loss.back();
      weight_sum += weight;
    }
  }
  if (setting.reduction == "sum") made.loss = {sum};
  if (setting.reduction == "mean") made.loss = {sum / weight_sum};
  return made;
}

void expect_right_loss(const Value& input, const Setting& setting, sy_dtype label_dtype) {
  OneNode node(setting.softmax ? "SoftmaxCrossEntropyLoss" : "NegativeLogLikelihoodLoss", 13);
  node.attribute("reduction", setting.reduction);
  if (setting.ignored) node.attribute("ignore_index", *setting.ignored);
  node.input(input).input(from_doubles(label_dtype, labels_shape, labels()));
  if (setting.weighted) node.input(from_doubles(input.dtype, {classes}, class_weights));
  node.output(input.dtype, setting.reduction == "none" ? labels_shape : Shape{});
  if (setting.softmax) node.output(input.dtype, scores_shape);
  const auto outputs = node.run_all();
  const Expected want = expected(input, setting);
  const double slack = input.dtype == SY_FLOAT64 ? 1e-13 : input.dtype == SY_FLOAT32 ? 1e-6 : 1e-2;
  expect_near(outputs[0], want.loss, 2, slack);
  if (setting.softmax) expect_near(outputs[1], want.log_prob, 2, slack);
}

TEST(Loss, EveryReductionWeightAndIgnoredLabel) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    for (const Value& input : layouts_of(from_doubles(dtype, scores_shape, scores()))) {
      for (const char* reduction : {"none", "sum", "mean"}) {
        for (const bool softmax : {false, true}) {
          for (const bool weighted : {false, true}) {
            expect_right_loss(input, {reduction, weighted, softmax, {}}, SY_INT64);
            expect_right_loss(input, {reduction, weighted, softmax, 3}, SY_INT32);
          }
        }
      }
    }
  }
}

TEST(Loss, LabelsOutOfRangeAreInvalidUnlessIgnored) {
  const auto run = [](int64_t ignored) {
    return OneNode("SoftmaxCrossEntropyLoss", 13)
        .attribute("reduction", "mean")
        .attribute("ignore_index", ignored)
        .input(value<float>({2, 2}, {0, 0, 0, 0}))
        .input(value<int64_t>({2}, {-1, 1}))
        .output(SY_FLOAT32, {})
        .absent_output()
        .run();
  };
  expect_near(run(-1), {std::log(2.0)}, 1);
  EXPECT_THROW(run(0), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
