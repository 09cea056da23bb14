#pragma once

#include "ops/row.hpp"

namespace switchyard {

/// The op of this name, of whichever domain, as routing tables and claims name it; null if there is
/// none, or one that no device meets (RunsOn::body).
const Op* find_op_by_name(std::string_view name);

}  // namespace switchyard
