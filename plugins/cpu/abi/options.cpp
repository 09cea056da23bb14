#include "abi/options.hpp"

#include <algorithm>
#include <string_view>

#include "machine/processors.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

int read_threads(const sy_option& option, int limit) {
  if (option.kind != SY_OPTION_INT || option.integer < 0) {
    throw sy::invalid(
        "option threads must be an integer of at least 0 (0: as many as the process may use)");
  }
  if (option.integer == 0) return std::min(limit, usable_processors());
  return static_cast<int>(std::min<int64_t>(option.integer, limit));
}

}  // namespace

Options read_options(const sy_host& host) {
  const int limit = std::max(1, static_cast<int>(host.thread_limit));
  Options options;
  options.threads = std::min(limit, usable_processors());
  for (uint64_t i = 0; i < host.option_count; ++i) {
    const sy_option& option = *SY_AT(sy_option, host.options, i);
    const std::string_view key = option.key;
    if (key == "threads") {
      options.threads = read_threads(option, limit);
    } else {
      throw sy::invalid("unknown option ", key, "; this plugin knows: threads");
    }
  }
  return options;
}

}  // namespace cpu
