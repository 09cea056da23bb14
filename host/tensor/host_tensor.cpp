#include "tensor/host_tensor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <switchyard/error.hpp>

#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

/// The number of elements, of which any dtype's bytes can be counted.
std::int64_t checked_count(const Dims& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  std::int64_t count = 1;
  for (std::int64_t extent : shape) {
    if (extent < 0)
      throw Error(ErrorKind::invalid_argument, fmt::format("extent {} is negative", extent));
    if (extent == 0) return 0;
    if (__builtin_mul_overflow(count, extent, &count) || count > kMost) {
      throw Error(ErrorKind::invalid_argument, fmt::format("shape [{}] is larger than any memory",
                                                           fmt::join(shape.span(), ", ")));
    }
  }
  return count;
}

}  // namespace

Tensor host_tensor_from_bytes(DType dtype, std::span<const std::byte> bytes, const Dims& shape) {
  if (dtype == DType::string || dtype == DType::undefined) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("elements of {} have no fixed size; text is text_tensor()'s", name_of(dtype)));
  }
  const std::size_t needed = byte_size(dtype, checked_count(shape));
  if (bytes.size() != needed) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("shape [{}] of {} needs {} bytes, got {}",
                            fmt::join(shape.span(), ", "), name_of(dtype), needed, bytes.size()));
  }
  Literal literal(dtype, shape);
  if (!bytes.empty()) std::memcpy(literal.mutable_bytes(), bytes.data(), bytes.size());
  return Tensor(make_host_tensor(std::move(literal)).get());
}

Tensor host_texts(const Dims& shape, std::vector<std::string> texts) {
  if (static_cast<std::int64_t>(texts.size()) != checked_count(shape)) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("shape [{}] needs {} texts, got {}", fmt::join(shape.span(), ", "),
                            element_count(shape), texts.size()));
  }
  return Tensor(make_host_tensor(Literal(shape, std::move(texts))).get());
}

}  // namespace switchyard
