#pragma once

#include <array>
#include <atomic>
#include <bit>
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
  static_assert(std::endian::native == std::endian::little, "the end of a word is put together so");

 public:
  void write(std::string_view text) noexcept {
    const bool is_cut = text.size() > kMost;
    const std::size_t kept = is_cut ? cut_of(text) : text.size();
    std::size_t i = 0;
    for (; i + kWord <= kept; i += kWord) store(i, load<std::uint64_t>(text.data() + i));
    if (i < kept) store(i, end_of_word(text.data() + i, kept - i));
    size_.store(is_cut ? kept | kIsCut : kept, std::memory_order_release);
  }

  /// Ends in "..." where it is the beginning alone.
  std::string read() const {
    const std::size_t size = size_.load(std::memory_order_acquire);
    std::string text(kMost, '\0');
    for (std::size_t i = 0; i < kMost; i += kWord) {
      const std::uint64_t word = words_[i / kWord].load(std::memory_order_acquire);
      std::memcpy(text.data() + i, &word, kWord);
    }
    text.resize(size & ~kIsCut);
    return (size & kIsCut) != 0 ? text + "..." : text;
  }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);
  static constexpr std::size_t kIsCut = std::size_t{1} << 31;

  /// Where a character begins.
  static std::size_t cut_of(std::string_view text) noexcept {
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return end;
  }

  template <typename Part>
  static std::uint64_t load(const char* bytes) noexcept {
    Part part;
    std::memcpy(&part, bytes, sizeof(part));
    return part;
  }

  // Fewer bytes than a word, with no call of a function. Names of ops end in one.
  static std::uint64_t end_of_word(const char* bytes, std::size_t count) noexcept {
    std::uint64_t word = 0;
    std::size_t done = 0;
    if ((count & 4) != 0) {
      word = load<std::uint32_t>(bytes);
      done = 4;
    }
    if ((count & 2) != 0) {
      word |= load<std::uint16_t>(bytes + done) << 8 * done;
      done += 2;
    }
    if ((count & 1) != 0) word |= load<std::uint8_t>(bytes + done) << 8 * done;
    return word;
  }

  void store(std::size_t position, std::uint64_t word) noexcept {
    words_[position / kWord].store(word, std::memory_order_release);
  }

  std::atomic<std::size_t> size_{0};
  std::array<std::atomic<std::uint64_t>, kMost / kWord> words_{};
};

}  // namespace switchyard::watch
