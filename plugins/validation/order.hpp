// Happens-before: which work is known to be over, and whether what is done to a storage comes after
// all that it must come after. The plugin's mutex is held by whoever calls.
#pragma once

#include <string>

#include "call.hpp"

namespace validation {

enum class Access : uint8_t { read, write };

// A storage that a call uses, for which it is found once.
struct StorageUse {
  std::shared_ptr<Storage> storage;
  Access access;
};

// The host knows that work of the stream up to this number has completed, and with it all that this
// work waited for.
void see(const std::shared_ptr<Stream>& stream, uint64_t sequence);

// No work of the device runs any more.
void see_all(Plugin& plugin, const Device& device);
// The plugin has said that the device is lost.
void note_loss(Plugin& plugin, Device& device);

// Up to which number the work of `stream` is known to be over: for whoever enqueues on `by` from
// now on, or, where it is null, for the host.
uint64_t known_done(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Stream>& by);

// What is known at the stream's next number: for an event that is recorded.
Knowledge knowledge_of(const Stream& stream);
// What is over when a recorded event is.
Knowledge knowledge_of(const Event& event);
// Later work of the stream comes after all this.
void order_after(Stream& stream, const Knowledge& knowledge);

// A piece of work, from before it is enqueued until it is.
class Work {
 public:
  // Checks that the work of other streams that it must come after is known to be over.
  Work(Call& call, std::shared_ptr<Stream> stream, std::vector<StorageUse> uses);
  ~Work();  // it was not enqueued, unless `enqueued` was called
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // One more storage, while the plugin is called.
  void add(const StorageUse& use);
  void enqueued(uint64_t sequence);

 private:
  struct Noted {
    StorageUse of;
    Use before;
  };

  void note(const StorageUse& use);
  void note_late(const StorageUse& use);
  void note_at_once(const StorageUse& use);

  Call& call_;
  const std::shared_ptr<Stream> stream_;
  const uint64_t expected_;  // the number that it will have
  const bool is_at_once_;    // it is over when the call returns
  std::vector<Noted> noted_;
  bool is_enqueued_ = false;
};

// Checks that no work uses the storage that is not known to be over. `for_reading`: work that reads
// it may go on. `but` may use it, and all that it comes after. `kind`: what the storage is.
void check_unused(Call& call, Rule rule, const Storage& storage, bool for_reading,
                  const std::shared_ptr<Stream>& but, const char* kind = "storage");

}  // namespace validation
