#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace switchyard {

/// Where in its text something stands, counted from 1; 0:0 where there is no text.
struct Position {
  int line = 0;
  int column = 0;
};

/// One value as the configuration gives it. Tables are never values: they are flattened into keys.
struct ConfigValue {
  using List = std::vector<ConfigValue>;
  using Variant = std::variant<bool, std::int64_t, double, std::string, List>;

  // A variant that may be copied without memory: in libstdc++ 12, and perhaps in others, what the
  // copy of such a variant throws ends the program.
  struct Data : Variant {
    using Variant::operator=;
    using Variant::Variant;
    Data() = default;
    Data(const Data& other)
        : Variant(std::visit(
              []<typename Held>(const Held& held) {
                return Variant(std::in_place_type<Held>, held);
              },
              static_cast<const Variant&>(other))) {}
    Data(Data&&) noexcept = default;
    Data& operator=(const Data& other) { return *this = Data(other); }
    Data& operator=(Data&&) noexcept = default;
    ~Data() = default;
  };

  Data data = false;
  Position position;

  /// Compares what is said, not where.
  friend bool operator==(const ConfigValue& a, const ConfigValue& b) { return a.data == b.data; }
};

/// The names of a key from the outside in: {"plugins", "b", "library"}.
using KeyPath = std::vector<std::string>;

/// The value as TOML writes it; parsing the text gives the same value again.
std::string to_text(const ConfigValue& value);

/// The dotted key as TOML writes it, with quotes round the names that need them.
std::string to_text(const KeyPath& path);

/// "a boolean", "a list": what to call the value's type in an error.
std::string_view type_name(const ConfigValue& value);

}  // namespace switchyard
