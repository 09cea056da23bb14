#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "graph/control/control.hpp"

namespace switchyard::control {
namespace {

Cell cell_of(TensorList list) { return {{}, std::make_shared<TensorList>(std::move(list))}; }

/// The list of input 0, to be changed: itself where it dies here and nobody else holds it, else a
/// copy. A loop that inserts would otherwise copy ever longer lists.
Cell taken_list(const NodePlan& node, Frame& frame) {
  const ValueId value = node.node->inputs[0];
  const bool dies =
      std::find(node.dead_after.begin(), node.dead_after.end(), value) != node.dead_after.end();
  Cell given = dies ? std::exchange(frame.cell(value), {}) : frame.cell(value);
  if (given.list && given.list.use_count() == 1) return given;
  return cell_of(list_of(given));
}

/// A position counted from either end; `end_allowed` for inserting behind the last.
std::size_t position(const TensorRef& tensor, std::size_t size, bool end_allowed) {
  const std::int64_t given = scalar_of(tensor);
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t limit = end_allowed ? count : count - 1;
  const std::int64_t index = given < 0 ? given + count : given;
  if (index < 0 || index > limit) {
    throw Error(ErrorKind::model,
                fmt::format("position {} lies outside of a sequence of {}", given, size));
  }
  return static_cast<std::size_t>(index);
}

std::int64_t axis_of(const NodePlan& node, std::size_t rank) {
  const std::int64_t axis = node.site.attributes.get_int("axis", 0);
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis < -limit || axis >= limit) {
    throw Error(ErrorKind::model, fmt::format("axis {} is outside of rank {}", axis, rank));
  }
  return axis < 0 ? axis + limit : axis;
}

/// The lengths of the pieces that SplitToSequence cuts.
std::vector<std::int64_t> piece_lengths(Execution& execution, const TensorRef& split,
                                        std::int64_t extent) {
  std::int64_t length = 1;
  if (split) {
    CopyCount count;
    std::vector<std::int64_t> lengths = read_to_host(split, count).to_int64s();
    if (!split->shape.empty()) {
      execution.begin_pieces(static_cast<std::int64_t>(lengths.size()));
      return lengths;
    }
    length = lengths[0];
  }
  if (length <= 0)
    throw Error(ErrorKind::model, fmt::format("cannot split into pieces of {}", length));
  const bool has_rest = extent % length != 0;
  execution.begin_pieces(extent / length + (has_rest ? 1 : 0));
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(extent / length), length);
  if (has_rest) lengths.push_back(extent % length);
  return lengths;
}

}  // namespace

void sequence_construct(Execution& execution, const NodePlan& node, Frame& frame) {
  execution.begin_list_entries(static_cast<std::int64_t>(node.node->inputs.size()));
  TensorList list;
  for (std::size_t i = 0; i < node.node->inputs.size(); ++i) {
    list.push_back(tensor_input(node, frame, i));
  }
  set_output(node, frame, 0, cell_of(std::move(list)));
}

void sequence_empty(Execution&, const NodePlan& node, Frame& frame) {
  set_output(node, frame, 0, cell_of({}));
}

void sequence_insert(Execution& execution, const NodePlan& node, Frame& frame) {
  execution.begin_list_entries(1);
  Cell sequence = taken_list(node, frame);
  TensorList& list = *sequence.list;
  const TensorRef at = input(node, frame, 2).tensor;
  const std::size_t index = at ? position(at, list.size(), true) : list.size();
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(index), tensor_input(node, frame, 1));
  set_output(node, frame, 0, std::move(sequence));
}

void sequence_erase(Execution&, const NodePlan& node, Frame& frame) {
  Cell sequence = taken_list(node, frame);
  TensorList& list = *sequence.list;
  if (list.empty()) throw Error(ErrorKind::model, "an empty sequence has nothing to erase");
  const TensorRef at = input(node, frame, 1).tensor;
  const std::size_t index = at ? position(at, list.size(), false) : list.size() - 1;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
  set_output(node, frame, 0, std::move(sequence));
}

void sequence_at(Execution&, const NodePlan& node, Frame& frame) {
  const Cell sequence = input(node, frame, 0);
  const TensorList& list = list_of(sequence);
  const std::size_t index = position(input(node, frame, 1).tensor, list.size(), false);
  set_output(node, frame, 0, {list[index], nullptr});
}

void sequence_length(Execution&, const NodePlan& node, Frame& frame) {
  const auto length = static_cast<std::int64_t>(list_of(input(node, frame, 0)).size());
  set_output(node, frame, 0, {make_host_tensor(Literal::int64(length)), nullptr});
}

void sequence_map(Execution& execution, const NodePlan& node, Frame& frame) {
  const GraphPlan& body = frame.plan.body(node, "body");
  const Cell first = input(node, frame, 0);
  const std::size_t length = list_of(first).size();
  std::vector<TensorList> lists(body.graph->outputs.size());
  for (std::size_t step = 0; step < length; ++step) {
    execution.begin_iteration();
    execution.begin_list_entries(static_cast<std::int64_t>(lists.size()));
    std::vector<Cell> inputs;
    for (std::size_t i = 0; i < node.node->inputs.size(); ++i) {
      Cell given = input(node, frame, i);
      if (!given.list) {
        inputs.push_back(std::move(given));
        continue;
      }
      if (given.list->size() != length) {
        throw Error(ErrorKind::model,
                    fmt::format("sequences of lengths {} and {} do not map together", length,
                                given.list->size()));
      }
      inputs.push_back({(*given.list)[step], nullptr});
    }
    std::vector<Cell> outputs = execution.run_body(body, inputs, frame);
    for (std::size_t i = 0; i < lists.size(); ++i) lists[i].push_back(std::move(outputs[i].tensor));
  }
  for (std::size_t i = 0; i < lists.size(); ++i)
    set_output(node, frame, i, cell_of(std::move(lists[i])));
}

void split_to_sequence(Execution& execution, const NodePlan& node, Frame& frame) {
  TensorRef tensor = tensor_input(node, frame, 0);
  const TensorRef split = input(node, frame, 1).tensor;
  CopyCount count;
  if (!tensor->device) {
    tensor = bring_to(*execution.dispatcher().router().policy()->host_device, tensor, count);
  }
  const std::int64_t axis = axis_of(node, tensor->shape.size());
  const auto at = static_cast<std::size_t>(axis);
  const bool keep = split || node.site.attributes.get_int("keepdims", 1) != 0;
  TensorList list;
  std::int64_t first = 0;
  for (std::int64_t length : piece_lengths(execution, split, tensor->shape[at])) {
    if (length < 0 || length > tensor->shape[at] - first) {
      throw Error(ErrorKind::model, fmt::format("pieces do not fit extent {}", tensor->shape[at]));
    }
    if (keep) {
      Dims shape = tensor->shape;
      shape[at] = length;
      list.push_back(
          make_view(tensor, std::move(shape), tensor->strides, first * tensor->strides[at]));
    } else {
      list.push_back(select(tensor, axis, first));
    }
    first += length;
  }
  if (first != tensor->shape[at]) {
    throw Error(ErrorKind::model,
                fmt::format("pieces add up to {}, not to extent {}", first, tensor->shape[at]));
  }
  set_output(node, frame, 0, cell_of(std::move(list)));
}

void concat_from_sequence(Execution& execution, const NodePlan& node, Frame& frame) {
  const Cell sequence = input(node, frame, 0);
  const TensorList& list = list_of(sequence);
  const bool stack = node.site.attributes.get_int("new_axis", 0) != 0;
  const std::size_t rank = list.empty() ? 0 : list[0]->shape.size();
  const std::int64_t axis = axis_of(node, rank + (stack ? 1 : 0));
  set_output(node, frame, 0, {join(execution, node, list, axis, stack), nullptr});
}

}  // namespace switchyard::control
