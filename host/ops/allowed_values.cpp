#include "ops/allowed_values.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard {

namespace {

constexpr std::pair<std::string_view, std::string_view> kNamedSets[] = {
    {"flag", "int(0..1)"},
    {"padding", "text(NOTSET|SAME_UPPER|SAME_LOWER|VALID)"},
};

/// The kind with its set written out.
std::string_view written_out(std::string_view kind) {
  for (const auto& [name, set] : kNamedSets) {
    if (name == kind) return set;
  }
  return kind;
}

[[noreturn]] void malformed(std::string_view kind) {
  throw Error(ErrorKind::internal,
              fmt::format("\"{}\": a closed set is text(A|B) or int(LEAST..MOST)", kind));
}

std::vector<std::string_view> parse_texts(std::string_view set) {
  std::vector<std::string_view> texts;
  while (!set.empty()) {
    const std::size_t end = std::min(set.find('|'), set.size());
    texts.push_back(set.substr(0, end));
    set.remove_prefix(std::min(end + 1, set.size()));
  }
  return texts;
}

std::int64_t parse_number(std::string_view text, std::string_view kind) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) malformed(kind);
  return number;
}

/// "none, tanh or relu".
std::string alternatives(const std::vector<std::string_view>& texts) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) all += i + 1 == texts.size() ? " or " : ", ";
    all += texts[i];
  }
  return all;
}

std::string describe_range(std::int64_t least, std::int64_t most) {
  return most == least + 1 ? fmt::format("{} or {}", least, most)
                           : fmt::format("from {} to {}", least, most);
}

}  // namespace

std::string_view plain_kind(std::string_view kind) {
  const std::string_view written = written_out(kind);
  return written.substr(0, written.find('('));
}

AllowedValues allowed_values(std::string_view kind) {
  const std::string_view written = written_out(kind);
  const std::size_t open = written.find('(');
  if (open == std::string_view::npos) return {};
  if (!written.ends_with(')')) malformed(kind);
  const std::string_view set = written.substr(open + 1, written.size() - open - 2);
  if (plain_kind(kind) == "text" && !set.empty()) return {parse_texts(set), std::nullopt};
  const std::size_t dots = set.find("..");
  if (plain_kind(kind) != "int" || dots == std::string_view::npos) malformed(kind);
  return {{},
          {{parse_number(set.substr(0, dots), kind), parse_number(set.substr(dots + 2), kind)}}};
}

std::string outside_of(const AllowedValues& values, const AttributeValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text && !values.texts.empty() &&
      std::find(values.texts.begin(), values.texts.end(), *text) == values.texts.end()) {
    return fmt::format("\"{}\"; it must be {}", *text, alternatives(values.texts));
  }
  const auto* number = std::get_if<std::int64_t>(&value);
  if (!number || !values.range) return {};
  const auto [least, most] = *values.range;
  if (*number >= least && *number <= most) return {};
  return fmt::format("{}; it must be {}", *number, describe_range(least, most));
}

}  // namespace switchyard
