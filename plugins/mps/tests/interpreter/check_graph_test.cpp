// What check_graph() must refuse, one class of malformed graph after the other.
#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

using seam::Axes;
using seam::Fault;
using seam::Padding;
using seam::PaddingMode;
using seam::Slice;
using seam::Window;

TensorType int32(Shape shape) { return {ElementType::int32, std::move(shape)}; }
TensorType boolean(Shape shape) { return {ElementType::boolean, std::move(shape)}; }

void expect_refused(const Graph& graph, Fault fault, const std::string& part) {
  try {
    check_graph(graph);
    ADD_FAILURE() << "not refused: " << part;
  } catch (const seam::Failure& failure) {
    EXPECT_EQ(failure.fault(), fault) << failure.what();
    EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
  }
}

void expect_invalid(const Graph& graph, const std::string& part) {
  expect_refused(graph, Fault::invalid, part);
}

void expect_invalid(Operation operation, const TensorType& type,
                    const std::vector<TensorType>& operands, const seam::Attributes& attributes,
                    const std::string& part) {
  expect_invalid(one_node(operation, type, operands, attributes), part);
}

void expect_unsupported(Operation operation, const TensorType& type,
                        const std::vector<TensorType>& operands,
                        const seam::Attributes& attributes = {}) {
  expect_refused(one_node(operation, type, operands, attributes), Fault::unsupported,
                 "node " + std::to_string(operands.size()) + ", ");
}

TEST(InterpreterCheck, NamesTheNodeAndItsOperation) {
  expect_invalid(one_node(Operation::negative, float32({3}), {float32({2})}), "node 1, negative: ");
}

TEST(InterpreterCheck, OperandsAreEarlierNodesAndAsManyAsTaken) {
  Graph graph = one_node(Operation::add, float32({2}), {float32({2}), float32({2})});
  check_graph(graph);
  graph.nodes[2].operands = {0, 2};
  expect_invalid(graph, "not an earlier node");
  graph.nodes[2].operands = {0, UINT32_MAX};
  expect_invalid(graph, "not an earlier node");
  for (const std::vector<uint32_t>& operands : {std::vector<uint32_t>{}, {0}, {0, 1, 0}}) {
    graph.nodes[2].operands = operands;
    expect_invalid(graph, "not as many operands");
  }
  expect_invalid(Operation::concatenate, float32({2}), {}, Axes{{0}}, "not as many operands");
}

TEST(InterpreterCheck, UnknownOperationsAndElements) {
  Graph graph = one_node(Operation::absolute, float32({2}), {float32({2})});
  graph.nodes[1].operation = static_cast<Operation>(200);
  expect_invalid(graph, "node 1, unknown: its operation is unknown");
  graph.nodes[1].operation = Operation::absolute;
  graph.nodes[0].type.element = static_cast<ElementType>(9);
  expect_invalid(graph, "element type is unknown");
}

TEST(InterpreterCheck, AttributesOfAnotherKind) {
  expect_invalid(Operation::add, float32({2}), {float32({2}), float32({2})}, Axes{{0}},
                 "attributes are of another operation");
  expect_invalid(Operation::sum, float32({1}), {float32({2})}, {},
                 "attributes are of another operation");
  expect_invalid(Operation::slice, float32({2}), {float32({2})}, Padding{{0}, {0}},
                 "attributes are of another operation");
}

TEST(InterpreterCheck, ExtentsAndRanks) {
  expect_invalid(one_node(Operation::absolute, float32({-1}), {float32({-1})}), "node 0, input");
  const TensorType deep = float32(Shape(5, 1));
  expect_invalid(one_node(Operation::absolute, deep, {deep}), "rank is over 4");
  const TensorType most = float32(Shape(4, 1));
  check_graph(one_node(Operation::absolute, most, {most}));
  const TensorType over = float32({int64_t{1} << 32, int64_t{1} << 32});
  expect_invalid(one_node(Operation::absolute, over, {over}), "extents overflow");
  const TensorType hidden = float32({0, int64_t{1} << 62, 4});
  expect_invalid(one_node(Operation::absolute, hidden, {hidden}), "extents overflow");
  const TensorType large = float32({1 << 16, 1 << 15});
  expect_refused(one_node(Operation::absolute, large, {large}), Fault::unsupported,
                 "more than 2^31 - 1 elements");
  const TensorType fits = float32({INT32_MAX});
  check_graph(one_node(Operation::absolute, fits, {fits}));
}

TEST(InterpreterCheck, Constants) {
  Graph graph;
  graph.nodes = {{Operation::constant, float32({2}), {}, {}, std::vector<std::byte>(8)},
                 {Operation::absolute, float32({2}), {0}, {}, {}}};
  graph.outputs = {1};
  check_graph(graph);
  graph.nodes[0].data.resize(7);
  expect_invalid(graph, "node 0, constant: its data");
  graph.nodes[0].data.resize(8);
  graph.nodes[1].data.resize(1);
  expect_invalid(graph, "it has data, but is not a constant");
}

TEST(InterpreterCheck, InputsAreListedOnce) {
  const Graph good = one_node(Operation::add, float32({2}), {float32({2}), float32({2})});
  Graph graph = good;
  graph.inputs = {0};
  expect_invalid(graph, "node 1, input: it is not listed once");
  graph.inputs = {0, 1, 0};
  expect_invalid(graph, "node 0, input: it is not listed once");
  graph.inputs = {0, 1, 2};
  expect_invalid(graph, "node 2, add: it is listed as an input");
  graph.inputs = {0, 1, 3};
  expect_invalid(graph, "input 3 is not a node");
}

TEST(InterpreterCheck, OutputsAreComputed) {
  Graph graph = one_node(Operation::absolute, float32({2}), {float32({2})});
  graph.outputs = {};
  expect_invalid(graph, "no output");
  graph.outputs = {2};
  expect_invalid(graph, "output 2 is not a node");
  graph.outputs = {0};
  expect_invalid(graph, "an output is an input or a constant");
  graph.nodes.push_back({Operation::constant, float32({0}), {}, {}, {}});
  graph.outputs = {2};
  expect_invalid(graph, "an output is an input or a constant");
  expect_invalid(Graph{}, "no output");
}

TEST(InterpreterCheck, ElementTypesOfUnaryOperations) {
  expect_unsupported(Operation::negative, boolean({2}), {boolean({2})});
  expect_unsupported(Operation::negative, {ElementType::uint8, {2}}, {{ElementType::uint8, {2}}});
  expect_unsupported(Operation::exponential, int32({2}), {int32({2})});
  expect_unsupported(Operation::floor, int32({2}), {int32({2})});
  expect_unsupported(Operation::is_nan, boolean({2}), {int32({2})});
  expect_unsupported(Operation::logical_not, float32({2}), {float32({2})});
}

TEST(InterpreterCheck, ElementTypesOfBinaryOperations) {
  for (const Operation operation : {Operation::add, Operation::subtract, Operation::multiply,
                                    Operation::divide, Operation::minimum, Operation::less}) {
    expect_unsupported(operation, boolean({2}), {boolean({2}), boolean({2})});
  }
  expect_unsupported(Operation::power, int32({2}), {int32({2}), int32({2})});
  expect_unsupported(Operation::logical_and, boolean({2}), {int32({2}), int32({2})});
  check_graph(one_node(Operation::equal, boolean({2}), {boolean({2}), boolean({2})}));
}

TEST(InterpreterCheck, ElementTypesOfOtherOperations) {
  expect_unsupported(Operation::select, float32({2}), {int32({2}), float32({2}), float32({2})});
  expect_unsupported(Operation::clamp, boolean({}), {boolean({}), boolean({}), boolean({})});
  expect_unsupported(Operation::pad, boolean({2}), {boolean({2})}, Padding{{0}, {0}});
  const TensorType wide{ElementType::int64, {2}};
  expect_unsupported(Operation::gather, float32({2}), {float32({4}), wide}, Axes{{0}});
  expect_unsupported(Operation::sum, {ElementType::int64, {1}}, {wide}, Axes{{0}});
  expect_unsupported(Operation::mean, int32({1}), {int32({2})}, Axes{{0}});
  expect_unsupported(Operation::softmax, int32({2}), {int32({2})}, Axes{{0}});
  expect_unsupported(Operation::matrix_product, int32({2, 2}), {int32({2, 2}), int32({2, 2})});
  const TensorType image{ElementType::int64, {1, 1, 1, 1}};
  expect_unsupported(Operation::convolution, image, {image, image}, Window{});
  expect_unsupported(Operation::transposed_convolution, image, {image, image}, Window{});
  expect_unsupported(Operation::convolution_weight_gradient, image, {image, image}, Window{});
  expect_unsupported(Operation::max_pool, image, {image}, Window{});
  expect_unsupported(Operation::average_pool, image, {image}, Window{});
  expect_unsupported(Operation::resize, image, {image}, seam::Resizing{});
  expect_unsupported(Operation::normalize, int32({2}),
                     {int32({2}), int32({2}), int32({2}), int32({2}), int32({2})},
                     seam::Normalization{});
}

TEST(InterpreterCheck, OperandsOfDifferentElementTypes) {
  const TensorType half{ElementType::float16, {2}};
  expect_invalid(Operation::add, float32({2}), {float32({2}), half}, {}, "operand 1 is float16");
  expect_invalid(Operation::equal, boolean({2}), {float32({2}), int32({2})}, {},
                 "operand 1 is int32");
  expect_invalid(Operation::select, float32({2}), {boolean({2}), float32({2}), half}, {},
                 "operand 2 is float16");
  expect_invalid(Operation::clamp, float32({2}), {float32({2}), float32({2}), half}, {},
                 "operand 2 is float16");
  expect_invalid(Operation::concatenate, float32({4}), {float32({2}), half}, Axes{{0}},
                 "operand 1 is float16");
  expect_invalid(Operation::matrix_product, float32({1, 1}),
                 {float32({1, 1}), {ElementType::float16, {1, 1}}}, {}, "operand 1 is float16");
  expect_invalid(Operation::convolution, float32({1, 1, 1, 1}),
                 {float32({1, 1, 1, 1}), {ElementType::float16, {1, 1, 1, 1}}}, Window{},
                 "operand 1 is float16");
}

TEST(InterpreterCheck, TypesThatDoNotFollowFromTheOperands) {
  const std::string part = "but its operands give";
  expect_invalid(Operation::absolute, {ElementType::float16, {2}}, {float32({2})}, {}, part);
  expect_invalid(Operation::is_nan, float32({2}), {float32({2})}, {}, part);
  expect_invalid(Operation::add, float32({2}), {float32({2, 1}), float32({2})}, {}, part);
  expect_invalid(Operation::less, float32({2}), {float32({2}), float32({2})}, {}, part);
  expect_invalid(Operation::cast, int32({3}), {float32({2})}, {}, part);
  expect_invalid(Operation::reshape, int32({2}), {float32({2})}, {}, part);
  expect_invalid(Operation::transpose, float32({2, 3}), {float32({2, 3})}, Axes{{1, 0}}, part);
  expect_invalid(Operation::concatenate, float32({3}), {float32({2}), float32({2})}, Axes{{0}},
                 part);
  expect_invalid(Operation::slice, float32({2}), {float32({4})}, Slice{{0}, {3}, {1}}, part);
  expect_invalid(Operation::pad, float32({3}), {float32({2})}, Padding{{1}, {1}}, part);
  expect_invalid(Operation::gather, float32({2}), {float32({4}), int32({2, 1})}, Axes{{0}}, part);
  expect_invalid(Operation::sum, float32({}), {float32({2})}, Axes{{0}}, part);
  expect_invalid(Operation::softmax, float32({1}), {float32({2})}, Axes{{0}}, part);
  expect_invalid(Operation::matrix_product, float32({2, 2}), {float32({2, 1}), float32({1, 3})}, {},
                 part);
  expect_invalid(Operation::max_pool, float32({1, 1, 2, 2}), {float32({1, 1, 3, 2})}, Window{},
                 part);
  expect_invalid(Operation::resize, float32({1, 2, 4, 4}), {float32({1, 1, 2, 2})},
                 seam::Resizing{}, part);
}

TEST(InterpreterCheck, ShapesThatDoNotBroadcast) {
  expect_invalid(Operation::add, float32({3}), {float32({3}), float32({2})}, {},
                 "do not broadcast");
  expect_invalid(Operation::add, float32({0}), {float32({0}), float32({2})}, {},
                 "do not broadcast");
  expect_invalid(Operation::select, float32({3}), {boolean({2}), float32({3}), float32({})}, {},
                 "do not broadcast");
  expect_invalid(Operation::clamp, float32({1}), {float32({1}), float32({2}), float32({})}, {},
                 "shape of x");
  expect_invalid(Operation::broadcast, float32({3, 2}), {float32({3})}, {}, "does not broadcast");
  expect_invalid(Operation::broadcast, float32({1}), {float32({1, 1})}, {}, "does not broadcast");
  expect_invalid(Operation::normalize, float32({2}),
                 {float32({2}), float32({3}), float32({2}), float32({2}), float32({2})},
                 seam::Normalization{}, "do not broadcast");
  expect_invalid(Operation::matrix_product, float32({2, 1, 1}),
                 {float32({2, 1, 1}), float32({3, 1, 1})}, {}, "leading extents");
  expect_invalid(Operation::reshape, float32({3}), {float32({2})}, {}, "number of elements");
}

TEST(InterpreterCheck, Axes) {
  expect_invalid(Operation::sum, float32({2}), {float32({2})}, Axes{}, "no axis");
  expect_invalid(Operation::sum, float32({1}), {float32({2})}, Axes{{0, 0}}, "an axis twice");
  expect_invalid(Operation::sum, float32({1}), {float32({2})}, Axes{{-1}},
                 "does not have its axes");
  expect_invalid(Operation::sum, float32({1}), {float32({2})}, Axes{{1}}, "does not have its axes");
  expect_invalid(Operation::softmax, float32({2}), {float32({2})}, Axes{{0, 0}}, "one axis");
  expect_invalid(Operation::softmax, float32({}), {float32({})}, Axes{{0}},
                 "does not have its axis");
  expect_invalid(Operation::gather, float32({2}), {float32({2}), int32({2})}, Axes{{-1}},
                 "does not have its axis");
  expect_invalid(Operation::concatenate, float32({2}), {float32({2})}, Axes{{1}},
                 "does not have its axis");
  for (const Shape& axes : {Shape{0}, {0, 0}, {0, 2}, {1, -1}, {0, 1, 2}}) {
    expect_invalid(Operation::transpose, float32({2, 2}), {float32({2, 2})}, Axes{axes},
                   "each axis of x once");
  }
}

TEST(InterpreterCheck, Concatenation) {
  expect_invalid(Operation::concatenate, float32({4, 1}), {float32({2, 1}), float32({2})},
                 Axes{{0}}, "different ranks");
  expect_invalid(Operation::concatenate, float32({4, 1}), {float32({2, 1}), float32({2, 2})},
                 Axes{{0}}, "differ on another axis");
}

TEST(InterpreterCheck, Slices) {
  const auto refuse = [](int64_t start, int64_t end, int64_t step, const std::string& part) {
    expect_invalid(Operation::slice, float32({2}), {float32({4})}, Slice{{start}, {end}, {step}},
                   part);
  };
  refuse(-1, 2, 1, "forwards");
  refuse(3, 2, 1, "forwards");
  refuse(3, 5, 1, "forwards");
  refuse(4, 1, -1, "backwards");
  refuse(1, 1, -1, "backwards");
  refuse(2, -2, -1, "backwards");
  refuse(0, 2, 0, "step of 0");
  refuse(2, 1, INT64_MIN, "step of 0 or out of range");
  expect_invalid(Operation::slice, float32({2}), {float32({4})}, Slice{{0}, {2}, {}},
                 "for each axis");
}

TEST(InterpreterCheck, Paddings) {
  const auto refuse = [](Padding padding, const std::string& part) {
    expect_invalid(Operation::pad, float32({4}), {float32({2})}, padding, part);
  };
  refuse({{1}, {}}, "before and after each axis");
  refuse({{-1}, {3}}, "negative");
  refuse({{2}, {0}, PaddingMode::reflect}, "reflection");
  refuse({{1}, {1}, static_cast<PaddingMode>(3)}, "unknown mode");
  expect_invalid(Operation::pad, float32({2}), {float32({0})}, Padding{{1}, {1}, PaddingMode::edge},
                 "no edge");
  for (const double value : {0.5, 2147483648.0, static_cast<double>(infinity), double{nan}}) {
    expect_invalid(Operation::pad, int32({4}), {int32({2})},
                   Padding{{1}, {1}, PaddingMode::constant, value}, "not an integer of the type");
  }
  expect_refused(
      one_node(Operation::pad, float32({2}), {float32({2})}, Padding{{INT64_MAX}, {INT64_MAX}}),
      Fault::unsupported, "above 2^31 - 1");
}

TEST(InterpreterCheck, Products) {
  expect_invalid(Operation::matrix_product, float32({2}), {float32({2}), float32({2, 2})}, {},
                 "rank below 2");
  expect_invalid(Operation::matrix_product, float32({2, 2}), {float32({2, 3}), float32({2, 2})}, {},
                 "columns of x");
}

TEST(InterpreterCheck, Windows) {
  const TensorType image = float32({1, 1, 4, 4});
  const auto refuse = [&](const Window& window, const std::string& part) {
    expect_invalid(Operation::max_pool, image, {image}, window, part);
  };
  Window window;
  window.size = {0, 1};
  refuse(window, "a size, stride or dilation");
  window = {};
  window.strides = {1, 0};
  refuse(window, "a size, stride or dilation");
  window = {};
  window.dilations = {1, INT64_MAX};
  refuse(window, "a size, stride or dilation");
  window = {};
  window.padding_before = {-1, 0};
  refuse(window, "a padding");
  window = {};
  window.size = {5, 1};
  refuse(window, "larger than the padded image");
  window = {};
  window.size = {3, 1};
  window.dilations = {2, 1};
  refuse(window, "larger than the padded image");
  expect_invalid(Operation::average_pool, float32({4, 4}), {float32({4, 4})}, Window{},
                 "not [n, c, h, w]");
}

TEST(InterpreterCheck, Convolutions) {
  const TensorType x = float32({1, 4, 3, 3});
  const TensorType result = float32({1, 6, 3, 3});
  const auto refuse = [&](const TensorType& weights, int64_t groups, const std::string& part) {
    Window window;
    window.groups = groups;
    expect_invalid(Operation::convolution, result, {x, weights}, window, part);
  };
  refuse(float32({6, 3, 1, 1}), 1, "the channels of x");
  refuse(float32({6, 4, 1, 1}), 2, "the channels of x");
  refuse(float32({6, 1, 1, 1}), 4, "do not divide");
  refuse(float32({6, 1, 1, 1}), 3, "the channels of x");
  refuse(float32({6, 4, 1, 1}), 0, "no group");
  refuse(float32({6, 4, 1, 3}), 1, "not that of its weights");
  refuse(float32({6, 4, 1}), 1, "not of rank 4");
  refuse(float32({5, 4, 1, 1}), 1, "but its operands give");
}

TEST(InterpreterCheck, TransposedConvolutions) {
  const TensorType x = float32({1, 4, 3, 3});
  Window window;
  window.size = {2, 2};
  window.strides = {2, 2};
  window.groups = 2;
  const TensorType weights = float32({4, 3, 2, 2});
  const auto graph = [&](const TensorType& type, const TensorType& kernels) {
    return one_node(Operation::transposed_convolution, type, {x, kernels}, window);
  };
  check_graph(graph(float32({1, 6, 6, 6}), weights));
  check_graph(graph(float32({1, 6, 7, 6}), weights));
  expect_invalid(graph(float32({1, 6, 8, 6}), weights), "does not give the extents of x");
  expect_invalid(graph(float32({1, 6, 5, 6}), weights), "does not give the extents of x");
  expect_invalid(graph(float32({1, 3, 6, 6}), weights), "the channels of its type");
  expect_invalid(graph(float32({2, 6, 6, 6}), weights), "but its operands give");
  expect_invalid(graph(float32({1, 6, 36}), weights), "its type is not [n, c, h, w]");
  expect_invalid(graph(float32({1, 6, 6, 6}), float32({6, 3, 2, 2})), "the channels of x");
}

TEST(InterpreterCheck, WeightGradientsOfConvolutions) {
  const TensorType x = float32({2, 4, 6, 7});
  Window window;
  window.size = {2, 2};
  window.strides = {2, 2};
  window.groups = 2;
  const TensorType weights = float32({6, 2, 2, 2});
  const auto graph = [&](const TensorType& type, const TensorType& gradient) {
    return one_node(Operation::convolution_weight_gradient, type, {x, gradient}, window);
  };
  check_graph(graph(weights, float32({2, 6, 3, 3})));
  const std::string part = "does not give the extents of the gradient";
  expect_invalid(graph(weights, float32({2, 6, 3, 4})), part);
  expect_invalid(graph(weights, float32({1, 6, 3, 3})), part);
  expect_invalid(graph(weights, float32({2, 5, 3, 3})), "do not divide");
  expect_invalid(graph(weights, float32({2, 6, 9})), "not of rank 4");
  expect_invalid(graph(float32({6, 4, 2, 2}), float32({2, 6, 3, 3})), "but its operands give");
  expect_invalid(graph(float32({6, 2, 2, 3}), float32({2, 6, 3, 3})), "but its operands give");
}

TEST(InterpreterCheck, NormalizationsAndResizing) {
  const TensorType x = float32({2});
  expect_invalid(Operation::normalize, x, {x, x, x, x, x}, seam::Normalization{-1}, "epsilon");
  expect_invalid(Operation::normalize, x, {x, x, x, x, x}, seam::Normalization{double{nan}},
                 "epsilon");
  expect_invalid(Operation::resize, x, {x}, seam::Resizing{}, "not [n, c, h, w]");
  expect_invalid(Operation::resize, float32({1, 1, 2, 2}), {float32({1, 1, 0, 2})},
                 seam::Resizing{}, "no element to resize");
}

}  // namespace
}  // namespace mps::software::interpreter_tests
