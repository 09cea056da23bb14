// Graphs of one node on given tensors, checked and run; and tensors as plain numbers.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "software/interpreter/interpreter.hpp"

namespace mps::software::interpreter_tests {

using seam::ElementType;
using seam::Graph;
using seam::Operation;
using seam::TensorType;
using Shape = std::vector<int64_t>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

inline TensorType float32(Shape shape) { return {ElementType::float32, std::move(shape)}; }

struct Tensor {
  TensorType type;
  std::vector<std::byte> bytes;
};

template <typename Element>
Tensor tensor(ElementType element, Shape shape, const std::vector<Element>& elements) {
  Tensor result{{element, std::move(shape)}, {}};
  result.bytes.resize(elements.size() * sizeof(Element));
  if (!elements.empty()) std::memcpy(result.bytes.data(), elements.data(), result.bytes.size());
  return result;
}

inline Tensor floats(Shape shape, const std::vector<float>& elements) {
  return tensor(ElementType::float32, std::move(shape), elements);
}
inline Tensor int32s(Shape shape, const std::vector<int32_t>& elements) {
  return tensor(ElementType::int32, std::move(shape), elements);
}
inline Tensor int64s(Shape shape, const std::vector<int64_t>& elements) {
  return tensor(ElementType::int64, std::move(shape), elements);
}
inline Tensor booleans(Shape shape, const std::vector<uint8_t>& elements) {
  return tensor(ElementType::boolean, std::move(shape), elements);
}
// float16 and bfloat16 as their bits.
inline Tensor halves(Shape shape, const std::vector<uint16_t>& bits) {
  return tensor(ElementType::float16, std::move(shape), bits);
}
inline Tensor bfloats(Shape shape, const std::vector<uint16_t>& bits) {
  return tensor(ElementType::bfloat16, std::move(shape), bits);
}

template <typename Element>
std::vector<Element> elements_of(const Tensor& tensor) {
  std::vector<Element> elements(tensor.bytes.size() / sizeof(Element));
  if (!elements.empty()) std::memcpy(elements.data(), tensor.bytes.data(), tensor.bytes.size());
  return elements;
}
inline std::vector<float> floats_of(const Tensor& tensor) { return elements_of<float>(tensor); }

inline size_t bytes_of(ElementType element) {
  switch (element) {
    case ElementType::float32:
    case ElementType::int32: return 4;
    case ElementType::float16:
    case ElementType::bfloat16:
    case ElementType::int16: return 2;
    case ElementType::int64: return 8;
    default: return 1;
  }
}

// A node on inputs of these types.
inline Graph one_node(Operation operation, TensorType type, const std::vector<TensorType>& operands,
                      seam::Attributes attributes = {}) {
  Graph graph;
  seam::Node node{operation, std::move(type), {}, std::move(attributes), {}};
  for (const TensorType& operand : operands) {
    const auto number = static_cast<uint32_t>(graph.nodes.size());
    graph.nodes.push_back({Operation::input, operand, {}, {}, {}});
    graph.inputs.push_back(number);
    node.operands.push_back(number);
  }
  graph.outputs.push_back(static_cast<uint32_t>(graph.nodes.size()));
  graph.nodes.push_back(std::move(node));
  return graph;
}

// Graphs of higher rank than a device takes are interpreted too.
inline std::vector<Tensor> run_of_any_rank(const Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> outputs;
  for (const uint32_t number : graph.outputs) {
    const TensorType& type = graph.nodes[number].type;
    size_t bytes = bytes_of(type.element);
    for (const int64_t extent : type.shape) bytes *= static_cast<size_t>(extent);
    outputs.push_back({type, std::vector<std::byte>(bytes, std::byte{0xa5})});
  }
  std::vector<const std::byte*> from;
  std::vector<std::byte*> to;
  for (const Tensor& input : inputs) from.push_back(input.bytes.data());
  for (Tensor& output : outputs) to.push_back(output.bytes.data());
  interpret(graph, from, to);
  return outputs;
}

inline std::vector<Tensor> run(const Graph& graph, const std::vector<Tensor>& inputs) {
  check_graph(graph);
  return run_of_any_rank(graph, inputs);
}

inline Tensor run(Operation operation, TensorType type, const std::vector<Tensor>& operands,
                  seam::Attributes attributes = {}) {
  std::vector<TensorType> types;
  for (const Tensor& operand : operands) types.push_back(operand.type);
  return run(one_node(operation, std::move(type), types, std::move(attributes)), operands).front();
}

// Numbers that differ, small and whole, so that sums of their products are exact.
inline std::vector<float> small_integers(size_t count, uint32_t seed) {
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    numbers.push_back(static_cast<float>(static_cast<int>(seed >> 24 & 15) - 7));
  }
  return numbers;
}

inline size_t count_of(const Shape& shape) {
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  return count;
}

inline Tensor whole_floats(const Shape& shape, uint32_t seed) {
  return floats(shape, small_integers(count_of(shape), seed));
}

// Equal, where NaN equals NaN and the sign of 0 counts.
inline void expect_same(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(found[i])) << "at " << i << ": " << found[i];
    } else {
      EXPECT_EQ(found[i], expected[i]) << "at " << i;
      EXPECT_EQ(std::signbit(found[i]), std::signbit(expected[i])) << "at " << i;
    }
  }
}

inline void expect_near(const std::vector<float>& found, const std::vector<double>& expected,
                        double relative = 2e-6) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], relative * (1e-3 + std::fabs(expected[i]))) << "at " << i;
  }
}

}  // namespace mps::software::interpreter_tests
