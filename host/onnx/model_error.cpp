#include "onnx/model_error.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard {

namespace {

constexpr std::size_t kLongestName = 120;

}  // namespace

std::string in_quotes(std::string_view name) {
  std::string text = "'";
  for (char c : name.substr(0, kLongestName)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  text += name.size() > kLongestName ? "...'" : "'";
  return text;
}

void refuse(const std::string& where, const std::string& what) {
  throw Error(ErrorKind::model, fmt::format("{}: {}", where, what));
}

}  // namespace switchyard
