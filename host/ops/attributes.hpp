#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ops/literal.hpp"

namespace switchyard {

/// An attribute's value. Graphs are not attributes here: a graph's node holds its bodies itself.
using AttributeValue = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>,
                                    std::vector<float>, std::vector<std::string>, Literal>;

/// A node's attributes by name, in the order they were set. Few, so a list is fastest.
class Attributes {
 public:
  using Entry = std::pair<std::string, AttributeValue>;

  const AttributeValue* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  void set(std::string_view name, AttributeValue value);
  void remove(std::string_view name);

  /// The value, or the fallback if the attribute is absent. A wrong kind is an Error(model).
  std::int64_t get_int(std::string_view name, std::int64_t fallback) const;
  float get_float(std::string_view name, float fallback) const;
  std::string_view get_text(std::string_view name, std::string_view fallback) const;
  std::vector<std::int64_t> get_ints(std::string_view name) const;  // empty if absent
  std::vector<float> get_floats(std::string_view name) const;
  std::vector<std::string> get_texts(std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }

  /// Equal names, kinds and values; floats by their bits.
  friend bool operator==(const Attributes& a, const Attributes& b);

 private:
  std::vector<Entry> entries_;
};

}  // namespace switchyard
