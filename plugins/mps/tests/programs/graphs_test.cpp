// Programs that become graphs.
#include "nets.hpp"

namespace mps::program_tests {
namespace {

class Graphs : public testing::TestWithParam<const char*> {
 protected:
  const OpenDevice device_{{{"software.memory", GetParam()}}};
};

INSTANTIATE_TEST_SUITE_P(Memory, Graphs, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

template <typename T>
Model convolutional() {
  Model model;
  const Shape image{2, 3, 8, 8}, deep{2, 6, 8, 8};
  Id x = model.input(contiguous(image), elements<T>(image));
  x = convolved<T>(model, x, image, 6, 5);
  x = normalized<T>(model, x, deep, 9);
  x = model.node("Relu", {x}, deep);
  const Id kept = x;
  x = convolved<T>(model, x, deep, 6, 15);
  x = model.node("Add", {x, kept}, deep);
  x = model.node("MaxPool", {x}, {2, 6, 4, 4},
                 {{"kernel_shape", std::vector<int64_t>{2, 2}},
                  {"strides", std::vector<int64_t>{2, 2}},
                  {"pads", std::vector<int64_t>{0, 0, 0, 0}},
                  {"dilations", std::vector<int64_t>{1, 1}},
                  {"ceil_mode", 0},
                  {"storage_order", 0}});
  x = model.node("GlobalAveragePool", {x}, {2, 6, 1, 1});
  x = model.node("Flatten", {x}, {2, 6}, {{"axis", 1}});
  const Id weights = model.constant(Shape{4, 6}, elements<T>({4, 6}, 33));
  const Id bias = model.constant(Shape{4}, elements<T>({4}, 34));
  x = model.node("Gemm", {x, weights, bias}, {2, 4},
                 {{"alpha", 1.0f}, {"beta", 1.0f}, {"transA", 0}, {"transB", 1}});
  model.output(model.node("Softmax", {x}, {2, 4}, {{"axis", -1}}));
  return model;
}

TEST_P(Graphs, AConvolutionalNetIsOneGraph) {
  Model model = convolutional<float>();
  EXPECT_EQ(model.pieces(device_), (Pieces{0, 1}));
  EXPECT_EQ(model.program(device_).workspace_bytes(), 0u);
  model.expect_same(device_, float_tolerance);
}

TEST_P(Graphs, AConvolutionalNetOfHalves) {
  Model model = convolutional<half>();
  EXPECT_EQ(model.pieces(device_), (Pieces{0, 1}));
  model.expect_same(device_, half_tolerance);
}

template <typename T>
Model transformer() {
  Model model;
  const int64_t n = 2, length = 5, heads = 2, d = 4, width = heads * d;
  const Shape shape{n, length, width};
  const Id x = model.input(contiguous(shape), elements<T>(shape));
  const Id mask = model.input(contiguous({n, 1, 1, length}), elements<T>({n, 1, 1, length}, 2));
  const auto dense = [&](Id from, int64_t in, int64_t out, uint32_t seed) {
    const Id weights = model.constant(Shape{in, out}, elements<T>({in, out}, seed, 0.3f));
    const Id product = model.node("MatMul", {from, weights}, {n, length, out});
    return model.node("Add", {product, model.constant(Shape{out}, elements<T>({out}, seed + 1))},
                      {n, length, out});
  };
  const auto norm = [&](Id from, uint32_t seed) {
    return model.node("LayerNormalization",
                      {from, model.constant(Shape{width}, elements<T>({width}, seed)),
                       model.constant(Shape{width}, elements<T>({width}, seed + 1))},
                      shape, {{"axis", -1}, {"epsilon", 1e-5f}, {"stash_type", 1}});
  };
  const Id all = dense(x, width, 3 * width, 11);
  const std::vector<Id> parts =
      model.node_of_many("Split", {all}, {shape, shape, shape}, {{"axis", -1}});
  Id y = attention<T>(model, parts[0], parts[1], parts[2], mask, n, length, heads, d);
  y = norm(model.node("Add", {dense(y, width, width, 21), x}, shape), 31);
  Id z = dense(y, width, 2 * width, 41);
  z = model.node("Gelu", {z}, {n, length, 2 * width}, {{"approximate", std::string("none")}});
  z = dense(z, 2 * width, width, 51);
  model.output(norm(model.node("Add", {z, y}, shape), 61));
  return model;
}

TEST_P(Graphs, ATransformersLayerIsAttentionAmongTwoGraphs) {
  Model model = transformer<float>();
  EXPECT_EQ(model.pieces(device_), (Pieces{0, 2, 0, 1}));
  model.expect_same(device_, 10 * float_tolerance);
}

TEST_P(Graphs, ATransformersLayerOfHalves) {
  Model model = transformer<half>();
  EXPECT_EQ(model.pieces(device_), (Pieces{0, 2, 0, 1}));
  model.expect_same(device_, 4 * half_tolerance);
}

}  // namespace
}  // namespace mps::program_tests
