// The gradients of Softmax and LogSoftmax against the formulas of plugin-api/switchyard-ops.md, in
// double.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

using Doubles = std::vector<double>;

struct Form {
  const char* op;
  double (*part)(double dy, double y);                // of the sum
  double (*result)(double dy, double y, double sum);  // for an element
};
constexpr Form forms[] = {{"SoftmaxGradient", [](double dy, double y) { return dy * y; },
                           [](double dy, double y, double sum) { return y * (dy - sum); }},
                          {"LogSoftmaxGradient", [](double dy, double) { return dy; },
                           [](double dy, double y, double sum) { return dy - std::exp(y) * sum; }}};

// Numbers from -1 to 1, as shares and logarithms are of that size.
template <typename T>
std::vector<T> small(const Shape& shape, unsigned seed) {
  std::vector<T> made;
  for (const float one : numbers<float>(count_of(shape), seed)) {
    made.push_back(static_cast<T>(one / 9));
  }
  return made;
}

template <typename T>
std::vector<T> expected(const Form& form, const Shape& shape, const std::vector<T>& dy,
                        const std::vector<T>& y, size_t axis) {
  const int64_t length = shape[axis];
  return made_by<T>(shape, [&](Shape at) {
    const size_t here = flat(shape, at);
    double sum = 0;
    for (at[axis] = 0; at[axis] < length; ++at[axis]) {
      const size_t position = flat(shape, at);
      sum += form.part(wide(dy[position]), wide(y[position]));
    }
    return form.result(wide(dy[here]), wide(y[here]), sum);
  });
}

Case node(const Form& form, size_t axis) {
  Case made(form.op, 1);
  made.domain("switchyard").attribute("axis", static_cast<int64_t>(axis));
  return made;
}

template <typename T>
class SoftmaxGradientOf : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float>  ? 1e-5
                                      : std::is_same_v<T, half> ? 0x1.1p-11
                                                                : 0x1.1p-8;
};
TYPED_TEST_SUITE(SoftmaxGradientOf, Floating);

// Lines shorter than a SIMD group, longer than a threadgroup, and of one element.
TYPED_TEST(SoftmaxGradientOf, Lines) {
  for (const Shape& shape : {Shape{2, 7, 3}, Shape{3, 700}, Shape{5, 1}, Shape{9}}) {
    const auto dy = small<TypeParam>(shape, 1), y = small<TypeParam>(shape, 2);
    for (const Form& form : forms) {
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        node(form, axis)
            .input(shape, dy)
            .input(shape, y)
            .expect(shape, expected(form, shape, dy, y, axis), this->tolerance);
        Case within = node(form, axis).input(shape, dy).input(shape, y);
        within.output(shape, expected(form, shape, dy, y, axis), this->tolerance);
        within.in_place_of(0).check();
      }
    }
  }
}

TEST(SoftmaxGradient, NansAndInfinitiesStayOnTheirLines) {
  const Shape shape{4, 2};
  const Floats dy{1, 2, NAN, 4, INFINITY, 6, 7, 8}, y{0.5, 0.5, 0.25, 0.75, 0.25, 0.75, NAN, 1};
  for (const Form& form : forms) {
    node(form, 1).input(shape, dy).input(shape, y).expect(shape, expected(form, shape, dy, y, 1),
                                                          1e-6);
  }
}

TEST(SoftmaxGradient, OfNothing) {
  for (const Form& form : forms) {
    node(form, 1).input<float>({2, 0}, {}).input<float>({2, 0}, {}).expect<float>({2, 0}, {});
  }
}

TEST(SoftmaxGradient, RefusesFloat64) {
  Case exact = node(forms[0], 0);
  exact.input<double>({1}, {1}).input<double>({1}, {1});
  EXPECT_EQ(exact.output<double>({1}, {1}).failure().reason(), SY_REASON_DTYPE);
}

}  // namespace
}  // namespace mps::op_tests
