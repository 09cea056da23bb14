// A child of fork() has none of the threads that serve a device, neither Apple's nor those of the
// software device: what waits for them waits for ever.
#pragma once

namespace mps {

// To be called before a device is opened. Children that this process forks from then on are told
// apart.
void watch_forks();

// Whether this process was forked by one that had opened a device.
bool is_forked_child();

}  // namespace mps
