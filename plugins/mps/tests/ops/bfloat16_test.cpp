// Every family that computes in bfloat16: in float32, and rounded once to the nearest, to even
// where two are.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "ops/data.hpp"
#include "ops/rows.hpp"
#include "runtime/node.hpp"

namespace mps::op_tests {
namespace {

using Bfloats = std::vector<bfloat>;

// Half of what two neighbours differ in, and a little.
constexpr double one_rounding = 0x1.1p-8;

template <typename T, typename Function>
std::vector<T> each(const Bfloats& x, Function&& function) {
  std::vector<T> made;
  for (const bfloat one : x) made.push_back(static_cast<T>(function(static_cast<float>(one))));
  return made;
}

TEST(Bfloat16, FunctionsOfOneNumber) {
  const Bfloats x = wild<bfloat>(60);
  const std::pair<const char*, float (*)(float)> functions[] = {
      {"Relu", [](float v) { return std::isnan(v) ? v : std::max(v, 0.0f); }},
      {"Neg", [](float v) { return -v; }},
      {"Abs", [](float v) { return std::fabs(v); }},
      {"Floor", [](float v) { return std::floor(v); }},
  };
  for (const auto& [op, function] : functions) {
    Case(op).input({3, 20}, x).expect({3, 20}, each<bfloat>(x, function));
  }
  const Bfloats tame = numbers<bfloat>(60);
  Case("Tanh")
      .input({3, 20}, tame)
      .expect({3, 20}, each<bfloat>(tame, [](float v) { return std::tanh(v); }), one_rounding);
  Case("IsNaN").input({60}, x).expect(
      {60}, each<Truth>(x, [](float v) { return std::isnan(v) ? 1 : 0; }));
}

// Sums, differences and products of two are rounded from what float32 holds exactly or nearly.
TEST(Bfloat16, Arithmetic) {
  const Bfloats x = wild<bfloat>(24, 1), y = wild<bfloat>(24, 2);
  const std::pair<const char*, float (*)(float, float)> functions[] = {
      {"Add", [](float a, float b) { return a + b; }},
      {"Sub", [](float a, float b) { return a - b; }},
      {"Mul", [](float a, float b) { return a * b; }},
      {"Div", [](float a, float b) { return a / b; }},
  };
  for (const auto& [op, function] : functions) {
    const auto expected = made_by<bfloat>({4, 6}, [&, f = function](const Shape& at) {
      const auto i = static_cast<size_t>(at[0] * 6 + at[1]);
      return f(static_cast<float>(x[i]), static_cast<float>(y[i]));
    });
    Case(op, 14).input({4, 6}, x).input({4, 6}, y).expect({4, 6}, expected);
  }
  const auto less = made_by<Truth>({24}, [&](const Shape& at) {
    const auto i = static_cast<size_t>(at[0]);
    return static_cast<float>(x[i]) < static_cast<float>(y[i]) ? 1 : 0;
  });
  Case("Less", 13).input({24}, x).input({24}, y).expect({24}, less);
}

TEST(Bfloat16, Choices) {
  const Bfloats x = numbers<bfloat>(6, 1), y = numbers<bfloat>(6, 2);
  const auto yes = Truth::yes, no = Truth::no;
  Case("Where", 16)
      .input<Truth>({6}, {yes, no, yes, no, no, yes})
      .input({6}, x)
      .input({6}, y)
      .expect<bfloat>({6}, {x[0], y[1], x[2], y[3], y[4], x[5]});
  Case("Clip", 13)
      .input({6}, x)
      .input<bfloat>({}, {-2})
      .input<bfloat>({}, {3})
      .expect({6}, each<bfloat>(x, [](float v) { return std::clamp(v, -2.0f, 3.0f); }));
}

// 1 + 2^-8 is halfway between 1 and its neighbour, 1 + 3 * 2^-8 between the next two.
TEST(Bfloat16, CastsRoundToEven) {
  const auto to = static_cast<int64_t>(SY_BFLOAT16);
  Case("Cast", 13)
      .attribute("to", to)
      .input<float>({7},
                    {1 + 0x1p-8f, 1 + 0x1.8p-7f, 1 + 0x1.01p-8f, -0.0f, 3.4e38f, NAN, -INFINITY})
      .expect<bfloat>({7}, {1.0f, 1 + 0x1p-6f, 1 + 0x1p-7f, -0.0f, INFINITY, NAN, -INFINITY});
  Case("Cast", 13)
      .attribute("to", to)
      .input<int64_t>({3}, {257, -3, 1000000})
      .expect<bfloat>({3}, {256, -3, 999424});
  Case("Cast", 13)
      .attribute("to", to)
      .input<half>({2}, {0.5f, 65504})
      .expect<bfloat>({2}, {0.5f, 65536});
  const Bfloats x = {1.5f, -2.75f, 0.0f, 300.0f};
  Case("Cast", 13)
      .attribute("to", static_cast<int64_t>(SY_FLOAT32))
      .input({4}, x)
      .expect<float>({4}, {1.5f, -2.75f, 0, 300});
  Case("Cast", 13)
      .attribute("to", static_cast<int64_t>(SY_FLOAT16))
      .input({4}, x)
      .expect<half>({4}, {1.5f, -2.75f, 0.0f, 300.0f});
  Case("Cast", 13)
      .attribute("to", static_cast<int64_t>(SY_INT32))
      .input({4}, x)
      .expect<int32_t>({4}, {1, -2, 0, 300});
  Case("Cast", 13)
      .attribute("to", static_cast<int64_t>(SY_BOOL))
      .input({4}, x)
      .expect<Truth>({4}, {Truth::yes, Truth::yes, Truth::no, Truth::yes});
}

// Lines along the last axis, long enough for a group and not.
TEST(Bfloat16, Reductions) {
  for (const int64_t length : {7, 300}) {
    const Shape shape{3, length};
    const Bfloats x = numbers<bfloat>(3 * length);
    const std::pair<const char*, std::function<double(const Bfloats&)>> folds[] = {
        {"ReduceSum",
         [](const Bfloats& line) {
           double sum = 0;
           for (const bfloat one : line) sum += static_cast<double>(one);
           return sum;
         }},
        {"ReduceMax",
         [](const Bfloats& line) {
           return static_cast<double>(*std::max_element(line.begin(), line.end()));
         }},
    };
    for (const auto& [op, fold] : folds) {
      const auto expected = by_line<bfloat>(
          shape, x, 1, [&, f = fold](const Bfloats& line) { return Bfloats{f(line)}; });
      Case(op, 18).input(shape, x).host<int64_t>({1}, {1}).expect({3, 1}, expected, one_rounding);
    }
    const auto positions = by_line<int64_t>(shape, x, 1, [](const Bfloats& line) {
      return Numbers{std::max_element(line.begin(), line.end()) - line.begin()};
    });
    Case("ArgMax", 13).attribute("axis", 1).input(shape, x).expect({3, 1}, positions);
  }
}

TEST(Bfloat16, Lines) {
  const Shape shape{3, 50};
  const Bfloats x = numbers<bfloat>(150);
  const auto shares = by_line<bfloat>(shape, x, 1, [](const Bfloats& line) {
    double sum = 0;
    for (const bfloat one : line) sum += std::exp(static_cast<double>(one));
    Bfloats made;
    for (const bfloat one : line) made.push_back(std::exp(static_cast<double>(one)) / sum);
    return made;
  });
  Case("Softmax", 13).attribute("axis", 1).input(shape, x).expect(shape, shares, one_rounding);
  const auto sums = by_line<bfloat>(shape, x, 1, [](const Bfloats& line) {
    double sum = 0;
    Bfloats made;
    for (const bfloat one : line) made.push_back(sum += static_cast<double>(one));
    return made;
  });
  Case("CumSum", 14).input(shape, x).host<int64_t>({}, {1}).expect(shape, sums);
}

TEST(Bfloat16, Norms) {
  const Shape shape{4, 40};
  const Bfloats x = numbers<bfloat>(160), scale = numbers<bfloat>(40, 2);
  const Bfloats bias = numbers<bfloat>(40, 3);
  const auto expected = by_line<bfloat>(shape, x, 1, [&](const Bfloats& line) {
    double mean = 0, variance = 0;
    for (const bfloat one : line) mean += static_cast<double>(one) / 40;
    for (const bfloat one : line) variance += std::pow(static_cast<double>(one) - mean, 2) / 40;
    Bfloats made;
    for (size_t i = 0; i < line.size(); ++i) {
      made.push_back((static_cast<double>(line[i]) - mean) / std::sqrt(variance + 1e-5) *
                         static_cast<double>(scale[i]) +
                     static_cast<double>(bias[i]));
    }
    return made;
  });
  Case("LayerNormalization", 17)
      .attribute("axis", -1)
      .input(shape, x)
      .input({40}, scale)
      .input({40}, bias)
      .expect(shape, expected, one_rounding);
}

// By the kernel for few rows, and by a graph.
TEST(Bfloat16, Products) {
  for (const int64_t rows : {1, 5, 12}) {
    const int64_t depth = 33, columns = 40;
    const Bfloats a = numbers<bfloat>(rows * depth, 1), b = numbers<bfloat>(depth * columns, 2);
    const auto expected = made_by<bfloat>({rows, columns}, [&](const Shape& at) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k) {
        sum += static_cast<double>(a[static_cast<size_t>(at[0] * depth + k)]) *
               static_cast<double>(b[static_cast<size_t>(k * columns + at[1])]);
      }
      return sum;
    });
    Case("MatMul", 13)
        .input({rows, depth}, a)
        .input({depth, columns}, b)
        .expect({rows, columns}, expected, one_rounding);
    Case("Einsum", 12)
        .attribute("equation", "ij,jk->ik")
        .input({rows, depth}, a)
        .input({depth, columns}, b)
        .expect({rows, columns}, expected, one_rounding);
  }
}

TEST(Bfloat16, Others) {
  const Bfloats x = numbers<bfloat>(12, 1), y = numbers<bfloat>(12, 2);
  const auto mean = made_by<bfloat>({12}, [&](const Shape& at) {
    const auto i = static_cast<size_t>(at[0]);
    return (static_cast<float>(x[i]) + static_cast<float>(y[i])) / 2;
  });
  Case("Mean", 13).input({12}, x).input({12}, y).expect({12}, mean);
  Case("Dropout", 13).input({12}, x).expect({12}, x);
  Case("Identity", 19).input({12}, x).expect({12}, x);
}

// ---- where the system does not have it

const sy_claim* claim_of(const sy::ClaimTable& table, const char* op) {
  for (uint32_t i = 0; i < table.size(); ++i) {
    const sy_claim& claim = table.data()[i];
    if (std::string(claim.op) == op && (claim.input_dtypes & SY_DTYPE_BIT(SY_FLOAT16)) != 0) {
      return &claim;
    }
  }
  return nullptr;
}

TEST(Bfloat16, IsAskedForWhereTheSystemDoesNotHaveIt) {
  for (const char* op : {"Relu", "Add", "Cast", "ReduceSum", "Mean"}) {
    const sy_claim* claim = claim_of(all_claims({.bfloat16 = false}), op);
    ASSERT_NE(claim, nullptr) << op;
    EXPECT_EQ(claim->flags & SY_CLAIM_NO_SUPPORTS_CALL, 0u) << op;
  }
  EXPECT_NE(claim_of(all_claims({}), "Relu")->flags & SY_CLAIM_NO_SUPPORTS_CALL, 0u);
  EXPECT_NE(claim_of(all_claims({.bfloat16 = false}), "Concat")->flags & SY_CLAIM_NO_SUPPORTS_CALL,
            0u)
      << "copies need no bfloat16";
}

TEST(Bfloat16, IsRefusedForTheSystemsSake) {
  const int64_t shape[] = {2};
  sy_value values[2] = {runtime_tests::make_args<sy_value>(), runtime_tests::make_args<sy_value>()};
  const uint32_t input = 0, output = 1;
  for (sy_value& value : values) {
    value.dtype = SY_BFLOAT16;
    value.rank = 1;
    value.shape = shape;
  }
  auto node = runtime_tests::make_args<sy_node>();
  node.domain = "";
  node.op = "Relu";
  node.version = 14;
  node.inputs = &input;
  node.input_count = 1;
  node.outputs = &output;
  node.output_count = 1;
  auto program = runtime_tests::make_args<sy_program>();
  program.values = values;
  program.value_count = 2;
  program.nodes = &node;
  program.node_count = 1;
  EXPECT_NO_THROW(select_row(sy::Node(program, 0)));
  try {
    select_row(sy::Node(program, 0), {.bfloat16 = false});
    FAIL() << "taken";
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.reason(), SY_REASON_OS);
    EXPECT_NE(std::string(failure.what()).find("macOS 14"), std::string::npos);
  }
}

}  // namespace
}  // namespace mps::op_tests
