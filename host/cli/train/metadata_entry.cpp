#include "cli/train/metadata_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>

namespace switchyard::cli {
namespace {

constexpr std::size_t kLongestShown = 60;
constexpr const char* kRemedy = "give a checkpoint that `switchyard train` wrote";

/// The value as it stands in the entry, cut short.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > kLongestShown ? text.substr(0, kLongestShown) + "..." : text;
}

/// Of what the command line's reader of numbers says, the part that says what is expected.
template <typename T>
T read(const MetadataEntry& entry, const char* key, const Json& value, Range<T> range) {
  try {
    if (!value.is_number()) throw Error(ErrorKind::invalid_argument, "");
    return read_number("", value.dump(), range);
  } catch (const Error&) {
    entry.refuse(key, shown(value),
                 std::is_floating_point_v<T>
                     ? fmt::format("a number from {} to {}", range.least, range.most)
                     : fmt::format("an integer from {} to {}", range.least, range.most));
  }
}

}  // namespace

MetadataEntry::MetadataEntry(std::string file, std::string name, const std::string& text)
    : file_(std::move(file)),
      name_(std::move(name)),
      json_(std::make_shared<Json>(Json::parse(text, nullptr, false))) {
  if (json_->is_object()) return;
  throw Error(
      ErrorKind::model,
      fmt::format("{}: {}; {}", file_,
                  text.empty() ? fmt::format("it has no metadata entry '{}'", name_)
                               : fmt::format("its metadata entry '{}' is not a JSON object", name_),
                  kRemedy));
}

void MetadataEntry::refuse(const char* key, const std::string& found,
                           const std::string& expected) const {
  throw Error(ErrorKind::model,
              fmt::format("{}: '{}' of its metadata entry '{}' is {}; it must be {}: {}", file_,
                          key, name_, found, expected, kRemedy));
}

const Json& MetadataEntry::at(const char* key) const {
  const auto found = json_->find(key);
  if (found != json_->end()) return *found;
  throw Error(ErrorKind::model, fmt::format("{}: its metadata entry '{}' has no '{}'; {}", file_,
                                            name_, key, kRemedy));
}

std::int64_t MetadataEntry::number(const char* key, Range<std::int64_t> range) const {
  return read(*this, key, at(key), range);
}

std::uint64_t MetadataEntry::number(const char* key, Range<std::uint64_t> range) const {
  return read(*this, key, at(key), range);
}

double MetadataEntry::number(const char* key, Range<double> range) const {
  return read(*this, key, at(key), range);
}

std::string MetadataEntry::text(const char* key, const std::vector<std::string>& allowed) const {
  const Json& value = at(key);
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return text;
  }
  refuse(key, shown(value), fmt::format("one of {}", fmt::join(allowed, ", ")));
}

double MetadataEntry::number_or_nan(const char* key) const {
  const Json& value = at(key);
  if (value.is_null()) return NAN;
  if (!value.is_number()) refuse(key, shown(value), "a number or null");
  return value.get<double>();
}

std::vector<double> MetadataEntry::numbers_or_nan(const char* key) const {
  const Json& list = at(key);
  const auto is_right = [](const Json& value) { return value.is_null() || value.is_number(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_right)) {
    refuse(key, shown(list), "a list of numbers or nulls");
  }
  std::vector<double> numbers;
  for (const Json& value : list) numbers.push_back(value.is_null() ? NAN : value.get<double>());
  return numbers;
}

}  // namespace switchyard::cli
