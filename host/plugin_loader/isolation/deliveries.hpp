/// How far a stream has come, and what waits for that.
#pragma once

#include <cstdint>

#include "plugin_loader/isolation/proxies.hpp"

namespace switchyard::isolation {

/// An answer has told how far the stream has come.
void note_told(ProxyStream& stream, std::uint64_t completed);

/// Work with that number has been enqueued. The delivery, if there is one, is made once it has
/// completed, before the host is told so; at once where work is over when the call returns.
void note_enqueued(ProxyStream& stream, std::uint64_t sequence, Delivery delivery);

}  // namespace switchyard::isolation
