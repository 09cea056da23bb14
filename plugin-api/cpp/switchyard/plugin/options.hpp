// Typed reads of the plugin's [plugins.NAME.options]. An option of a wrong kind throws SY_INVALID
// with its key, also where a default was given.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/plugin/guard.hpp"

namespace sy {

class Options {
 public:
  explicit Options(const sy_host& host) : first_(host.options), count_(host.option_count) {}

  bool flag(std::string_view key, bool otherwise) const {
    const sy_option* option = find(key, SY_OPTION_BOOL);
    return option == nullptr ? otherwise : option->integer != 0;
  }
  int64_t integer(std::string_view key, int64_t otherwise) const {
    const sy_option* option = find(key, SY_OPTION_INT);
    return option == nullptr ? otherwise : option->integer;
  }
  // An integer between two bounds, both allowed.
  int64_t integer(std::string_view key, int64_t otherwise, int64_t least, int64_t most) const {
    const int64_t value = integer(key, otherwise);
    if (value < least || value > most) {
      throw invalid("option ", key, " is ", value, "; it must be from ", least, " to ", most);
    }
    return value;
  }
  // An integer is taken as a real too.
  double real(std::string_view key, double otherwise) const {
    const sy_option* option = find(key);
    if (option != nullptr && option->kind == SY_OPTION_INT) {
      return static_cast<double>(option->integer);
    }
    return option == nullptr ? otherwise : expect(*option, SY_OPTION_FLOAT).real;
  }
  std::string text(std::string_view key, std::string_view otherwise) const {
    const sy_option* option = find(key, SY_OPTION_TEXT);
    return std::string(option == nullptr ? otherwise : option->text);
  }
  // Empty if the option is not there.
  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> result;
    const sy_option* option = find(key, SY_OPTION_LIST);
    for (uint64_t i = 0; option != nullptr && i < option->item_count; ++i) {
      const sy_option* item = SY_AT(sy_option, option->items, i);
      if (item->kind != SY_OPTION_TEXT) throw invalid("option ", key, " must be a list of texts");
      result.emplace_back(item->text);
    }
    return result;
  }

  // An option that nobody reads is a mistake of the config: throws SY_INVALID with both lists.
  void refuse_others(std::initializer_list<std::string_view> known) const {
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

  static const sy_option& expect(const sy_option& option, sy_option_kind kind) {
    static constexpr const char* names[] = {"a bool", "an integer", "a float", "a text", "a list"};
    if (option.kind != kind) throw invalid("option ", option.key, " must be ", names[kind]);
    return option;
  }

  const sy_option* first_;
  uint64_t count_;
};

}  // namespace sy
