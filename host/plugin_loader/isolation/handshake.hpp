/// What the two processes tell each other before the first call, and beside calls.
#pragma once

#include <switchyard/plugin.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>

namespace switchyard::isolation {

/// The first message on the socket, with the descriptor of the shared memory beside it. Both sides
/// are of one build; `version` tells those that are not, after half an installation.
struct Hello {
  char version[32] = {};
  std::uint64_t memory_address = 0;
  std::uint64_t memory_bytes = 0;
  std::uint32_t abi_version = SY_ABI_VERSION;
  std::uint32_t reserved = 0;
};

/// Each later message on the socket: where a new lane lies, for which the server starts a thread.
struct NewLane {
  std::uint64_t address = 0;
};

/// From the server: a message for the log, whose bytes follow.
struct LogHeader {
  std::int32_t level = 0;
  std::uint32_t bytes = 0;
};
constexpr std::uint32_t kMostLogBytes = 1u << 16;

/// What the host answers to Handover::allocate.
struct AllocateReply {
  std::int32_t status = 0;
  std::uint32_t reserved = 0;
  std::uint64_t storage = 0;
  std::uint64_t offset_bytes = 0;
};

/// Room for a descriptor beside a message; not everywhere is CMSG_SPACE a constant.
constexpr std::size_t kDescriptorRoom = 64;

/// Writing to a socket that nobody reads any more is an error, not a signal.
#ifdef MSG_NOSIGNAL
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;
#endif

}  // namespace switchyard::isolation
