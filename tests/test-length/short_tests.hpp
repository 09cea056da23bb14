#pragma once

#include <cstdlib>
#include <string_view>

namespace switchyard {

/// Whether SWITCHYARD_TESTS=short is in the environment, as under the sanitizers and where only the
/// device is another one: a test that goes through very many cases then takes some of them.
inline bool are_tests_short() {
  const char* const said = std::getenv("SWITCHYARD_TESTS");
  return said != nullptr && std::string_view(said) == "short";
}

}  // namespace switchyard
