#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ops/node_draft.hpp"

namespace switchyard {

/// Throws Error(model): the node, and why its old form cannot be rewritten.
[[noreturn]] void refuse(const NodeDraft& node, const std::string& why);

/// The rank of an input; refuses if it is not known, since the rewrite depends on it.
std::int64_t known_rank(const NodeDraft& node, std::size_t input);

/// The element type of an input; refuses if it is not known.
DType known_dtype(const NodeDraft& node, std::size_t input);

/// Reads an attribute and removes it.
std::int64_t take_int(NodeDraft& node, std::string_view name, std::int64_t fallback);

/// Turns an attribute of integers into input `input`, an int64 constant; absent stays absent.
void ints_to_input(NodeDraft& node, std::string_view attribute, std::size_t input);

/// Puts a value's name into place `input`, with absent inputs before it if there are too few.
void set_input(NodeDraft& node, std::size_t input, std::string value);

/// Unsqueezes `count` dimensions of extent 1 after the last one of an input.
void append_ones(NodeDraft& node, std::size_t input, std::int64_t count);

/// The name of an int64 constant of rank 1.
std::string int_constant(NodeDraft& node, std::span<const std::int64_t> values);

}  // namespace switchyard
