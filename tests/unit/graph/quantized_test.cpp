// What quantizers write around an op becomes one op on bytes.
#include "graph/quantized_fusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

const Runtime& cpu_runtime() {
  static const Runtime shared = start({{"cpu"}});
  return shared;
}

void join(Graph& graph, const Runtime& over = cpu_runtime()) {
  const DequantizedValues dequantized = find_dequantized(graph);
  specialise(graph, *over.engine()->dispatcher, 1 << 20);
  fuse_quantized(graph, dequantized, *over.engine()->router);
}

template <typename T>
Literal literal(DType dtype, Dims shape, std::vector<T> values) {
  return Literal::of<T>(dtype, std::move(shape), std::span<const T>(values));
}

struct Numbers {
  ValueId scale, zero;
};

// Graphs of bytes: an input quantized by 0.5 and 3.
class ByteGraph : public GraphBuilder {
 public:
  Numbers unsigned_numbers(float scale, std::uint8_t zero) {
    return {constant({}, {scale}), constant(literal<std::uint8_t>(DType::uint8, {}, {zero}))};
  }

  ValueId dequantized(ValueId bytes, float scale, std::uint8_t zero) {
    const Numbers numbers = unsigned_numbers(scale, zero);
    return node("DequantizeLinear", {bytes, numbers.scale, numbers.zero});
  }

  ValueId dequantized_input(const Dims& shape) {
    return dequantized(input("x", DType::uint8, shape), 0.5f, 3);
  }

  ValueId dequantized_constant(const Dims& shape, std::vector<std::uint8_t> values) {
    return dequantized(constant(literal(DType::uint8, shape, std::move(values))), 0.25f, 4);
  }

  // Two output channels with scales of their own; `axis` says along which axis they lie.
  ValueId dequantized_weights(const Dims& shape, std::vector<std::int8_t> values,
                              std::int64_t axis) {
    const ValueId weights = constant(literal(DType::int8, shape, std::move(values)));
    const ValueId zeros = constant(literal<std::int8_t>(DType::int8, {2}, {0, 1}));
    return node("DequantizeLinear", {weights, constant({2}, {0.25f, 0.5f}), zeros},
                attribute("axis", axis));
  }

  ValueId quantized(ValueId real, std::uint8_t zero = 10) {
    const Numbers numbers = unsigned_numbers(0.25f, zero);
    return node("QuantizeLinear", {real, numbers.scale, numbers.zero});
  }

  // With the numbers of `dequantized_input`.
  ValueId quantized_alike(ValueId real) {
    const Numbers numbers = unsigned_numbers(0.5f, 3);
    return node("QuantizeLinear", {real, numbers.scale, numbers.zero});
  }

  ValueId product() {
    const ValueId x = dequantized_input({2, 3});
    return node("MatMul", {x, dequantized_weights({3, 2}, {1, -2, 3, 4, -5, 6}, 1)});
  }
};

std::vector<int> bytes_of(const Tensor& tensor) {
  const std::vector<std::uint8_t> values = tensor.to_vector<std::uint8_t>();
  return {values.begin(), values.end()};
}

Tensor byte_input(const Dims& shape, const std::vector<std::uint8_t>& values) {
  return host_tensor<std::uint8_t>(shape, values);
}

// The bytes that the graph makes of `x`, as it is and joined.
void expect_same(const std::function<void(ByteGraph&)>& build, const Tensor& x,
                 const std::vector<std::string>& joined_ops) {
  ByteGraph plain, other;
  build(plain);
  build(other);
  PlannedGraph before(cpu_runtime(), plain);
  Graph graph = other.take();
  join(graph);
  EXPECT_EQ(op_names(graph), joined_ops);
  const auto plan = plan_graph(graph, *cpu_runtime().engine()->router);
  Execution execution(*cpu_runtime().engine()->dispatcher, {false, nullptr});
  std::vector<Cell> inputs = {{TensorRef(x.impl()), nullptr}};
  const std::vector<Cell> made = execution.run(*plan, inputs);
  EXPECT_EQ(bytes_of(Tensor(made[0].tensor.get())), bytes_of(before({x})[0]));
}

TEST(Quantized, ProductsAreJoined) {
  expect_same([](ByteGraph& build) { build.output(build.quantized(build.product())); },
              byte_input({2, 3}, {3, 7, 1, 9, 0, 12}), {"QLinearMatMul"});
}

TEST(Quantized, ConvolutionsAreJoinedWithBiasAndRelu) {
  const auto build = [](ByteGraph& graph) {
    const ValueId x = graph.dequantized_input({1, 2, 2, 2});
    const ValueId weights = graph.dequantized_weights({2, 2, 1, 1}, {1, -2, 3, 4}, 0);
    const ValueId bias = graph.constant({2}, {1.25f, -2.5f});
    const ValueId y = graph.node("Conv", {x, weights, bias});
    graph.output(graph.quantized(graph.node("Relu", {y}), 0));
  };
  expect_same(build, byte_input({1, 2, 2, 2}, {3, 7, 1, 9, 0, 12, 5, 4}), {"QLinearConv"});
}

TEST(Quantized, OneInputMayBeUsedTwice) {
  const auto build = [](ByteGraph& graph) {
    const ValueId x = graph.dequantized_input({2, 2});
    const ValueId y = graph.node("MatMul", {x, graph.dequantized_weights({2, 2}, {1, 2, 3, 4}, 1)});
    const Numbers numbers = graph.unsigned_numbers(0.25f, 10);
    const ValueId real =
        graph.node("DequantizeLinear", {graph.quantized(y), numbers.scale, numbers.zero});
    graph.output(graph.quantized(graph.node("Add", {x, real})));
  };
  expect_same(build, byte_input({2, 2}, {3, 7, 1, 9}), {"QLinearMatMul", "QLinearAdd"});
}

// An op between real numbers that become bytes again, and the op on bytes that it becomes.
struct Elementwise {
  const char* joined_op;
  std::function<ValueId(ByteGraph&, ValueId x)> build;
};

TEST(Quantized, ElementwiseOpsAreJoined) {
  const auto other = [](ByteGraph& graph) { return graph.dequantized_constant({3}, {9, 0, 255}); };
  const Elementwise ops[] = {
      {"QLinearAdd",
       [&](ByteGraph& graph, ValueId x) {
         return graph.node("Add", {x, other(graph)});
       }},
      {"QLinearMul",
       [&](ByteGraph& graph, ValueId x) {
         return graph.node("Mul", {other(graph), x});
       }},
      {"QLinearSigmoid", [](ByteGraph& graph, ValueId x) { return graph.node("Sigmoid", {x}); }},
      {"QLinearLeakyRelu",
       [](ByteGraph& graph, ValueId x) {
         return graph.node("LeakyRelu", {x}, attribute("alpha", 0.25f));
       }},
      {"QLinearConcat",
       [](ByteGraph& graph, ValueId x) {
         const ValueId part = graph.dequantized_constant({1, 3}, {9, 0, 255});
         return graph.node("Concat", {x, part, x}, attribute("axis", std::int64_t{-2}));
       }},
  };
  for (const Elementwise& op : ops) {
    SCOPED_TRACE(op.joined_op);
    const auto build = [&](ByteGraph& graph) {
      graph.output(graph.quantized(op.build(graph, graph.dequantized_input({2, 3}))));
    };
    expect_same(build, byte_input({2, 3}, {3, 7, 1, 9, 0, 255}), {op.joined_op});
  }
}

TEST(Quantized, SumsAreJoinedWithRelu) {
  const auto build = [](ByteGraph& graph) {
    const ValueId x = graph.dequantized_input({2, 2});
    const ValueId sum = graph.node("Add", {x, graph.dequantized_constant({2}, {0, 6})});
    graph.output(graph.quantized(graph.node("Relu", {sum}), 0));
  };
  expect_same(build, byte_input({2, 2}, {3, 7, 0, 9}), {"QLinearAdd"});
}

// What SiLU is quantized to: x times its own sigmoid, which is made bytes in between.
TEST(Quantized, SigmoidAndProductAreJoinedOneAfterTheOther) {
  const auto build = [](ByteGraph& graph) {
    const ValueId x = graph.dequantized_input({2, 2});
    const ValueId sigmoid =
        graph.dequantized(graph.quantized(graph.node("Sigmoid", {x}), 0), 0.25f, 0);
    graph.output(graph.quantized(graph.node("Mul", {x, sigmoid})));
  };
  expect_same(build, byte_input({2, 2}, {3, 7, 0, 9}), {"QLinearSigmoid", "QLinearMul"});
}

// An op that moves elements, of bytes [1, 2, 2, 4].
struct Movement {
  const char* op;
  std::function<ValueId(ByteGraph&, ValueId x)> build;
};

TEST(Quantized, MovementsBetweenBytesOfOneScaleMoveBytes) {
  const Movement movements[] = {
      {"Transpose",
       [](ByteGraph& graph, ValueId x) {
         return graph.node("Transpose", {x}, attribute("perm", Integers{0, 3, 1, 2}));
       }},
      {"Reshape",
       [](ByteGraph& graph, ValueId x) {
         return graph.node("Reshape", {x, graph.numbers({4, 4})});
       }},
      {"Slice",
       [](ByteGraph& graph, ValueId x) {
         return graph.node("Slice",
                           {x, graph.numbers({1}), graph.numbers({4}), graph.numbers({3})});
       }},
      {"MaxPool",
       [](ByteGraph& graph, ValueId x) {
         Attributes attributes = attribute("kernel_shape", Integers{2, 2});
         attributes.set("pads", Integers{1, 1, 0, 0});
         return graph.node("MaxPool", {x}, std::move(attributes));
       }},
      {"Resize",
       [](ByteGraph& graph, ValueId x) {
         const ValueId scales = graph.constant({4}, {1, 1, 2, 2});
         return graph.node("Resize", {x, kAbsent, scales});
       }},
  };
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 16; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 17));
  for (const Movement& movement : movements) {
    SCOPED_TRACE(movement.op);
    const auto build = [&](ByteGraph& graph) {
      const ValueId x = graph.dequantized_input({1, 2, 2, 4});
      graph.output(graph.quantized_alike(movement.build(graph, x)));
    };
    expect_same(build, byte_input({1, 2, 2, 4}, bytes), {movement.op});
  }
}

TEST(Quantized, MovementsThatChangeBytesStayAsTheyAre) {
  ByteGraph build;
  const ValueId x = build.dequantized_input({1, 1, 2, 2});
  build.output(build.quantized(build.node("Transpose", {x})));  // of another scale
  const ValueId scales = build.constant({4}, {1, 1, 2, 2});
  const Attributes linear = attribute("mode", std::string("linear"));
  build.output(build.quantized_alike(build.node("Resize", {x, kAbsent, scales}, linear)));
  Graph graph = build.take();
  join(graph);
  EXPECT_THAT(op_names(graph), ElementsAre("DequantizeLinear", "Transpose", "QuantizeLinear",
                                           "Resize", "QuantizeLinear"));
}

TEST(Quantized, RealNumbersStayForOtherUsers) {
  const auto build = [](ByteGraph& graph) {
    const ValueId x = graph.dequantized_input({2, 2});
    graph.output(graph.quantized(graph.node("Sigmoid", {x}))).output(graph.node("Neg", {x}));
  };
  expect_same(build, byte_input({2, 2}, {3, 7, 0, 9}),
              {"DequantizeLinear", "QLinearSigmoid", "Neg"});
}

TEST(Quantized, WeightsLieInMemoryOnce) {
  ByteGraph build;
  build.output(build.quantized(build.product()));
  Graph graph = build.take();
  join(graph);
  for (const Value& value : graph.values) {
    EXPECT_FALSE(value.constant && value.dtype == DType::float32 && value.constant->size() > 2);
  }
}

// Why a product stays as it is.
struct Reason {
  const char* name;
  std::function<void(ByteGraph&)> build;
};

TEST(Quantized, WhatDoesNotFitStaysAsItIs) {
  const Reason reasons[] = {
      {"what comes between is an output",
       [](ByteGraph& build) {
         const ValueId y = build.product();
         build.output(build.quantized(y)).output(y);
       }},
      {"what comes between is used again",
       [](ByteGraph& build) {
         const ValueId y = build.product();
         build.output(build.quantized(y)).output(build.node("Neg", {y}));
       }},
      {"quantized values below 0 stand for other numbers than 0",
       [](ByteGraph& build) {
         build.output(build.quantized(build.node("Relu", {build.product()}), 1));
       }},
      {"a scale comes with the run",
       [](ByteGraph& build) {
         const ValueId y = build.product();
         build.output(build.node("QuantizeLinear", {y, build.input("scale", DType::float32, {1})}));
       }},
      {"sums may leave int32",
       [](ByteGraph& build) {
         constexpr std::int64_t kDepth = 40000;
         const ValueId x = build.dequantized_input({1, kDepth});
         const std::vector<std::int8_t> values(2 * kDepth, 127);
         build.output(build.quantized(
             build.node("MatMul", {x, build.dequantized_weights({kDepth, 2}, values, 1)})));
       }},
      {"scales lie along the sum's axis",
       [](ByteGraph& build) {
         const ValueId x = build.dequantized_input({2, 2});
         const ValueId weights = build.dequantized_weights({2, 2}, {1, 2, 3, 4}, 0);
         build.output(build.quantized(build.node("MatMul", {x, weights})));
       }},
  };
  for (const Reason& reason : reasons) {
    ByteGraph build;
    reason.build(build);
    Graph graph = build.take();
    join(graph);
    EXPECT_THAT(op_names(graph), Contains("MatMul")) << reason.name;
    EXPECT_THAT(op_names(graph), Not(Contains("QLinearMatMul"))) << reason.name;
  }
}

TEST(Quantized, ElementwiseOpsThatDoNotFitStayAsTheyAre) {
  const Reason reasons[] = {
      {"what comes between is used again",
       [](ByteGraph& build) {
         const ValueId x = build.dequantized_input({2, 2});
         const ValueId sum = build.node("Add", {x, x});
         build.output(build.quantized(sum)).output(build.node("Neg", {sum}));
       }},
      {"an operand was never bytes",
       [](ByteGraph& build) {
         const ValueId x = build.dequantized_input({2, 2});
         build.output(build.quantized(build.node("Add", {x, build.constant({2}, {0.3f, 0.4f})})));
       }},
      {"an operand's bytes are signed, the result's are not",
       [](ByteGraph& build) {
         const ValueId x = build.dequantized_input({2, 2});
         const ValueId bytes = build.input("signed", DType::int8, {2, 2});
         const ValueId other = build.node("DequantizeLinear", {bytes, build.constant({}, {0.5f})});
         build.output(build.quantized(build.node("Add", {x, other})));
       }},
      {"an operand has a scale for each channel",
       [](ByteGraph& build) {
         const ValueId x = build.dequantized_input({2, 2});
         const ValueId bytes = build.input("channels", DType::uint8, {2, 2});
         const ValueId scales = build.constant({2}, {0.25f, 0.5f});
         const ValueId other = build.node("DequantizeLinear", {bytes, scales});
         build.output(build.quantized(build.node("Add", {x, other})));
       }},
      {"quantized values below 0 stand for other numbers than 0",
       [](ByteGraph& build) {
         const ValueId x = build.dequantized_input({2, 2});
         const ValueId sum = build.node("Add", {x, x});
         build.output(build.quantized(build.node("Relu", {sum}), 1));
       }},
  };
  for (const Reason& reason : reasons) {
    ByteGraph build;
    reason.build(build);
    Graph graph = build.take();
    join(graph);
    EXPECT_THAT(op_names(graph), Contains("Add")) << reason.name;
    EXPECT_THAT(op_names(graph), Not(Contains("QLinearAdd"))) << reason.name;
  }
}

TEST(Quantized, AnotherDeviceIsNotAsked) {
  const Runtime pinned =
      start({{"cpu"}, "", "[routing.pins]\nMatMul = \"null\"\nAdd = \"null\"\n", {"null"}});
  ByteGraph build;
  const ValueId x = build.dequantized_input({2, 3});
  const ValueId weights = build.dequantized_weights({3, 2}, {1, -2, 3, 4, -5, 6}, 1);
  build.output(build.quantized(build.node("MatMul", {x, weights})));
  build.output(build.quantized(build.node("Add", {x, x})));
  Graph graph = build.take();
  join(graph, pinned);
  EXPECT_THAT(op_names(graph), IsSupersetOf({"MatMul", "Add"}));
}

TEST(Quantized, APinOfTheJoinedOpDecides) {
  const Runtime pinned =
      start({{"cpu"}, "", "[routing.pins]\nAdd = \"null\"\nQLinearAdd = \"cpu\"\n", {"null"}});
  ByteGraph build;
  const ValueId x = build.dequantized_input({2, 3});
  build.output(build.quantized(build.node("Add", {x, x})));
  Graph graph = build.take();
  join(graph, pinned);
  EXPECT_THAT(op_names(graph), Contains("QLinearAdd"));
}

}  // namespace
}  // namespace switchyard
