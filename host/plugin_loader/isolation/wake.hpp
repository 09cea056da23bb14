/// Sleeping on a word of memory that two processes share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace switchyard::isolation {

/// Sleeps while `word` holds `seen`, at most for `limit`. May return early: look again.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
              std::chrono::nanoseconds limit) noexcept;

/// Wakes all who sleep on it, in whichever process.
void wake_all(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace switchyard::isolation
