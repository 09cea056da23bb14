#include <gtest/gtest.h>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"

namespace cpu::testing {
namespace {

// ---- ArgMax, ArgMin

std::vector<int64_t> arg(const char* op, const Value& input, int axis, bool last,
                         const Shape& shape) {
  return numbers<int64_t>(OneNode(op)
                              .attribute("axis", axis)
                              .attribute("keepdims", 0)
                              .attribute("select_last_index", last ? 1 : 0)
                              .input(input)
                              .output(SY_INT64, shape)
                              .run());
}

TEST(Arg, FirstAndLastInEveryLayoutAndType) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_INT8, SY_INT64, SY_UINT64}) {
    const Value plain = from_doubles(dtype, {2, 4}, {1, 3, 3, 0, 5, 2, 5, 2});
    for (const Value& input : layouts_of(plain)) {
      EXPECT_EQ(arg("ArgMax", input, 1, false, {2}), (std::vector<int64_t>{1, 0}));
      EXPECT_EQ(arg("ArgMax", input, -1, true, {2}), (std::vector<int64_t>{2, 2}));
      EXPECT_EQ(arg("ArgMin", input, 1, false, {2}), (std::vector<int64_t>{3, 1}));
      EXPECT_EQ(arg("ArgMin", input, 1, true, {2}), (std::vector<int64_t>{3, 3}));
      EXPECT_EQ(arg("ArgMax", input, 0, false, {4}), (std::vector<int64_t>{1, 0, 1, 1}));
    }
  }
}

TEST(Arg, NanWinsAndEmptyIsInvalid) {
  const Value input = from_doubles(SY_FLOAT32, {4}, {1, nan, 5, nan});
  EXPECT_EQ(arg("ArgMax", input, 0, false, {}), (std::vector<int64_t>{1}));
  EXPECT_EQ(arg("ArgMax", input, 0, true, {}), (std::vector<int64_t>{3}));
  EXPECT_EQ(arg("ArgMin", input, 0, false, {}), (std::vector<int64_t>{1}));
  EXPECT_THROW(arg("ArgMax", blank(SY_FLOAT32, {2, 0}), 1, false, {2}), sy::Failure);
}

// ---- CumSum, CumProd

struct Cumulation {
  std::string op;
  int version, axis, exclusive, reverse;
  std::vector<double> of_1_to_6;  // as [2, 3]
};

const Cumulation cumulations[] = {
    {"CumSum", 14, 1, 0, 0, {1, 3, 6, 4, 9, 15}},     {"CumSum", 14, 1, 1, 0, {0, 1, 3, 0, 4, 9}},
    {"CumSum", 14, -1, 0, 1, {6, 5, 3, 15, 11, 6}},   {"CumSum", 14, 1, 1, 1, {5, 3, 0, 11, 6, 0}},
    {"CumSum", 14, 0, 0, 0, {1, 2, 3, 5, 7, 9}},      {"CumSum", 14, -2, 1, 0, {0, 0, 0, 1, 2, 3}},
    {"CumProd", 26, 1, 0, 0, {1, 2, 6, 4, 20, 120}},  {"CumProd", 26, 1, 1, 0, {1, 1, 2, 1, 4, 20}},
    {"CumProd", 26, -1, 0, 1, {6, 6, 3, 120, 30, 6}}, {"CumProd", 26, 1, 1, 1, {6, 3, 1, 30, 6, 1}},
    {"CumProd", 26, 0, 0, 0, {1, 2, 3, 4, 10, 18}},   {"CumProd", 26, -2, 1, 1, {4, 5, 6, 1, 1, 1}},
};

std::vector<double> cumulated(const Cumulation& by, const Value& input) {
  return as_doubles(OneNode(by.op, by.version)
                        .attribute("exclusive", by.exclusive)
                        .attribute("reverse", by.reverse)
                        .input(input)
                        .host_input(value<int64_t>({}, {by.axis}))
                        .output(input.dtype, input.shape)
                        .run());
}

TEST(Cumulation, InEveryDirection) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_INT32, SY_INT64, SY_UINT8}) {
    for (const Value& input : layouts_of(from_doubles(dtype, {2, 3}, {1, 2, 3, 4, 5, 6}))) {
      for (const Cumulation& by : cumulations) {
        EXPECT_EQ(cumulated(by, input), by.of_1_to_6)
            << by.op << " along " << by.axis << (by.exclusive ? ", exclusive" : "")
            << (by.reverse ? ", reverse" : "");
      }
    }
  }
}

TEST(Cumulation, OfNoElementsIsNone) {
  for (const Cumulation& by : cumulations) {
    EXPECT_TRUE(cumulated(by, blank(SY_FLOAT32, {2, 0})).empty()) << by.op;
  }
}

}  // namespace
}  // namespace cpu::testing
