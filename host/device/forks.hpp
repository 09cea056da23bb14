#pragma once

#include <cstdint>

namespace switchyard {

/// Has fork_count() count the forks from now on.
void watch_forks();

/// How many forks lie between the process that first watched them and this one. A child of fork()
/// has none of the threads that serve a device: what waits for them waits for ever.
std::uint32_t fork_count() noexcept;

}  // namespace switchyard
