// The boundary: the entries of the table, each a line or two over device.hpp and kernel.hpp.
#include "table.hpp"

#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "behaviour.hpp"
#include "device.hpp"
#include "entry.hpp"
#include "exchange.hpp"
#include "kernel.hpp"
#include "own_ops.hpp"
#include "switchyard/plugin/claims.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/log.hpp"
#include "switchyard/plugin/stream_entries.hpp"
#include "switchyard/plugin/text.hpp"
#include "switchyard/plugin/verdict.hpp"
#include "switchyard/plugin/writer.hpp"

namespace fake {
namespace {

Device& device_of(sy_device handle) { return *reinterpret_cast<Device*>(handle); }
Stream& stream_of(sy_stream handle) { return *reinterpret_cast<Stream*>(handle); }
bool caches_memory() { return (behaviour.device_flags & SY_DEVICE_CACHES_MEMORY) != 0; }
Kernel& kernel_of(sy_kernel handle) { return *reinterpret_cast<Kernel*>(handle); }

std::atomic<uint32_t> failures{0};
std::atomic<const char*> broken_since{nullptr};

// What an entry does first: blocks if it is the variant's to do so, and throws if it is the one
// that fails, and has not done so enough.
void fail_at_first(std::string_view entry) {
  block_if_asked(entry);
  if (entry != behaviour.failing || failures >= behaviour.failures) return;
  ++failures;
  throw sy::Failure(behaviour.failure, SY_REASON_NONE, sy::text("the fake's ", entry, " fails"));
}

uint64_t shown(uint64_t sequence) {
  if (behaviour.numbering == Numbering::forgotten) return 0;
  return behaviour.numbering == Numbering::jumping ? sequence + 1000 : sequence;
}

// What a call does to the process that it must leave as it is.
void disturb_process() {
  static int opened = 0;
  if (lies(Lie::changes_folder) && ::chdir("/") != 0) throw sy::bug("no folder");
  if (lies(Lie::changes_locale)) std::setlocale(LC_ALL, "C.UTF-8");
  if (lies(Lie::takes_signals)) std::signal(SIGUSR1, [](int) {});
  if (lies(Lie::leaks_files)) static_cast<void>(::dup(STDERR_FILENO));
  if (lies(Lie::opens_once) && ++opened > 1) throw sy::bug("the fake opens once");
}

template <typename Args>
void check_form(const Args& args) {
  if (lies(Lie::wants_exact_sizes) && args.struct_size != sizeof(Args)) {
    throw sy::invalid("the fake wants ", sizeof(Args), " bytes, not ", args.struct_size);
  }
  if (lies(Lie::wants_no_extensions) && args.extensions != nullptr) {
    throw sy::unsupported(SY_REASON_LIMIT, "the fake knows no extensions");
  }
}

void log_opening(const sy_host& host) {
  sy::Log(host).warn("the fake opens a device");
  std::thread([&host] { sy::Log(host).warn("a thread of the fake says so, too"); }).join();
}

sy_status open_device(sy_open_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (behaviour.logs) log_opening(*args->host);
    while (behaviour.logs_for_ever) sy::Log(*args->host).debug("the fake is still at it");
    act(behaviour.open, nullptr);
    fail_at_first("open_device");
    disturb_process();
    check_form(*args);
    if (args->index >= behaviour.devices && !lies(Lie::opens_any_device))
      throw sy::invalid("no device ", args->index);
    if (!behaviour.available) throw sy::unsupported(SY_REASON_OS, "the fake has no device");
    args->device = reinterpret_cast<sy_device>(new Device(args->listener));
  });
}

sy_status close_device(sy_device_args* args, sy_error* error) {
  failures = 0;
  return sy::guard(error, [&] {
    act(behaviour.close, nullptr);
    delete &device_of(args->device);
  });
}

sy_status recover(sy_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (lies(Lie::recovers_broken)) broken_since = "it has recovered";
    device_of(args->device).recover();
    static std::atomic<int> times{0};
    if (lies(Lie::recovers_once) && ++times > 1) broken_since = "it has recovered twice";
  });
}

std::atomic<uint32_t> times_left{0};

sy_status leave(sy_leave_args*, sy_error*) {
  ++times_left;
  return SY_OK;
}

sy_status report(sy_report_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (args->device != nullptr && lies(Lie::report_not_utf8)) {
      sy::write(*args->writer, "caf\xe9");
    }
    sy::write(*args->writer, args->device == nullptr
                                 ? sy::text("left ", times_left.load(), " times\n")
                                 : device_of(args->device).report());
  });
}

// The first thing that a failing allocation does wrong, if it is the variant's to do so.
sy_status misreport(sy_allocate_args& args, sy_error* error, sy_status status) {
  if (status == SY_OK) return status;
  if (lies(Lie::writes_args_of_failure)) args.storage = 1;
  if (lies(Lie::needs_error)) error->reason = SY_REASON_MEMORY;
  if (error == nullptr) return status;
  if (lies(Lie::writes_wrong_error)) error->status = SY_BUG;
  if (lies(Lie::unterminated_error)) std::memset(error->message, 'x', sizeof(error->message));
  return status;
}

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  if (lies(Lie::writes_error_always) && error != nullptr) error->status = SY_OK;
  const sy_status status = sy::guard(error, [&] {
    check_form(*args);
    const bool has_home = args->stream != nullptr && (caches_memory() || lies(Lie::binds_storages));
    const Stream* home = has_home ? &stream_of(args->stream) : nullptr;
    args->storage = device_of(args->device).memory.allocate(args->size_bytes, home);
  });
  return misreport(*args, error, status);
}

sy_status release(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    fail_at_first("release");
    Device& device = device_of(args->device);
    // Work of this stream may still use it, that of no other.
    if (!lies(Lie::releases_at_once)) device.finish_home_of(args->storage);
    device.memory.release(args->storage);
  });
}

sy_status map(sy_map_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    args->pointer =
        device_of(args->device)
            .memory.at(args->storage, lies(Lie::maps_the_start) ? 0 : args->offset_bytes,
                       args->size_bytes);
  });
}

sy_status unmap(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] { device_of(args->device).memory.at(args->storage, 0, 0); });
}

sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    args->used_bytes = device_of(args->device).memory.used_bytes();
    args->cached_bytes = 0;
    args->free_bytes = 0;
  });
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    fail_at_first("copy");
    args->sequence = shown(stream_of(args->stream).copy(*args));
  });
}

sy_status create_stream(sy_create_stream_args* args, sy_error* error) {
  if (lies(Lie::throws_for_want)) ::operator delete(::operator new(1000));
  return sy::guard(error, [&] {
    fail_at_first("create_stream");
    if (lies(Lie::refuses_priorities) && args->priority != 0) throw sy::invalid("no priorities");
    if (broken_since != nullptr) throw sy::bug("the fake is broken since ", broken_since.load());
    auto* stream = new Stream(device_of(args->device), args->priority);
    args->stream = reinterpret_cast<sy_stream>(stream);
    args->completed = stream->counter();
  });
}

sy_status wait(sy_wait_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    fail_at_first("wait");
    Stream& stream = stream_of(args->stream);
    try {
      stream.wait(args->sequence);
    } catch (const sy::Failure&) {
      if (!behaviour.forgets_failures || !stream.has_told_of_failure()) throw;
    }
  });
}

void refuse_strides(const sy::Node& node) {
  for (uint32_t i = 0; i < node.raw().input_count; ++i) {
    const sy_value& value = node.required_input(i);
    if (value.strides == nullptr || !sy::has_known_shape(value)) continue;
    if (sy::is_contiguous(sy::shape_of(value), value.strides)) continue;
    throw sy::unsupported(SY_REASON_STRIDE, "the fake wants contiguous inputs");
  }
}

void judge_node(sy_verdict& verdict, const sy::Node& node) {
  if (behaviour.answer == Answer::none) return;
  if (behaviour.answer == Answer::unknown) return sy::write_verdict(verdict, 99, 0, "yes and no");
  sy::judge(verdict, [&] {
    op_of(node);
    if (behaviour.refuses_strides) refuse_strides(node);
    if (behaviour.refuses_determinism && node.may_use(SY_MATH_DETERMINISTIC)) {
      throw sy::unsupported(SY_REASON_LIMIT, "the fake rounds as it likes");
    }
  });
  if (verdict.kind != SY_SUPPORTED) return;
  if (behaviour.refusal == Refusal::at_prepare_having_depended ||
      behaviour.refusal == Refusal::at_run_having_depended) {
    sy::depends(verdict, SY_REASON_LIMIT, "the fake will see");
  }
}

sy_status supports(sy_supports_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const uint32_t count = lies(Lie::answers_first_node) ? 1 : args->program->node_count;
    for (uint32_t i = 0; i < count; ++i) {
      judge_node(sy::verdict_at(args->verdicts, i), sy::Node(*args->program, i));
    }
  });
}

// Takes memory, and does what the variant does where there is none.
void want_memory() {
  if (lies(Lie::crashes_for_want)) {
    char* volatile const memory = static_cast<char*>(std::malloc(1000));
    *memory = 1;
    std::free(memory);
  }
  if (!lies(Lie::broken_by_want)) return;
  try {
    ::operator delete(::operator new(1000));
  } catch (const std::bad_alloc&) {
    broken_since = "it lacked memory";
    throw;
  }
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    want_memory();
    fail_at_first("prepare");
    Device& device = device_of(args->device);
    args->kernel = reinterpret_cast<sy_kernel>(prepare_kernel(device, *args).release());
  });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  return sy::guard(error, [&] { delete &kernel_of(args->kernel); });
}

sy_status release_constant(sy_constant_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    device_of(args->device).release(*reinterpret_cast<PackedConstant*>(args->constant));
  });
}

sy_status workspace(sy_workspace_args* args, sy_error* error) {
  return sy::guard(error, [&] { args->size_bytes = output_bytes(*args->run); });
}

// A deferred output's storage comes from the host while `run` is on the caller's thread.
sy_status run(sy_run_args* args, sy_error* error) {
  if (behaviour.run == Act::throws) throw std::runtime_error("the fake throws on purpose");
  if (behaviour.leaves_rounding) std::fesetround(FE_UPWARD);
  return sy::guard(error, [&] {
    Stream& stream = stream_of(args->stream);
    if (behaviour.asks_workspace_per_run && output_bytes(*args) > 0) {
      stream.device.memory.at(args->workspace, args->workspace_offset_bytes, output_bytes(*args));
    }
    std::function<void()> work;
    try {
      work = bind(stream.device, kernel_of(args->kernel), *args);
    } catch (const std::bad_alloc&) {
      if (!lies(Lie::hides_want)) throw;
      work = [] {};
    }
    if (args->allocator == nullptr) {
      args->sequence = shown(stream.enqueue(std::move(work)));
      return;
    }
    stream.finish();
    work();
    args->sequence = stream.enqueue([] {});
  });
}

// A host that does not know an extension's kind steps over it.
const sy_extension* unknown_extensions() {
  static const sy_extension second = {sizeof(sy_extension), 0x7fff0002, nullptr};
  static const sy_extension first = {sizeof(sy_extension), 0x7fff0001, &second};
  return &first;
}

sy_device_info describe_device() {
  static const sy::ClaimTable claims = make_claims();
  sy_device_info info = {};
  info.struct_size = sizeof(info);
  info.flags = behaviour.device_flags | (behaviour.asynchronous ? 0 : SY_DEVICE_SYNCHRONOUS);
  info.name = "a fake device";
  info.built = 1;
  info.available = behaviour.available ? 1 : 0;
  info.reason = behaviour.available ? SY_REASON_NONE : SY_REASON_OS;
  info.memory_kind = behaviour.memory_kind;
  info.message = behaviour.available ? "" : "there is no fake device in this machine; plug one in";
  info.memory_bytes = uint64_t{1} << 30;
  info.alignment = alignof(std::max_align_t);
  info.offset_alignment = behaviour.offset_alignment;
  info.max_program_nodes = behaviour.max_program_nodes;
  info.claims = claims.data();
  info.claim_count = claims.size();
  static constexpr uint32_t nobody = 0;
  if (behaviour.has_no_peers) info.peers = &nobody;
  if (behaviour.exchanges_memory) describe_exchange(info);
  return info;
}

void spoil(sy_device_info& info) {
  static sy_claim claim = sy::to_abi({.op = "Relu"});
  static constexpr uint32_t unknown_device = 7;
  constexpr uint32_t unknown_flag = 0x80000000u;
  switch (behaviour.nonsense) {
    case Nonsense::none:
    case Nonsense::missing_devices: return;
    case Nonsense::alignment: info.alignment = 3; return;
    case Nonsense::memory_kind: info.memory_kind = 77; return;
    case Nonsense::unset_memory_kind: info.memory_kind = SY_MEMORY_UNSET; return;
    case Nonsense::device_flag: info.flags |= unknown_flag; return;
    case Nonsense::unknown_peer:
      info.peers = &unknown_device;
      info.peer_count = 1;
      return;
    case Nonsense::unnamed_claim: claim.op = nullptr; break;
    case Nonsense::text_nowhere: claim.op = reinterpret_cast<const char*>(sizeof(claim)); break;
    case Nonsense::claimed_dtypes: claim.input_dtypes = UINT64_MAX; break;
    case Nonsense::claim_flag: claim.flags |= unknown_flag; break;
  }
  info.claims = &claim;
  info.claim_count = 1;
}

struct Slot {
  std::string_view name;
  size_t offset;
};

constexpr Slot slots[] = {
    {"probe", offsetof(sy_plugin, probe)},
    {"open_device", offsetof(sy_plugin, open_device)},
    {"close_device", offsetof(sy_plugin, close_device)},
    {"allocate", offsetof(sy_plugin, allocate)},
    {"release", offsetof(sy_plugin, release)},
    {"map", offsetof(sy_plugin, map)},
    {"unmap", offsetof(sy_plugin, unmap)},
    {"copy", offsetof(sy_plugin, copy)},
    {"create_stream", offsetof(sy_plugin, create_stream)},
    {"destroy_stream", offsetof(sy_plugin, destroy_stream)},
    {"completed", offsetof(sy_plugin, completed)},
    {"wait", offsetof(sy_plugin, wait)},
    {"wait_event", offsetof(sy_plugin, wait_event)},
    {"release_host", offsetof(sy_plugin, release_host)},
    {"workspace", offsetof(sy_plugin, workspace)},
    {"prepare", offsetof(sy_plugin, prepare)},
    {"destroy_kernel", offsetof(sy_plugin, destroy_kernel)},
    {"release_constant", offsetof(sy_plugin, release_constant)},
    {"run", offsetof(sy_plugin, run)},
};

// A success that gives nothing.
template <typename Args>
sy_status nothing(Args*, sy_error*) {
  return SY_OK;
}

void replace_maker(sy_plugin& table, std::string_view name) {
  if (name == "open_device") table.open_device = nothing;
  if (name == "allocate") table.allocate = nothing;
  if (name == "create_stream") table.create_stream = nothing;
  if (name == "prepare") table.prepare = nothing;
  if (name == "map") table.map = nothing;
}

sy_status run_time_backwards(sy_elapsed_time_args* args, sy_error*) {
  args->nanoseconds = -1;
  return SY_OK;
}

void remove_slot(sy_plugin& table, std::string_view name) {
  for (const Slot& slot : slots) {
    if (slot.name == name) {
      std::memset(reinterpret_cast<char*>(&table) + slot.offset, 0, sizeof(table.probe));
    }
  }
}

}  // namespace

const sy_device_info* device_infos() {
  if (behaviour.nonsense == Nonsense::missing_devices) return nullptr;
  static const std::vector<sy_device_info> infos = [] {
    std::vector<sy_device_info> made(behaviour.devices, describe_device());
    for (sy_device_info& info : made) spoil(info);
    return made;
  }();
  static std::vector<sy_device_info> others = infos;
  static std::atomic<int> probes{0};
  if (!lies(Lie::probe_changes) || ++probes % 2 != 0) return infos.data();
  for (sy_device_info& info : others) info.offset_alignment = 2;
  return others.data();
}

sy_plugin make_table(sy_status (*probe)(sy_probe_args*, sy_error*)) {
  sy_plugin table = {};
  table.struct_size = behaviour.table_bytes;
  table.abi_version = behaviour.pretends;
  table.extensions = behaviour.has_unknown_extension ? unknown_extensions() : nullptr;
  if (behaviour.own_ops != OwnOps::none) table.extensions = own_ops();
  table.name = lies(Lie::name_not_utf8) ? "caf\xe9" : "fake";
  table.version = "0.0.1";
  table.build = "for the tests";
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = close_device;
  table.recover = recover;
  table.report = report;
  table.leave = leave;
  table.allocate = allocate;
  table.release = release;
  if (behaviour.memory_kind == SY_MEMORY_MAPPABLE) {
    table.map = map;
    table.unmap = unmap;
  }
  table.memory_statistics = memory_statistics;
  table.copy = copy;
  table.create_stream = create_stream;
  sy::use_asynchronous_streams<Stream>(table);
  table.wait = wait;
  if (!behaviour.has_events) {
    table.create_event = nullptr;
    table.destroy_event = nullptr;
    table.record_event = nullptr;
    table.wait_for_event = nullptr;
    table.wait_event = nullptr;
  }
  if (!behaviour.asynchronous) table.elapsed_time = nullptr;  // nothing is recorded
  if (lies(Lie::times_backwards)) table.elapsed_time = run_time_backwards;
  if (behaviour.has_host_memory) set_host_memory_slots(table);
  if (behaviour.exchanges_memory) set_exchange_slots(table);
  table.supports = supports;
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  if (behaviour.packs_constants) table.release_constant = release_constant;
  if (behaviour.asks_workspace_per_run) table.workspace = workspace;
  table.run = run;
  replace_maker(table, behaviour.gives_null);
  remove_slot(table, behaviour.missing);
  return table;
}

}  // namespace fake
