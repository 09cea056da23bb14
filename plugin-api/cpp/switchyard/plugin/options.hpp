/// @file
/// Typed reads of the plugin's [plugins.NAME.options]. An option of a wrong kind throws SY_INVALID
/// with its key, also where a default was given.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/plugin/guard.hpp"

namespace sy {

/// The options of one host, as the configuration gives them.
class Options {
 public:
  /// The host's options must stay as long as this.
  explicit Options(const sy_host& host) : first_(host.options), count_(host.option_count) {}

  /// A bool, or an integer; `otherwise` if the option is not there.
  /// @{
  bool flag(std::string_view key, bool otherwise) const {
    const sy_option* option = find(key, SY_OPTION_BOOL);
    return option == nullptr ? otherwise : option->integer != 0;
  }
  int64_t integer(std::string_view key, int64_t otherwise) const {
    const sy_option* option = find(key, SY_OPTION_INT);
    return option == nullptr ? otherwise : option->integer;
  }
  /// @}
  /// An integer between two bounds, both allowed; INT64_MAX is none. `meaning` is told with them to
  /// who is outside of them, say "0: as many as there are".
  int64_t integer(std::string_view key, int64_t otherwise, int64_t least, int64_t most,
                  std::string_view meaning = "") const {
    return within(key, integer(key, otherwise), least, most, meaning);
  }
  /// An integer is taken as a real too.
  double real(std::string_view key, double otherwise) const {
    const sy_option* option = find(key);
    if (option != nullptr && option->kind == SY_OPTION_INT) {
      return static_cast<double>(option->integer);
    }
    return option == nullptr ? otherwise : expect(*option, SY_OPTION_FLOAT).real;
  }
  /// The same between two bounds.
  double real(std::string_view key, double otherwise, double least, double most,
              std::string_view meaning = "") const {
    return within(key, real(key, otherwise), least, most, meaning);
  }
  /// A text; `otherwise` if the option is not there.
  std::string text(std::string_view key, std::string_view otherwise) const {
    const sy_option* option = find(key, SY_OPTION_STRING);
    return std::string(option == nullptr ? otherwise : option->text);
  }
  /// One of several words; the first if the option is not there.
  std::string choice(std::string_view key, std::initializer_list<std::string_view> words) const {
    const std::string chosen = text(key, *words.begin());
    std::string all;
    for (const std::string_view& word : words) {
      if (word == chosen) return chosen;
      const bool is_last = &word + 1 == words.end();
      all += sy::text(all.empty() ? "" : is_last ? " or " : ", ", "\"", word, "\"");
    }
    throw invalid("option ", key, " is \"", chosen, "\"; it must be ", all);
  }
  /// Empty if the option is not there.
  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> result;
    const sy_option* option = find(key, SY_OPTION_LIST);
    for (uint64_t i = 0; option != nullptr && i < option->item_count; ++i) {
      const sy_option* item = SY_AT(sy_option, option->items, i);
      if (item->kind != SY_OPTION_STRING)
        throw invalid("option ", key, " must be a list of strings");
      result.emplace_back(item->text);
    }
    return result;
  }

  /// Whether the configuration has such an option, of any kind.
  bool has(std::string_view key) const { return find(key) != nullptr; }

  /// An option that nobody reads is a mistake of the config: throws SY_INVALID with both lists.
  void reject_unknown(std::initializer_list<std::string_view> known) const {
    for (uint64_t i = 0; i < count_; ++i) {
      const sy_option* option = SY_AT(sy_option, first_, i);
      bool is_known = false;
      std::string names;
      for (const std::string_view name : known) {
        is_known = is_known || name == option->key;
        names += names.empty() ? "" : ", ";
        names += name;
      }
      if (!is_known) {
        throw invalid("no option ", option->key, "; known: ", names.empty() ? "none" : names);
      }
    }
  }

 private:
  const sy_option* find(std::string_view key) const {
    for (uint64_t i = 0; i < count_; ++i) {
      const sy_option* option = SY_AT(sy_option, first_, i);
      if (key == option->key) return option;
    }
    return nullptr;
  }

  const sy_option* find(std::string_view key, sy_option_kind kind) const {
    const sy_option* option = find(key);
    return option == nullptr ? nullptr : &expect(*option, kind);
  }

  template <typename Number>
  static Number within(std::string_view key, Number value, Number least, Number most,
                       std::string_view meaning) {
    if (value >= least && value <= most) return value;
    const bool is_open = most == std::numeric_limits<Number>::max();
    throw invalid("option ", key, " is ", value, "; it must be ", is_open ? "at least " : "from ",
                  least, is_open ? std::string() : sy::text(" to ", most),
                  meaning.empty() ? std::string() : sy::text(" (", meaning, ")"));
  }

  static const sy_option& expect(const sy_option& option, sy_option_kind kind) {
    static constexpr const char* names[] = {"a bool", "an integer", "a float", "a text", "a list"};
    if (option.kind != kind) throw invalid("option ", option.key, " must be ", names[kind]);
    return option;
  }

  const sy_option* first_;
  uint64_t count_;
};

}  // namespace sy
