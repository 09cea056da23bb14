/// @file
/// Reading programs: nodes, values and attributes, by index and by name.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace sy {

/// Whether the rank is known.
inline bool has_rank(const sy_value& value) noexcept { return value.rank != SY_UNKNOWN_RANK; }

/// The extents, some perhaps SY_UNKNOWN_DIMENSION. The rank must be known.
inline Extents shape_of(const sy_value& value) {
  if (!has_rank(value)) throw unsupported(SY_REASON_RANK, "the rank is not known");
  return {value.shape, value.rank};
}

/// The extents, all of which a run knows.
inline Extents shape_of(const sy_tensor& tensor) noexcept { return {tensor.shape, tensor.rank}; }

/// True if rank and all extents are known.
inline bool has_known_shape(const sy_value& value) noexcept {
  return has_rank(value) && is_known({value.shape, value.rank});
}

/// Whether the value's flags say so.
/// @{
inline bool is_constant(const sy_value& value) noexcept {
  return (value.flags & SY_VALUE_CONSTANT) != 0;
}
inline bool is_host_input(const sy_value& value) noexcept {
  return (value.flags & SY_VALUE_HOST_INPUT) != 0;
}
inline bool is_immediate(const sy_value& value) noexcept {
  return (value.flags & SY_VALUE_IMMEDIATE) != 0;
}
/// @}

/// The contents of a contiguous int64 or int32 tensor in host memory: axes, sizes, pads.
inline std::vector<int64_t> read_integers(const void* data, sy_dtype dtype, uint64_t count) {
  if (count != 0 && data == nullptr) throw invalid("an integer input has no data on the host");
  std::vector<int64_t> numbers;
  numbers.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    switch (dtype) {
      case SY_INT64: numbers.push_back(static_cast<const int64_t*>(data)[i]); break;
      case SY_INT32: numbers.push_back(static_cast<const int32_t*>(data)[i]); break;
      default: throw invalid("expected int64 or int32, got ", dtype_name(dtype));
    }
  }
  return numbers;
}

/// Of a constant, or of a host input whose value is known.
inline std::vector<int64_t> integers_of(const sy_value& value) {
  const auto count = static_cast<uint64_t>(element_count(shape_of(value)));
  return read_integers(value.data, value.dtype, count);
}

/// Of a host input in a run. An immediate is read with immediate_of.
inline std::vector<int64_t> integers_of(const sy_tensor& tensor) {
  const auto count = static_cast<uint64_t>(element_count(shape_of(tensor)));
  const auto* data = reinterpret_cast<const char*>(tensor.storage);
  return read_integers(data == nullptr ? nullptr : data + tensor.offset_bytes, tensor.dtype, count);
}

/// The value of an immediate.
template <typename T>
T immediate_of(const sy_tensor& tensor) {
  static_assert(sizeof(T) <= sizeof(tensor.immediate));
  if (tensor.dtype != dtype_of<T>) {
    throw invalid("expected an immediate of ", dtype_name(dtype_of<T>), ", got ",
                  dtype_name(tensor.dtype));
  }
  T value;
  std::memcpy(&value, tensor.immediate, sizeof(T));
  return value;
}

/// Throws sy::unsupported where a flag must be known, and is none of `known` (convention 10).
inline void require_known_flags(const char* what, uint32_t flags, uint32_t known) {
  const uint32_t unknown = flags & SY_FLAGS_TO_KNOW & ~known;
  if (unknown == 0) return;
  throw unsupported(SY_REASON_ATTRIBUTE, what, " has flags ", unknown,
                    ", which this plugin does not know");
}

/// One node of a program, with its attributes and values at hand. Refers to the program.
class Node {
 public:
  /// The node of that index, which the program must have.
  Node(const sy_program& program, uint32_t index)
      : program_(&program), node_(SY_AT(sy_node, program.nodes, index)) {}

  /// What the program says of the node, as the ABI has it.
  /// @{
  const sy_node& raw() const noexcept { return *node_; }
  std::string_view op() const noexcept { return node_->op; }
  std::string_view domain() const noexcept { return node_->domain; }
  uint32_t version() const noexcept { return node_->version; }
  /// @}
  /// Throws sy::unsupported if the node or one of its values has a flag that must be known, and
  /// this header does not: for `supports` and `prepare`, whose judgement it is the first part of.
  void require_known() const {
    require_known_flags("the node", node_->math_flags, SY_MATH_DETERMINISTIC);
    for (uint32_t i = 0; i < input_count(); ++i) require_known_value(input(i));
    for (uint32_t i = 0; i < output_count(); ++i) require_known_value(output(i));
  }
  /// Whether SY_MATH_* of that bit is set.
  bool may_use(uint32_t math_flag) const noexcept { return (node_->math_flags & math_flag) != 0; }

  /// How many there are, those that are left out included.
  /// @{
  uint32_t input_count() const noexcept { return node_->input_count; }
  uint32_t output_count() const noexcept { return node_->output_count; }
  /// @}

  /// Null if the input or output is left out, or past the last one.
  /// @{
  const sy_value* input(uint32_t index) const noexcept {
    return index < node_->input_count ? value(node_->inputs[index]) : nullptr;
  }
  const sy_value* output(uint32_t index) const noexcept {
    return index < node_->output_count ? value(node_->outputs[index]) : nullptr;
  }
  /// @}

  /// An input or output that the op cannot be without.
  /// @{
  const sy_value& required_input(uint32_t index) const {
    return needed(input(index), "input", index);
  }
  const sy_value& required_output(uint32_t index) const {
    return needed(output(index), "output", index);
  }
  /// @}

  /// Null if the node has no such attribute.
  const sy_attribute* attribute(std::string_view name) const noexcept {
    for (uint32_t i = 0; i < node_->attribute_count; ++i) {
      const sy_attribute* candidate = SY_AT(sy_attribute, node_->attributes, i);
      if (name == candidate->name) return candidate;
    }
    return nullptr;
  }
  /// Whether the node has such an attribute.
  bool has(std::string_view name) const noexcept { return attribute(name) != nullptr; }

  /// Typed reads. Without a default the attribute must be there; one of another kind is invalid.
  /// @{
  int64_t integer(std::string_view name) const {
    return *static_cast<const int64_t*>(must(name, SY_ATTRIBUTE_INT).data);
  }
  int64_t integer(std::string_view name, int64_t otherwise) const {
    return has(name) ? integer(name) : otherwise;
  }
  bool flag(std::string_view name, bool otherwise = false) const {
    return integer(name, otherwise ? 1 : 0) != 0;
  }
  float real(std::string_view name) const {
    return *static_cast<const float*>(must(name, SY_ATTRIBUTE_FLOAT).data);
  }
  float real(std::string_view name, float otherwise) const {
    return has(name) ? real(name) : otherwise;
  }
  std::string_view text(std::string_view name) const {
    return *static_cast<const char* const*>(must(name, SY_ATTRIBUTE_STRING).data);
  }
  std::string_view text(std::string_view name, std::string_view otherwise) const {
    return has(name) ? text(name) : otherwise;
  }
  /// @}

  /// Lists: empty if the attribute is not there.
  /// @{
  std::span<const int64_t> integers(std::string_view name) const {
    return list<int64_t>(name, SY_ATTRIBUTE_INTS);
  }
  std::span<const float> reals(std::string_view name) const {
    return list<float>(name, SY_ATTRIBUTE_FLOATS);
  }
  std::span<const char* const> texts(std::string_view name) const {
    return list<const char*>(name, SY_ATTRIBUTE_STRINGS);
  }
  /// @}
  /// Null if the attribute is not there.
  const sy_value* tensor(std::string_view name) const {
    if (!has(name)) return nullptr;
    return static_cast<const sy_value*>(must(name, SY_ATTRIBUTE_TENSOR).data);
  }

 private:
  const sy_value* value(uint32_t index) const noexcept {
    return index == SY_ABSENT ? nullptr : SY_AT(sy_value, program_->values, index);
  }

  static void require_known_value(const sy_value* value) {
    if (value == nullptr) return;
    require_known_flags("a value", value->flags, SY_VALUE_HOST_INPUT | SY_VALUE_IMMEDIATE);
  }

  const sy_value& needed(const sy_value* value, const char* side, uint32_t index) const {
    if (value == nullptr) throw invalid(op(), " has no ", side, " ", index);
    return *value;
  }

  const sy_attribute& must(std::string_view name, sy_attribute_kind kind) const {
    const sy_attribute* found = attribute(name);
    if (found == nullptr) throw invalid(op(), " has no attribute ", name);
    if (found->kind != kind) {
      throw invalid("attribute ", name, " of ", op(), " is of kind ", found->kind, ", expected ",
                    kind);
    }
    return *found;
  }

  template <typename T>
  std::span<const T> list(std::string_view name, sy_attribute_kind kind) const {
    if (!has(name)) return {};
    const sy_attribute& found = must(name, kind);
    return {static_cast<const T*>(found.data), static_cast<size_t>(found.count)};
  }

  const sy_program* program_;
  const sy_node* node_;
};

/// The node of a program that must hold one only, as devices with max_program_nodes = 1 are given.
inline Node only_node(const sy_program& program) {
  if (program.node_count != 1) {
    throw unsupported(SY_REASON_LIMIT, "the program has ", program.node_count,
                      " nodes; this device takes one at a time");
  }
  return Node(program, 0);
}

}  // namespace sy
