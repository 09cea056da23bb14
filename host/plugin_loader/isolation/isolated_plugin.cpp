#include "plugin_loader/isolation/isolated_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <system_error>

#include "memory/machine_memory.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/option_text.hpp"
#include "trace/log.hpp"

namespace switchyard::isolation {

thread_local IsolatedPlugin* IsolatedPlugin::entering = nullptr;

namespace {

// What takes no memory before it is used may be large: addresses are cut into blocks, and these
// into pieces as they are given back.
std::size_t arena_bytes() {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 36, kMost = std::uint64_t{1} << 43;
  const std::uint64_t memory = std::min(machine_memory(), kMost / 4);
  return static_cast<std::size_t>(std::max(std::bit_ceil(4 * memory), kLeast));
}

trace::QuietMutex& plugins_guard() {
  static auto& guard = *new trace::QuietMutex;
  return guard;
}

std::vector<IsolatedPlugin*>& plugins() {
  static auto& all = *new std::vector<IsolatedPlugin*>;
  return all;
}

void check(const Refusal& refusal) {
  if (refusal.problem == Refusal::kNone) return;
  constexpr auto kLast = static_cast<std::int32_t>(LoadProblem::wrong_ops);
  const auto text = [](const char* given) { return std::string(given == nullptr ? "" : given); };
  throw LoadError(static_cast<LoadProblem>(std::clamp(refusal.problem, 0, kLast)),
                  text(refusal.reason), text(refusal.remedy));
}

/// Whether its storages can be blocks of shared memory.
bool has_shared_memory(const sy_device_info& info) {
  return info.memory_kind == SY_MEMORY_ADDRESS && (info.flags & SY_DEVICE_IMPORTS_HOST_MEMORY) != 0;
}

/// The device as the host is to see it.
sy_device_info as_shown(const sy_device_info& device) {
  sy_device_info shown = device;
  shown.flags &= ~std::uint32_t{SY_DEVICE_IMPORTS_HOST_MEMORY};
  if (has_shared_memory(device)) {
    shown.flags &= ~std::uint32_t{SY_DEVICE_CACHES_MEMORY};
  } else {
    shown.memory_kind = SY_MEMORY_OPAQUE;
    shown.dlpack_device_type = 0;
  }
  return shown;
}

bool equal(const char* left, const char* right) {
  return std::strcmp(left == nullptr ? "" : left, right == nullptr ? "" : right) == 0;
}

}  // namespace

IsolatedPlugin::IsolatedPlugin(const LibraryFile& file, EntryTerms terms, IsolationTerms isolation,
                               const sy_host& host)
    : path_(file.path()),
      identity_(file.identity()),
      terms_(std::move(terms)),
      isolation_(std::move(isolation)),
      host_(host),
      arena_(arena_bytes()) {
  std::unique_ptr<Child> first = start(file);
  make_table();
  current_.store(first.get(), std::memory_order_release);
  children_.push_back(std::move(first));
  const std::lock_guard lock(plugins_guard());
  plugins().push_back(this);
}

IsolatedPlugin::~IsolatedPlugin() {
  const std::lock_guard lock(plugins_guard());
  std::erase(plugins(), this);
}

sy_plugin_entry IsolatedPlugin::entry_on_this_thread() {
  entering = this;
  return enter_here;
}

sy_status IsolatedPlugin::enter_here(sy_entry_args* args, sy_error*) {
  IsolatedPlugin& plugin = *entering;
  args->plugin = &plugin.table_;
  const std::lock_guard lock(plugins_guard());
  plugin.entered_with_ = args->host;
  return SY_OK;
}

IsolatedPlugin* IsolatedPlugin::find(const sy_host* host) {
  const std::lock_guard lock(plugins_guard());
  const auto found = std::find_if(plugins().begin(), plugins().end(), [&](const auto* plugin) {
    return plugin->entered_with_ == host;
  });
  return found == plugins().end() ? nullptr : *found;
}

std::pair<IsolatedPlugin*, std::uint32_t> IsolatedPlugin::find_op(const sy_node& node) {
  const std::lock_guard lock(plugins_guard());
  for (IsolatedPlugin* plugin : plugins()) {
    for (std::uint32_t i = 0; i < plugin->ops_.size(); ++i) {
      const sy_op& op = plugin->ops_[i];
      if (op.version == node.version && equal(op.name, node.op) && equal(op.domain, node.domain)) {
        return {plugin, i};
      }
    }
  }
  return {nullptr, 0};
}

std::unique_ptr<Child> IsolatedPlugin::start(const LibraryFile& file) {
  std::unique_ptr<Child> child;
  try {
    child = std::make_unique<Child>(
        arena_, ChildTerms{isolation_.program, terms_.plugin, isolation_.deadline, &host_});
  } catch (const std::system_error& error) {
    throw LoadError(
        LoadProblem::not_opened, fmt::format("its own process did not start: {}", error.what()),
        fmt::format("Install Switchyard again, or take plugins.{}.isolation out.", terms_.plugin));
  }
  load(*child);
  file.check_unchanged();
  enter(*child);
  sy_probe_args args{};
  args.struct_size = sizeof(args);
  sy_error error{};
  error.struct_size = sizeof(error);
  if (list_devices(*child, args, &error) == SY_DEVICE_LOST && child->ended()) {
    throw LoadError(LoadProblem::crashed, error.message, "Install another build of the plugin.");
  }
  return child;
}

void IsolatedPlugin::load(Child& child) {
  const std::string options = to_text(terms_.options), library = path_.string();
  LoadArgs args;
  args.plugin = terms_.plugin.c_str();
  args.library = library.c_str();
  args.options = options.c_str();
  args.thread_limit = terms_.thread_limit;
  sy_error error{};
  KeptAnswer answer;
  const CallContext context{.limit = isolation_.start_limit};
  if (child.call(Call::load, args, &error, context, &answer) != SY_OK) {
    throw LoadError(LoadProblem::crashed, error.message, "Install another build of the plugin.");
  }
  check(args.refusal);
}

void IsolatedPlugin::enter(Child& child) {
  EnterArgs args;
  sy_error error{};
  KeptAnswer answer;
  const CallContext context{.limit = isolation_.start_limit};
  if (child.call(Call::enter, args, &error, context, &answer) != SY_OK) {
    throw LoadError(LoadProblem::crashed, error.message, "Install another build of the plugin.");
  }
  check(args.refusal);
  if (!children_.empty()) return;
  entered_answer_ = std::move(answer);
  entered_ = args;
}

sy_status IsolatedPlugin::list_devices(Child& child, sy_probe_args& args, sy_error* error) {
  Probed probed;
  probed.args.struct_size = sizeof(probed.args);
  const CallContext context{.limit = isolation_.start_limit};
  const sy_status status = child.call(Call::probe, probed.args, error, context, &probed.answer);
  if (status != SY_OK) return status;
  const std::lock_guard lock(guard_);
  latest_ = &keep(std::move(probed));
  const sy_host* const host = args.host;
  args = latest_->args;
  args.host = host;
  return SY_OK;
}

const Probed& IsolatedPlugin::keep(Probed probed) {
  const auto same = std::find_if(probed_.begin(), probed_.end(), [&](const Probed& known) {
    return known.answer.bytes == probed.answer.bytes;
  });
  if (same != probed_.end()) return *same;
  for (std::uint32_t i = 0; i < probed.args.device_count; ++i) {
    const sy_device_info& info = probed.args.devices[i];
    probed.in_shared_memory.push_back(has_shared_memory(info));
    probed.devices.push_back(as_shown(info));
  }
  Probed& kept = probed_.emplace_back(std::move(probed));
  kept.args.devices = kept.devices.data();
  return kept;
}

sy_status IsolatedPlugin::probe(sy_probe_args& args, sy_error* error) {
  return list_devices(living_child(), args, error);
}

Child& IsolatedPlugin::living_child() {
  const std::lock_guard lock(starting_);
  child().check_is_own();
  if (!child().ended()) return child();
  child().clean_up();
  const LibraryFile file(path_);
  if (file.identity() != identity_) {
    throw LoadError(LoadProblem::not_trusted,
                    fmt::format("{} has changed since it was checked and loaded", path_.string()),
                    "Start the program again to have the new one checked and loaded.");
  }
  trace::info("plugin '{}': {}; another one is started", terms_.plugin, child().how_it_ended());
  std::unique_ptr<Child> next = start(file);
  Child& started = *next;
  children_.push_back(std::move(next));
  current_.store(&started, std::memory_order_release);
  return started;
}

std::unique_ptr<ProxyDevice> IsolatedPlugin::new_device(std::uint32_t index) {
  const std::lock_guard lock(guard_);
  if (latest_ == nullptr || index >= latest_->devices.size()) return nullptr;
  return std::unique_ptr<ProxyDevice>(
      new ProxyDevice{*this, index, latest_->devices[index], latest_->in_shared_memory[index]});
}

sy_status IsolatedPlugin::open(ProxyDevice& device, Child& child, sy_error* error) {
  sy_open_device_args args{};
  args.struct_size = sizeof(args);
  args.index = device.index;
  const std::string subject = std::to_string(device.index);
  const sy_status status =
      child.call(Call::open_device, args, error, CallContext{.subject = subject});
  if (status != SY_OK || args.device == nullptr) return status;
  const std::lock_guard lock(guard_);
  device.opened.push_back({&child, reinterpret_cast<std::uint64_t>(args.device)});
  device.current.store(&device.opened.back(), std::memory_order_release);
  return SY_OK;
}

void IsolatedPlugin::note_storage(std::uint64_t storage, Child& child) {
  const std::lock_guard lock(guard_);
  storages_[storage] = &child;
}

Child* IsolatedPlugin::take_storage(std::uint64_t storage) {
  const std::lock_guard lock(guard_);
  const auto found = storages_.find(storage);
  if (found == storages_.end()) return nullptr;
  Child* const child = found->second;
  storages_.erase(found);
  return child;
}

sy_constant IsolatedPlugin::intern(Child& child, sy_constant remote) {
  if (remote == nullptr) return nullptr;
  const auto handle = reinterpret_cast<std::uint64_t>(remote);
  const std::lock_guard lock(guard_);
  std::unique_ptr<ProxyConstant>& constant = constants_[{&child, handle}];
  if (!constant) constant = std::make_unique<ProxyConstant>(ProxyConstant{{&child, handle}, 0});
  ++constant->references;
  return reinterpret_cast<sy_constant>(constant.get());
}

void IsolatedPlugin::forget(ProxyConstant& constant) noexcept {
  const std::lock_guard lock(guard_);
  if (--constant.references == 0) constants_.erase({constant.child, constant.handle});
}

void IsolatedPlugin::make_table() {
  table_ = proxy_slots(entered_.slots);
  table_.name = entered_.name;
  table_.version = entered_.version;
  table_.build = entered_.build;
  add_extensions();
}

void IsolatedPlugin::add_extensions() {
  if (entered_.language != nullptr) {
    compiler_.link = {sizeof(compiler_), SY_EXTENSION_KERNEL_COMPILER, table_.extensions};
    compiler_.language = entered_.language;
    compiler_.compile = proxy_compile;
    table_.extensions = &compiler_.link;
  }
  if (entered_.op_count == 0) return;
  for (std::uint32_t i = 0; i < entered_.op_count; ++i) {
    sy_op& op = ops_.emplace_back(entered_.ops[i].op);
    op.struct_size = sizeof(op);
    op.infer_shapes = proxy_infer_shapes;
  }
  op_list_.link = {sizeof(op_list_), SY_EXTENSION_OPS, table_.extensions};
  op_list_.ops = ops_.data();
  op_list_.count = entered_.op_count;
  table_.extensions = &op_list_.link;
}

}  // namespace switchyard::isolation
