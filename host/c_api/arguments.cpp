#include "c_api/arguments.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "types/dimensions.hpp"

namespace switchyard::c_api {
namespace {

// The numbers in <switchyard/switchyard.h> are those of DType.
static_assert(SWY_FLOAT32 == static_cast<int>(DType::float32));
static_assert(SWY_STRING == static_cast<int>(DType::string));
static_assert(SWY_BOOL == static_cast<int>(DType::bool_));
static_assert(SWY_BFLOAT16 == static_cast<int>(DType::bfloat16));
static_assert(SWY_FLOAT8E5M2FNUZ == static_cast<int>(DType::float8e5m2fnuz));
static_assert(SWY_INT2 == static_cast<int>(kLastDType), "a new type needs its number in C");

// The sizes of the structs of version 0.1.
static_assert(sizeof(swy_memory) == 48);
static_assert(sizeof(swy_model_options) == 24);
static_assert(sizeof(swy_port) == 40);
static_assert(sizeof(swy_attribute) == 32);
static_assert(sizeof(swy_op_args) == 56);

}  // namespace

void refuse_count(const char* name, std::size_t count, const char* why) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("argument '{}' has a count of {}, {}", name, count, why));
}

void refuse_null(const char* name) {
  throw Error(ErrorKind::invalid_argument, fmt::format("argument '{}' is NULL", name));
}

void check_struct_size(std::uint32_t size, std::size_t expected, const char* name) {
  if (size == expected) return;
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("{0}.struct_size is {1}, but this version of the library knows {0} of {2} "
                  "bytes; set it to sizeof({0}) before the call",
                  name, size, expected));
}

void check_flags(std::uint32_t flags, std::uint32_t known) {
  if ((flags & ~known) == 0) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("argument 'flags' is {}, of which this version of the library knows {}",
                          flags, flags & known));
}

std::span<const std::byte> bytes_of(const void* data, std::size_t size_bytes, const char* name) {
  return array_of(static_cast<const std::byte*>(data), size_bytes, name);
}

DType dtype_of(swy_dtype number) {
  const bool is_known = number > SWY_UNDEFINED && number <= SWY_INT2;
  if (is_known && number != SWY_STRING) return static_cast<DType>(number);
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("argument 'dtype' is {}; a new tensor's is a number from 1 to {}, and not "
                  "text, {}",
                  number, static_cast<int>(kLastDType), static_cast<int>(SWY_STRING)));
}

Dims shape_of(std::uint32_t rank, const std::int64_t* shape) {
  if (rank > kMostDimensions) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("argument 'rank' is {}; a tensor has at most {} dimensions", rank,
                            kMostDimensions));
  }
  return Dims(array_of(shape, rank, "shape"));
}

}  // namespace switchyard::c_api
