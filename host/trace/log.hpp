/// The host's log: lines "switchyard [warn] message" on stderr, or messages to the sink that the
/// program gave (<switchyard/log.hpp>); quiet below `warn` until a level is set. Every function may
/// be called from any thread, at any time, also while the program ends.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <string_view>
#include <utility>

namespace switchyard::trace {

/// From chatty to silent. A line is written when its level is at or above the level that is set;
/// `off` is a level to set, never one to write with.
enum class Level { trace, debug, info, warn, error, off };

/// The level's name as the configuration spells it: "warn".
std::string_view name(Level level) noexcept;

/// The level of that name, or nothing.
std::optional<Level> parse_level(std::string_view name) noexcept;

void set_level(Level level) noexcept;
Level level() noexcept;

namespace detail {
extern std::atomic<Level> threshold;
void write_formatted(Level level, fmt::string_view format, fmt::format_args arguments) noexcept;
}  // namespace detail

/// One relaxed load: ask before preparing anything costly to log.
inline bool enabled(Level level) noexcept {
  return level != Level::off && level >= detail::threshold.load(std::memory_order_relaxed);
}

/// Writes one line, if the level is enabled. Line breaks within the message are written as spaces,
/// so that no message can pass for a line of its own. Never throws: a line that cannot be written
/// is lost.
void log(Level level, std::string_view message) noexcept;

/// The same with a format, which is rendered only if the level is enabled.
template <typename... Arguments>
void write(Level level, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (enabled(level)) {
    detail::write_formatted(level, format, fmt::make_format_args(arguments...));
  }
}

template <typename... Arguments>
void debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::debug, format, std::forward<Arguments>(arguments)...);
}

template <typename... Arguments>
void info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::info, format, std::forward<Arguments>(arguments)...);
}

template <typename... Arguments>
void warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::warn, format, std::forward<Arguments>(arguments)...);
}

template <typename... Arguments>
void error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(Level::error, format, std::forward<Arguments>(arguments)...);
}

}  // namespace switchyard::trace
