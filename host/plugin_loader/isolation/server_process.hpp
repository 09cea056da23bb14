/// The process that serves a plugin: starting it, and knowing when and how it ended.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace switchyard::isolation {

/// One run of switchyard-device-server. A thread of this process listens to it: for messages, and
/// for its end. Its end is this process's to notice, and the other way round: whichever goes first,
/// however that may be, the server is gone soon after.
class ServerProcess {
 public:
  using Log = std::function<void(std::int32_t level, const std::string& message)>;

  /// Starts it, connected by a socket. `log` takes what threads of the plugin say while no call is
  /// under way; `at_end` is called once it has ended; both on the listening thread. Throws
  /// std::system_error.
  ServerProcess(const std::filesystem::path& program, Log log, std::function<void()> at_end);
  /// Ends it and waits until it has gone.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  pid_t id() const noexcept { return id_; }

  /// Sends bytes, and a descriptor beside them if there is one. False once it has ended.
  bool send(const void* bytes, std::size_t size, int descriptor = -1) noexcept;

  bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// Kills it for a reason, unless it has ended by itself, and waits until it has gone.
  void end(const std::string& reason) noexcept;
  /// "crashed (signal 11, SIGSEGV)", "ended with exit status 3", or the reason it was killed for.
  std::string how_it_ended() const;
  /// Once it has ended: gives back what it used here, a thread and a descriptor.
  void clean_up() noexcept;
  /// Whether `end` ended it.
  bool was_killed() const;
  /// Whether this process is a forked child of the one that started it: then it is another's.
  bool is_anothers() const noexcept;

 private:
  void spawn(const std::filesystem::path& program);
  void listen() noexcept;
  bool take_messages(std::string& received);
  bool reap();         // true once it has gone; of the listening thread
  void reap_killed();  // the same of one that was killed

  const Log log_;
  const std::function<void()> at_end_;
  mutable std::mutex socket_guard_;
  int socket_ = -1;  // closed with socket_guard_; -1 then
  pid_t id_ = -1;
  std::uint32_t forks_ = 0;
  std::atomic<bool> ended_{false};
  mutable std::mutex guard_;
  std::condition_variable gone_;
  std::optional<int> status_;              // with guard_, as waitpid gives it
  std::optional<std::string> killed_for_;  // with guard_
  std::thread listener_;
};

}  // namespace switchyard::isolation
