#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace switchyard::watch {

/// A text that one thread writes and others read, without a lock. What is read while it is written
/// may be of two texts: who reads must find out otherwise that it was not. Of a text longer than
/// kMost bytes the beginning is kept.
template <std::size_t kMost>
class SharedText {
  static_assert(kMost % sizeof(std::uint64_t) == 0);

 public:
  void write(std::string_view text) noexcept {
    const std::size_t kept = std::min(text.size(), kMost);
    std::size_t i = 0;
    for (; i + kWord <= kept; i += kWord) store(i, text.data() + i, kWord);
    if (i < kept) store(i, text.data() + i, kept - i);
    size_.store(text.size(), std::memory_order_release);
  }

  /// Ends in "..." where it is the beginning alone.
  std::string read() const {
    const std::size_t size = size_.load(std::memory_order_acquire);
    std::string text(kMost, '\0');
    for (std::size_t i = 0; i < kMost; i += kWord) {
      const std::uint64_t word = words_[i / kWord].load(std::memory_order_acquire);
      std::memcpy(text.data() + i, &word, kWord);
    }
    text.resize(std::min(size, kMost));
    if (size <= kMost) return text;
    // Not within a character of several bytes.
    while (!text.empty() && is_continuation(text.back())) text.pop_back();
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.pop_back();
    return text + "...";
  }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);

  static bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) >> 6) == 2; }

  void store(std::size_t position, const char* bytes, std::size_t count) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    words_[position / kWord].store(word, std::memory_order_release);
  }

  std::atomic<std::size_t> size_{0};
  std::array<std::atomic<std::uint64_t>, kMost / kWord> words_{};
};

}  // namespace switchyard::watch
