#pragma once

#include <cstdint>
#include <string_view>

#include "ops/inference.hpp"

// What the inputs beside the data of an op (scales, zero points, biases, states, thresholds,
// lengths) must be. Each function passes over an input that is absent or of unknown rank, and
// otherwise fails with the input's number and name, its shape, and what would be right. These rules
// run before every run with the shapes that are really there, so that a kernel of any device can
// rely on them.
namespace switchyard {

/// Fails if the input is given, as one that Switchyard does not support.
void refuse_input(const Inference& node, std::size_t input, std::string_view name);

/// True if the input holds one number, as a scalar or as a list of one. Unknown counts as true.
bool may_be_one_element(const Inference& node, std::size_t input);

/// One number: a scalar, or a list of one as some exporters write it.
void require_one_element(const Inference& node, std::size_t input, std::string_view name);

/// A list of any length: axes, sizes. A scalar counts as a list of one.
void require_list(const Inference& node, std::size_t input, std::string_view name);

/// A list with one number for each of `count` things, which `of_what` names.
void require_one_for_each(const Inference& node, std::size_t input, std::string_view name,
                          std::int64_t count, std::string_view of_what);

/// As above, or one number for all of them.
void require_one_or_one_for_each(const Inference& node, std::size_t input, std::string_view name,
                                 std::int64_t count, std::string_view of_what);

/// Exactly this shape, of which extents may be kUnknown; `form` says in words what they are.
void require_shape(const Inference& node, std::size_t input, std::string_view name,
                   const Dims& wanted, std::string_view form);

/// A shape that broadcasts to `target` without changing it.
void require_broadcast_to(const Inference& node, std::size_t input, std::string_view name,
                          const Dims& target);

/// Input 0, which is sampled, holds an element if a result of this shape holds one.
void require_samples(const Inference& node, const Dims& result);

/// True if `shape` broadcasts to `target` without changing it, as far as is known.
bool fits_into(const Dims& shape, const Dims& target);

/// The number that attribute `name` holds, or `otherwise`; fails outside of [least, most].
std::int64_t attribute_within(const Inference& node, std::string_view name, std::int64_t otherwise,
                              std::int64_t least, std::int64_t most);

}  // namespace switchyard
