#include "config/environment.hpp"

#include <cstdlib>

#include "config/schema.hpp"

#if defined(__linux__)
#include <sys/auxv.h>
#else
#include <unistd.h>
#endif

namespace switchyard {

bool is_elevated_process() {
#if defined(__linux__)
  return getauxval(AT_SECURE) != 0;
#else
  return issetugid() != 0;
#endif
}

Environment read_environment(bool elevated) {
  Environment environment;
  if (elevated) return environment;
  const auto add = [&environment](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value != nullptr && *value != '\0') environment[name] = value;
  };
  add(config_file_variable);
  for (const config::KeyRow& row : config::schema()) {
    if (!row.environment.empty()) add(std::string(row.environment));
  }
  return environment;
}

}  // namespace switchyard
