#pragma once

#include <switchyard/plugin.h>

#include <string>

namespace switchyard {

/// A text that a plugin writes for people, as a report or a compiler's log. It has at most 1 MiB:
/// a piece that would pass that is refused as out of memory.
class PluginText {
 public:
  PluginText() = default;
  PluginText(const PluginText&) = delete;
  PluginText& operator=(const PluginText&) = delete;

  /// For the args of the call that writes it; lives as long as the text.
  const sy_writer& writer() const { return writer_; }
  std::string& text() { return text_; }

 private:
  static sy_status append(void* context, const char* text, std::uint64_t size_bytes) noexcept;

  std::string text_;
  const sy_writer writer_{sizeof(sy_writer), 0, &text_, append};
};

}  // namespace switchyard
