// Sequences are lists of tensors that the host holds; optionals may hold nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Cell cell(const Tensor& tensor) { return {TensorRef(tensor.impl()), nullptr}; }
Cell list_cell(const std::vector<Tensor>& tensors) {
  TensorList list;
  for (const Tensor& tensor : tensors) list.emplace_back(tensor.impl());
  return {{}, std::make_shared<TensorList>(std::move(list))};
}
std::vector<Floats> values_of(const Cell& cell) {
  std::vector<Floats> values;
  for (const TensorRef& tensor : *cell.list) {
    values.push_back(Tensor(tensor.get()).to_vector<float>());
  }
  return values;
}

// Runs one node on the given cells.
std::vector<Cell> run(const std::string& op, std::vector<Cell> inputs, Attributes attributes = {}) {
  GraphBuilder build;
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_list = inputs[i].list != nullptr;
    values.push_back(build.input("input_" + std::to_string(i), DType::float32, {},
                                 is_list ? ValueKind::sequence : ValueKind::tensor));
  }
  build.output(build.node(op, values, std::move(attributes)));
  return PlannedGraph(fallback_runtime(), build).cells(std::move(inputs));
}

const Tensor kOne = floats({1}, {1});
const Tensor kTwo = floats({2}, {2, 2});
const Tensor kThree = floats({3}, {3, 3, 3});

TEST(Sequence, IsMadeOfTensorsOfAnyShape) {
  EXPECT_EQ(values_of(run("SequenceConstruct", {cell(kOne), cell(kTwo)})[0]),
            (std::vector<Floats>{{1}, {2, 2}}));
  GraphBuilder build;
  build.output(build.node("SequenceEmpty", {}));
  EXPECT_TRUE(values_of(PlannedGraph(fallback_runtime(), build).cells({})[0]).empty());
}

TEST(Sequence, CountsPositionsFromEitherEnd) {
  const Cell list = list_cell({kOne, kTwo, kThree});
  const auto at = [&](std::int64_t position) {
    return Tensor(run("SequenceAt", {list, cell(host_scalar(position))})[0].tensor.get())
        .to_vector<float>();
  };
  EXPECT_EQ(at(0), (Floats{1}));
  EXPECT_EQ(at(-1), (Floats{3, 3, 3}));
  const Error error = error_of([&] { at(3); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("position 3 lies outside of a sequence of 3"));
}

TEST(Sequence, TakesInsertionsAnywhereAndStaysAsItWas) {
  const Cell list = list_cell({kOne, kTwo});
  EXPECT_EQ(values_of(run("SequenceInsert", {list, cell(kThree)})[0]),
            (std::vector<Floats>{{1}, {2, 2}, {3, 3, 3}}));
  const Cell first = cell(host_scalar(std::int64_t{-2}));
  EXPECT_EQ(values_of(run("SequenceInsert", {list, cell(kThree), first})[0]),
            (std::vector<Floats>{{3, 3, 3}, {1}, {2, 2}}));
  EXPECT_EQ(values_of(list), (std::vector<Floats>{{1}, {2, 2}}));
}

TEST(Sequence, IsChangedInPlaceWhereNobodyElseHoldsIt) {
  for (const std::string op : {"SequenceInsert", "SequenceErase"}) {
    std::vector<Cell> inputs;
    inputs.push_back(list_cell({kOne, kTwo}));
    if (op == "SequenceInsert") inputs.push_back(cell(kThree));
    const TensorList* given = inputs[0].list.get();
    EXPECT_EQ(run(op, std::move(inputs))[0].list.get(), given) << op;
  }
}

TEST(Sequence, GivesUpItsLastElementOrAnyOther) {
  const Cell list = list_cell({kOne, kTwo, kThree});
  EXPECT_EQ(values_of(run("SequenceErase", {list})[0]), (std::vector<Floats>{{1}, {2, 2}}));
  EXPECT_EQ(values_of(run("SequenceErase", {list, cell(host_scalar(std::int64_t{0}))})[0]),
            (std::vector<Floats>{{2, 2}, {3, 3, 3}}));
  EXPECT_THROW(run("SequenceErase", {list_cell({})}), Error);
}

TEST(Sequence, KnowsItsLength) {
  EXPECT_EQ(
      Tensor(run("SequenceLength", {list_cell({kOne, kTwo})})[0].tensor.get()).item<std::int64_t>(),
      2);
}

TEST(Sequence, IsJoinedAlongAnAxisOrANewOne) {
  const Cell list = list_cell({counting({1, 2}), counting({2, 2})});
  const Cell joined = run("ConcatFromSequence", {list}, attribute("axis", std::int64_t{0}))[0];
  EXPECT_EQ(Tensor(joined.tensor.get()).shape(), (Dims{3, 2}));
  EXPECT_EQ(Tensor(joined.tensor.get()).to_vector<float>(), (Floats{0, 1, 0, 1, 2, 3}));

  Attributes stack = attribute("axis", std::int64_t{-1});
  stack.set("new_axis", std::int64_t{1});
  const Cell stacked =
      run("ConcatFromSequence", {list_cell({counting({2}), counting({2})})}, stack)[0];
  EXPECT_EQ(Tensor(stacked.tensor.get()).to_vector<float>(), (Floats{0, 0, 1, 1}));

  const Error error = error_of([&] {
    run("ConcatFromSequence", {list_cell({counting({1, 2}), counting({1, 3})})},
        attribute("axis", std::int64_t{0}));
  });
  EXPECT_THAT(error.what(), HasSubstr("parts of shapes [1, 2] and [1, 3] do not join"));
}

TEST(Sequence, IsCutOutOfATensor) {
  const Cell whole = cell(counting({5}));
  EXPECT_EQ(values_of(run("SplitToSequence", {whole, cell(host_scalar(std::int64_t{2}))})[0]),
            (std::vector<Floats>{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(values_of(run("SplitToSequence", {whole, cell(integers({1, 4}))})[0]),
            (std::vector<Floats>{{0}, {1, 2, 3, 4}}));
  Attributes without_axis = attribute("keepdims", std::int64_t{0});
  const Cell parts = run("SplitToSequence", {whole}, without_axis)[0];
  EXPECT_EQ(parts.list->size(), 5u);
  EXPECT_EQ((*parts.list)[3]->shape, Dims());
  EXPECT_THROW(run("SplitToSequence", {whole, cell(integers({1, 3}))}), Error);
  EXPECT_THROW(run("SplitToSequence", {whole, cell(integers({-1, 6}))}), Error);
}

TEST(Sequence, IsMappedByABody) {
  GraphBuilder build, body;
  const ValueId list = build.input("list", DType::float32, {}, ValueKind::sequence);
  const ValueId offset = build.input("offset");
  const ValueId element = body.input("element");
  body.output(body.node("Add", {element, body.input("added")}));
  build.output(build.node("SequenceMap", {list, offset}));
  build.body("body", body);
  const std::vector<Cell> outputs = PlannedGraph(fallback_runtime(), build)
                                        .cells({list_cell({kOne, kTwo}), cell(floats({1}, {10}))});
  EXPECT_EQ(values_of(outputs[0]), (std::vector<Floats>{{11}, {12, 12}}));
}

TEST(Sequence, GoesThroughALoop) {
  // Appends the counter to a list, trip by trip.
  GraphBuilder build, body;
  const ValueId trips = build.input("trips", DType::int64);
  const ValueId empty = build.node("SequenceEmpty", {});
  const ValueId trip = body.input("trip", DType::int64);
  const ValueId going = body.input("going", DType::bool_);
  const ValueId list = body.input("list", DType::float32, {}, ValueKind::sequence);
  const ValueId number =
      body.node("Cast", {trip}, attribute("to", static_cast<std::int64_t>(DType::float32)));
  body.output(body.node("Identity", {going})).output(body.node("SequenceInsert", {list, number}));
  build.output(build.node("Loop", {trips, kAbsent, empty}));
  build.body("body", body);
  const std::vector<Cell> outputs =
      PlannedGraph(fallback_runtime(), build).cells({cell(integers({3}))});
  EXPECT_EQ(values_of(outputs[0]), (std::vector<Floats>{{0}, {1}, {2}}));
}

// ---------------------------------------------------------------- optionals

bool has_element(const Cell& cell) {
  return Tensor(run("OptionalHasElement", {cell})[0].tensor.get()).item<bool>();
}

TEST(Optional, HoldsATensorAListOrNothing) {
  EXPECT_TRUE(has_element(cell(kOne)));
  EXPECT_TRUE(has_element(list_cell({})));
  EXPECT_FALSE(has_element({}));
}

TEST(Optional, GivesItsElement) {
  EXPECT_EQ(Tensor(run("OptionalGetElement", {cell(kOne)})[0].tensor.get()).to_vector<float>(),
            (Floats{1}));
  EXPECT_EQ(values_of(run("Optional", {list_cell({kTwo})})[0]), (std::vector<Floats>{{2, 2}}));
  const Error error = error_of([] { run("OptionalGetElement", {Cell{}}); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("the optional holds no element to get"));
}

}  // namespace
}  // namespace switchyard
