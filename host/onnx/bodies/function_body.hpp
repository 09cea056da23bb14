#pragma once

#include <string_view>

#include "onnx/schema.hpp"

namespace switchyard {

struct Op;

/// The op's function body. Throws Error(internal) if the row of one of the library's own ops has
/// none or one that cannot be read, and Error(invalid_argument) for a registered op.
onnx::FunctionProto function_body(const Op& op);

/// Throws Error(invalid_argument), or Error(internal) for one of the library's own ops: "[Film] its
/// function body WHY".
[[noreturn]] void refuse_body(const Op& op, std::string_view why);

/// Throws Error(invalid_argument) for a registered op whose body cannot be read, calls ops with
/// inputs, outputs or attributes that they do not have, uses values before they are made, or does
/// not make an output. What depends on a call's inputs
/// is found at the call.
void check_body(const Op& op);

}  // namespace switchyard
