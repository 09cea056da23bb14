#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "io/file_error.hpp"
#include "io/file_shape.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kAlignment = 64;

/// Reads the dictionary, a Python literal of three known keys.
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = text();
      expect(':');
      if (key == "descr") {
        parse_descr(header);
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = flag();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        damaged(fmt::format("knows no key {}", in_quotes(key)));
      }
      if (!accept(',') && peek() != '}') damaged("has no comma between entries");
    }
    if (!has_descr || !has_order || !has_shape) damaged("lacks descr, fortran_order or shape");
    return header;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char sign) {
    if (peek() != sign || sign == '\0') return false;
    ++at_;
    return true;
  }
  void expect(char sign) {
    if (!accept(sign)) damaged(fmt::format("has no '{}' where one belongs", sign));
  }

  std::string text() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) damaged("has a text without an end");
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return std::string(found);
  }

  bool flag() {
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      const std::string_view view(word);
      peek();
      if (text_.substr(at_, view.size()) != view) continue;
      at_ += view.size();
      return value;
    }
    damaged("has a fortran_order that is neither True nor False");
  }

  std::int64_t number() {
    peek();
    std::int64_t value = 0;
    const char* start = text_.data() + at_;
    const auto [end, failure] = std::from_chars(start, text_.data() + text_.size(), value);
    if (failure != std::errc()) damaged("has a shape that holds no numbers");
    at_ += static_cast<std::size_t>(end - start);
    accept('L');  // Python 2 wrote long integers so
    return value;
  }

  Dims shape() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!accept(')')) {
      extents.push_back(number());
      if (!accept(',') && peek() != ')') damaged("has a shape without commas");
    }
    return checked_shape(extents, name_);
  }

  void parse_descr(NpyHeader& header) {
    if (peek() == '[') {
      refuse(name_, "its elements are records, which are not supported; save one field");
    }
    const std::string descr = text();
    if (descr.size() >= 2 && descr.back() == 'O') {
      refuse(name_,
             "its elements are Python objects, which are not read; save an array of numbers");
    }
    const char* start = descr.data() + std::min<std::size_t>(descr.size(), 2);
    const auto [end, failure] =
        std::from_chars(start, descr.data() + descr.size(), header.item_bytes);
    const bool is_whole = failure == std::errc() && end == descr.data() + descr.size();
    if (!is_whole || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
      refuse(name_, fmt::format("its element type {} is not supported", in_quotes(descr)));
    }
    header.byte_order = descr[0] == '=' ? '<' : descr[0];
    header.kind = descr[1];
  }

  [[noreturn]] void damaged(const std::string& what) {
    refuse(name_, fmt::format("it is not a .npy file or damaged: its header {}", what));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (file.size() < 10 || file.substr(0, kMagic.size()) != kMagic) {
    refuse(name, "it is not a .npy file, or it is cut short; numpy.save writes such files");
  }
  const int version = file[6];
  if (version < 1 || version > 3) {
    refuse(name, fmt::format("its .npy version is {}; 1, 2 and 3 are read", version));
  }
  const std::size_t start = version == 1 ? 10 : 12;
  const std::size_t length = little_endian(file.substr(8, start - 8));
  if (file.size() < start || file.size() - start < length) {
    refuse(name, "it is cut short inside its header");
  }
  NpyHeader header = Dictionary(file.substr(start, length), name).parse();
  header.data_offset = start + length;
  return header;
}

std::string npy_header_text(const std::string& descr, const Dims& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) extents += fmt::format("{},", extent);
  if (shape.size() > 1) extents.pop_back();  // only a tuple of one needs its comma
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, extents);
  const bool is_long = text.size() + kAlignment > UINT16_MAX;
  const std::size_t start = is_long ? 12 : 10;
  const std::size_t used = start + text.size() + 1;
  text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string head(kMagic);
  head += is_long ? '\x02' : '\x01';
  head += '\0';
  for (std::size_t i = 8; i < start; ++i) {
    head += static_cast<char>(text.size() >> (8 * (i - 8)) & 0xFF);
  }
  return head + text;
}

}  // namespace switchyard
