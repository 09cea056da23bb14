/// How far a stream has come, and what waits for that.
#pragma once

#include <cstdint>

#include "plugin_loader/isolation/proxies.hpp"

namespace switchyard::isolation {

/// An answer has told how far the stream has come.
void note_told(ProxyStream& stream, std::uint64_t completed);

/// Work with that number has been enqueued. The delivery, if there is one, is made once it has
/// completed, before the host is told so; at once where work is over when the call returns. A
/// number that is not the stream's next abandons the stream: what it would deliver cannot be told.
void note_enqueued(ProxyStream& stream, std::uint64_t sequence, Delivery delivery);

/// Whether the host has been told that work up to a number is over, and has got what it delivers.
bool is_delivered(ProxyStream& stream, std::uint64_t sequence);

/// The stream's work is lost, or is taken for lost: nothing more is delivered, as the host may free
/// the memory that it would go to once it has heard. Blocks that the server may use stay until the
/// stream ends.
void abandon(ProxyStream& stream) noexcept;
void abandon_streams(ProxyDevice& device) noexcept;
bool is_abandoned(ProxyStream& stream);

}  // namespace switchyard::isolation
