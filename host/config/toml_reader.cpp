#include "config/toml_reader.hpp"

namespace switchyard::config {
namespace {
struct ParserGaveUp {};
[[noreturn]] void give_up() { throw ParserGaveUp(); }
}  // namespace
}  // namespace switchyard::config

// Some texts ("[=") break what toml++ asserts of itself, and with NDEBUG it would promise the
// compiler that they cannot. Here its assertions hold in every build, and end in an error.
#undef NDEBUG
#define TOML_ASSERT(condition) \
  static_cast<void>((condition) || (switchyard::config::give_up(), true))
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <string>
#include <utility>

#include "config/toml_size.hpp"

namespace switchyard::config {
namespace {

Position position_of(const toml::source_region& source) {
  return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

class Flattener {
 public:
  explicit Flattener(TomlText& result) : result_(result) {}

  void flatten(const toml::table& table) {
    for (const auto& [key, node] : in_text_order(table)) {
      if (result_.problem) return;
      path_.emplace_back(key->str());
      if (is_within_size(*key)) add(*key, *node);
      path_.pop_back();
    }
  }

 private:
  using Member = std::pair<const toml::key*, const toml::node*>;

  // toml++ sorts by name; the order of the text is what decides the order of plugins.
  static std::vector<Member> in_text_order(const toml::table& table) {
    std::vector<Member> members;
    for (auto&& [key, node] : table) members.emplace_back(&key, &node);
    std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      const Position first = position_of(a.first->source());
      const Position second = position_of(b.first->source());
      return std::pair(first.line, first.column) < std::pair(second.line, second.column);
    });
    return members;
  }

  bool is_within_size(const toml::key& key) {
    std::size_t bytes = 0;
    for (const std::string& part : path_) bytes += part.size() + 1;
    std::string excess;
    if (path_.size() > kMostKeyParts)
      excess = "a key has more than " + std::to_string(kMostKeyParts) + " parts";
    if (bytes > kMostKeyBytes)
      excess = "a key has more than " + std::to_string(kMostKeyBytes) + " bytes";
    if (result_.entries.size() >= kMostKeys)
      excess = "the text has more than " + std::to_string(kMostKeys) + " keys";
    if (excess.empty()) return true;
    result_.problem = {position_of(key.source()), excess + "; no configuration needs as many"};
    return false;
  }

  void add(const toml::key& key, const toml::node& node) {
    const toml::table* table = node.as_table();
    Entry entry{path_, position_of(key.source()), std::nullopt};
    if (table == nullptr) entry.value = convert(node);
    result_.entries.push_back(std::move(entry));
    if (table != nullptr) flatten(*table);
  }

  ConfigValue convert(const toml::node& node) {
    ConfigValue value;
    value.position = position_of(node.source());
    if (const auto* boolean = node.as_boolean()) {
      value.data = boolean->get();
    } else if (const auto* integer = node.as_integer()) {
      value.data = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
      value.data = number->get();
    } else if (const auto* text = node.as_string()) {
      value.data = text->get();
    } else if (const auto* array = node.as_array()) {
      ConfigValue::List list;
      for (const toml::node& item : *array) list.push_back(convert(item));
      value.data = std::move(list);
    } else {
      refuse(node, value.position);
    }
    return value;
  }

  void refuse(const toml::node& node, Position position) {
    if (result_.problem) return;
    const bool table = node.is_table();
    result_.problem = {position, "key '" + to_text(path_) + "' " +
                                     (table ? "holds a table within a list, which no key takes; "
                                              "write a list of plain values"
                                            : "is a date or time, which no key takes; write it as "
                                              "a string, in quotes")};
  }

  TomlText& result_;
  KeyPath path_;
};

bool makes_parser_give_up(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error&) {
    return false;
  } catch (const ParserGaveUp&) {
    return true;
  }
  return false;
}

// The parser reads from left to right: the position is the end of the shortest text that it gives
// up on.
Position where_parser_gives_up(std::string_view text) {
  std::size_t good = 0;
  std::size_t bad = text.size();
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (makes_parser_give_up(text.substr(0, middle)) ? bad : good) = middle;
  }
  const std::string_view before = text.substr(0, good);
  const std::size_t line_start = before.rfind('\n') + 1;
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(good - line_start) + 1};
}

}  // namespace

TomlText read_toml(std::string_view text) {
  TomlText result;
  result.problem = find_endless_key(text);
  if (result.problem) return result;
  try {
    const toml::table root = toml::parse(text);
    Flattener(result).flatten(root);
  } catch (const toml::parse_error& error) {
    std::string description(error.description());
    std::replace(description.begin(), description.end(), '\n', ' ');
    result.problem = {position_of(error.source()), "not TOML: " + description};
  } catch (const ParserGaveUp&) {
    result.problem = {where_parser_gives_up(text), "not TOML: no key, value or table starts here"};
  }
  return result;
}

}  // namespace switchyard::config
