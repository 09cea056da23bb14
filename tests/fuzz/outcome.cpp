#include "outcome.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace switchyard::fuzz {
namespace {

constexpr std::size_t kLongestMessage = 4096;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

void report(std::string_view what, std::string_view detail) {
  fmt::print(stderr, "fuzz: {}: {:.2000}\n", what, detail);
  std::abort();
}

void judge(const Error& error) {
  const std::string_view words = error.what();
  if (error.kind() == ErrorKind::internal) report("a fault of the host", error.what());
  if (words.empty()) report("an error without a message", "");
  if (words.size() > kLongestMessage) report("a message that is too long", error.what());
  for (const char c : words) {
    if (is_control(c)) report("a message with a control character", error.what());
  }
}

}  // namespace switchyard::fuzz
