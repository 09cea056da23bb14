#include "cli/conform/plugin/test_tensor.hpp"

#include <algorithm>
#include <cstring>

namespace switchyard::cli::conform {
namespace {

/// Calls `visit(position, byte)` for each element in row-major order, `byte` being where its first
/// one lies, counted from the element whose indices are all 0. Not for packed types.
template <typename Visit>
void for_each_element(const Dims& shape, const Dims& strides, std::int64_t size, Visit&& visit) {
  const std::int64_t count = element_count(shape);
  Dims index = Dims::filled(shape.size(), 0);
  std::int64_t byte = 0;
  for (std::int64_t position = 0; position < count; ++position) {
    visit(position, byte);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      byte += strides[axis] * size;
      if (++index[axis] < shape[axis]) break;
      byte -= shape[axis] * strides[axis] * size;
      index[axis] = 0;
    }
  }
}

}  // namespace

TestTensor::TestTensor(TestStream& stream, const Literal& value, const Placement& placement)
    : dtype_(value.dtype()),
      shape_(value.shape()),
      placement_(placement),
      image_(placement.block_bytes, std::byte{0xff}),  // NaN: whoever reads too much shows it
      is_element_(placement.block_bytes, false),
      storage_(stream.device(), placement.block_bytes, &stream) {
  hold(stream, value);
}

TestTensor::TestTensor(TestStream& stream, DType dtype, const Dims& shape,
                       const Placement& placement)
    : dtype_(dtype),
      shape_(shape),
      placement_(placement),
      image_(placement.block_bytes, kPoison),
      is_element_(placement.block_bytes, false),
      storage_(stream.device(), placement.block_bytes, &stream) {
  poison(stream);
}

void TestTensor::hold(TestStream& stream, const Literal& value) {
  scatter(value);
  storage_.write(stream, image_);
}

void TestTensor::poison(TestStream& stream) {
  Literal poison(dtype_, shape_);
  if (poison.size_bytes() != 0) {
    std::memset(poison.mutable_bytes(), static_cast<int>(kPoison), poison.size_bytes());
  }
  hold(stream, poison);
}

void TestTensor::scatter(const Literal& value) {
  const std::size_t start = placement_.offset_bytes;
  const auto put = [&](std::size_t to, const std::byte* bytes, std::size_t count) {
    std::copy_n(bytes, count, image_.data() + to);
    std::fill_n(is_element_.begin() + static_cast<std::ptrdiff_t>(to), count, true);
  };
  if (bit_width(dtype_) < 8) return put(start, value.bytes(), value.size_bytes());
  const std::int64_t size = bit_width(dtype_) / 8;
  for_each_element(shape_, placement_.strides, size, [&](std::int64_t position, std::int64_t byte) {
    put(static_cast<std::size_t>(static_cast<std::int64_t>(start) + byte),
        value.bytes() + position * size, static_cast<std::size_t>(size));
  });
}

sy_tensor TestTensor::abi() const {
  auto tensor = sized<sy_tensor>();
  tensor.dtype = static_cast<sy_dtype>(dtype_);
  tensor.storage = storage_.handle();
  tensor.offset_bytes = placement_.offset_bytes;
  tensor.shape = shape_.data();
  tensor.strides = placement_.strides.data();
  tensor.rank = static_cast<std::uint32_t>(shape_.size());
  return tensor;
}

std::vector<std::byte> TestTensor::read_checked(TestStream& stream, std::string_view what) const {
  std::vector<std::byte> bytes = storage_.read(stream);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (is_element_[i] || bytes[i] == image_[i]) continue;
    fail(
        "{}: byte {} of its storage has changed, which is none of the tensor's: its elements lie "
        "at byte {}, in a block of {}",
        what, i, placement_.offset_bytes, bytes.size());
  }
  return bytes;
}

Literal TestTensor::read(TestStream& stream, std::string_view what) const {
  const std::vector<std::byte> bytes = read_checked(stream, what);
  Literal value(dtype_, shape_);
  if (value.size_bytes() == 0) return value;
  const std::byte* start = bytes.data() + placement_.offset_bytes;
  std::byte* to = value.mutable_bytes();
  if (bit_width(dtype_) < 8) {
    std::copy_n(start, value.size_bytes(), to);
    return value;
  }
  const std::int64_t size = bit_width(dtype_) / 8;
  for_each_element(shape_, placement_.strides, size, [&](std::int64_t position, std::int64_t byte) {
    std::copy_n(start + byte, size, to + position * size);
  });
  return value;
}

bool TestTensor::is_untouched(const Literal& read) const {
  return read.size_bytes() != 0 && std::all_of(read.bytes(), read.bytes() + read.size_bytes(),
                                               [](std::byte byte) { return byte == kPoison; });
}

void TestTensor::require_unchanged(TestStream& stream, std::string_view what) const {
  const std::vector<std::byte> bytes = read_checked(stream, what);
  if (bytes == image_) return;
  const auto at = std::mismatch(bytes.begin(), bytes.end(), image_.begin()).first - bytes.begin();
  fail("{} was written to, at byte {} of its storage; a run only reads it", what, at);
}

}  // namespace switchyard::cli::conform
