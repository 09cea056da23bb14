// Models of one node of Microsoft's domain, run, and random numbers for them.
#pragma once

#include <random>

#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {

inline onnx::ModelProto contrib_model(std::string_view graph) {
  onnx::ModelProto model = model_of(graph, 21, 10);
  add_import(model, "com.microsoft", 1);
  return model;
}

using Feeds = std::vector<std::pair<std::string, Tensor>>;

inline std::vector<Tensor> run_contrib(std::string_view graph, const Feeds& feeds) {
  static const Runtime runtime = start({{"cpu"}});
  const std::string bytes = onnx::encode(contrib_model(graph));
  const Model model = Model::from_bytes(runtime, bytes_of(bytes));
  std::vector<NamedValue> inputs;
  for (const auto& [name, tensor] : feeds) inputs.push_back({name, tensor});
  std::vector<Tensor> outputs;
  for (auto& output : model.run(inputs)) outputs.push_back(output.tensor);
  return outputs;
}

/// What the run is refused for; empty if it is not.
inline std::string run_error(std::string_view graph, const Feeds& feeds) {
  try {
    run_contrib(graph, feeds);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// Numbers of a fixed sequence, from -1 to 1.
class Numbers {
 public:
  float next() { return std::uniform_real_distribution<float>(-1, 1)(engine_); }
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(engine_); }
  Floats many(std::int64_t count) {
    Floats values(static_cast<std::size_t>(count));
    for (float& value : values) value = next();
    return values;
  }
  Tensor tensor(const Dims& shape) { return floats(shape, many(element_count(shape))); }
  std::vector<std::uint8_t> bytes(std::int64_t count) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(count));
    for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(below(256));
    return values;
  }

 private:
  std::mt19937 engine_{7};
};

inline void expect_near(const Tensor& found, const Floats& expected, float tolerance = 1e-5F) {
  const Floats values = found.to_vector<float>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], tolerance * (1 + std::fabs(expected[i])))
        << "element " << i;
  }
}

}  // namespace switchyard
