#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

namespace switchyard {

/// A tensor in a safetensors file, as the header tells of it.
struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::undefined;
  Dims shape;
  std::size_t begin = 0;  // of its bytes, from the end of the header
  std::size_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // in the order of their bytes
  std::map<std::string, std::string> metadata;
};

/// Parses the JSON between the length and the bytes. Every entry's shape fits its bytes; whether
/// the entries fit each other and the file is checked by `check_layout`. Throws Error(model)
/// beginning with `file`.
SafetensorsHeader parse_safetensors_header(std::string_view json, const std::string& file);

/// Refuses entries that overlap, leave bytes out, or do not end with the file's `data_bytes`.
void check_layout(const SafetensorsHeader& header, std::size_t data_bytes, const std::string& file);

/// The JSON of these entries, filled up with spaces to a multiple of 8 bytes. Throws
/// Error(invalid_argument) beginning with `file` where a name or metadata are not UTF-8.
std::string safetensors_header_text(const SafetensorsHeader& header, const std::string& file);

}  // namespace switchyard
