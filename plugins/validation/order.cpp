#include "order.hpp"

#include <algorithm>
#include <utility>

namespace validation {
namespace {

bool works_at_once(const Device& device) { return device.is(SY_DEVICE_SYNCHRONOUS); }

// What a stream's own work knows besides is not of interest once the host knows it too.
void add_unseen(Knowledge& to, const Knowledge& from) {
  for (const auto& [stream, sequence] : from) {
    if (sequence <= stream->seen) continue;
    uint64_t& known = to[stream];
    known = std::max(known, sequence);
  }
}

void forget_seen(Storage& storage) {
  std::erase_if(storage.uses, [](const auto& entry) {
    return std::max(entry.second.read, entry.second.write) <= entry.first->seen;
  });
}

}  // namespace

void see(const std::shared_ptr<Stream>& stream, uint64_t sequence) {
  if (sequence <= stream->seen) return;
  stream->seen = sequence;
  std::vector<Order> before;
  std::erase_if(stream->orders, [&](Order& order) {
    if (order.after >= sequence) return false;
    before.push_back(std::move(order));
    return true;
  });
  for (const Order& order : before) see(order.stream, order.sequence);
}

void see_all(Plugin& plugin, const Device& device) {
  for (const auto& [number, stream] : plugin.streams.living()) {
    if (stream->device.get() == &device) see(stream, stream->last);
  }
}

void note_loss(Plugin& plugin, Device& device) {
  device.is_lost = true;
  if (plugin.inner.recover == nullptr) see_all(plugin, device);  // as it promises
}

uint64_t known_done(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Stream>& by) {
  if (stream->counter != nullptr) see(stream, __atomic_load_n(stream->counter, __ATOMIC_ACQUIRE));
  if (!by) return stream->seen;
  const auto found = by->ordered_after.find(stream);
  return found == by->ordered_after.end() ? stream->seen : std::max(stream->seen, found->second);
}

Knowledge knowledge_of(const Stream& stream) {
  Knowledge knowledge;
  add_unseen(knowledge, stream.ordered_after);
  return knowledge;
}

Knowledge knowledge_of(const Event& event) {
  Knowledge knowledge = event.ordered_after;
  uint64_t& recorded = knowledge[event.stream];
  recorded = std::max(recorded, event.sequence);
  return knowledge;
}

void order_after(Stream& stream, const Knowledge& knowledge) {
  std::erase_if(stream.ordered_after,
                [](const auto& entry) { return entry.second <= entry.first->seen; });
  add_unseen(stream.ordered_after, knowledge);
  for (const auto& [other, sequence] : knowledge) {
    if (sequence > other->seen) stream.orders.push_back({stream.last, other, sequence});
  }
}

Work::Work(Call& call, std::shared_ptr<Stream> stream, std::vector<StorageUse> uses)
    : call_(call),
      stream_(std::move(stream)),
      expected_(stream_->last + 1),
      is_at_once_(works_at_once(*stream_->device)) {
  std::vector<StorageUse> each;
  for (StorageUse& use : uses) {
    const auto same = std::find_if(each.begin(), each.end(), [&](const StorageUse& other) {
      return other.storage == use.storage;
    });
    if (same == each.end()) {
      each.push_back(std::move(use));
    } else if (use.access == Access::write) {
      same->access = Access::write;
    }
  }
  for (const StorageUse& use : each) note(use);
}

Work::~Work() {
  for (const Noted& noted : noted_) {
    Storage& storage = *noted.of.storage;
    if (is_at_once_) {
      --(noted.of.access == Access::write ? storage.writing : storage.reading);
    } else if (!is_enqueued_) {
      storage.uses[stream_] = noted.before;
    }
  }
}

void Work::add(const StorageUse& use) { note(use); }

void Work::enqueued(uint64_t sequence) {
  is_enqueued_ = true;
  if (is_at_once_) return;
  stream_->last = std::max(stream_->last, sequence);
  for (const Noted& noted : noted_) {
    Use& use = noted.of.storage->uses[stream_];
    (noted.of.access == Access::write ? use.write : use.read) = sequence;
  }
}

void Work::note(const StorageUse& use) {
  note_late(use);
  if (is_at_once_) note_at_once(use);
}

// Work of streams that are late may be of another device, whose memory this one reaches.
void Work::note_late(const StorageUse& of) {
  Storage& storage = *of.storage;
  const bool writes = of.access == Access::write;
  if (storage.home && storage.home != stream_ &&
      storage.fresh_after > known_done(storage.home, stream_)) {
    call_.violation(Rule::order, "stream ", stream_->id, " uses storage ", storage.id,
                    ", whose memory work of stream ", storage.home->id, " up to number ",
                    storage.fresh_after, " may still use: it was allocated for that stream");
  }
  if (storage.ready && known_done(storage.ready, stream_) == 0) {
    call_.violation(Rule::order, "stream ", stream_->id, " uses storage ", storage.id,
                    ", which was imported with an event that another stream waits for");
  }
  for (const auto& [other, use] : storage.uses) {
    if (other == stream_) continue;
    const uint64_t before = writes ? std::max(use.read, use.write) : use.write;
    const uint64_t done = known_done(other, stream_);
    if (before <= done) continue;
    call_.violation(Rule::order, "number ", expected_, " of stream ", stream_->id,
                    writes ? " writes" : " reads", " storage ", storage.id, ", which ", use.what,
                    ", number ", before, " of stream ", other->id,
                    ", uses; known to be over: ", done);
  }
  if (is_at_once_) return;
  forget_seen(storage);
  Use& use = storage.uses[stream_];
  noted_.push_back({of, use});
  (writes ? use.write : use.read) = expected_;
  use.what = call_.what();
}

void Work::note_at_once(const StorageUse& of) {
  Storage& storage = *of.storage;
  const bool writes = of.access == Access::write;
  if (storage.writing > 0 || (writes && storage.reading > 0)) {
    call_.violation(Rule::order, "it ", writes ? "writes" : "reads", " storage ", storage.id,
                    ", which another call ", storage.writing > 0 ? "writes" : "reads",
                    " at the same time");
  }
  ++(writes ? storage.writing : storage.reading);
  noted_.push_back({of, {}});
}

void check_unused(Call& call, Rule rule, const Storage& storage, bool for_reading,
                  const std::shared_ptr<Stream>& but, const char* kind) {
  for (const auto& [stream, use] : storage.uses) {
    if (stream == but) continue;
    const uint64_t last = for_reading ? use.write : std::max(use.read, use.write);
    const uint64_t done = known_done(stream, but);
    if (last <= done) continue;
    call.violation(rule, kind, " ", storage.id, " is used by ", use.what, ", number ", last,
                   " of stream ", stream->id, "; known to be over: ", done);
  }
}

}  // namespace validation
