#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// Reduce* before 18 (ReduceSum before 13): axes were an attribute.
void axes_to_input(NodeDraft& node);

/// Softmax, LogSoftmax and Hardmax before 13 worked on the input as a matrix whose rows began at
/// `axis`; now they work along `axis` alone.
void rows_from_axis(NodeDraft& node);

}  // namespace switchyard
