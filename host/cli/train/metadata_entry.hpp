#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments/number.hpp"
#include "cli/terminal/json.hpp"

namespace switchyard::cli {

/// An entry of a checkpoint's metadata, a JSON object that `switchyard train` wrote. Whatever is
/// wrong with it is an Error(model) that names the file, the entry, the key, what was found and
/// what is expected.
class MetadataEntry {
 public:
  /// `text` is "" where the checkpoint has no such entry.
  MetadataEntry(std::string file, std::string name, const std::string& text);

  std::int64_t number(const char* key, Range<std::int64_t> range) const;
  std::uint64_t number(const char* key, Range<std::uint64_t> range) const;
  double number(const char* key, Range<double> range) const;
  /// One of `allowed`.
  std::string text(const char* key, const std::vector<std::string>& allowed) const;
  /// A number, or null, which JSON has in the place of NaN.
  double number_or_nan(const char* key) const;
  std::vector<double> numbers_or_nan(const char* key) const;

  [[noreturn]] void refuse(const char* key, const std::string& found,
                           const std::string& expected) const;

 private:
  const Json& at(const char* key) const;

  std::string file_, name_;
  std::shared_ptr<const Json> json_;
};

}  // namespace switchyard::cli
