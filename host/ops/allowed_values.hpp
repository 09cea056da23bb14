#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/attributes.hpp"

// Attributes whose values are a closed set. A row writes the set behind the kind:
// `text(none|tanh)`, `int(0..3)`; `flag` is `int(0..1)`, and `padding` is the texts of auto_pad.
namespace switchyard {

/// The kind without the set: "int" or "text", where it has one.
std::string_view plain_kind(std::string_view kind);

struct AllowedValues {
  std::vector<std::string_view> texts;                         // none: any
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  // least and most; nothing: any
};

/// The set that the kind has; Error(internal) where its text breaks the form.
AllowedValues allowed_values(std::string_view kind);

/// What is wrong with the value, `"fast"; it must be none or tanh`; empty if it is of the set.
std::string outside_of(const AllowedValues& values, const AttributeValue& value);

}  // namespace switchyard
