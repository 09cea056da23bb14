#pragma once

#include <string_view>

#include <switchyard/register_op.hpp>

namespace switchyard {

struct Signature;

/// Whether a domain is ONNX's, Microsoft's or the library's, or lies within one of these, so that
/// it is nobody's own.
bool belongs_to_others(std::string_view domain);

/// Throws Error(invalid_argument) that names the op and says `why`.
[[noreturn]] void refuse_definition(const OpDefinition& definition, std::string_view why);

/// Throws Error(invalid_argument) for a domain that is not one's own, and for names and versions
/// that no model can have. `has_shapes`: whether there is a shape rule, the definition's or
/// another.
void check_names(const OpDefinition& definition, bool has_shapes);

/// Throws Error(invalid_argument) for what the rows of the library's own ops may say and a
/// definition may not, and for names that stand for two things.
void check_signature(const OpDefinition& definition, const Signature& signature);

}  // namespace switchyard
