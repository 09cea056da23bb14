// What every function of the C API asks of its arguments.
#pragma once

#include <switchyard/switchyard.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

namespace switchyard::c_api {

[[noreturn]] void refuse_null(const char* name);
[[noreturn]] void refuse_count(const char* name, std::size_t count, const char* why);

/// Throws Error(invalid_argument) that names the parameter if it is null.
template <typename T>
T& required(T* argument, const char* name) {
  if (argument == nullptr) refuse_null(name);
  return *argument;
}

/// Throws Error(invalid_argument) unless `size` is `expected`, the sizeof of the struct called
/// `name`.
void check_struct_size(std::uint32_t size, std::size_t expected, const char* name);

/// The `count` elements of an array, which may be null if there are none.
template <typename T>
std::span<T> array_of(T* elements, std::size_t count, const char* name) {
  if (count != 0 && elements == nullptr) refuse_null(name);
  if (count > PTRDIFF_MAX / sizeof(T)) refuse_count(name, count, "which no memory holds");
  return {elements, count};
}

/// Throws Error(invalid_argument) for flags beside `known`.
void check_flags(std::uint32_t flags, std::uint32_t known);

/// The bytes of a caller's memory, which may be null if there are none.
std::span<const std::byte> bytes_of(const void* data, std::size_t size_bytes, const char* name);

/// Throws Error(invalid_argument) for a number of no element type, and for text.
DType dtype_of(swy_dtype number);

/// Throws Error(invalid_argument) for more dimensions than tensors have.
Dims shape_of(std::uint32_t rank, const std::int64_t* shape);

}  // namespace switchyard::c_api
