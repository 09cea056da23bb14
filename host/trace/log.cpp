#include "trace/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <switchyard/log.hpp>
#include <utility>
#include <vector>

#include "error/plain_text.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::trace {
namespace {

constexpr std::array<std::string_view, 6> level_names = {"trace", "debug", "info",
                                                         "warn",  "error", "off"};

constexpr std::array<spdlog::level::level_enum, 6> spdlog_levels = {
    spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
    spdlog::level::warn,  spdlog::level::err,   spdlog::level::off};

// Never destroyed: plugins may log from destructors that run after ours would have.
spdlog::logger& logger() {
  static spdlog::logger& instance = *[] {
    auto* made =
        new spdlog::logger("switchyard", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::trace);
    return made;
  }();
  return instance;
}

// Never destroyed, as above. Copies are held while one is called, so that it outlives its calls.
struct Sink {
  std::mutex guard;
  std::shared_ptr<const LogSink> current;
  std::atomic<bool> is_set{false};

  std::shared_ptr<const LogSink> get() {
    if (!is_set.load(std::memory_order_acquire)) return nullptr;
    std::scoped_lock held(guard);
    return current;
  }
};

Sink& sink() {
  static Sink& instance = *new Sink;
  return instance;
}

/// Whether this thread is in a sink, whose own messages would call it without end.
thread_local constinit bool is_in_sink = false;

struct KeptMessage {
  Level level;
  std::string line;
};
/// Null where there are none: a thread that ends may still log.
thread_local constinit std::vector<KeptMessage>* kept_messages = nullptr;

void keep_message(Level level, const std::string& line) {
  if (!kept_messages) kept_messages = new std::vector<KeptMessage>;
  kept_messages->push_back({level, line});
  detail::has_kept_messages = true;
}

/// False if there is no sink for this thread.
bool give_to_sink(Level level, const std::string& line) {
  if (is_in_sink) return false;
  const std::shared_ptr<const LogSink> called = sink().get();
  if (!called) return false;
  if (detail::locks_held > 0) {
    keep_message(level, line);
    return true;
  }
  is_in_sink = true;
  try {
    (*called)(static_cast<LogLevel>(level), line);
  } catch (...) {
    // The contract: what a sink throws is lost.
  }
  is_in_sink = false;
  return true;
}

void write_line(Level level, const std::string& line) {
  if (give_to_sink(level, line)) return;
  logger().log(spdlog_levels[static_cast<std::size_t>(level)],
               fmt::format("switchyard [{}] {}", name(level), line));
}

}  // namespace

namespace detail {

std::atomic<Level> threshold{Level::warn};

void write_formatted(Level level, fmt::string_view format, fmt::format_args arguments) noexcept {
  try {
    log(level, fmt::vformat(format, arguments));
  } catch (...) {
    log(level, {format.data(), format.size()});
  }
}

}  // namespace detail

std::string_view name(Level level) noexcept { return level_names[static_cast<std::size_t>(level)]; }

std::optional<Level> parse_level(std::string_view name) noexcept {
  const auto found = std::find(level_names.begin(), level_names.end(), name);
  if (found == level_names.end()) return std::nullopt;
  return static_cast<Level>(found - level_names.begin());
}

void set_level(Level level) noexcept { detail::threshold.store(level, std::memory_order_relaxed); }

Level level() noexcept { return detail::threshold.load(std::memory_order_relaxed); }

void log(Level level, std::string_view message) noexcept {
  if (!enabled(level)) return;
  try {
    write_line(level, plain_line(message));
  } catch (...) {
    // The contract: a line that cannot be written is lost.
  }
}

namespace detail {

thread_local constinit unsigned locks_held = 0;
thread_local constinit bool has_kept_messages = false;

void write_kept_messages() noexcept {
  const std::unique_ptr<std::vector<KeptMessage>> kept(std::exchange(kept_messages, nullptr));
  has_kept_messages = false;
  for (const KeptMessage& message : *kept) {
    try {
      write_line(message.level, message.line);
    } catch (...) {
      // As above.
    }
  }
}

}  // namespace detail

}  // namespace switchyard::trace

namespace switchyard {

std::string_view name_of(LogLevel level) { return trace::name(static_cast<trace::Level>(level)); }

void set_log_sink(LogSink sink) {
  auto next = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  trace::Sink& here = trace::sink();
  const bool is_set = next != nullptr;
  {
    std::scoped_lock held(here.guard);
    here.current.swap(next);
    here.is_set.store(is_set, std::memory_order_release);
  }
  // The one before is destroyed without the lock: its destructor may log.
}

}  // namespace switchyard
