#include "trace/timeline.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <mutex>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <map>
#include <switchyard/error.hpp>
#include <system_error>

#include "files/regular_file.hpp"
#include "trace/log.hpp"

namespace switchyard::trace {
namespace {

/// The bytes of the UTF-8 character that `text` starts with; 0 if it starts with none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto continued = [&](std::size_t length) {
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return std::size_t{0};
    }
    return length;
  };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return continued(2);
  // Forms that are longer than need be, halves of UTF-16 pairs, and what lies beyond Unicode.
  if (first == 0xE0 && second < 0xA0) return 0;
  if (first == 0xED && second > 0x9F) return 0;
  if (first == 0xF0 && second < 0x90) return 0;
  if (first == 0xF4 && second > 0x8F) return 0;
  return continued(first < 0xF0 ? 3 : 4);
}

/// JSON; bytes that are not UTF-8 become U+FFFD each.
void append_quoted(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      json += "\\ufffd";
    } else if (first < 0x20) {
      json += fmt::format("\\u{:04x}", first);
    } else {
      if (first == '"' || first == '\\') json += '\\';
      json += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  json += '"';
}

/// Small numbers, which viewers show better than the system's.
std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> last{0};
  static thread_local const std::uint64_t number = ++last;
  return number;
}

Error file_error(std::string_view problem) {
  const std::string reason = std::generic_category().message(errno);
  return Error(ErrorKind::config, fmt::format("{}: {}", problem, reason));
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) throw file_error("cannot be written");
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

RegularFile opened(const std::string& file) {
  try {
    return RegularFile::to_append(file);
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::config, fmt::format("cannot be written: {}", error.code().message()));
  }
}

/// The file, empty but for the start of the array, and locked against other processes.
int open_alone(const std::string& file) {
  RegularFile made = opened(file);
  // Where a file system has no locks, there is nothing to tell.
  if (::flock(made.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw Error(ErrorKind::config, "is being written by another process");
  }
  if (::ftruncate(made.descriptor(), 0) != 0) throw file_error("cannot be emptied");
  write_all(made.descriptor(), fmt::format("[\n{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\","
                                           "\"args\":{{\"name\":\"switchyard\"}}}}",
                                           ::getpid()));
  return made.release();
}

/// The files that this process writes to, until they are closed.
struct OpenFiles {
  std::mutex guard;
  std::condition_variable closed;
  std::map<std::string, std::weak_ptr<Timeline>> timelines;
};

// Never destroyed: static runtimes may close files after ours would have been.
OpenFiles& open_files() {
  static OpenFiles& files = *new OpenFiles;
  return files;
}

}  // namespace

void Facts::start(std::string_view name) {
  if (!members_.empty()) members_ += ',';
  append_quoted(members_, name);
  members_ += ':';
}

Facts& Facts::add(std::string_view name, std::string_view text) {
  start(name);
  append_quoted(members_, text);
  return *this;
}

Facts& Facts::add(std::string_view name, std::uint64_t number) {
  start(name);
  members_ += fmt::to_string(number);
  return *this;
}

Facts& Facts::add(std::string_view name, std::span<const std::string> texts) {
  start(name);
  members_ += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) members_ += ',';
    append_quoted(members_, texts[i]);
  }
  members_ += ']';
  return *this;
}

std::shared_ptr<Timeline> Timeline::open(const std::string& file) {
  std::error_code unknown;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file, unknown);
  const std::string path = unknown ? file : whole.string();
  OpenFiles& files = open_files();
  std::unique_lock lock(files.guard);
  while (files.timelines.count(path) != 0) {
    if (auto shared = files.timelines[path].lock()) return shared;
    files.closed.wait(lock);
  }
  const auto close = [path](Timeline* timeline) {
    delete timeline;
    OpenFiles& files = open_files();
    std::scoped_lock lock(files.guard);
    files.timelines.erase(path);
    files.closed.notify_all();
  };
  std::shared_ptr<Timeline> made(new Timeline(path), close);
  files.timelines.emplace(path, made);
  return made;
}

Timeline::Timeline(const std::string& file) : file_(file), descriptor_(open_alone(file)) {}

Timeline::~Timeline() {
  if (descriptor_ < 0) return;
  try {
    write_all(descriptor_, "\n]\n");
  } catch (const std::exception& error) {
    trace::error("{} {}; its end is missing", file_, error.what());
  }
  ::close(descriptor_);
}

void Timeline::write_event(char phase, std::string_view names, const Facts& facts) {
  const std::chrono::duration<double, std::micro> now = std::chrono::steady_clock::now() - start_;
  const std::string line =
      fmt::format(",\n{{\"ph\":\"{}\",\"ts\":{:.3f},\"pid\":{},\"tid\":{}{},\"args\":{{{}}}}}",
                  phase, now.count(), ::getpid(), thread_number(), names, facts.members());
  std::scoped_lock lock(guard_);
  if (descriptor_ < 0) return;
  try {
    write_all(descriptor_, line);
  } catch (const Error& error) {
    trace::error("{} {}; the timeline ends here", file_, error.what());
    ::close(descriptor_);
    descriptor_ = -1;
  }
}

void Timeline::begin(std::string_view kind, std::string_view name, const Facts& facts) noexcept {
  try {
    std::string names = ",\"cat\":";
    append_quoted(names, kind);
    names += ",\"name\":";
    append_quoted(names, name);
    write_event('B', names, facts);
  } catch (const std::exception& error) {
    trace::error("{}: an event is missing: {}", file_, error.what());
  }
}

void Timeline::end(const Facts& facts) noexcept {
  try {
    write_event('E', "", facts);
  } catch (const std::exception& error) {
    trace::error("{}: the end of an event is missing: {}", file_, error.what());
  }
}

Span::Span(Timeline& timeline, std::string_view kind, std::string_view name, const Facts& facts)
    : timeline_(timeline), exceptions_(std::uncaught_exceptions()) {
  timeline_.begin(kind, name, facts);
}

Span::~Span() {
  if (std::uncaught_exceptions() > exceptions_) {
    try {
      results_.add("outcome", "failed");
    } catch (...) {
      // Out of memory: the event ends without it.
    }
  }
  timeline_.end(results_);
}

}  // namespace switchyard::trace
