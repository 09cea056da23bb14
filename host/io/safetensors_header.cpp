#include "io/safetensors_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <switchyard/error.hpp>
#include <tuple>

#include "io/file_error.hpp"
#include "io/file_shape.hpp"
#include "io/safetensors_type.hpp"

namespace switchyard {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr const char* kSaveAgain = "it is damaged, save it again";

/// Reads the header once before it is parsed: refuses one that names a key of an object twice, of
/// which a parsed object keeps only one, and one that is larger or deeper than any real one, for
/// parsed it takes forty times the memory. (The parser's own callback would do, but looks through
/// all members of an object at the end of each.)
class HeaderCheck final : public Json::json_sax_t {
 public:
  explicit HeaderCheck(const std::string& file) : file_(file) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(Json::number_integer_t) override { return count(); }
  bool number_unsigned(Json::number_unsigned_t) override { return count(); }
  bool number_float(Json::number_float_t, const std::string&) override { return count(); }
  bool string(std::string&) override { return count(); }
  bool binary(Json::binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(std::string& name) override {
    if (keys_.back().insert(name).second) return count();
    refuse(file_, fmt::format("its header has the key {} twice; {}", in_quotes(name), kSaveAgain));
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    refuse(file_,
           fmt::format("its header is not JSON in UTF-8 ({}); {}", error.what(), kSaveAgain));
  }

 private:
  static constexpr std::size_t kDeepest = 3;             // the header, a tensor, a list of numbers
  static constexpr std::size_t kMostEvents = 4'000'000;  // some 300,000 tensors

  bool count() {
    if (++events_ <= kMostEvents) return true;
    refuse(file_, "its header holds more than any real one; save its tensors in several files");
  }
  bool begin() {
    keys_.emplace_back();
    if (keys_.size() <= kDeepest) return count();
    refuse(file_, fmt::format("its header nests deeper than the format; {}", kSaveAgain));
  }
  bool end() {
    keys_.pop_back();
    return count();
  }

  const std::string& file_;
  std::size_t events_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open, by depth
};

Json parse_json(std::string_view text, const std::string& file) {
  HeaderCheck check(file);
  Json::sax_parse(text, &check);
  Json json = Json::parse(text);
  if (!json.is_object()) refuse(file, fmt::format("its header is not an object; {}", kSaveAgain));
  return json;
}

std::map<std::string, std::string> metadata_of(const Json& json, const std::string& file) {
  std::map<std::string, std::string> metadata;
  if (!json.is_object())
    refuse(file, "its __metadata__ is not an object; its values must be texts");
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) {
      refuse(file,
             fmt::format("its __metadata__ holds under {} what is not a text; write texts only",
                         in_quotes(key)));
    }
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

DType dtype_of(const std::string& name, const std::string& where) {
  std::vector<std::string_view> known;
  for (const SafetensorsType& type : safetensors_types()) {
    if (type.name == name) return type.dtype;
    known.push_back(type.name);
  }
  refuse(where, fmt::format("its dtype {} is not read; convert it to one of {}", in_quotes(name),
                            fmt::join(known, ", ")));
}

std::vector<std::uint64_t> unsigned_integers(const Json& list, const char* key,
                                             const std::string& where) {
  std::vector<std::uint64_t> numbers;
  if (!list.is_array()) refuse(where, fmt::format("its {} is not a list; {}", key, kSaveAgain));
  for (const Json& number : list) {
    if (!number.is_number_unsigned()) {
      refuse(where, fmt::format("its {} holds what is not an integer from 0 to 2^64 - 1; {}", key,
                                kSaveAgain));
    }
    numbers.push_back(number.get<std::uint64_t>());
  }
  return numbers;
}

Dims shape_of(const Json& list, const std::string& where) {
  std::vector<std::int64_t> extents;
  for (const std::uint64_t extent : unsigned_integers(list, "shape", where)) {
    extents.push_back(static_cast<std::int64_t>(std::min<std::uint64_t>(extent, INT64_MAX)));
  }
  return checked_shape(extents, where);
}

const Json& member(const Json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) refuse(where, fmt::format("it has no {}; {}", key, kSaveAgain));
  return *found;
}

void check_members(const Json& object, const std::string& where) {
  if (!object.is_object()) {
    refuse(where, fmt::format("its entry in the header is not an object; {}", kSaveAgain));
  }
  for (const auto& [key, value] : object.items()) {
    if (key == "dtype" || key == "shape" || key == "data_offsets") continue;
    refuse(where, fmt::format("the format knows no {} of a tensor; save it by a program that keeps "
                              "to the format",
                              in_quotes(key)));
  }
}

SafetensorsEntry entry_of(const std::string& name, const Json& object, const std::string& file) {
  const std::string where = fmt::format("{}: tensor {}", file, in_quotes(name));
  check_members(object, where);
  const Json& dtype = member(object, "dtype", where);
  if (!dtype.is_string()) refuse(where, fmt::format("its dtype is not a text; {}", kSaveAgain));
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype = dtype_of(dtype.get<std::string>(), where);
  entry.shape = shape_of(member(object, "shape", where), where);
  const auto offsets =
      unsigned_integers(member(object, "data_offsets", where), "data_offsets", where);
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    refuse(where, fmt::format("its data_offsets [{}] are not a begin and an end; {}",
                              fmt::join(offsets, ", "), kSaveAgain));
  }
  entry.begin = offsets[0];
  entry.end = offsets[1];
  const std::size_t needed = byte_size(entry.dtype, element_count(entry.shape));
  if (entry.end - entry.begin != needed) {
    refuse(where, fmt::format("{} of shape [{}] takes {} bytes, but its data_offsets hold {}; {}",
                              name_of(entry.dtype), fmt::join(entry.shape.span(), ", "), needed,
                              entry.end - entry.begin, kSaveAgain));
  }
  return entry;
}

std::string in_json(const std::string& text, const std::string& file) {
  try {
    return Json(text).dump();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: the name or text {} is not UTF-8; safetensors holds only UTF-8",
                            file, in_quotes(text)));
  }
}

std::string_view type_name(DType dtype) {
  for (const SafetensorsType& type : safetensors_types()) {
    if (type.dtype == dtype) return type.name;
  }
  return {};  // the writer has refused it before
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view json, const std::string& file) {
  SafetensorsHeader header;
  const Json object = parse_json(json, file);
  for (const auto& [name, value] : object.items()) {
    if (name == kMetadata) {
      header.metadata = metadata_of(value, file);
    } else {
      header.entries.push_back(entry_of(name, value, file));
    }
  }
  std::sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  return header;
}

void check_layout(const SafetensorsHeader& header, std::size_t data_bytes,
                  const std::string& file) {
  std::size_t at = 0;
  for (const SafetensorsEntry& entry : header.entries) {
    if (entry.begin != at) {
      refuse(fmt::format("{}: tensor {}", file, in_quotes(entry.name)),
             fmt::format("its bytes begin at {}, those before it end at {}: {}; {}", entry.begin,
                         at, entry.begin < at ? "they overlap" : "there is a hole", kSaveAgain));
    }
    at = entry.end;
  }
  if (at == data_bytes) return;
  refuse(
      file,
      fmt::format("its tensors take {} bytes, but {} follow the header; it is {}", at, data_bytes,
                  at > data_bytes ? "cut short, copy or save it again" : "damaged, save it again"));
}

std::string safetensors_header_text(const SafetensorsHeader& header, const std::string& file) {
  std::vector<std::string> members;
  if (!header.metadata.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : header.metadata) {
      pairs.push_back(fmt::format("{}:{}", in_json(key, file), in_json(value, file)));
    }
    members.push_back(fmt::format("\"{}\":{{{}}}", kMetadata, fmt::join(pairs, ",")));
  }
  for (const SafetensorsEntry& entry : header.entries) {
    members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  in_json(entry.name, file), type_name(entry.dtype),
                                  fmt::join(entry.shape.span(), ","), entry.begin, entry.end));
  }
  std::string text = fmt::format("{{{}}}", fmt::join(members, ","));
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace switchyard
