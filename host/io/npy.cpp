#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "files/file_replacement.hpp"
#include "io/file_error.hpp"
#include "io/mapped_file.hpp"
#include "io/npy_header.hpp"
#include "io/unicode.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {

namespace {

struct NpyType {
  DType dtype;
  const char* descr;  // as written; the byte order aside also as read
};

constexpr NpyType kTypes[] = {
    {DType::float32, "<f4"},        {DType::float64, "<f8"},        {DType::float16, "<f2"},
    {DType::bool_, "|b1"},          {DType::int8, "|i1"},           {DType::int16, "<i2"},
    {DType::int32, "<i4"},          {DType::int64, "<i8"},          {DType::uint8, "|u1"},
    {DType::uint16, "<u2"},         {DType::uint32, "<u4"},         {DType::uint64, "<u8"},
    {DType::complex64, "<c8"},      {DType::complex128, "<c16"},    {DType::bfloat16, "<V2"},
    {DType::float8e4m3fn, "|V1"},   {DType::float8e4m3fnuz, "|V1"}, {DType::float8e5m2, "|V1"},
    {DType::float8e5m2fnuz, "|V1"}, {DType::int4, "|i1"},           {DType::uint4, "|u1"},
    {DType::int2, "|i1"},           {DType::uint2, "|u1"},          {DType::float8e8m0, "|V1"},
    {DType::float4e2m1, "|V1"},
};

std::string type_text(const NpyHeader& header) {
  return fmt::format("{}{}", header.kind, header.item_bytes);
}

// The caller's wish decides where one numpy type may stand for several of ours.
DType dtype_of(const NpyHeader& header, DType expected, const std::string& name) {
  const std::string text = type_text(header);
  if ((text == "V1" || text == "u1") && is_small_float(expected)) {
    return expected == DType::float4e2m1 ? DType::uint8 : expected;
  }
  if ((text == "V2" || text == "u2") &&
      (expected == DType::bfloat16 || expected == DType::float16)) {
    return expected;
  }
  if (text == "V1") {
    refuse(name,
           "its elements are one byte of unknown meaning (V1), perhaps a float8, and what is "
           "read here does not say which");
  }
  for (const NpyType& type : kTypes) {
    if (text == type.descr + 1) return type.dtype;
  }
  refuse(name, fmt::format("its element type {} is not supported", in_quotes(text)));
}

void check_data_size(const NpyHeader& header, std::size_t expected, std::size_t held,
                     const std::string& name) {
  if (held == expected) return;
  refuse(name, fmt::format("its header promises {} bytes of {}, but {} follow; it is {}", expected,
                           type_text(header), held, held < expected ? "cut short" : "damaged"));
}

void swap_bytes(Literal& literal, std::size_t width) {
  std::byte* bytes = literal.mutable_bytes();
  for (std::size_t i = 0; i + width <= literal.size_bytes(); i += width) {
    std::reverse(bytes + i, bytes + i + width);
  }
}

// Element `position` of the row-major order, as counted in the file's own order.
std::size_t fortran_position(const Dims& shape, std::size_t position) {
  std::size_t result = 0;
  std::size_t stride = static_cast<std::size_t>(element_count(shape));
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    stride /= extent;
    result += position % extent * stride;
    position /= extent;
  }
  return result;
}

// Elements of `width` bytes in row-major order.
std::vector<std::byte> in_row_order(std::span<const std::byte> data, const NpyHeader& header,
                                    std::size_t width) {
  std::vector<std::byte> ordered(data.size());
  const std::size_t count = width == 0 ? 0 : data.size() / width;
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(data.data() + fortran_position(header.shape, i) * width, width,
                ordered.data() + i * width);
  }
  return ordered;
}

Literal read_texts(std::span<const std::byte> data, const NpyHeader& header, std::size_t width) {
  std::vector<std::string> texts(static_cast<std::size_t>(element_count(header.shape)));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::span<const std::byte> item = data.subspan(i * width, width);
    texts[i] = header.kind == 'U' ? utf8_from_utf32(item, header.byte_order == '>')
                                  : std::string(reinterpret_cast<const char*>(item.data()), width);
    texts[i].erase(texts[i].find_last_not_of('\0') + 1);
  }
  return Literal(header.shape, std::move(texts));
}

Literal read_numbers(std::span<const std::byte> data, const NpyHeader& header, DType dtype) {
  Literal literal(dtype, header.shape);
  std::copy(data.begin(), data.end(), literal.mutable_bytes());
  const std::size_t part = header.kind == 'c' ? header.item_bytes / 2 : header.item_bytes;
  if (header.byte_order == '>' && part > 1) swap_bytes(literal, part);
  if (dtype == DType::bool_) {
    std::byte* bytes = literal.mutable_bytes();
    std::transform(bytes, bytes + literal.size_bytes(), bytes,
                   [](std::byte b) { return b == std::byte{0} ? b : std::byte{1}; });
  }
  return literal;
}

bool is_signed(DType dtype) { return dtype == DType::int4 || dtype == DType::int2; }

// From one byte an element to several elements a byte.
Literal packed(const Literal& unpacked, DType dtype, const std::string& name) {
  const std::vector<std::int64_t> values = unpacked.to_int64s();
  const int bits = bit_width(dtype);
  const std::int64_t count = std::int64_t{1} << bits;
  const std::int64_t lowest = is_signed(dtype) ? -count / 2 : 0;
  Literal literal(dtype, unpacked.shape());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < lowest || values[i] >= lowest + count) {
      refuse(name, fmt::format("it holds {}, which does not fit {}", values[i], name_of(dtype)));
    }
    const std::size_t position = i * static_cast<std::size_t>(bits);
    literal.mutable_bytes()[position / 8] |=
        static_cast<std::byte>((values[i] & (count - 1)) << (position % 8));
  }
  return literal;
}

std::string text_data(const Literal& literal, std::string& descr) {
  std::vector<std::u32string> texts;
  std::size_t longest = 1;
  for (const std::string& text : literal.strings()) {
    texts.push_back(utf32_from_utf8(text));
    longest = std::max(longest, texts.back().size());
  }
  descr = fmt::format("<U{}", longest);
  std::string data;
  for (std::u32string& text : texts) {
    text.resize(longest, U'\0');
    data.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return data;
}

std::string number_data(const Literal& literal, std::string& descr) {
  for (const NpyType& type : kTypes) {
    if (type.dtype == literal.dtype()) descr = type.descr;
  }
  if (bit_width(literal.dtype()) >= 8) {
    return std::string(reinterpret_cast<const char*>(literal.bytes()), literal.size_bytes());
  }
  std::string data;
  if (literal.dtype() == DType::float4e2m1) {
    for (std::int64_t i = 0; i < literal.size(); ++i) {
      data += static_cast<char>(literal.packed_bits(i));
    }
    return data;
  }
  for (const std::int64_t value : literal.to_int64s()) data += static_cast<char>(value);
  return data;
}

}  // namespace

Literal read_npy_bytes(std::span<const std::byte> bytes, const std::string& name, DType expected) {
  NpyHeader header = parse_npy_header(bytes, name);
  const bool is_text = header.kind == 'U' || header.kind == 'S';
  // Checked first: a count of elements times any width then still fits.
  if (header.item_bytes > (std::size_t{1} << 24)) {
    refuse(name, fmt::format("its element type {} is not supported", in_quotes(type_text(header))));
  }
  const DType dtype = is_text ? DType::string : dtype_of(header, expected, name);
  const std::size_t width = header.kind == 'U' ? header.item_bytes * 4 : header.item_bytes;
  const auto count = static_cast<std::size_t>(element_count(header.shape));
  const std::span<const std::byte> data = bytes.subspan(header.data_offset);
  if (count > 0 && width > SIZE_MAX / count) {
    check_data_size(header, SIZE_MAX, data.size(), name);
  }
  check_data_size(header, count * width, data.size(), name);
  // A text of no characters takes no bytes, so that the file's size does not bound their number.
  if (is_text && width == 0 && count > (std::size_t{1} << 24)) {
    refuse(name, fmt::format("it holds {} empty texts", count));
  }
  const std::vector<std::byte> ordered =
      header.fortran_order ? in_row_order(data, header, width) : std::vector<std::byte>();
  const std::span<const std::byte> rows = header.fortran_order ? std::span(ordered) : data;
  if (is_text) return read_texts(rows, header, width);
  Literal literal = read_numbers(rows, header, dtype);
  const DType whole = is_signed(expected) ? DType::int8 : DType::uint8;
  const bool packs = bit_width(expected) > 0 && bit_width(expected) < 8 && dtype == whole;
  return packs ? packed(literal, expected, name) : literal;
}

Literal read_npy(const std::filesystem::path& path, DType expected) {
  std::shared_ptr<const MappedFile> file;
  try {
    file = MappedFile::open(path);
  } catch (const std::system_error& error) {
    refuse_unreadable(path.string(), error.code());
  }
  return read_npy_bytes(file->bytes(), path.string(), expected);
}

void write_npy(const std::filesystem::path& path, const Literal& literal) {
  std::string descr;
  const std::string data =
      literal.dtype() == DType::string ? text_data(literal, descr) : number_data(literal, descr);
  FileReplacement file(path);
  file.write(npy_header_text(descr, literal.shape()));
  file.write(data);
  file.commit();
}

}  // namespace switchyard
