#include "settings.hpp"

#include <string>

#include "switchyard/plugin/options.hpp"

namespace validation {
namespace {

OnViolation chosen(const std::string& word) {
  if (word == "error") return OnViolation::error;
  return word == "abort" ? OnViolation::abort : OnViolation::log;
}

}  // namespace

Settings read_settings(const sy_layer& layer) {
  sy_host own = {};
  own.struct_size = sizeof(own);
  own.options = layer.options;
  own.option_count = layer.option_count;
  const sy::Options options(own);
  options.reject_unknown({"on_violation", "seed", "delay_microseconds"});
  Settings settings;
  settings.on_violation = chosen(options.choice("on_violation", {"log", "error", "abort"}));
  settings.seed = static_cast<uint64_t>(options.integer("seed", 1));
  settings.delay_microseconds = options.integer("delay_microseconds", 0, 0, 1'000'000);
  return settings;
}

}  // namespace validation
