#pragma once

#include <nlohmann/json_fwd.hpp>

#include <switchyard/dims.hpp>

namespace switchyard::cli {

/// Keeps its keys in the order in which they were set, so that output can be compared as text.
using Json = nlohmann::ordered_json;

/// Writes a value to standard output, indented. Bytes that are not UTF-8 are shown as U+FFFD, and
/// numbers that JSON does not have (infinities, NaN) as null.
void print_json(const Json& value);

Json to_json(const Dims& shape);

}  // namespace switchyard::cli
