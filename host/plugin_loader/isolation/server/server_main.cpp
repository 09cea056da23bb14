// switchyard-device-server HOST: serves one plugin to the process HOST, which started this one with
// a socket as its standard input. It ends when that process does, however that ends, and by itself
// never.

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "plugin_loader/isolation/handshake.hpp"
#include "plugin_loader/isolation/server/server.hpp"
#include "plugin_loader/plain_crash.hpp"

namespace {

using namespace switchyard::isolation;

[[noreturn]] void give_up(const char* why) {
  static constexpr char name[] = "switchyard-device-server: ";
  const bool told = ::write(STDERR_FILENO, name, sizeof(name) - 1) >= 0 &&
                    ::write(STDERR_FILENO, why, std::strlen(why)) >= 0 &&
                    ::write(STDERR_FILENO, "\n", 1) >= 0;
  std::_Exit(told ? 2 : 3);
}

/// What the host has open beside its standard streams is none of this process's.
void close_inherited(int kept) {
  std::vector<int> open;
  DIR* const folder = ::opendir("/dev/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = ::readdir(folder)) {
    const int descriptor = std::atoi(entry->d_name);
    if (descriptor > STDERR_FILENO && descriptor != kept && descriptor != ::dirfd(folder)) {
      open.push_back(descriptor);
    }
  }
  ::closedir(folder);
  for (const int descriptor : open) ::close(descriptor);
}

/// The plugin finds an empty standard input.
int take_socket() {
  const int socket = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (socket < 0 || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) {
    give_up("standard input is not a socket; this program is started by Switchyard alone");
  }
  close_inherited(socket);
  return socket;
}

/// Signals for the host's whole group are the host's to act on.
void set_signals() {
  for (const int signal : {SIGINT, SIGHUP, SIGQUIT, SIGTERM}) std::signal(signal, SIG_IGN);
  switchyard::crash_plainly();
}

/// Reads `size` bytes, and the descriptor that came with them. Ends the process with its host:
/// while it waits it looks whether its host still is its parent, as a child of the host's may hold
/// the other end of the socket open.
int receive(int socket, pid_t host, void* into, std::size_t size) {
  constexpr int kLookMilliseconds = 1000;
  int descriptor = -1;
  for (std::size_t received = 0; received < size;) {
    pollfd wait = {socket, POLLIN, 0};
    ::poll(&wait, 1, kLookMilliseconds);
    if (::getppid() != host) std::_Exit(0);
    if (wait.revents == 0) continue;
    iovec part = {static_cast<char*>(into) + received, size - received};
    alignas(cmsghdr) std::array<char, kDescriptorRoom> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t now = ::recvmsg(socket, &message, 0);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) std::_Exit(0);
    received += static_cast<std::size_t>(now);
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
      ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
  }
  return descriptor;
}

/// Starts a thread for each lane that the host makes.
[[noreturn]] void serve(int socket, pid_t host) {
  Hello hello;
  const int memory = receive(socket, host, &hello, sizeof(hello));
  if (std::strcmp(hello.version, SWITCHYARD_VERSION) != 0 || hello.abi_version != SY_ABI_VERSION) {
    give_up("it is of another version than the program that started it; install Switchyard again");
  }
  // Never destroyed: threads use them until the process ends.
  static const SharedMemory& shared =
      *new SharedMemory(memory, hello.memory_address, hello.memory_bytes);
  static ServedPlugin& plugin = *new ServedPlugin(socket);
  for (;;) {
    NewLane lane;
    receive(socket, host, &lane, sizeof(lane));
    if (!shared.holds(reinterpret_cast<const void*>(lane.address), sizeof(LaneState))) {
      give_up("a lane lies outside of the shared memory");
    }
    std::thread(serve_lane, std::ref(plugin), std::ref(*reinterpret_cast<LaneState*>(lane.address)))
        .detach();
  }
}

}  // namespace

int main(int count, char** words) try {
  if (count != 2) give_up("it takes the number of the process that it serves");
  const auto host = static_cast<pid_t>(std::strtol(words[1], nullptr, 10));
  const int socket = take_socket();
  set_signals();
  serve(socket, host);
} catch (const std::exception& failure) {
  give_up(failure.what());
}
