#include "abi/options.hpp"

#include <algorithm>
#include <cstdint>

#include "machine/processors.hpp"
#include "switchyard/plugin/options.hpp"

namespace cpu {

Options read_options(const sy_host& host) {
  const sy::Options given(host);
  given.reject_unknown({"threads"});
  const int64_t limit = std::max<int64_t>(1, host.thread_limit);
  const int64_t threads =
      given.integer("threads", 0, 0, INT64_MAX, "0: as many as the process may use");
  Options options;
  options.threads =
      static_cast<int>(std::min(limit, threads == 0 ? int64_t{usable_processors()} : threads));
  return options;
}

}  // namespace cpu
