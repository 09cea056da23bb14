// Ops of a domain of one's own: on the host, by their body, on a device; with gradients; in models.
#include <switchyard/register_op.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
  Operation operation(std::string_view name, AttributeArguments attributes = {}) {
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

TEST_F(RegisterOp, PutsAGradientThatLiesOnTheHostBesideTheInput) {
  OpDefinition definition = scaling("GradientOnTheHost");
  definition.gradient = [](OpGradient& call) {
    call.set_grad_input(0, floats({2}, {2, 2}));  // a value of the host
  };
  register_op(definition);
  const Tensor x = tensor({1.0F, 2.0F}).requires_grad_();
  operation("GradientOnTheHost")(x).sum().backward();
  EXPECT_EQ(x.grad().device(), x.device());
  EXPECT_EQ(x.grad().to_vector<float>(), (Floats{2, 2}));
}

TEST_F(RegisterOp, MayLeaveAnOutputOutThatItsGradientReads) {
  OpDefinition definition = film("TwoOutputs");
  definition.signature = "x:T -> y:T z:T?";
  definition.shape = [](const OpCall& call) {
    return std::vector{first_shape(call), first_shape(call)};
  };
  definition.body = "y = Add (x, x)\n z = Mul (x, x)";
  definition.gradient = [](OpGradient& call) {
    EXPECT_EQ(call.has_output(1), call.grad_output(1).defined());
    const Tensor of_first = call.grad_output(0) * 2;
    call.set_grad_input(
        0, call.has_output(1) ? of_first + call.grad_output(1) * call.input(0) * 2 : of_first);
  };
  register_op(definition);
  const Tensor x = tensor({3.0F}).requires_grad_();
  operation("TwoOutputs")(x).backward();
  EXPECT_EQ(x.grad().item(), 2);
  (operation("TwoOutputs")({x}, 2)[1]).backward();
  EXPECT_EQ(x.grad().item(), 8) << "zeros for the first";
}

TEST_F(RegisterOp, ReadsTheValuesOfManyHostInputs) {
  OpDefinition definition;
  definition.domain = kOwnDomain;
  definition.name = "Extents";
  definition.signature = "x:T*! -> y:T";
  definition.types = "T=int64";
  definition.shape = [](const OpCall& call) {
    Dims shape;
    shape.push_back(call.input_integers(69).value_or(std::vector<std::int64_t>{-1})[0]);
    return std::vector{shape};
  };
  definition.kernel = [](OpKernel& call) {
    std::ranges::fill(call.output<std::int64_t>(0), call.input<std::int64_t>(69)[0]);
  };
  register_op(definition);
  std::vector<Tensor> inputs(70, integers({2}));
  inputs[69] = integers({3});
  EXPECT_EQ(operation("Extents")(inputs)[0].to_vector<std::int64_t>(), (Integers{3, 3, 3}));
}

TEST_F(RegisterOp, WithoutAGradientSaysSo) {
  OpDefinition definition = scaling("ScaleOnly");
  definition.gradient = nullptr;
  register_op(definition);
  const Tensor y = operation("ScaleOnly")(tensor({1.0F}).requires_grad_());
  const Error error = error_of([&] { y.sum().backward(); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_EQ(error.op(), "ScaleOnly");
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

TEST_F(RegisterOp, CountsItsKernelAsWorkOfTheHost) {
  const Model loaded = model("g (float[N] x) => (float[N] y) { y = com.example.Scale (x) }");
  RunReport report;
  loaded.run({{"x", tensor({1.0F})}}, {.count_ops = true, .report = &report});
  EXPECT_EQ(report.host_work, 1u);
  EXPECT_EQ(report.views, 0u);
  ASSERT_EQ(report.profile.size(), 1u);
  EXPECT_EQ(report.profile[0].device, "host work");
}

TEST_F(RegisterOp, SaysWhereAModelsUnknownOpMayComeFrom) {
  const Error error =
      error_of([&] { static_cast<void>(model("g (x) => (y) { y = com.example.Unknown (x) }")); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("the op 'Unknown' of 'com.example' is not known"));
  EXPECT_THAT(error.what(), HasSubstr("register_op"));
}

TEST_F(RegisterOp, RefusesABodyThatCannotStandForTheOp) {
  const auto refused = [](std::string body) {
    OpDefinition definition = film("Refused");
    definition.attributes = "by:float=2";
    definition.body = std::move(body);
    const Error error = error_of([&] { register_op(definition); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), StartsWith("[register_op] com.example::Refused: its function body "));
    return std::string(error.what());
  };
  EXPECT_THAT(refused("t = Mul (x, a"), HasSubstr("cannot be read"));
  EXPECT_THAT(refused("t = Mul (x, a)\ny = Neg [x]"), HasSubstr("line 2"));
  EXPECT_THAT(refused("y = Mull (x, a)"), HasSubstr("uses Mull, which is no op"));
  EXPECT_THAT(refused("y = com.example.Scale (x)"), HasSubstr("uses com.example.Scale; it may"));
  EXPECT_THAT(refused("y = Mul (x, q)"), HasSubstr("uses the value 'q'"));
  EXPECT_THAT(refused("y = Add (t, x)\n t = Neg (x)"), HasSubstr("no line above"));
  EXPECT_THAT(refused("y = Add (y, x)"), HasSubstr("uses the value 'y'"));
  EXPECT_THAT(refused("y = Neg (x)\n y = Neg (a)"), HasSubstr("makes the value 'y' twice"));
  EXPECT_THAT(refused("y = Mul (x)"), HasSubstr("leaves out the input \"B\" of Mul"));
  EXPECT_THAT(refused("y = Mul (x, a, b)"), HasSubstr("gives Mul 3 inputs; it has at most 2"));
  EXPECT_THAT(refused("y, z = Mul (x, a)"), HasSubstr("gives Mul 2 outputs"));
  EXPECT_THAT(refused("y = Softmax <foo = 1> (x)"), HasSubstr("the attribute 'foo'"));
  EXPECT_THAT(refused("y = LeakyRelu <alpha: float = @of> (x)"), HasSubstr("uses @of"));
  EXPECT_THAT(refused("z = Mul (x, a)"), HasSubstr("does not make the output 'y'"));
  OpDefinition many = film("ManyInputs");
  many.signature = "x:T a:T* -> y:T";
  EXPECT_THAT(error_of([&] { register_op(many); }).what(), HasSubstr("variadic"));
}

TEST_F(RegisterOp, ChecksWhatItsBodyMakes) {
  OpDefinition definition = film("TurnedShape");
  definition.shape = [](const OpCall& call) {
    return std::vector{Dims{call.input_shape(0)[0] + 1}};
  };
  register_op(definition);
  const std::vector<Tensor> inputs = {tensor({1.0F}), tensor({2.0F}), tensor({3.0F})};
  const Error error = error_of([&] { operation("TurnedShape")(inputs); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("makes output 0 float32[1], its signature and shape rule "
                                      "tell float32[2]"));
  const Model loaded =
      model("g (float[N] x) => (float[M] y) { y = com.example.TurnedShape (x, x, x) }");
  EXPECT_THAT(error_of([&] {
                loaded.run({{"x", inputs[0]}});
              }).what(),
              HasSubstr("its signature and shape rule tell"));
  definition = film("OtherType");
  definition.signature = "x:T a:T b:T -> y:float64";
  register_op(definition);
  EXPECT_THAT(error_of([&] { operation("OtherType")(inputs); }).what(), HasSubstr("float64[1]"));
}

TEST_F(RegisterOp, RunsItsBodyWithAsManyInputsAsEachCallGives) {
  register_op({.domain = kOwnDomain,
               .name = "Within",
               .signature = "x:T low:T? high:T? -> y:T",
               .types = "T=float32",
               .shape = [](const OpCall& call) { return std::vector{first_shape(call)}; },
               .body = "y = Clip (x, low, high)"});
  const Operation within = operation("Within");
  const Tensor x = tensor({-5.0F, 5.0F}), zero = tensor(0.0F), one = tensor(1.0F);
  EXPECT_EQ(within(x).to_vector<float>(), (Floats{-5, 5}));
  EXPECT_EQ(within(std::array{x, zero, one})[0].to_vector<float>(), (Floats{0, 1}));
  EXPECT_EQ(within(std::array{x, zero})[0].to_vector<float>(), (Floats{0, 5}));
  EXPECT_EQ(within(std::array{x, Tensor(), one})[0].to_vector<float>(), (Floats{-5, 1}));
}

TEST_F(RegisterOp, WithoutATensorRunsOnTheFirstDevice) {
  int calls = 0;
  register_op(
      {.domain = kOwnDomain,
       .name = "Count",
       .signature = "-> y:float32",
       .shape = [](const OpCall&) { return std::vector{Dims{}}; },
       .kernel =
           [&calls](OpKernel& call) { call.output<float>(0)[0] = static_cast<float>(++calls); },
       .is_random = true});
  const Tensor first = operation("Count")(std::span<const Tensor>())[0];
  EXPECT_EQ(first.device(), runtime.default_device());
  EXPECT_EQ(first.item(), 1);
  const Model counting = model("g () => (float y) { y = com.example.Count () }");
  EXPECT_EQ(counting.run({})[0].tensor.item(), 2);
  EXPECT_EQ(counting.run({})[0].tensor.item(), 3) << "not folded";
}

TEST_F(RegisterOp, SaysWhatItsShapeRuleThrowsOfTheNode) {
  OpDefinition definition = scaling("Picky");
  definition.shape = [](const OpCall& call) {
    if (call.input_shape(0).size() != 2) {
      throw Error(ErrorKind::shape_mismatch, "it takes pictures");
    }
    return std::vector{call.input_shape(0)};
  };
  register_op(definition);
  const Error eager = error_of([&] { operation("Picky")(tensor({1.0F})); });
  EXPECT_EQ(eager.kind(), ErrorKind::shape_mismatch);
  EXPECT_THAT(eager.what(), StartsWith("[Picky] it takes pictures"));
  const Error loading =
      error_of([&] { model("g (float[N] x) => (float[N] y) { y = com.example.Picky (x) }"); });
  EXPECT_EQ(loading.kind(), ErrorKind::model);
  EXPECT_THAT(loading.what(), AllOf(HasSubstr("Picky"), HasSubstr("it takes pictures")));
  definition = scaling("ThrowsInShape");
  definition.shape = [](const OpCall&) -> std::vector<Dims> { throw std::out_of_range("mine"); };
  register_op(definition);
  EXPECT_THAT(error_of([&] { operation("ThrowsInShape")(tensor({1.0F})); }).what(),
              HasSubstr("[ThrowsInShape] its shape rule threw: mine"));
  definition = scaling("NegativeExtent");
  definition.shape = [](const OpCall&) { return std::vector{Dims{-7}}; };
  register_op(definition);
  EXPECT_THAT(error_of([&] { operation("NegativeExtent")(tensor({1.0F})); }).what(),
              HasSubstr("an extent of -7"));
}

TEST_F(RegisterOp, NamesTheOpOfAMisuseInItsFunctions) {
  const auto failure = [&](std::string name, void (*kernel)(OpKernel&)) {
    OpDefinition definition = scaling(name);
    definition.kernel = kernel;
    register_op(definition);
    const Error error = error_of([&] { operation(name)(tensor({1.0F})); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error.op(), name);
    EXPECT_THAT(error.what(), StartsWith("[" + name + "] "));
    return std::string(error.what());
  };
  EXPECT_THAT(failure("FarInput", [](OpKernel& call) { static_cast<void>(call.has_input(9)); }),
              HasSubstr("there is no input 9: its signature has 1"));
  EXPECT_THAT(failure("FarType", [](OpKernel& call) { static_cast<void>(call.input_dtype(9)); }),
              HasSubstr("no input 9"));
  EXPECT_THAT(
      failure("NoHostInput", [](OpKernel& call) { static_cast<void>(call.input_integers(0)); }),
      HasSubstr("needs a `!`"));
  EXPECT_THAT(failure("NoAttribute", [](OpKernel& call) { static_cast<void>(call.number("of")); }),
              HasSubstr("no attribute \"of\""));
  EXPECT_THAT(failure("OtherKind", [](OpKernel& call) { static_cast<void>(call.integer("by")); }),
              HasSubstr("not of the kind int"));
  EXPECT_THAT(failure("FarOutput", [](OpKernel& call) { call.output<float>(3)[0] = 1; }),
              HasSubstr("output 3 of 1"));
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
  const Error error = wrong([&] { y.sum().backward(); });
  EXPECT_EQ(error.kind(), ErrorKind::shape_mismatch);
  EXPECT_THAT(error.what(), HasSubstr("the gradient of input 0 is float32[7]; it must be"));
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
  for (const char* taken : {"com.microsoft", "Com.Microsoft", "ai.onnx.preview", "switchyard.x"}) {
    EXPECT_THAT(refused([&](auto& d) { d.domain = taken; }), HasSubstr("belongs to others"));
  }
  EXPECT_THAT(refused([](auto& d) { d.domain = "a b"; }), HasSubstr("a domain has letters"));
  EXPECT_THAT(refused([](auto& d) { d.name = "a-b"; }), HasSubstr("a name has letters"));
  EXPECT_THAT(refused([](auto& d) { d.version = 0; }), HasSubstr("below 1"));
  EXPECT_THAT(refused([](auto& d) { d.shape = nullptr; }), HasSubstr("shape rule"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x"; }), HasSubstr("missing"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T ->"; }), HasSubstr("no output"));
  EXPECT_THAT(refused([](auto& d) { d.types = "T=float32 int8=int32"; }), HasSubstr("int8"));
  EXPECT_THAT(refused([](auto& d) { d.types = "T=float33"; }), HasSubstr("float33"));
  EXPECT_THAT(refused([](auto& d) { d.attributes = "by:number"; }), HasSubstr("number"));
  for (const char* kind : {"graph", "tensor", "type", "sparse", "text(a|b)"}) {
    EXPECT_THAT(refused([&](auto& d) { d.attributes = std::string("a:") + kind; }),
                HasSubstr("of the kind"));
  }
  EXPECT_THAT(refused([](auto& d) { d.attributes = "a:int!=1"; }), HasSubstr("a default"));
  EXPECT_THAT(refused([](auto& d) { d.attributes = "a:int a:float"; }),
              HasSubstr("two attributes"));
  EXPECT_THAT(refused([](auto& d) { d.attributes = ":int"; }), HasSubstr("no name"));
  EXPECT_THAT(refused([](auto& d) { d.attributes = "a:int=x"; }), HasSubstr("not a number"));
  EXPECT_THAT(refused([](auto& d) { d.types = "T=int8 T=float"; }), HasSubstr("two types"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T x:T -> y:T"; }), HasSubstr("\"x\""));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T -> x:T"; }), HasSubstr("\"x\""));
  EXPECT_THAT(refused([](auto& d) { d.signature = ":T -> y:T"; }), HasSubstr("no name"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:seq(T) -> y:T"; }), HasSubstr("a sequence"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T~ -> y:T"; }), HasSubstr("'~'"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T -> y:T*"; }), HasSubstr("has a `*`"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:Q -> y:T"; }), HasSubstr("\"Q\""));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:int8 -> y:T"; }), HasSubstr("the type of"));
  EXPECT_THAT(refused([](auto& d) { d.signature = "x:T -> y:float"; }), HasSubstr("the type of"));
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
