#pragma once

#include "graph/execution.hpp"

namespace switchyard {

/// Runs a node that works on graphs, lists or optionals: the host's own part of execution. Bodies
/// and the tensors in lists go on through the dispatcher.
void run_control(Execution& execution, const NodePlan& node, Frame& frame);

namespace control {

using Function = void (*)(Execution&, const NodePlan&, Frame&);

// One function an op; control.cpp has the table.
void run_if(Execution&, const NodePlan&, Frame&);
void run_loop(Execution&, const NodePlan&, Frame&);
void run_scan(Execution&, const NodePlan&, Frame&);
void sequence_construct(Execution&, const NodePlan&, Frame&);
void sequence_empty(Execution&, const NodePlan&, Frame&);
void sequence_insert(Execution&, const NodePlan&, Frame&);
void sequence_erase(Execution&, const NodePlan&, Frame&);
void sequence_at(Execution&, const NodePlan&, Frame&);
void sequence_length(Execution&, const NodePlan&, Frame&);
void sequence_map(Execution&, const NodePlan&, Frame&);
void split_to_sequence(Execution&, const NodePlan&, Frame&);
void concat_from_sequence(Execution&, const NodePlan&, Frame&);
void make_optional(Execution&, const NodePlan&, Frame&);
void optional_get_element(Execution&, const NodePlan&, Frame&);
void optional_has_element(Execution&, const NodePlan&, Frame&);

// What they share.

/// The cell of input `i`; an empty one if it is left out.
Cell input(const NodePlan& node, Frame& frame, std::size_t i);
/// The same for one that must be a tensor. Throws Error(model) where it is none: types that a model
/// leaves open show only here.
TensorRef tensor_input(const NodePlan& node, Frame& frame, std::size_t i);
void set_output(const NodePlan& node, Frame& frame, std::size_t i, Cell cell);
/// A tensor's only element as an integer or a truth.
std::int64_t scalar_of(const TensorRef& tensor);
/// The list behind a sequence value; an empty list for a sequence that holds nothing.
const TensorList& list_of(const Cell& cell);
/// Joins tensors along `axis`; a new axis where `stack` is set. All have one dtype and fitting
/// shapes.
TensorRef join(Execution& execution, const NodePlan& node, const TensorList& parts,
               std::int64_t axis, bool stack);
/// Part `index` of `tensor` along `axis`: a view, without that axis.
TensorRef select(const TensorRef& tensor, std::int64_t axis, std::int64_t index);

}  // namespace control
}  // namespace switchyard
