// Ops of a domain of one's own: on the host, by their body, on a device; with gradients; in models.
#include <switchyard/register_op.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kOwnDomain = "com.example";

Dims first_shape(const OpCall& call) { return call.input_shape(0); }

template <typename T>
void scale(OpKernel& call) {
  const std::span<const T> x = call.input<T>(0);
  const std::span<T> y = call.output<T>(0);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] * static_cast<T>(call.number("by"));
}

/// y = by * x, on the host; its gradient is written with functions.
OpDefinition scaling(std::string name) {
  return {.domain = kOwnDomain,
          .name = std::move(name),
          .signature = "x:T -> y:T",
          .attributes = "by:float=2",
          .types = "T=float32|float64",
          .shape = [](const OpCall& call) { return std::vector{first_shape(call)}; },
          .kernel =
              [](OpKernel& call) {
                call.input_dtype(0) == DType::float64 ? scale<double>(call) : scale<float>(call);
              },
          .gradient =
              [](OpGradient& call) {
                call.set_grad_input(0, mul(call.grad_output(0), call.number("by")));
              },
          .gradient_reads_inputs = false};
}

/// y = x * a + b, made of other ops; the gradient reads x and a.
OpDefinition film(std::string name) {
  return {.domain = kOwnDomain,
          .name = std::move(name),
          .signature = "x:T a:T b:T -> y:T",
          .types = "T=float",
          .shape = [](const OpCall& call) { return std::vector{first_shape(call)}; },
          .body = "t = Mul (x, a)\n y = Add (t, b)",
          .gradient =
              [](OpGradient& call) {
                const Tensor given = call.grad_output(0);
                call.set_grad_input(0, mul(given, call.input(1)));
                if (call.needs_grad_input(1)) call.set_grad_input(1, mul(given, call.input(0)));
                call.set_grad_input(2, given);
              }};
}

struct RegisterOp : testing::Test {
  Runtime runtime = start({{"cpu"}});
  RuntimeScope scope{runtime};

  static void SetUpTestSuite() {
    register_op(scaling("Scale"));
    register_op(film("Film"));
  }
  Operation operation(std::string_view name,
                      std::vector<std::pair<std::string, AttributeArgument>> attributes = {}) {
    return runtime.operation(name, std::move(attributes), kOwnDomain);
  }
  Model model(std::string_view graph) {
    onnx::ModelProto proto = model_of(graph);
    add_import(proto, kOwnDomain, 1);
    const std::string bytes = onnx::encode(proto);
    return Model::from_bytes(runtime, bytes_of(bytes));
  }
};

TEST_F(RegisterOp, RunsItsKernelOnTheHostAndPutsTheResultBesideTheInput) {
  const Tensor x = tensor({1.0F, -2.0F, 3.0F});
  const Tensor y = operation("Scale", {{"by", 3.0F}})(x);
  EXPECT_EQ(y.to_vector<float>(), (Floats{3, -6, 9}));
  EXPECT_EQ(y.device(), x.device());
  EXPECT_EQ(operation("Scale")(x).to_vector<float>(), (Floats{2, -4, 6})) << "the default";
  EXPECT_EQ(operation("Scale")(x.to(DType::float64)).dtype(), DType::float64);
  EXPECT_EQ(operation("Scale")(zeros({0, 3})).shape(), (Dims{0, 3}));
  const Tensor turned = tensor({1.0F, 2.0F, 3.0F, 4.0F}).reshape({2, 2}).transpose(0, 1);
  EXPECT_EQ(operation("Scale")(turned).to_vector<float>(), (Floats{2, 6, 4, 8}));
}

TEST_F(RegisterOp, RunsItsBodyWhereThereIsNoKernel) {
  const std::vector<Tensor> inputs = {tensor({1.0F, 2.0F}), tensor({3.0F, 4.0F}), tensor(0.5F)};
  EXPECT_EQ(operation("Film")(inputs)[0].to_vector<float>(), (Floats{3.5, 8.5}));
}

TEST_F(RegisterOp, IsDifferentiable) {
  Tensor x = tensor({1.0F, 2.0F}).requires_grad_();
  const Tensor y = operation("Scale", {{"by", 5.0F}})(square(x));
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (Floats{10, 20}));
  Tensor a = tensor({3.0F, 4.0F}).requires_grad_();
  const std::vector<Tensor> inputs = {x, a, tensor({0.0F, 0.0F})};
  const Tensor once = grad(operation("Film")(inputs)[0].sum(), a, {.create_graph = true});
  EXPECT_EQ(once.to_vector<float>(), (Floats{1, 2}));
  EXPECT_EQ(grad(square(once).sum(), x).to_vector<float>(), (Floats{2, 4})) << "second derivative";
}

TEST_F(RegisterOp, WithoutAGradientSaysSo) {
  OpDefinition definition = scaling("ScaleOnly");
  definition.gradient = nullptr;
  register_op(definition);
  const Tensor y = operation("ScaleOnly")(tensor({1.0F}).requires_grad_());
  const Error error = error_of([&] { y.sum().backward(); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("com.example::ScaleOnly"));
}

TEST_F(RegisterOp, RunsInModels) {
  const Model loaded = model(
      "g (float[N] x) => (float[N] z) {"
      "  y = com.example.Scale <by = 4.0> (x)"
      "  z = com.example.Film (y, x, x) }");
  const auto outputs = loaded.run({{"x", tensor({1.0F, 2.0F})}});
  EXPECT_EQ(outputs[0].tensor.to_vector<float>(), (Floats{5, 18}));
  const std::vector<NodeExplanation> nodes = loaded.explain();
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].device, "host");
  EXPECT_EQ(nodes[0].trail.back().reason, "its registered kernel runs on the host");
  EXPECT_EQ(nodes[1].device, "body");
}

TEST_F(RegisterOp, NamesABodyThatCannotBeRead) {
  OpDefinition definition = film("BadBody");
  definition.body = "t = Mul (x, a";
  register_op(definition);
  const std::vector<Tensor> inputs = {tensor({1.0F}), tensor({2.0F}), tensor({3.0F})};
  const Error error = error_of([&] { operation("BadBody")(inputs); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("its body"));
  definition = film("UnknownOpInBody");
  definition.body = "y = Mull (x, a)";
  register_op(definition);
  EXPECT_THAT(error_of([&] { operation("UnknownOpInBody")(inputs); }).what(), HasSubstr("Mull"));
}

TEST_F(RegisterOp, TellsShapesThatOnlyTheRunKnows) {
  register_op({.domain = kOwnDomain,
               .name = "Positive",
               .signature = "x:T -> y:T count:int64",
               .types = "T=float32",
               .shape =
                   [](const OpCall&) {
                     return std::vector<Dims>{{-1}, {}};
                   },
               .kernel =
                   [](OpKernel& call) {
                     std::vector<float> found;
                     for (const float x : call.input<float>(0)) {
                       if (x > 0) found.push_back(x);
                     }
                     call.set_output_shape(0, {static_cast<std::int64_t>(found.size())});
                     std::ranges::copy(found, call.output<float>(0).begin());
                     call.output<std::int64_t>(1)[0] = static_cast<std::int64_t>(found.size());
                   }});
  const std::vector<Tensor> inputs = {tensor({1.0F, -2.0F, 3.0F})};
  const std::vector<Tensor> outputs = operation("Positive")(inputs);
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{1, 3}));
  EXPECT_EQ(outputs[1].item<std::int64_t>(), 2);
  EXPECT_EQ(model("g (float[N] x) => (float[M] z) { y, n = com.example.Positive (x) z = Neg (y) }")
                .run({{"x", inputs[0]}})[0]
                .tensor.to_vector<float>(),
            (Floats{-1, -3}));
}

TEST_F(RegisterOp, ReadsHostInputsInItsShapeRule) {
  register_op({.domain = kOwnDomain,
               .name = "Fill",
               .signature = "shape:int64! value:T -> y:T",
               .types = "T=float32",
               .shape =
                   [](const OpCall& call) {
                     const auto extents = call.input_integers(0);
                     return std::vector{extents ? Dims(*extents) : Dims::filled(1, -1)};
                   },
               .kernel =
                   [](OpKernel& call) {
                     std::ranges::fill(call.output<float>(0), call.input<float>(1)[0]);
                   }});
  const std::vector<Tensor> inputs = {tensor({std::int64_t{2}, std::int64_t{2}}), tensor(7.0F)};
  const Tensor y = operation("Fill")(inputs)[0];
  EXPECT_EQ(y.shape(), (Dims{2, 2}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{7, 7, 7, 7}));
}

TEST_F(RegisterOp, ChecksWhatACallGives) {
  const auto wrong = [&](const std::function<void()>& call) { return error_of(call); };
  EXPECT_THAT(wrong([&] { operation("Scale")(tensor({1})); }).what(), HasSubstr("float32"));
  EXPECT_THAT(wrong([&] { operation("Scale", {{"of", 1.0F}}); }).what(), HasSubstr("\"of\""));
  OpDefinition definition = scaling("WrongType");
  definition.kernel = [](OpKernel& call) { static_cast<void>(call.input<double>(0)); };
  register_op(definition);
  EXPECT_THAT(wrong([&] { operation("WrongType")(tensor({1.0F})); }).what(),
              HasSubstr("asks for input 0 as float64; it is float32"));
  definition = scaling("Unwritten");
  definition.kernel = [](OpKernel&) {};
  register_op(definition);
  EXPECT_THAT(wrong([&] { operation("Unwritten")(tensor({1.0F})); }).what(),
              HasSubstr("has not written output 0"));
  definition = scaling("ShapeAfterElements");
  definition.kernel = [](OpKernel& call) {
    call.output<float>(0)[0] = 1;
    call.set_output_shape(0, call.input_shape(0));
  };
  register_op(definition);
  EXPECT_THAT(wrong([&] { operation("ShapeAfterElements")(tensor({1.0F})); }).what(),
              HasSubstr("whose elements it has already"));
  definition = scaling("Throws");
  definition.kernel = [](OpKernel&) { throw std::runtime_error("mine"); };
  register_op(definition);
  EXPECT_THROW(operation("Throws")(tensor({1.0F})), std::runtime_error) << "as it is";
  definition = scaling("WrongGradient");
  definition.gradient = [](OpGradient& call) { call.set_grad_input(0, zeros({7})); };
  register_op(definition);
  const Tensor y = operation("WrongGradient")(tensor({1.0F}).requires_grad_());
  EXPECT_EQ(wrong([&] { y.sum().backward(); }).kind(), ErrorKind::invalid_argument);
}

TEST_F(RegisterOp, RefusesDefinitionsThatMakeNoSense) {
  const auto refused = [](const std::function<void(OpDefinition&)>& change) {
    OpDefinition definition = scaling("Refused");
    change(definition);
    const Error error = error_of([&] { register_op(definition); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error.function(), "register_op");
    return std::string(error.what());
  };
  EXPECT_THAT(refused([](auto& d) { d.domain = ""; }), HasSubstr("belongs to others"));
  EXPECT_THAT(refused([](auto& d) { d.domain = "com.microsoft"; }), HasSubstr("belongs to others"));
  EXPECT_THAT(refused([](auto& d) { d.domain = "a b"; }), HasSubstr("a domain has letters"));
  EXPECT_THAT(refused([](auto& d) { d.name = "a-b"; }), HasSubstr("a name has letters"));
  EXPECT_THAT(refused([](auto& d) { d.version = 0; }), HasSubstr("below 1"));
  EXPECT_THAT(refused([](auto& d) { d.shape = nullptr; }), HasSubstr("shape rule"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x"; }), HasSubstr("missing"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T ->"; }), HasSubstr("no output"));
  EXPECT_THAT(refused([](auto& d) { d.types = "T=float33"; }), HasSubstr("float33"));
  EXPECT_THAT(refused([](auto& d) { d.attributes = "by:number"; }), HasSubstr("number"));
  EXPECT_THAT(refused([](auto& d) { d.attributes = "then:graph"; }), HasSubstr("kind graph"));
  EXPECT_THAT(refused([](auto& d) { d.name = "Scale"; }), HasSubstr("registered already"));
}

TEST_F(RegisterOp, AreListedAndKnownToConfigurations) {
  EXPECT_THAT(registered_ops(), testing::IsSupersetOf({"com.example::Film", "com.example::Scale"}));
  const Runtime pinned =
      Runtime::from_text(config_text({{"cpu"}}) + "\n[routing.pins]\nFilm = \"cpu\"\n");
  const RuntimeScope inner(pinned);
  const std::vector<Tensor> inputs = {tensor({1.0F}), tensor({2.0F}), tensor({3.0F})};
  EXPECT_EQ(pinned.operation("Film", {}, kOwnDomain)(inputs)[0].item<float>(), 5);
}

}  // namespace
}  // namespace switchyard
