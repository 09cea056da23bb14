/// @file
/// Where the host's log goes.
#pragma once

#include <functional>
#include <string_view>

#include <switchyard/export.hpp>

namespace switchyard {

/// How much a message matters, the least first.
enum class LogLevel { trace, debug, info, warn, error };

/// "trace", "debug", "info", "warn" or "error".
[[nodiscard]] SWITCHYARD_API std::string_view name_of(LogLevel level);

/// Takes one message of the log: one line without a newline or control characters, valid during the
/// call alone. Called on the thread that logs, by several threads at once if several log; plugins
/// log, too, from threads of their own. A message of a thread that holds a lock of the library
/// waits until it holds none. What it throws is lost. It may call the library, but what
/// that logs meanwhile on this thread goes to stderr.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

/// Gives the log of this process to `sink`; an empty one gives it back to stderr, where it goes as
/// lines "switchyard [warn] message". Which levels are logged is the configuration's to say
/// (`host.log_level`), not the sink's. Messages that other threads write meanwhile go to either. A
/// sink that was replaced is destroyed once no thread is in it. Any thread may call this.
SWITCHYARD_API void set_log_sink(LogSink sink);

}  // namespace switchyard
