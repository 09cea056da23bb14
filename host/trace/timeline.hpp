/// A file of what a runtime did and when, as Chrome trace events: ui.perfetto.dev and
/// chrome://tracing open it. Each event is written when it begins and when it ends, so that after a
/// crash the file tells what was under way; both viewers take one whose array was not closed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace switchyard::trace {

/// What is known of an event, by name. Text may hold any bytes.
class Facts {
 public:
  Facts& add(std::string_view name, std::string_view text);
  Facts& add(std::string_view name, std::uint64_t number);
  Facts& add(std::string_view name, std::span<const std::string> texts);

  const std::string& members() const { return members_; }  // of a JSON object, without its braces

 private:
  void start(std::string_view name);

  std::string members_;
};

/// One file of events. Any thread may write to it. Lives as long as whoever may write to it, and
/// closes the array at its end.
class Timeline {
 public:
  /// Replaces the file. One that this process writes to already is shared instead. Throws
  /// Error(config), whose text goes on from the file's name: "cannot be written: ...".
  static std::shared_ptr<Timeline> open(const std::string& file);

  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// The calling thread's events nest: `end` closes the one begun last. A file that can no longer
  /// be written is reported once and left as it is.
  void begin(std::string_view kind, std::string_view name, const Facts& facts) noexcept;
  void end(const Facts& facts) noexcept;

 private:
  explicit Timeline(const std::string& file);
  void write_event(char phase, std::string_view names, const Facts& facts);

  const std::string file_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex guard_;
  int descriptor_ = -1;  // -1 from the first failure on
};

/// An event from here to the end of the scope, which is marked as failed if an exception ends it.
class Span {
 public:
  Span(Timeline& timeline, std::string_view kind, std::string_view name, const Facts& facts);
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  /// What is known only at the end.
  Facts& results() { return results_; }

 private:
  Timeline& timeline_;
  const int exceptions_;  // under way at the start
  Facts results_;
};

}  // namespace switchyard::trace
