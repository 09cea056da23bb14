#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// Cast before 6 named its type by text: "FLOAT", "INT64".
void type_name_to_number(NodeDraft& node);

}  // namespace switchyard
