#pragma once

#include <string_view>

#include "ops/row.hpp"

namespace switchyard {

/// Letters a signature may have.
inline constexpr std::size_t kMostLetters = 16;

/// Parses a row's texts (see Row), which must outlive it, into checks. A text that breaks the form
/// is an Error(internal).
Signature parse_signature(std::string_view signature, std::string_view attributes,
                          std::string_view types);

/// The formal input or output that value `i` answers to; null if there are too many values.
const Formal* formal_at(const std::vector<Formal>& formals, std::size_t i);

/// Whether the last output comes once or more often, so that a caller says how many there are.
bool has_variadic_outputs(const Op& op);

/// Sets each attribute that is absent and has a default; a required one that is absent, one that
/// the op does not know and one of the wrong kind are Error(model)s. Graph attributes are not
/// looked at.
void check_attributes(std::string_view op, const Signature& signature, Attributes& attributes);

}  // namespace switchyard
