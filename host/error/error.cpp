#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <switchyard/error.hpp>

#include "error/called_function.hpp"
#include "error/plain_text.hpp"

namespace switchyard {
namespace {

constexpr std::array<std::string_view, 16> kKindNames = {"invalid_argument", "shape_mismatch",
                                                         "not_found",        "io",
                                                         "config",           "model",
                                                         "plugin",           "out_of_memory",
                                                         "unsupported",      "device_unavailable",
                                                         "device_lost",      "transient",
                                                         "cancelled",        "deadline",
                                                         "peer_lost",        "internal"};
static_assert(kKindNames.size() == static_cast<std::size_t>(ErrorKind::internal) + 1);

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.'; }

/// NAME of a line that begins with "[NAME] "; else "", as for one that begins with a shape.
std::string_view name_in_front(std::string_view line) {
  if (line.size() < 2 || line[0] != '[' || !is_letter(line[1])) return {};
  const auto end = std::find_if_not(line.begin() + 1, line.end(), is_of_name);
  const auto length = static_cast<std::size_t>(end - line.begin() - 1);
  return line.substr(1 + length).starts_with("] ") ? line.substr(1, length) : std::string_view();
}

}  // namespace

struct Error::Details {
  ErrorKind kind;
  std::string line;
  std::string function = {}, op = {}, device = {}, plugin_code = {};
};

std::string_view name_of(ErrorKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kKindNames.size() ? kKindNames[index] : "unknown";
}

Error::Error(ErrorKind kind, const std::string& line) {
  auto details = std::make_shared<Details>(Details{.kind = kind, .line = plain_line(line)});
  details->function = name_in_front(details->line);
  details_ = std::move(details);
  if (const char* called = CalledFunction::current()) set_function(called);
}

Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;
Error::~Error() = default;

const char* Error::what() const noexcept { return details_->line.c_str(); }
ErrorKind Error::kind() const noexcept { return details_->kind; }
bool Error::is_retryable() const noexcept { return kind() == ErrorKind::transient; }
std::string_view Error::function() const noexcept { return details_->function; }
std::string_view Error::op() const noexcept { return details_->op; }
std::string_view Error::device() const noexcept { return details_->device; }
std::string_view Error::plugin_code() const noexcept { return details_->plugin_code; }

Error::Details& Error::own_details() {
  auto own = std::make_shared<Details>(*details_);
  Details& changed = *own;
  details_ = std::move(own);
  return changed;
}

// What is set may be a part of this very error: each is copied before it is let go.

Error& Error::set_line(const std::string& line) {
  std::string plain = plain_line(line);
  own_details().line = std::move(plain);
  return *this;
}

Error& Error::set_kind(ErrorKind kind) {
  own_details().kind = kind;
  return *this;
}

Error& Error::set_function(std::string_view name) {
  std::string plain = plain_line(name);
  Details& details = own_details();
  const std::string_view before = name_in_front(details.line);
  const std::size_t replaced = before.empty() ? 0 : before.size() + 3;
  const std::string_view rest = std::string_view(details.line).substr(replaced);
  details.line = plain_line(fmt::format("[{}] {}", plain, rest));
  details.function = std::move(plain);
  return *this;
}

Error& Error::set_op(std::string_view name) {
  std::string plain = plain_line(name);
  own_details().op = std::move(plain);
  return *this;
}

Error& Error::set_device(std::string_view name) {
  std::string plain = plain_line(name);
  own_details().device = std::move(plain);
  return *this;
}

Error& Error::set_plugin_code(std::string_view code) {
  std::string plain = plain_line(code);
  own_details().plugin_code = std::move(plain);
  return *this;
}

}  // namespace switchyard
