/// How programs, tensors and verdicts cross. Each struct is written and read by one function, which
/// names all its fields: one that has grown no longer compiles. carried_calls.hpp says what a wire
/// is.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <switchyard/dtype.hpp>
#include <type_traits>

namespace switchyard::isolation {

/// The bytes of contiguous elements.
inline std::uint64_t contiguous_size(sy_dtype dtype, const std::int64_t* shape,
                                     std::uint32_t rank) {
  std::int64_t count = 1;
  for (std::uint32_t axis = 0; axis < rank; ++axis) count *= shape[axis];
  return count == 0 ? 0 : byte_size(static_cast<DType>(dtype), count);
}

template <typename Wire>
void carry(Wire& wire, sy_value& value) {
  auto& [struct_size, flags, dtype, rank, shape, strides, data, constant_id] = value;
  wire.in(flags, dtype, rank, constant_id);
  const std::uint32_t extents = rank == SY_UNKNOWN_RANK ? 0 : rank;
  wire.array(shape, extents);
  wire.array(strides, extents);
  wire.bytes(data,
             [type = dtype, at = shape, extents] { return contiguous_size(type, at, extents); });
}

/// An attribute's elements, of the type that its kind says.
template <typename Pointer, typename Wire>
void carry_elements(Wire& wire, const void*& data, std::uint64_t count) {
  auto elements = static_cast<Pointer>(data);
  if constexpr (std::is_same_v<Pointer, const char* const*>)
    wire.texts(elements, count);
  else if constexpr (std::is_same_v<Pointer, const sy_value*>)
    wire.structs(elements, count);
  else
    wire.array(elements, count);
  data = elements;
}

template <typename Wire>
void carry(Wire& wire, sy_attribute& attribute) {
  auto& [struct_size, kind, name, data, count] = attribute;
  wire.in(kind, count);
  wire.text(name);
  switch (kind) {
    case SY_ATTRIBUTE_INT:
    case SY_ATTRIBUTE_INTS: return carry_elements<const std::int64_t*>(wire, data, count);
    case SY_ATTRIBUTE_FLOAT:
    case SY_ATTRIBUTE_FLOATS: return carry_elements<const float*>(wire, data, count);
    case SY_ATTRIBUTE_STRING:
    case SY_ATTRIBUTE_STRINGS: return carry_elements<const char* const*>(wire, data, count);
    case SY_ATTRIBUTE_TENSOR: return carry_elements<const sy_value*>(wire, data, count);
    default: wire.refuse("an attribute of a kind that isolation does not carry");
  }
}

template <typename Wire>
void carry(Wire& wire, sy_node& node) {
  auto& [struct_size, version, domain, op, math_flags, attribute_count, attributes, inputs, outputs,
         input_count, output_count] = node;
  wire.in(version, math_flags, attribute_count, input_count, output_count);
  wire.text(domain);
  wire.text(op);
  wire.structs(attributes, attribute_count);
  wire.array(inputs, input_count);
  wire.array(outputs, output_count);
}

/// Links of its chain are left out, as by one who does not know them.
template <typename Wire>
void carry(Wire& wire, sy_program& program) {
  auto& [struct_size, value_count, extensions, values, nodes, inputs, outputs, node_count,
         input_count, output_count, reserved] = program;
  wire.in(value_count, node_count, input_count, output_count, reserved);
  wire.structs(values, value_count);
  wire.structs(nodes, node_count);
  wire.array(inputs, input_count);
  wire.array(outputs, output_count);
}

template <typename Wire>
void carry(Wire& wire, sy_verdict& verdict) {
  auto& [struct_size, kind, reason, message] = verdict;
  wire.out(kind, reason);
  wire.out_characters(message);
}

template <typename Wire>
void carry(Wire& wire, sy_output_plan& plan) {
  auto& [struct_size, mode, may_alias_inputs, proposes_strides, rank, bound, strides] = plan;
  wire.out(mode, may_alias_inputs, proposes_strides, rank);
  wire.room(bound, SY_MAX_RANK);
  wire.room(strides, SY_MAX_RANK);
  if (mode == SY_OUTPUT_BOUNDED) wire.filled(bound, SY_MAX_RANK);
  if (proposes_strides != 0) wire.filled(strides, SY_MAX_RANK);
}

template <typename Wire>
void carry(Wire& wire, sy_packed_constant& constant) {
  auto& [struct_size, original_unneeded, packed, size_bytes] = constant;
  wire.out(original_unneeded, size_bytes);
  wire.made(packed);
}

/// An input that the kernel reads from host memory crosses with its bytes.
template <typename Wire>
void carry(Wire& wire, sy_tensor& tensor, bool in_host_memory) {
  auto& [struct_size, dtype, storage, offset_bytes, shape, strides, rank, reserved, immediate] =
      tensor;
  wire.in(dtype, rank, offset_bytes, reserved);
  wire.array(shape, rank);
  wire.array(strides, rank);
  wire.in_characters(immediate);
  if (!in_host_memory) return wire.storage(storage);
  auto data = reinterpret_cast<const void*>(storage);
  wire.bytes(data,
             [type = dtype, at = shape, axes = rank] { return contiguous_size(type, at, axes); });
  storage = reinterpret_cast<std::uint64_t>(data);
}

/// `handle` of a region of host memory is one of shared memory by now.
template <typename Wire>
void carry(Wire& wire, sy_region& region, std::uint32_t rank) {
  auto& [struct_size, kind, handle, offset_bytes, peer, strides] = region;
  wire.in(kind, offset_bytes);
  if (kind == SY_REGION_HOST)
    wire.in(handle);
  else
    wire.storage(handle);
  wire.device(peer);
  wire.array(strides, rank);
}

}  // namespace switchyard::isolation
