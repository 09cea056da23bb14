#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

namespace switchyard {

/// A constant tensor in host memory, contiguous and immutable once made: initializers, attribute
/// tensors, host inputs. Copies share the bytes.
class Literal {
 public:
  Literal() = default;

  /// Owns a fresh block of zeroed bytes that fits `shape`; fill it through `mutable_bytes`.
  Literal(DType dtype, Dims shape);

  /// Looks at bytes that `owner` keeps alive (external data, a mapped file).
  Literal(DType dtype, Dims shape, std::shared_ptr<const void> owner, const std::byte* bytes);

  /// A tensor of text; `strings` holds one entry an element.
  Literal(Dims shape, std::vector<std::string> strings);

  template <typename T>
  static Literal of(DType dtype, Dims shape, std::span<const T> values) {
    Literal literal(dtype, std::move(shape));
    std::copy_n(reinterpret_cast<const std::byte*>(values.data()), values.size_bytes(),
                literal.mutable_bytes());
    return literal;
  }
  static Literal int64s(std::span<const std::int64_t> values) {
    return of<std::int64_t>(DType::int64, {static_cast<std::int64_t>(values.size())}, values);
  }
  static Literal int64(std::int64_t value) {
    return of<std::int64_t>(DType::int64, {}, std::span(&value, 1));
  }

  DType dtype() const { return dtype_; }
  const Dims& shape() const { return shape_; }
  std::int64_t size() const { return element_count(shape_); }
  std::size_t size_bytes() const { return byte_size(dtype_, size()); }
  const std::byte* bytes() const { return bytes_; }
  std::byte* mutable_bytes();
  const std::shared_ptr<const void>& owner() const { return owner_; }
  const std::vector<std::string>& strings() const;

  template <typename T>
  std::span<const T> values() const {
    return {reinterpret_cast<const T*>(bytes_), static_cast<std::size_t>(size())};
  }

  /// The bits of an element of a packed type (fewer than 8 bits), without regard to a sign. The
  /// first element of a byte lies in its lowest bits.
  int packed_bits(std::int64_t index) const;

  /// The elements as integers: from int64, int32, bool and the other integer types.
  std::vector<std::int64_t> to_int64s() const;

 private:
  DType dtype_ = DType::undefined;
  Dims shape_;
  std::shared_ptr<const void> owner_;
  const std::byte* bytes_ = nullptr;
};

}  // namespace switchyard
