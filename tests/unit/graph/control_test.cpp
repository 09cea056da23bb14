// If, Loop and Scan: the host's own part of execution, with bodies that see the values around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Tensor truth(bool value) { return host_scalar(value); }
Literal true_literal() {
  const std::uint8_t yes = 1;
  return Literal::of<std::uint8_t>(DType::bool_, {}, std::span(&yes, 1));
}

// ---------------------------------------------------------------- If

// y = condition ? op_then(x) : op_else(x)
ValueId add_if(GraphBuilder& build, ValueId condition, ValueId x, const std::string& op_then,
               const std::string& op_else) {
  GraphBuilder then_branch, else_branch;
  then_branch.output(then_branch.node(op_then, {then_branch.capture(x)}));
  else_branch.output(else_branch.node(op_else, {else_branch.capture(x)}));
  const ValueId result = build.node("If", {condition});
  build.body("then_branch", then_branch).body("else_branch", else_branch);
  return result;
}

TEST(If, RunsOneBranchOnTheValuesAroundIt) {
  GraphBuilder build;
  const ValueId condition = build.input("condition", DType::bool_);
  const ValueId x = build.input("x");
  build.output(add_if(build, condition, x, "Relu", "Neg"));
  PlannedGraph graph(fallback_runtime(), build);
  EXPECT_EQ(graph({truth(true), floats({2}, {-1, 2})})[0].to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(graph({truth(false), floats({2}, {-1, 2})})[0].to_vector<float>(), (Floats{1, -2}));
  EXPECT_EQ(graph.statistics.control, 1u);
  EXPECT_EQ(graph.statistics.placement.count("good:0"), 0u) << "the other branch did not run";
}

TEST(If, ReachesThroughManyLevels) {
  // Four Ifs within each other; the innermost adds values of the first and of the third level.
  GraphBuilder build, one, two, three;
  const ValueId condition = build.input("condition", DType::bool_);
  const ValueId x = build.input("x");

  const ValueId condition_one = one.capture(condition, DType::bool_);
  const ValueId x_one = one.capture(x);
  const ValueId condition_two = two.capture(condition_one, DType::bool_);
  const ValueId x_two = two.capture(x_one);
  const ValueId condition_three = three.capture(condition_two, DType::bool_);
  const ValueId x_three = three.capture(x_two);
  const ValueId negative = three.node("Neg", {x_three});

  GraphBuilder innermost, unused;
  innermost.output(
      innermost.node("Add", {innermost.capture(x_three), innermost.capture(negative)}));
  unused.output(unused.node("Neg", {unused.capture(x_three)}));
  three.output(three.node("If", {condition_three}));
  three.body("then_branch", innermost).body("else_branch", unused);

  const auto other = [](ValueId captured) {
    GraphBuilder branch;
    branch.output(branch.node("Relu", {branch.capture(captured)}));
    return branch;
  };
  GraphBuilder other_two = other(x_two), other_one = other(x_one), other_zero = other(x);
  two.output(two.node("If", {condition_two}));
  two.body("then_branch", three).body("else_branch", other_two);
  one.output(one.node("If", {condition_one}));
  one.body("then_branch", two).body("else_branch", other_one);
  build.output(build.node("If", {condition}));
  build.body("then_branch", one).body("else_branch", other_zero);

  PlannedGraph graph(fallback_runtime(), build);
  EXPECT_EQ(graph({truth(true), floats({2}, {3, -4})})[0].to_vector<float>(), (Floats{0, 0}));
  EXPECT_EQ(graph.statistics.control, 4u);
  EXPECT_EQ(graph({truth(false), floats({2}, {3, -4})})[0].to_vector<float>(), (Floats{3, 0}));
}

TEST(If, NeedsOneElementToDecideBy) {
  GraphBuilder build;
  const ValueId condition = build.input("condition", DType::bool_);
  const ValueId x = build.input("x");
  build.output(add_if(build, condition, x, "Relu", "Neg"));
  PlannedGraph graph(fallback_runtime(), build);
  const Tensor two =
      host_tensor_from_bytes(DType::bool_, {reinterpret_cast<const std::byte*>("\1\1"), 2}, {2});
  const Error error = error_of([&] { graph({two, counting({1})}); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("expected one element to decide by, got 2"));
}

// ---------------------------------------------------------------- Loop

// total += step for each trip while total < limit; also collects the totals.
struct CountingLoop {
  explicit CountingLoop(bool with_limit = true) {
    const ValueId trips = build.input("trips", DType::int64);
    const ValueId start = build.input("start");
    const ValueId step = build.input("step");

    GraphBuilder body;
    body.input("trip", DType::int64);
    body.input("going", DType::bool_);
    const ValueId total = body.input("total");
    const ValueId sum = body.node("Add", {total, body.capture(step)});
    const ValueId limit = body.constant({1}, {10});
    const ValueId below =
        body.node("Squeeze", {body.node("Less", {sum, limit}), body.numbers({0})});
    body.output(with_limit ? below : body.constant(true_literal())).output(sum).output(sum);

    const std::vector<ValueId> outputs = build.nodes("Loop", {trips, kAbsent, start}, 2);
    build.body("body", body);
    build.output(outputs[0]).output(outputs[1]);
  }
  GraphBuilder build;
};

TEST(Loop, RunsItsTripsAndCollects) {
  CountingLoop loop(false);
  PlannedGraph graph(fallback_runtime(), loop.build);
  const auto outputs = graph({integers({3}), floats({1}, {0}), floats({1}, {2})});
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{6}));
  EXPECT_EQ(outputs[1].shape(), (Dims{3, 1}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{2, 4, 6}));
}

TEST(Loop, StopsWhenItsConditionSaysSo) {
  CountingLoop loop;
  PlannedGraph graph(fallback_runtime(), loop.build);
  const auto outputs = graph({integers({100}), floats({1}, {0}), floats({1}, {4})});
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{4, 8, 12}));
}

TEST(Loop, MayNotRunAtAll) {
  CountingLoop loop;
  PlannedGraph graph(fallback_runtime(), loop.build);
  const auto outputs = graph({integers({0}), floats({1}, {7}), floats({1}, {4})});
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{7})) << "the state as it came";
  EXPECT_EQ(outputs[1].shape()[0], 0);
}

// What is collected is the state itself, whose type and shape the body does not say.
TEST(Loop, ThatNeverRunsCollectsNoneOfItsState) {
  GraphBuilder build, body;
  const ValueId trips = build.input("trips", DType::int64);
  const ValueId start = build.input("start", DType::undefined);
  body.input("trip", DType::int64);
  const ValueId going = body.input("going", DType::bool_);
  const ValueId state = body.input("state", DType::undefined);
  body.output(going).output(state).output(state).output(body.node("Neg", {state}));
  const std::vector<ValueId> outputs = build.nodes("Loop", {trips, kAbsent, start}, 3);
  build.body("body", body);
  build.output(outputs[1]).output(outputs[2]);
  PlannedGraph graph(fallback_runtime(), build);
  for (const Tensor& collected : graph({integers({0}), counting({2, 3})})) {
    EXPECT_EQ(collected.shape(), (Dims{0, 2, 3}));
    EXPECT_EQ(collected.dtype(), DType::float32);
  }
  EXPECT_EQ(graph({integers({2}), counting({2, 3})})[0].shape(), (Dims{2, 2, 3}));
}

TEST(Loop, RunsWithoutATripCount) {
  // while (going): the condition is carried from trip to trip.
  GraphBuilder build, body;
  const ValueId start = build.input("start");
  body.input("trip", DType::int64);
  body.input("going", DType::bool_);
  const ValueId value = body.input("value");
  const ValueId twice = body.node("Add", {value, value});
  body.output(body.node("Squeeze",
                        {body.node("Less", {twice, body.constant({1}, {100})}), body.numbers({0})}))
      .output(twice);
  build.output(build.node("Loop", {kAbsent, build.constant(true_literal()), start}));
  build.body("body", body);
  PlannedGraph graph(fallback_runtime(), build);
  EXPECT_EQ(graph({floats({1}, {3})})[0].to_vector<float>(), (Floats{192}));
}

TEST(Loop, ItsCounterIsAValueOfTheHost) {
  // Row `trip` of x, picked by the counter: shape arithmetic that must not wait for any device.
  GraphBuilder build, body;
  const ValueId trips = build.input("trips", DType::int64);
  const ValueId x = build.input("x");
  const ValueId trip = body.input("trip", DType::int64);
  body.input("going", DType::bool_);
  const ValueId from = body.node("Unsqueeze", {trip, body.numbers({0})});
  const ValueId to = body.node("Add", {from, body.numbers({1})});
  const ValueId row = body.node("Slice", {body.capture(x), from, to});
  body.output(body.constant(true_literal())).output(body.node("Relu", {row}));
  build.output(build.node("Loop", {trips, kAbsent}));
  build.body("body", body);
  PlannedGraph graph(fallback_runtime(), build);
  const Tensor output = graph({integers({3}), floats({3, 2}, {-1, 1, 2, -2, 3, 4})})[0];
  EXPECT_EQ(output.shape(), (Dims{3, 1, 2}));
  EXPECT_EQ(output.to_vector<float>(), (Floats{0, 1, 2, 0, 3, 4}));
  EXPECT_EQ(graph.statistics.host_work, 3u) << "the addition, each trip";
}

TEST(Loop, CarriesValuesWhoseShapesGrow) {
  GraphBuilder build, body;
  const ValueId trips = build.input("trips", DType::int64);
  const ValueId start = build.input("start");
  body.input("trip", DType::int64);
  body.input("going", DType::bool_);
  const ValueId list = body.input("list");
  body.output(body.constant(true_literal()))
      .output(body.node("Concat", {list, list}, attribute("axis", std::int64_t{0})));
  build.output(build.node("Loop", {trips, kAbsent, start}));
  build.body("body", body);
  PlannedGraph graph(fallback_runtime(), build);
  EXPECT_EQ(graph({integers({4}), floats({1}, {5})})[0].to_vector<float>(), Floats(16, 5));
}

TEST(Loop, RunsWithinALoop) {
  // Adds 1 inner times, outer times.
  GraphBuilder build, outer, inner;
  const ValueId trips = build.input("trips", DType::int64);
  const ValueId start = build.input("start");
  outer.input("trip", DType::int64);
  outer.input("going", DType::bool_);
  const ValueId total = outer.input("total");
  inner.input("trip", DType::int64);
  inner.input("going", DType::bool_);
  inner.output(inner.constant(true_literal()))
      .output(inner.node("Add", {inner.input("sum"), inner.constant({1}, {1})}));
  const ValueId sum = outer.node("Loop", {outer.capture(trips, DType::int64), kAbsent, total});
  outer.body("body", inner);
  outer.output(outer.constant(true_literal())).output(sum);
  build.output(build.node("Loop", {trips, kAbsent, start}));
  build.body("body", outer);
  PlannedGraph graph(fallback_runtime(), build);
  EXPECT_EQ(graph({integers({5}), floats({1}, {0})})[0].to_vector<float>(), (Floats{25}));
}

// ---------------------------------------------------------------- Scan

// Running sums of x along an axis, and the last of them.
struct SummingScan {
  explicit SummingScan(Attributes attributes) {
    attributes.set("num_scan_inputs", std::int64_t{1});
    const ValueId start = build.input("start");
    const ValueId x = build.input("x");
    GraphBuilder body;
    const ValueId state = body.input("state");
    const ValueId sum = body.node("Add", {state, body.input("part")});
    body.output(sum).output(sum);
    const auto outputs = build.nodes("Scan", {start, x}, 2, attributes);
    build.body("body", body);
    build.output(outputs[0]).output(outputs[1]);
  }
  GraphBuilder build;

  std::vector<Tensor> operator()(const Tensor& start, const Tensor& x) {
    return PlannedGraph(fallback_runtime(), build)({start, x});
  }
};

TEST(Scan, WalksTheFirstAxis) {
  const auto outputs = SummingScan({})(floats({2}, {0, 0}), counting({3, 2}));
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{6, 9}));
  EXPECT_EQ(outputs[1].shape(), (Dims{3, 2}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{0, 1, 2, 4, 6, 9}));
}

TEST(Scan, WalksBackwards) {
  Attributes backwards = attribute("scan_input_directions", Integers{1});
  const auto outputs = SummingScan(backwards)(floats({1}, {0}), floats({3, 1}, {1, 2, 3}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{3, 5, 6}));
}

TEST(Scan, CollectsBackwards) {
  Attributes backwards = attribute("scan_output_directions", Integers{1});
  const auto outputs = SummingScan(backwards)(floats({1}, {0}), floats({3, 1}, {1, 2, 3}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{6, 3, 1}));
}

TEST(Scan, WalksAndCollectsAlongOtherAxes) {
  Attributes axes = attribute("scan_input_axes", Integers{1});
  axes.set("scan_output_axes", Integers{-1});
  const auto outputs = SummingScan(axes)(floats({2}, {0, 0}), counting({2, 3}));
  EXPECT_EQ(outputs[1].shape(), (Dims{2, 3}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{0, 1, 3, 3, 7, 12}));
}

TEST(Scan, ReadsDeviceMemoryThroughViews) {
  const Tensor x = counting({3, 2}).to(fallback_runtime().device("good"));
  const std::uint64_t before = fallback_runtime().device("good").memory().allocations;
  SummingScan({})(floats({2}, {0, 0}), x);
  // The start's copy, a sum for each step, and the joined output: no copies of parts.
  EXPECT_EQ(fallback_runtime().device("good").memory().allocations - before, 5u);
}

TEST(Scan, OverNothingCollectsNothing) {
  const auto outputs = SummingScan({})(floats({2}, {1, 2}), floats({0, 2}, {}));
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{1, 2})) << "the state as it came";
  EXPECT_EQ(outputs[1].shape(), (Dims{0, 2}));
}

TEST(Scan, RefusesListsThatDoNotFitItsInputsAndOutputs) {
  const auto error = [](const std::string& name, Integers values) {
    SummingScan scan(attribute(name, std::move(values)));
    return std::string(error_of([&] { scan(floats({2}, {0, 0}), counting({3, 2})); }).what());
  };
  EXPECT_THAT(error("scan_input_directions", {2}), HasSubstr("scan_input_directions holds 2"));
  EXPECT_THAT(error("scan_output_directions", {-1}), HasSubstr("scan_output_directions holds -1"));
  EXPECT_THAT(error("scan_input_directions", {0, 1}), HasSubstr("it must hold 1"));
  EXPECT_THAT(error("scan_input_axes", {0, 0}), HasSubstr("scan_input_axes holds 2 numbers"));
  EXPECT_THAT(error("scan_output_axes", {}), HasSubstr("scan_output_axes holds 0 numbers"));
  EXPECT_THAT(error("scan_input_axes", {2}), HasSubstr("scan_input_axes holds 2, which lies"));
}

TEST(Scan, RefusesInputsOfDifferentLengths) {
  GraphBuilder build, body;
  const ValueId x = build.input("x");
  const ValueId y = build.input("y");
  body.output(body.node("Add", {body.input("a"), body.input("b")}));
  build.output(build.node("Scan", {x, y}, attribute("num_scan_inputs", std::int64_t{2})));
  build.body("body", body);
  PlannedGraph graph(fallback_runtime(), build);
  const Error error = error_of([&] { graph({counting({3}), counting({2})}); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("differ in length, 3 and 2"));
}

}  // namespace
}  // namespace switchyard
