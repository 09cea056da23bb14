// The bodies of the domain "switchyard" say what its ops say: each is run as a function of a model
// and compared with the op itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>

#include "onnx/proto/encode.hpp"
#include "onnx/text/text_parser.hpp"
#include "ops/row.hpp"
#include "tensor/host_tensor.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;
using Given = AttributeArguments;

Runtime on_cpu() { return Runtime::from_file(SWITCHYARD_BUILD_DIR "/config/cpu-only.toml"); }

void add_import(auto& message, const std::string& domain, int version) {
  onnx::OperatorSetIdProto& import = message.opset_import.emplace_back();
  import.domain = domain;
  import.version = version;
}

void declare(onnx::ValueInfoProto& input, const std::string& name, const Tensor& tensor) {
  input.name = name;
  onnx::TypeProto::Tensor& type = input.type.emplace().tensor_type.emplace();
  type.elem_type = static_cast<int>(tensor.dtype());
  type.shape.emplace();
  for (const std::int64_t extent : tensor.shape()) {
    type.shape->dim.emplace_back().dim_value = extent;
  }
}

void set_attribute(onnx::AttributeProto& attribute, const AttributeSpec& spec, const Given& given) {
  attribute.name = std::string(spec.name);
  const auto own = std::find_if(given.begin(), given.end(),
                                [&](const auto& entry) { return entry.first == spec.name; });
  if (spec.kind == "float") {
    attribute.type = onnx::AttributeProto::FLOAT;
    attribute.f =
        own != given.end() ? std::get<float>(own->second.value()) : std::get<float>(*spec.fallback);
  } else {
    attribute.type = onnx::AttributeProto::INT;
    attribute.i = own != given.end() ? std::get<std::int64_t>(own->second.value())
                                     : std::get<std::int64_t>(*spec.fallback);
  }
}

/// The body of `op` as a function of the domain "own".
void add_body(onnx::ModelProto& model, const Op& op) {
  add_import(model, "own", 1);
  onnx::FunctionProto& function = model.functions.emplace_back();
  function = parse_function_text(op.row->body);
  function.name = std::string(op.name());
  function.domain = "own";
  add_import(function, "", 21);
  add_import(function, "switchyard", 1);
  for (const AttributeSpec& spec : op.canonical.attributes)
    function.attribute.push_back(std::string(spec.name));
}

/// A model of one node, which calls the body of `op` or the op itself, and gives all outputs.
std::string model_of(const Op& op, const std::vector<Tensor>& inputs, const Given& given,
                     const std::string& domain) {
  onnx::ModelProto model;
  model.ir_version = 8;
  model.graph.emplace();
  add_import(model, "", 21);
  add_import(model, "switchyard", 1);
  add_body(model, op);
  onnx::NodeProto& node = model.graph->node.emplace_back();
  node.domain = domain;
  node.op_type = std::string(op.name());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name(op.canonical.inputs[i].name);
    declare(model.graph->input.emplace_back(), name, inputs[i]);
    node.input.push_back(name);
  }
  for (const Formal& output : op.canonical.outputs) {
    const std::string name(output.name);
    model.graph->output.emplace_back().name = name;
    node.output.push_back(name);
  }
  for (const AttributeSpec& spec : op.canonical.attributes) {
    set_attribute(node.attribute.emplace_back(), spec, given);
  }
  return onnx::encode(model);
}

void expect_body_agrees(std::string_view name, const std::vector<Tensor>& inputs,
                        const Given& attributes, double tolerance = 1e-6) {
  SCOPED_TRACE(name);
  const Op& op = *find_op("switchyard", name);
  const Runtime runtime = on_cpu();
  const auto outputs_in = [&](const std::string& domain) {
    const std::string bytes = model_of(op, inputs, attributes, domain);
    const Model model = Model::from_bytes(runtime, std::as_bytes(std::span(bytes)));
    std::vector<NamedValue> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      values.push_back({std::string(op.canonical.inputs[i].name), inputs[i]});
    }
    return model.run(std::move(values));
  };
  const std::vector<NamedValue> found = outputs_in("own"), expected = outputs_in("switchyard");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Tensor mine = found[i].tensor, other = expected[i].tensor;
    ASSERT_EQ(mine.shape(), other.shape());
    ASSERT_EQ(mine.dtype(), other.dtype());
    const auto left = mine.to(DType::float64).to_vector<double>(),
               right = other.to(DType::float64).to_vector<double>();
    for (std::size_t k = 0; k < left.size(); ++k) {
      EXPECT_NEAR(left[k], right[k], tolerance * (1 + std::abs(right[k])))
          << name << " " << i << " " << k;
    }
  }
}

Tensor scalar(float number) { return host_scalar(number); }

Tensor row_of(float seed) {
  Floats numbers;
  for (int i = 0; i < 6; ++i) numbers.push_back(std::sin(seed + 1.7F * static_cast<float>(i)));
  return host_tensor<float>({2, 3}, numbers);
}

Tensor waves(const Dims& shape, float seed) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  Floats numbers;
  for (std::int64_t i = 0; i < count; ++i)
    numbers.push_back(std::sin(seed + 1.7F * static_cast<float>(i)));
  return host_tensor<float>(shape, numbers);
}

TEST(OwnBodiesTest, Pooling) {
  const Tensor indices = host_tensor<std::int64_t>({1, 2, 2}, Ints{0, 0, -1, 5});
  const Tensor dy = host_tensor<float>({1, 2, 2}, Floats{1, 2, 4, 8});
  const Tensor shape = host_tensor<std::int64_t>({3}, Ints{1, 2, 3});
  expect_body_agrees("MaxPoolGradient", {dy, indices, shape}, {});
  const Tensor g = host_tensor<float>({1, 2, 3}, Floats{1, 2, 3, 4, 5, 6});
  expect_body_agrees("MaxPoolGather", {g, indices}, {});
}

TEST(OwnBodiesTest, GradientsAlongLines) {
  const Tensor dy = row_of(1), y = row_of(2);
  for (const std::int64_t axis : {-1, 0, 1}) {
    expect_body_agrees("SoftmaxGradient", {dy, y}, {{"axis", axis}});
    expect_body_agrees("LogSoftmaxGradient", {dy, y}, {{"axis", axis}});
  }
}

TEST(OwnBodiesTest, GradientsOfLayers) {
  const Tensor dy = row_of(1), x = row_of(2);
  for (const std::int64_t axis : {-1, 0, 1}) {
    const Tensor scale = axis == 0 ? row_of(3) : host_tensor<float>({3}, Floats{0.5, -1, 2});
    const auto check = [&](DType dtype, std::int64_t stash, double tolerance) {
      expect_body_agrees("LayerNormalizationGradient", {dy.to(dtype), x.to(dtype), scale.to(dtype)},
                         {{"axis", axis}, {"epsilon", 0.25F}, {"stash_type", stash}}, tolerance);
    };
    check(DType::float32, 1, 1e-6);
    check(DType::float64, 11, 1e-14);
    check(DType::float16, 1, 0x1.1p-10);
    check(DType::bfloat16, 1, 0x1.1p-7);
  }
}

TEST(OwnBodiesTest, GradientsOfNormsByChannels) {
  for (const Dims& shape : {Dims{2, 4, 3}, Dims{3, 4}, Dims{2, 4, 2, 3}, Dims{0, 4, 3}}) {
    const Tensor dy = waves(shape, 1), x = waves(shape, 2), scale = waves({4}, 3);
    const auto check = [&](DType dtype, std::int64_t stash, double tolerance) {
      const std::vector<Tensor> inputs = {dy.to(dtype), x.to(dtype), scale.to(dtype)};
      Given given = {{"epsilon", 0.25F}, {"stash_type", stash}};
      expect_body_agrees("BatchNormalizationGradient", inputs, given, tolerance);
      given.emplace_back("num_groups", std::int64_t{2});
      expect_body_agrees("GroupNormalizationGradient", inputs, given, tolerance);
    };
    check(DType::float32, 1, 2e-6);
    check(DType::float64, 11, 1e-14);
    check(DType::float16, 1, 0x1.1p-10);
    check(DType::bfloat16, 1, 0x1.1p-7);
  }
}

TEST(OwnBodiesTest, FunctionsOfOneNumber) {
  const Tensor x = host_tensor<float>({2, 4}, Floats{-0.9F, -0.4F, -1e-3F, 0, 1e-4F, 0.45F, 1, 7});
  const Tensor positive = host_tensor<float>({4}, Floats{1e-3F, 0.5F, 1, 40});
  for (const auto& [dtype, tolerance] :
       {std::pair(DType::float32, 1e-6), std::pair(DType::float64, 1e-14)}) {
    for (const char* op : {"Exp2", "Expm1", "Log1p", "Trunc"}) {
      expect_body_agrees(op, {x.to(dtype)}, {}, tolerance);
    }
    for (const char* op : {"Log2", "Log10", "Rsqrt"}) {
      expect_body_agrees(op, {positive.to(dtype)}, {}, tolerance);
    }
  }
}

TEST(OwnBodiesTest, FunctionsOfGammaAndErf) {
  const Tensor x = host_tensor<float>({8}, Floats{-2.4F, -0.7F, 1e-3F, 0.5F, 1.5F, 3, 9, 100});
  for (const auto& [dtype, tolerance] :
       {std::pair(DType::float32, 2e-6), std::pair(DType::float64, 1e-9)}) {
    for (const char* op : {"Frac", "Erfc", "Lgamma", "Digamma"}) {
      expect_body_agrees(op, {x.to(dtype)}, {}, tolerance);
    }
  }
}

TEST(OwnBodiesTest, InverseOfErf) {
  const Tensor x = host_tensor<float>({7}, Floats{-0.999999F, -0.5F, 0, 1e-30F, 0.3F, 0.7F, 0.99F});
  expect_body_agrees("Erfinv", {x}, {}, 2e-6);
  expect_body_agrees("Erfinv", {x.to(DType::float64)}, {}, 1e-13);
}

TEST(OwnBodiesTest, FunctionsOfTwoNumbers) {
  const Tensor a = host_tensor<float>({2, 4}, Floats{-3, 2.5F, 0, -0.0F, 7, -7, 1e-3F, 40});
  const Tensor b = host_tensor<float>({4}, Floats{2, -0.75F, -1, 3});
  for (const auto& [dtype, tolerance] :
       {std::pair(DType::float32, 1e-6), std::pair(DType::float64, 1e-14)}) {
    for (const char* op : {"Atan2", "FloorDivide", "Hypot", "LogAddExp", "Remainder"}) {
      expect_body_agrees(op, {a.to(dtype), b.to(dtype)}, {}, tolerance);
    }
  }
  const Tensor c = host_tensor<std::int64_t>({4}, Ints{7, -7, 7, -7});
  const Tensor d = host_tensor<std::int64_t>({4}, Ints{2, 2, -2, 0});
  expect_body_agrees("FloorDivide", {c, d}, {}, 0);
}

TEST(OwnBodiesTest, OptimizerSteps) {
  const Tensor p = row_of(1), g = row_of(2), m = row_of(3);
  const Tensor v = host_tensor<float>({2, 3}, Floats{0, 0.5, 1, 2, 3, 4});
  expect_body_agrees("SgdStep", {p, g, scalar(0.1F)}, {{"weight_decay", 0.25F}});
  for (const std::int64_t flag : {0, 1}) {
    expect_body_agrees("MomentumStep", {p, g, m, scalar(0.1F), scalar(0.25F)},
                       {{"momentum", 0.9F}, {"nesterov", flag}, {"weight_decay", 0.25F}});
    expect_body_agrees("AdamStep", {p, g, m, v, scalar(0.1F), scalar(0.1F), scalar(0.001F)},
                       {{"decoupled", flag}, {"epsilon", 0.01F}, {"weight_decay", 0.25F}});
  }
}

}  // namespace
}  // namespace switchyard
