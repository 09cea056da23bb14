// The calling thread's floating-point mode, kept over a call into code that may change it.
#pragma once

#include <cfenv>
#include <cstdint>

namespace switchyard {

// Puts rounding, the treatment of subnormal numbers and masked exceptions back when it ends, as
// they were when it began. Flags of exceptions that were raised stay raised. Costs a few
// instructions where nothing was changed.
class FloatingPointState {
 public:
  FloatingPointState() noexcept : before_(mode()) {}
  ~FloatingPointState() {
    if (mode() != before_) [[unlikely]]
      set_mode(before_);
  }
  FloatingPointState(const FloatingPointState&) = delete;
  FloatingPointState& operator=(const FloatingPointState&) = delete;

 private:
#if defined(__x86_64__) || defined(_M_X64)
  // The mode of SSE without its flags, and above it that of the x87 unit, which long double uses.
  static std::uint64_t mode() noexcept {
    std::uint16_t x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return std::uint64_t{x87} << 32 | (__builtin_ia32_stmxcsr() & kModeBits);
  }
  static void set_mode(std::uint64_t mode) noexcept {
    const auto x87 = static_cast<std::uint16_t>(mode >> 32);
    __asm__ volatile("fldcw %0" : : "m"(x87));
    const std::uint32_t flags = __builtin_ia32_stmxcsr() & ~kModeBits;
    __builtin_ia32_ldmxcsr(static_cast<std::uint32_t>(mode) | flags);
  }
  static constexpr std::uint32_t kModeBits = ~0x3fu;
#elif defined(__aarch64__)
  static std::uint64_t mode() noexcept {
    std::uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void set_mode(std::uint64_t mode) noexcept {
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
  }
#else
  // Of other processors the standard knows the rounding alone.
  static std::uint64_t mode() noexcept { return static_cast<std::uint64_t>(std::fegetround()); }
  static void set_mode(std::uint64_t mode) noexcept { std::fesetround(static_cast<int>(mode)); }
#endif

  const std::uint64_t before_;
};

}  // namespace switchyard
