/// A plugin that another process serves, and the table of functions that stands for it here.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/ops.h>
#include <switchyard/plugin.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugin_loader/entered_library.hpp"
#include "plugin_loader/isolation/arena.hpp"
#include "plugin_loader/isolation/carried_start.hpp"
#include "plugin_loader/isolation/child.hpp"
#include "plugin_loader/isolation/proxies.hpp"

namespace switchyard::isolation {

/// How a plugin is isolated.
struct IsolationTerms {
  std::filesystem::path program;          // switchyard-device-server
  std::chrono::milliseconds deadline;     // of a call; 0: none
  std::chrono::milliseconds start_limit;  // of loading, entering and probing, each
};

/// What a probe said, and the devices as the host sees them.
struct Probed {
  KeptAnswer answer;
  sy_probe_args args = {};
  std::vector<sy_device_info> devices = {};
  std::vector<bool> in_shared_memory = {};
};

/// Starts its process when it is made, and another one when it is asked to recover after that has
/// ended. All its functions may be called from any thread.
class IsolatedPlugin {
 public:
  /// Has the library opened, entered and probed in a process of its own. `host` lives as long as
  /// the program. Throws LoadError.
  IsolatedPlugin(const LibraryFile& file, EntryTerms terms, IsolationTerms isolation,
                 const sy_host& host);
  ~IsolatedPlugin();
  IsolatedPlugin(const IsolatedPlugin&) = delete;
  IsolatedPlugin& operator=(const IsolatedPlugin&) = delete;

  /// The entry of the table that stands for this, for the next call on this thread: an entry's args
  /// do not say whose it is. What the table says of itself is valid as long as this.
  sy_plugin_entry entry_on_this_thread();
  Arena& arena() noexcept { return arena_; }

  /// The one that serves now; ended or not.
  Child& child() noexcept { return *current_.load(std::memory_order_acquire); }
  /// One that has not ended: a new one if the last has. Throws LoadError, also where the library's
  /// file is no longer the one that was checked; and StaleHandle in a child of fork().
  Child& living_child();
  /// Asks what devices there are, and says it as the host is to see them.
  sy_status probe(sy_probe_args& args, sy_error* error);
  /// Opens or reopens a device in `child`.
  sy_status open(ProxyDevice& device, Child& child, sy_error* error);
  /// Null where the index is none of a device's.
  std::unique_ptr<ProxyDevice> new_device(std::uint32_t index);

  /// Blocks of shared memory that are storages, and who imported them.
  void note_storage(std::uint64_t storage, Child& child);
  Child* take_storage(std::uint64_t storage);  // null: not one of them

  /// The handle of a packed constant, with one reference more.
  sy_constant intern(Child& child, sy_constant remote);
  /// One reference less.
  void forget(ProxyConstant& constant) noexcept;

  /// The plugin that was entered with this, and one that has the op; null if there is none.
  static IsolatedPlugin* find(const sy_host* host);
  static std::pair<IsolatedPlugin*, std::uint32_t> find_op(const sy_node& node);

 private:
  static sy_status enter_here(sy_entry_args* args, sy_error* error);
  static thread_local IsolatedPlugin* entering;

  std::unique_ptr<Child> start(const LibraryFile& file);
  const Probed& keep(Probed probed);  // with guard_
  void load(Child& child);
  void enter(Child& child);
  sy_status list_devices(Child& child, sy_probe_args& args, sy_error* error);
  void make_table();
  void add_extensions();

  const std::filesystem::path path_;
  const FileIdentity identity_;
  const EntryTerms terms_;
  const IsolationTerms isolation_;
  const sy_host& host_;
  Arena arena_;

  trace::QuietMutex starting_;
  std::vector<std::unique_ptr<Child>> children_;  // all that ever were: handles name them
  std::atomic<Child*> current_{nullptr};

  KeptAnswer entered_answer_;  // of the first process: what follows points there
  EnterArgs entered_;
  sy_plugin table_ = {};
  const sy_host* entered_with_ = nullptr;
  sy_kernel_compiler compiler_ = {};
  std::vector<sy_op> ops_;
  sy_op_list op_list_ = {};

  mutable trace::QuietMutex guard_;
  std::deque<Probed> probed_;  // each distinct answer: the host may have kept what points there
  const Probed* latest_ = nullptr;
  std::unordered_map<std::uint64_t, Child*> storages_;
  std::map<std::pair<Child*, std::uint64_t>, std::unique_ptr<ProxyConstant>> constants_;
};

/// The functions of the table that stands for an isolated plugin; slots that the plugin lacks are
/// null.
sy_plugin proxy_slots(std::uint64_t slots);
sy_status proxy_compile(sy_compile_args* args, sy_error* error);
sy_status proxy_infer_shapes(sy_infer_shapes_args* args, sy_error* error);

}  // namespace switchyard::isolation
