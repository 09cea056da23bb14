#pragma once

#include <cstdint>

namespace switchyard {

/// What happens when the device asked for refuses an op and another one could take it.
enum class FallbackPolicy : std::uint8_t {
  allow,  // go on, and count it
  warn,   // go on, count it, and say so once for each distinct fallback
  deny,   // stop with an error that gives the refusal
};

}  // namespace switchyard
