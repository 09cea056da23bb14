#include "plugin_loader/isolation/server_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "plugin_loader/isolation/handshake.hpp"
#include "plugin_loader/spawn.hpp"

namespace switchyard::isolation {
namespace {

// How often it is looked whether the process is still there: a process that it has started may hold
// its end of the socket open.
constexpr int kLookMilliseconds = 1000;
// How often once it has been killed.
constexpr std::chrono::milliseconds kNap{1};

class Sockets {
 public:
  Sockets() {
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) {
      throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    for (const int end : ends_) {
      ::fcntl(end, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
      const int set = 1;
      ::setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &set, sizeof(set));
#endif
    }
  }
  ~Sockets() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  int childs() const { return ends_[1]; }
  int take_own() { return std::exchange(ends_[0], -1); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

std::atomic<std::uint32_t>& forks() {
  static std::atomic<std::uint32_t> count{0};
  return count;
}

void watch_forks() {
  static const int status = ::pthread_atfork(nullptr, nullptr, [] { ++forks(); });
  if (status != 0) throw std::bad_alloc();  // ENOMEM is its only error
}

std::string describe_status(const std::optional<int>& status) {
  if (status && WIFSIGNALED(*status)) {
    return fmt::format("crashed ({})", describe_signal(WTERMSIG(*status)));
  }
  if (status && WIFEXITED(*status)) {
    return fmt::format("ended with exit status {}", WEXITSTATUS(*status));
  }
  return "ended";
}

}  // namespace

ServerProcess::ServerProcess(const std::filesystem::path& program, Log log,
                             std::function<void()> at_end)
    : log_(std::move(log)), at_end_(std::move(at_end)) {
  watch_forks();
  forks_ = forks();
  spawn(program);
  listener_ = std::thread([this] { listen(); });
}

void ServerProcess::spawn(const std::filesystem::path& program) {
  Sockets sockets;
  const SpawnSettings settings(sockets.childs(), -1, -1);
  const int failure = settings.spawn({program.string(), std::to_string(::getpid())}, id_);
  if (failure != 0) {
    throw std::system_error(failure, std::generic_category(), program.string());
  }
  socket_ = sockets.take_own();
}

ServerProcess::~ServerProcess() {
  if (is_anothers()) {
    listener_.detach();  // it was never this process's
  } else {
    end("is not needed any more");
    clean_up();
  }
  if (socket_ >= 0) ::close(socket_);
}

void ServerProcess::clean_up() noexcept {
  if (!ended()) return;
  if (listener_.joinable()) listener_.join();
  if (socket_ < 0) return;
  ::shutdown(socket_, SHUT_RDWR);  // whoever sends gives up
  const std::lock_guard lock(socket_guard_);
  ::close(std::exchange(socket_, -1));
}

bool ServerProcess::is_anothers() const noexcept {
  return forks_ != forks().load(std::memory_order_relaxed);
}

bool ServerProcess::send(const void* bytes, std::size_t size, int descriptor) noexcept {
  iovec part = {const_cast<void*>(bytes), size};
  alignas(cmsghdr) std::array<char, kDescriptorRoom> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int));
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  const std::lock_guard lock(socket_guard_);
  for (;;) {
    const ssize_t sent = ::sendmsg(socket_, &message, kNoSignal);
    if (sent < 0 && errno == EINTR) continue;
    return sent == static_cast<ssize_t>(size);
  }
}

// With the lock, so that `end` never signals a process that has taken this one's number.
bool ServerProcess::reap() {
  const std::lock_guard lock(guard_);
  int status = 0;
  pid_t result = -1;
  do {
    result = ::waitpid(id_, &status, WNOHANG);
  } while (result < 0 && errno == EINTR);
  if (result == 0) return false;
  if (result == id_) status_ = status;  // unknown where the program ignores SIGCHLD
  ended_.store(true, std::memory_order_release);
  gone_.notify_all();
  return true;
}

void ServerProcess::reap_killed() {
  ::kill(id_, SIGKILL);
  while (!reap()) std::this_thread::sleep_for(kNap);
}

bool ServerProcess::take_messages(std::string& received) {
  std::array<char, 4096> piece;
  const ssize_t size = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
  if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return true;
  if (size <= 0) return false;
  received.append(piece.data(), static_cast<std::size_t>(size));
  LogHeader header;
  while (received.size() >= sizeof(header)) {
    std::memcpy(&header, received.data(), sizeof(header));
    if (header.bytes > kMostLogBytes) return false;
    if (received.size() < sizeof(header) + header.bytes) break;
    log_(header.level, received.substr(sizeof(header), header.bytes));
    received.erase(0, sizeof(header) + header.bytes);
  }
  return true;
}

void ServerProcess::listen() noexcept {
  try {
    std::string received;
    pollfd wait = {socket_, POLLIN, 0};
    while (!reap()) {
      ::poll(&wait, 1, kLookMilliseconds);
      if (wait.revents == 0 || take_messages(received)) continue;
      reap_killed();  // whoever closes its end has ended, is about to, or cannot be used any more
      break;
    }
  } catch (...) {  // no memory for a message
    reap_killed();
  }
  at_end_();
}

void ServerProcess::end(const std::string& reason) noexcept {
  std::unique_lock lock(guard_);
  if (!ended() && !killed_for_) {
    killed_for_ = reason;
    ::kill(id_, SIGKILL);
    ::shutdown(socket_, SHUT_RDWR);  // wakes the listening thread
  }
  gone_.wait(lock, [&] { return ended(); });
}

std::string ServerProcess::how_it_ended() const {
  const std::lock_guard lock(guard_);
  return killed_for_ ? *killed_for_ : describe_status(status_);
}

bool ServerProcess::was_killed() const {
  const std::lock_guard lock(guard_);
  return killed_for_.has_value();
}

}  // namespace switchyard::isolation
