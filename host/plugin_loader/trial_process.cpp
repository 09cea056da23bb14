#include "plugin_loader/trial_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "plugin_loader/spawn.hpp"

namespace switchyard {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// A pipe whose ends no other child inherits.
class Pipe {
 public:
  Pipe() {
    int ends[2] = {-1, -1};
#ifdef __linux__
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
#else
    if (::pipe(ends) != 0) return;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
    read_ = ends[0];
    write_ = ends[1];
    ::fcntl(read_, F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    close_end(read_);
    close_end(write_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return read_ >= 0; }
  int read_end() const { return read_; }
  int write_end() const { return write_; }
  void close_write_end() { close_end(write_); }

  // Appends what has arrived; closes the end once nothing more can come.
  void drain(std::string& text) {
    std::array<char, 4096> piece;
    while (read_ >= 0) {
      const ssize_t size = ::read(read_, piece.data(), piece.size());
      if (size > 0)
        text.append(piece.data(), static_cast<std::size_t>(size));
      else if (size < 0 && errno == EINTR)
        continue;
      else if (size < 0 && errno == EAGAIN)
        return;
      else
        close_end(read_);
    }
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  int read_ = -1;
  int write_ = -1;
};

// What the child reads on its standard input, however long: a word of a command has a limit. A
// socket, as writing to a pipe that nobody reads any more would raise a signal in the host program.
class Feed {
 public:
  explicit Feed(std::string_view text) : left_(text) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    own_ = ends[0];
    childs_ = ends[1];
    ::fcntl(own_, F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
    const int set = 1;
    ::setsockopt(own_, SOL_SOCKET, SO_NOSIGPIPE, &set, sizeof(set));
#endif
  }
  ~Feed() {
    close_end(own_);
    close_end(childs_);
  }
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  bool is_open() const { return own_ >= 0; }  // until all is sent, or nobody reads any more
  int own_end() const { return own_; }
  int childs_end() const { return childs_; }
  void close_childs_end() { close_end(childs_); }

  // Sends what there is room for.
  void push() {
    while (own_ >= 0 && !left_.empty()) {
      const ssize_t size = ::send(own_, left_.data(), left_.size(), kNoSignal);
      if (size > 0)
        left_.remove_prefix(static_cast<std::size_t>(size));
      else if (size < 0 && errno == EINTR)
        continue;
      else if (size < 0 && errno == EAGAIN)
        return;
      else
        break;
    }
    close_end(own_);
  }

 private:
#ifdef MSG_NOSIGNAL
  static constexpr int kNoSignal = MSG_NOSIGNAL;
#else
  static constexpr int kNoSignal = 0;
#endif

  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  std::string_view left_;
  int own_ = -1;
  int childs_ = -1;
};

bool has_line(const std::string& text, std::string_view line) {
  const std::string lines = "\n" + text;
  return lines.find(fmt::format("\n{}\n", line)) != std::string::npos;
}

// The last line that has come whole.
std::string_view stage_of(std::string_view answer) {
  const std::size_t end = answer.rfind('\n');
  if (end == answer.npos) return "starting";
  answer.remove_suffix(answer.size() - end);
  return answer.substr(answer.rfind('\n') + 1);  // npos + 1 is 0
}

// What a dying library said last often tells why: "terminate called after throwing...".
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t start = text.rfind('\n');
  if (start != text.npos) text.remove_prefix(start + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  constexpr std::size_t longest = 300;
  return text.empty() ? "" : fmt::format("; it last said: {}", text.substr(0, longest));
}

std::string describe_end(std::optional<int> status, std::string_view stage) {
  if (status && WIFSIGNALED(*status)) {
    return fmt::format("crashed while {} ({})", stage, describe_signal(WTERMSIG(*status)));
  }
  if (status && WIFEXITED(*status)) {
    return fmt::format("ended the process while {} (exit status {})", stage, WEXITSTATUS(*status));
  }
  return fmt::format("ended the process while {}", stage);
}

class Trial {
 public:
  explicit Trial(std::string_view input) : feed_(input) {}

  TrialOutcome run(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
    if (!feed_.is_open() || !output_.is_open() || !errors_.is_open()) return no_trial(errno);
    const SpawnSettings settings(feed_.childs_end(), output_.write_end(), errors_.write_end());
    const int failure = settings.spawn(command, child_);
    if (failure != 0) return no_trial(failure);
    feed_.close_childs_end();
    output_.close_write_end();
    errors_.close_write_end();
    const bool in_time = listen(std::chrono::steady_clock::now() + limit);
    if (!in_time) ::kill(child_, SIGKILL);
    reap(0);
    output_.drain(answer_);
    errors_.drain(complaints_);
    if (has_line(answer_, "survived")) {
      return {TrialOutcome::Kind::survived, {}, false, std::move(answer_), std::move(complaints_)};
    }
    const std::string_view stage = stage_of(answer_);
    const std::string end =
        in_time ? describe_end(status_, stage)
                : fmt::format("took longer than {} s while {}", limit.count() / 1000.0, stage);
    return {TrialOutcome::Kind::died, end + last_line(complaints_), !in_time, answer_, complaints_};
  }

 private:
  static TrialOutcome no_trial(int failure) {
    return {TrialOutcome::Kind::no_trial, std::generic_category().message(failure), false, {}, {}};
  }

  // Until the child has answered, has ended, or `end` has come: false in the last case. Asks for
  // its end besides reading, since a process that it started may hold the pipes open.
  bool listen(SteadyTime end) {
    for (;;) {
      feed_.push();
      output_.drain(answer_);
      errors_.drain(complaints_);
      if (has_line(answer_, "survived") || reap(WNOHANG)) return true;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      // A closed end is -1, which poll passes over.
      std::array<pollfd, 3> pipes = {{{feed_.own_end(), POLLOUT, 0},
                                      {output_.read_end(), POLLIN, 0},
                                      {errors_.read_end(), POLLIN, 0}}};
      ::poll(pipes.data(), pipes.size(), static_cast<int>(std::min<long long>(left.count(), 50)));
    }
  }

  // True once the child has ended; how it ended stays unknown if the host program ignores SIGCHLD.
  bool reap(int flags) {
    if (is_reaped_) return true;
    int status = 0;
    pid_t result = -1;
    do {
      result = ::waitpid(child_, &status, flags);
    } while (result < 0 && errno == EINTR);
    if (result == child_) status_ = status;
    is_reaped_ = result != 0;
    return is_reaped_;
  }

  Feed feed_;
  Pipe output_;
  Pipe errors_;
  pid_t child_ = -1;
  bool is_reaped_ = false;
  std::optional<int> status_;
  std::string answer_;
  std::string complaints_;
};

}  // namespace

TrialOutcome run_trial(const std::vector<std::string>& command, const std::string& input,
                       std::chrono::milliseconds limit) {
  return Trial(input).run(command, limit);
}

}  // namespace switchyard
