#include "cli/conform/plugin/arithmetic_mode.hpp"

#include <cfenv>

namespace switchyard::cli::conform {

std::uint64_t arithmetic_mode() {
  const auto rounding = static_cast<std::uint64_t>(std::fegetround()) << 32;
#if defined(__x86_64__)
  constexpr std::uint32_t flags = 0x3f;  // of exceptions that were raised: they may stay
  return rounding | (__builtin_ia32_stmxcsr() & ~flags);
#elif defined(__aarch64__)
  std::uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return rounding | control;
#else
  return rounding;
#endif
}

}  // namespace switchyard::cli::conform
