// What a compiler says, in one line.
#pragma once

#include <string>
#include <string_view>

namespace mps {

// The line of the first error; the first line if none says "error:".
inline std::string first_error(std::string_view message) {
  const size_t error = message.find("error:");
  const size_t before = error == std::string_view::npos ? error : message.rfind('\n', error);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return std::string(message.substr(begin, message.find('\n', begin) - begin));
}

}  // namespace mps
