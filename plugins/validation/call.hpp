// One call of the host: what its args name is looked up, what is wrong with it noted, and it is
// passed on.
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plugin.hpp"
#include "switchyard/plugin/text.hpp"

namespace validation {

// Whether dead handles, those of before a recovery, may be named.
enum class Handling : uint8_t { uses, lets_go };

// Holds the plugin's mutex, but while the plugin is called.
class Call {
 public:
  template <typename Args>
  Call(Plugin& called, const char* slot, const Args& args, sy_error* error,
       Handling handling = Handling::uses)
      : Call(called, slot, args.struct_size, sizeof(Args), error, handling) {
    if constexpr (requires { args.reserved; }) {
      if (may_pass()) check_reserved(args.reserved);
    }
  }
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Plugin& plugin() { return plugin_; }
  const std::string& what() const { return what_; }
  void set_what(std::string what) { what_ = std::move(what); }

  template <typename... Pieces>
  void violation(Rule rule, const Pieces&... pieces) {
    add(rule, sy::text(what_, ": ", pieces...));
  }

  // The object of a handle; null, with a violation, if it does not live.
  std::shared_ptr<Device> find(sy_device handle, const char* kind = "device");
  std::shared_ptr<Stream> find(sy_stream handle);
  std::shared_ptr<Event> find(sy_event handle);
  std::shared_ptr<Kernel> find(sy_kernel handle);
  std::shared_ptr<Storage> find(const Device& device, sy_storage handle);

  // Whether a struct that the args point to is there, whole; if not, that is a violation, and there
  // is nothing that the call could be passed on with.
  template <typename Struct>
  bool check_given(const Struct* given, const char* what) {
    if (given != nullptr && given->struct_size >= sizeof(Struct)) return true;
    violation(Rule::args, what, given == nullptr ? " is null" : " is shorter than plugin.h has it");
    stop();
    return false;
  }
  void check_reserved(uint64_t reserved);

  // The host that the plugin was entered for; null, with a violation, for any other.
  std::shared_ptr<Entered> find(const sy_host* host);

  // The object is destroyed by this call: nobody else may use it meanwhile.
  void check_unused_by_calls(const Object& object, const char* kind);
  // The object belongs to the device.
  void check_owner(const Object& object, const Device& device, const char* kind);

  // From here on until the end this call drives the stream.
  void drive(const std::shared_ptr<Stream>& stream);

  // `recover` has made the handles of before dead, and this thread knows it.
  static void note_recovery(Device& device);

  // Whether it is to be passed on; if not, what to return.
  bool may_pass() const { return !is_broken_ && !(violations_ > 0 && stops_at_violations()); }
  sy_status refuse() const;
  // There is nothing that it could be passed on with.
  void stop() { is_broken_ = true; }

  // Calls the plugin, with the mutex free.
  template <typename Args>
  sy_status pass_on(sy_status (*slot)(Args*, sy_error*), Args& args) {
    args.struct_size = sizeof(Args);
    sy_status status = SY_BUG;
    {
      const Unlocked unlocked(lock_);
      pause();
      status = slot(&args, error_);
    }
    note_status(status);
    return status;
  }

 private:
  // Also where the plugin throws, which the host tells as it does without the layer.
  class Unlocked {
   public:
    explicit Unlocked(std::unique_lock<std::mutex>& lock) : lock_(lock) { lock_.unlock(); }
    ~Unlocked() { lock_.lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

   private:
    std::unique_lock<std::mutex>& lock_;
  };

  Call(Plugin& called, const char* slot, uint32_t size, size_t known_size, sy_error* error,
       Handling handling);

  void add(Rule rule, const std::string& text);
  void use(const std::shared_ptr<Object>& object, const char* kind);
  template <typename Handle, typename Thing>
  std::shared_ptr<Thing> look_up(const Handles<Handle, Thing>& handles, Handle handle,
                                 const char* kind);
  // Whose settings and log count.
  const Entered& entered() const;
  bool stops_at_violations() const { return entered().settings.on_violation == OnViolation::error; }
  void note_status(sy_status status);
  void pause() const;

  Plugin& plugin_;
  std::string what_;
  sy_error* error_;
  const Handling handling_;
  std::unique_lock<std::mutex> lock_;
  std::shared_ptr<Device> device_;
  std::shared_ptr<Entered> entered_;
  std::shared_ptr<Stream> driven_;
  const char* const slot_;
  std::vector<std::shared_ptr<Object>> used_;
  int violations_ = 0;
  bool is_short_ = false;  // its args, of which no more can be said
  bool is_broken_ = false;
  std::string first_;
};

// As long as it lives, the plugin is telling this thread that work is over.
class Telling {
 public:
  explicit Telling(const Plugin& plugin);
  ~Telling();
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

 private:
  const Plugin* const before_;
};

// A copy of args, of this header's size; what an older host left out is 0.
template <typename Args>
Args copy_of(const Args& args) {
  Args copy = {};
  std::memcpy(&copy, &args, std::min<size_t>(args.struct_size, sizeof(Args)));
  copy.struct_size = sizeof(Args);
  return copy;
}

}  // namespace validation
