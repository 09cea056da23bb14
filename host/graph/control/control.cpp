#include "graph/control/control.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard {
namespace {

struct ControlRow {
  std::string_view op;
  control::Function run;
};

constexpr ControlRow kControls[] = {
    {"If", control::run_if},
    {"Loop", control::run_loop},
    {"Scan", control::run_scan},
    {"SequenceConstruct", control::sequence_construct},
    {"SequenceEmpty", control::sequence_empty},
    {"SequenceInsert", control::sequence_insert},
    {"SequenceErase", control::sequence_erase},
    {"SequenceAt", control::sequence_at},
    {"SequenceLength", control::sequence_length},
    {"SequenceMap", control::sequence_map},
    {"SplitToSequence", control::split_to_sequence},
    {"ConcatFromSequence", control::concat_from_sequence},
    {"Optional", control::make_optional},
    {"OptionalGetElement", control::optional_get_element},
    {"OptionalHasElement", control::optional_has_element},
};

}  // namespace

void run_control(Execution& execution, const NodePlan& node, Frame& frame) {
  for (const ControlRow& row : kControls) {
    if (row.op == node.site.op->name()) return row.run(execution, node, frame);
  }
  throw Error(ErrorKind::internal,
              fmt::format("[{}] has a row but no control", node.site.op->name()));
}

namespace control {

Cell input(const NodePlan& node, Frame& frame, std::size_t i) {
  const auto& inputs = node.node->inputs;
  if (i >= inputs.size() || inputs[i] == kAbsent) return {};
  return frame.cell(inputs[i]);
}

TensorRef tensor_input(const NodePlan& node, Frame& frame, std::size_t i) {
  TensorRef tensor = input(node, frame, i).tensor;
  if (tensor) return tensor;
  throw Error(ErrorKind::model,
              fmt::format("[{}] input {} must be a tensor, and is none", node.site.op->name(), i));
}

void set_output(const NodePlan& node, Frame& frame, std::size_t i, Cell cell) {
  const auto& outputs = node.node->outputs;
  if (i < outputs.size() && outputs[i] != kAbsent) frame.cell(outputs[i]) = std::move(cell);
}

std::int64_t scalar_of(const TensorRef& tensor) {
  if (!tensor) throw Error(ErrorKind::model, "a value that decides what runs is missing");
  CopyCount count;
  const std::vector<std::int64_t> values = read_to_host(tensor, count).to_int64s();
  if (values.size() != 1) {
    throw Error(ErrorKind::model,
                fmt::format("expected one element to decide by, got {}", values.size()));
  }
  return values[0];
}

const TensorList& list_of(const Cell& cell) {
  static const auto& empty = *new TensorList;
  return cell.list ? *cell.list : empty;
}

TensorRef select(const TensorRef& tensor, std::int64_t axis, std::int64_t index) {
  Dims shape = tensor->shape;
  Dims strides = tensor->strides;
  const std::int64_t offset = strides[static_cast<std::size_t>(axis)] * index;
  shape.erase(static_cast<std::size_t>(axis));
  strides.erase(static_cast<std::size_t>(axis));
  return make_view(tensor, std::move(shape), std::move(strides), offset);
}

}  // namespace control
}  // namespace switchyard
