#include "onnx/tensors/tensor_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <memory>
#include <utility>

#include "io/file_error.hpp"
#include "io/file_shape.hpp"
#include "memory/weak_cache.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/tensors/typed_data.hpp"

namespace switchyard {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

namespace {

// What one element asks of its address; complex numbers are pairs of floats.
std::size_t alignment(DType dtype) {
  return static_cast<std::size_t>(std::clamp(bit_width(dtype) / 8, 1, 8));
}

bool is_aligned(const std::byte* bytes, DType dtype) {
  return reinterpret_cast<std::uintptr_t>(bytes) % alignment(dtype) == 0;
}

bool is_clean_bool(const std::byte* bytes, std::size_t size) {
  return std::all_of(bytes, bytes + size, [](std::byte b) { return b <= std::byte{1}; });
}

// A copy of bytes that are not fit to be read as they lie; another tensor at the same place has the
// same one.
struct AlignedCopy {
  std::shared_ptr<const void> original;  // while it is there, nothing else lies at its place
  Literal bytes;
};

std::shared_ptr<const AlignedCopy> aligned_copy(const std::shared_ptr<const void>& owner,
                                                const std::byte* bytes, std::size_t size) {
  static auto& copies = *new WeakCache<std::pair<const std::byte*, std::size_t>, const AlignedCopy>;
  return copies.find_or_make({bytes, size}, [&] {
    Literal copy(DType::uint8, {static_cast<std::int64_t>(size)});
    std::copy_n(bytes, size, copy.mutable_bytes());
    return std::make_shared<const AlignedCopy>(AlignedCopy{owner, std::move(copy)});
  });
}

// Bytes that others own, copied only if these do not keep them or they are not fit to be read as
// they lie.
Literal adopt(DType dtype, Dims shape, std::shared_ptr<const void> owner, const std::byte* bytes,
              std::size_t size) {
  const bool clean = dtype != DType::bool_ || is_clean_bool(bytes, size);
  if (owner && clean && is_aligned(bytes, dtype)) {
    return Literal(dtype, std::move(shape), std::move(owner), bytes);
  }
  if (owner && clean) {
    const std::shared_ptr<const AlignedCopy> copy = aligned_copy(owner, bytes, size);
    return Literal(dtype, std::move(shape), copy, copy->bytes.bytes());
  }
  Literal copy(dtype, std::move(shape));
  std::copy_n(bytes, size, copy.mutable_bytes());
  if (!clean) {
    std::transform(bytes, bytes + size, copy.mutable_bytes(),
                   [](std::byte b) { return b == std::byte{0} ? b : std::byte{1}; });
  }
  return copy;
}

void check_size(DType dtype, const Dims& shape, std::size_t size, const std::string& where) {
  const std::size_t expected = byte_size(dtype, element_count(shape));
  if (size == expected) return;
  refuse(where, fmt::format("{} of shape [{}] takes {} bytes, but it holds {}; the file is damaged",
                            name_of(dtype), fmt::join(shape, ","), expected, size));
}

std::uint64_t parse_number(const onnx::StringStringEntryProto& entry, const std::string& where) {
  const std::string& text = entry.value;
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) {
    refuse(where, fmt::format("the {} of its external data is {}, no number", in_quotes(entry.key),
                              in_quotes(text)));
  }
  return number;
}

Literal external_tensor(const onnx::TensorProto& tensor, DType dtype, Dims shape,
                        ExternalData& external, const std::string& where) {
  if (dtype == DType::string) refuse(where, "text cannot lie in an external file");
  std::string location;
  std::uint64_t offset = 0;
  std::uint64_t length = byte_size(dtype, element_count(shape));
  for (const onnx::StringStringEntryProto& entry : tensor.external_data) {
    if (entry.key == "location") location = entry.value;
    if (entry.key == "offset") offset = parse_number(entry, where);
    if (entry.key == "length") length = parse_number(entry, where);
  }
  check_size(dtype, shape, length, where);
  const ExternalData::Range range = external.range(location, offset, length, where);
  if (range.bytes.empty()) return Literal(dtype, std::move(shape));
  return adopt(dtype, std::move(shape), range.file, range.bytes.data(), range.bytes.size());
}

Literal text_tensor(const onnx::TensorProto& tensor, Dims shape, const std::string& where) {
  const auto& texts = tensor.string_data;
  if (static_cast<std::int64_t>(texts.size()) != element_count(shape)) {
    refuse(where, fmt::format("a string tensor of shape [{}] holds {} texts; the file is damaged",
                              fmt::join(shape, ","), texts.size()));
  }
  return Literal(std::move(shape), texts);
}

Literal raw_tensor(const onnx::SharedBytes& raw, DType dtype, Dims shape,
                   const std::string& where) {
  check_size(dtype, shape, raw.size(), where);
  return adopt(dtype, std::move(shape), raw.owner, raw.bytes.data(), raw.size());
}

// Of an element that is given twice, which value counts would be anybody's guess.
void check_ascending(const std::vector<std::int64_t>& positions, const std::string& where) {
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if (positions[i] > positions[i - 1]) continue;
    refuse(where, fmt::format("its sparse indices name element {} and then element {}; they must "
                              "ascend, and name each element once",
                              positions[i - 1], positions[i]));
  }
}

std::vector<std::int64_t> sparse_positions(const Literal& indices, const Dims& shape,
                                           std::int64_t count, const std::string& where) {
  if (indices.dtype() != DType::int64) refuse(where, "its sparse indices are not int64");
  const bool flat = indices.shape() == Dims{count};
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (!flat && !(indices.shape() == Dims{count, rank})) {
    refuse(where, fmt::format("its sparse indices have shape [{}]; it must be [{}] or [{},{}]",
                              fmt::join(indices.shape(), ","), count, count, rank));
  }
  const std::span<const std::int64_t> values = indices.values<std::int64_t>();
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count), 0);
  const std::int64_t columns = flat ? 1 : rank;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t axis = 0; axis < columns; ++axis) {
      const std::int64_t extent =
          flat ? element_count(shape) : shape[static_cast<std::size_t>(axis)];
      const std::int64_t index = values[static_cast<std::size_t>(i * columns + axis)];
      if (index < 0 || index >= extent) {
        refuse(where, fmt::format("its sparse index {} lies outside [0,{})", index, extent));
      }
      std::int64_t& position = positions[static_cast<std::size_t>(i)];
      position = flat ? index : position * extent + index;
    }
  }
  check_ascending(positions, where);
  return positions;
}

}  // namespace

DType dtype_from_onnx(std::int32_t number, const std::string& where) {
  if (number < 1 || number > static_cast<std::int32_t>(kLastDType)) {
    refuse(where, number == 0 ? std::string("its element type is missing")
                              : fmt::format("its element type has the number {}, which ONNX up to "
                                            "IR 13 does not define",
                                            number));
  }
  return static_cast<DType>(number);
}

Literal read_tensor(const onnx::TensorProto& tensor, ExternalData& external,
                    const std::string& where) {
  if (tensor.segment) {
    refuse(where, "it is stored in segments, which no known program writes; export it whole");
  }
  const DType dtype = dtype_from_onnx(tensor.data_type, where);
  Dims shape = checked_shape(tensor.dims, where);
  if (tensor.data_location == onnx::TensorProto::EXTERNAL) {
    return external_tensor(tensor, dtype, std::move(shape), external, where);
  }
  if (dtype == DType::string) return text_tensor(tensor, std::move(shape), where);
  if (!tensor.raw_data.empty()) return raw_tensor(tensor.raw_data, dtype, std::move(shape), where);
  Literal literal = typed_tensor(tensor, dtype, shape, where);
  return adopt(dtype, std::move(shape), literal.owner(), literal.bytes(), literal.size_bytes());
}

Literal read_sparse_tensor(const onnx::SparseTensorProto& tensor, ExternalData& external,
                           DenseBudget& budget, const std::string& where) {
  const Dims shape = checked_shape(tensor.dims, where);
  const Literal values = read_tensor(tensor.values, external, where);
  const Literal indices = read_tensor(tensor.indices, external, where);
  const int bits = bit_width(values.dtype());
  if (bits < 8) {
    refuse(where, fmt::format("a sparse tensor of {} is not read; store it dense",
                              name_of(values.dtype())));
  }
  if (values.shape().size() != 1) refuse(where, "its sparse values are not a list");
  const std::vector<std::int64_t> positions =
      sparse_positions(indices, shape, values.size(), where);
  budget.take(byte_size(values.dtype(), element_count(shape)), where);
  Literal dense(values.dtype(), shape);
  const auto width = static_cast<std::size_t>(bits / 8);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::copy_n(values.bytes() + i * width, width,
                dense.mutable_bytes() + static_cast<std::size_t>(positions[i]) * width);
  }
  return dense;
}

}  // namespace switchyard
