#pragma once

#include <string>
#include <vector>

#include "config/setting.hpp"
#include "config/toml_reader.hpp"

namespace switchyard::config {

/// Settings laid over one another, file first, then environment, then flags: each layer replaces
/// what it names and adds what is new.
class Layers {
 public:
  /// Lays what one source says. Throws the error of the first key that is not known, stands where
  /// a table should, or has a value that its row does not take.
  void lay(const std::vector<Entry>& entries, const Origin& origin);

  /// All settings, defaults included, in the order of the schema, plugin by plugin in the order in
  /// which they were first named.
  std::vector<Setting> settle() const;

 private:
  void note_plugin(const Entry& entry, const Origin& origin);
  void put(Setting setting);

  std::vector<std::string> plugins_;
  std::vector<Setting> settings_;
};

}  // namespace switchyard::config
