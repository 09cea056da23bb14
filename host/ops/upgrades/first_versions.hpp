#pragma once

#include <string_view>

#include "ops/node_draft.hpp"

namespace switchyard {

/// ONNX's first versions marked inputs whose memory might be overwritten; nothing follows from it.
void drop_consumed_inputs(NodeDraft& node);

/// Versions before 7 broadcast the second input on request (`broadcast`), from dimension `axis` of
/// the first on; the canonical form aligns shapes at their ends, so the second gets trailing ones.
void align_second_input(NodeDraft& node);
inline constexpr std::string_view kAlignAttributes = "axis:int broadcast:flag=0";

}  // namespace switchyard
