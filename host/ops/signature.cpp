#include "ops/signature.hpp"

#include <array>
#include <locale>
#include <sstream>

#include <switchyard/error.hpp>

#include <fmt/format.h>

#include "ops/allowed_values.hpp"
#include "ops/type_sets.hpp"

namespace switchyard {

namespace {

// The first seven in the order of AttributeValue's alternatives.
constexpr std::array<std::string_view, 10> kKinds = {"int",   "float",  "text",  "ints",   "floats",
                                                     "texts", "tensor", "graph", "sparse", "type"};

[[noreturn]] void malformed(std::string_view text, std::string_view why) {
  throw Error(ErrorKind::internal, fmt::format("\"{}\": {}", text, why));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Cuts `text` at the first `separator`: what stands before it; `text` keeps what stands after.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) malformed(text, fmt::format("'{}' is missing", separator));
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + 1);
  return before;
}

/// A number, whatever the program's locale is.
template <typename T>
T parse_number(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  stream.exceptions(std::ios::badbit);  // want of memory is no mistake of the text
  T value{};
  if (!(stream >> value) || stream.peek() != std::istringstream::traits_type::eof()) {
    malformed(text, "not a number");
  }
  return value;
}

std::vector<std::string_view> list_items(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') malformed(text, "not a list");
  return split(text.substr(1, text.size() - 2), ',');
}

template <typename T>
std::vector<T> parse_numbers(std::string_view text) {
  std::vector<T> values;
  for (std::string_view item : list_items(text)) values.push_back(parse_number<T>(item));
  return values;
}

AttributeValue parse_default(std::string_view kind, std::string_view text) {
  if (kind == "int") return parse_number<std::int64_t>(text);
  if (kind == "float") return parse_number<float>(text);
  if (kind == "text") return std::string(text);
  if (kind == "ints") return parse_numbers<std::int64_t>(text);
  if (kind == "floats") return parse_numbers<float>(text);
  if (kind == "texts") {
    const auto items = list_items(text);
    return std::vector<std::string>(items.begin(), items.end());
  }
  malformed(kind, "this kind of attribute has no default");
}

AttributeSpec parse_attribute(std::string_view text) {
  AttributeSpec spec;
  spec.name = cut(text, ':');
  const std::size_t equals = text.find('=');
  std::string_view kind = text.substr(0, equals);
  if (kind.ends_with('!')) {
    spec.required = true;
    kind.remove_suffix(1);
  }
  if (std::find(kKinds.begin(), kKinds.end(), plain_kind(kind)) == kKinds.end())
    malformed(kind, "no such kind");
  spec.kind = kind;
  if (equals != std::string_view::npos)
    spec.fallback = parse_default(plain_kind(kind), text.substr(equals + 1));
  return spec;
}

int letter_index(const Signature& signature, std::string_view type) {
  for (std::size_t i = 0; i < signature.types.size(); ++i) {
    if (signature.types[i].first == type) return static_cast<int>(i);
  }
  return -1;
}

/// True if `~` says that each value has a type of its own, whatever the letter.
bool strip_suffixes(std::string_view& type, Formal& formal) {
  bool each_its_own = false;
  for (; !type.empty(); type.remove_suffix(1)) {
    switch (type.back()) {
      case '?': formal.optional = true; break;
      case '*': formal.variadic = true; break;
      case '!': formal.host_input = true; break;
      case '~': each_its_own = true; break;
      default: return each_its_own;
    }
  }
  return each_its_own;
}

void strip_container(std::string_view& type, Formal& formal) {
  if (!type.ends_with(')')) return;
  if (type.starts_with("seq("))
    formal.kind = Formal::Kind::sequence;
  else if (type.starts_with("opt("))
    formal.kind = Formal::Kind::optional;
  else
    malformed(type, "a container is seq(..) or opt(..)");
  type = type.substr(4, type.size() - 5);
  if (type.starts_with("seq(") && type.ends_with(')')) type = type.substr(4, type.size() - 5);
}

Formal parse_formal(std::string_view text, const Signature& signature) {
  Formal formal;
  formal.name = cut(text, ':');
  const bool each_its_own = strip_suffixes(text, formal);
  strip_container(text, formal);
  formal.type = text;
  const int letter = letter_index(signature, text);
  formal.letter = each_its_own ? -1 : letter;
  formal.allowed =
      letter >= 0 ? signature.types[static_cast<std::size_t>(letter)].second : parse_type_set(text);
  return formal;
}

std::vector<Formal> parse_formals(std::string_view text, const Signature& signature) {
  std::vector<Formal> formals;
  for (std::string_view word : split(text, ' ')) {
    if (!formals.empty() && formals.back().variadic)
      malformed(text, "only the last may be variadic");
    formals.push_back(parse_formal(word, signature));
  }
  return formals;
}

}  // namespace

Signature parse_signature(std::string_view signature, std::string_view attributes,
                          std::string_view types) {
  Signature result;
  for (std::string_view word : split(types, ' ')) {
    const std::string_view letter = cut(word, '=');
    result.types.emplace_back(letter, parse_type_set(word));
  }
  if (result.types.size() > kMostLetters) malformed(types, "too many letters");
  const std::size_t arrow = signature.find("->");
  if (arrow == std::string_view::npos) malformed(signature, "\"->\" is missing");
  result.inputs = parse_formals(signature.substr(0, arrow), result);
  result.outputs = parse_formals(signature.substr(arrow + 2), result);
  for (std::string_view word : split(attributes, ' ')) {
    result.attributes.push_back(parse_attribute(word));
  }
  return result;
}

bool has_variadic_outputs(const Op& op) {
  const std::vector<Formal>& outputs = op.canonical.outputs;
  return !outputs.empty() && outputs.back().variadic;
}

const Formal* formal_at(const std::vector<Formal>& formals, std::size_t i) {
  if (i < formals.size()) return &formals[i];
  return !formals.empty() && formals.back().variadic ? &formals.back() : nullptr;
}

void check_attributes(std::string_view op, const Signature& signature, Attributes& attributes) {
  for (const auto& [name, value] : attributes) {
    const auto spec =
        std::find_if(signature.attributes.begin(), signature.attributes.end(),
                     [&name = name](const AttributeSpec& s) { return s.name == name; });
    if (spec == signature.attributes.end()) {
      throw Error(ErrorKind::model, fmt::format("[{}] has no attribute \"{}\"", op, name));
    }
    // The model's reader gives a type as its text.
    const std::string_view kind = spec->kind == "type" ? "text" : plain_kind(spec->kind);
    if (kind != kKinds[value.index()]) {
      throw Error(ErrorKind::model, fmt::format("[{}] attribute \"{}\" is of kind {}, not {}", op,
                                                name, kind, kKinds[value.index()]));
    }
    const std::string wrong = outside_of(allowed_values(spec->kind), value);
    if (!wrong.empty()) {
      throw Error(ErrorKind::model, fmt::format("[{}] attribute \"{}\" is {}", op, name, wrong));
    }
  }
  for (const AttributeSpec& spec : signature.attributes) {
    if (spec.kind == "graph" || attributes.has(spec.name)) continue;
    if (spec.required) {
      throw Error(ErrorKind::model,
                  fmt::format("[{}] attribute \"{}\" is required and missing", op, spec.name));
    }
    if (spec.fallback) attributes.set(spec.name, *spec.fallback);
  }
}

}  // namespace switchyard
