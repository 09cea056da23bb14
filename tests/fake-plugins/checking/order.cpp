#include "order.hpp"

#include <algorithm>

#include "violations.hpp"

namespace checking {

uint64_t known_done(const Stream& stream, const Stream* by) {
  uint64_t done = stream.device->settings.shows_counter ? stream.state->completed() : stream.seen;
  if (by == nullptr) return done;
  const auto found = by->ordered_after.find(&stream);
  return found == by->ordered_after.end() ? done : std::max(done, found->second);
}

namespace {

void check_first_use(const Stream& stream, const Storage& storage, const std::string& what) {
  if (storage.home == nullptr || storage.home == &stream) return;
  if (storage.fresh_after <= known_done(*storage.home, &stream)) return;
  violation(what, " on stream ", stream.id, " uses storage ", storage.id,
            ", whose memory work of stream ", storage.home->id, " up to ", storage.fresh_after,
            " may still use");
}

}  // namespace

void note_use(Stream& stream, uint64_t sequence, Storage& storage, Access access,
              const std::string& what) {
  const bool writes = access == Access::write;
  check_first_use(stream, storage, what);
  for (const auto& [other, use] : storage.uses) {
    if (other == &stream) continue;
    const uint64_t before = writes ? std::max(use.read, use.write) : use.write;
    const uint64_t done = known_done(*other, &stream);
    if (before <= done) continue;
    violation(what, ", number ", sequence, " of stream ", stream.id,
              writes ? ", writes" : ", reads", " storage ", storage.id, ", which ", use.what,
              ", number ", before, " of stream ", other->id, ", uses; known to be done: ", done);
  }
  Use& use = storage.uses[&stream];
  (writes ? use.write : use.read) = sequence;
  use.what = what;
}

void check_unused(const Storage& storage, bool for_reading, const Stream* but,
                  const std::string& what) {
  for (const auto& [stream, use] : storage.uses) {
    if (stream == but) continue;
    const uint64_t last = for_reading ? use.write : std::max(use.read, use.write);
    const uint64_t done = known_done(*stream, but);
    if (last <= done) continue;
    violation(what, ": storage ", storage.id, " is used by ", use.what, ", number ", last,
              " of stream ", stream->id, "; known to be done: ", done);
  }
}

}  // namespace checking
