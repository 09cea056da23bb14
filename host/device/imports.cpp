#include "device/imports.hpp"

#include <algorithm>
#include <optional>

#include "device/status.hpp"

namespace switchyard {
namespace {

/// Marks the work of a device's stream so far, if the plugin has events.
class WorkMark {
 public:
  WorkMark(OpenDevice& device, OpenStream& stream) : device_(device.shared_from_this()) {
    sy_create_event_args args{};
    args.struct_size = sizeof(args);
    args.device = device.handle();
    PluginError error;
    if (device.api().create_event(&args, &error) != SY_OK) return;
    event_ = args.event;
    try {
      stream.flush();
      stream.record(event_);
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~WorkMark() { destroy(); }
  WorkMark(const WorkMark&) = delete;
  WorkMark& operator=(const WorkMark&) = delete;
  sy_event event() const { return event_; }  // null if it has none

 private:
  void destroy() noexcept {
    if (!event_) return;
    sy_event_args args{sizeof(args), 0, nullptr, event_, nullptr};
    PluginError error;
    device_->note_call(device_->api().destroy_event(&args, &error), error, "destroy_event");
  }

  const std::shared_ptr<OpenDevice> device_;
  sy_event event_ = nullptr;
};

/// Holds the original, and the mark that reading it waits for, as long as another device may read
/// it through the import.
class ImportOwner final : public StorageOwner {
 public:
  ImportOwner(OpenDevice& device, StorageRef original, std::unique_ptr<const WorkMark> mark)
      : device_(device.shared_from_this()),
        original_(std::move(original)),
        mark_(std::move(mark)) {}
  void recycle(Storage* storage) noexcept override {
    storage->settle();
    device_->release_block(storage->handle());
    delete storage;
    delete this;
  }
  // Lives no longer than one run.
  [[noreturn]] void report_lost() const override { device_->allocator().report_lost(); }

 private:
  std::shared_ptr<OpenDevice> device_;
  StorageRef original_;
  std::unique_ptr<const WorkMark> mark_;
};

/// How a device's storage is shown to others; empty where the device does not show it.
std::optional<sy_export_args> shown(OpenDevice& device, const Storage& storage, sy_event event) {
  sy_export_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  args.storage = storage.handle();
  args.event = event;
  PluginError error;
  const sy_status status = device.try_call(device.api().export_memory, args, error);
  if (status == SY_UNSUPPORTED) return std::nullopt;
  device.check_call(status, error, "export_memory");
  return args;
}

sy_import_args import_args(OpenDevice& device, sy_external_kind kind, void* pointer,
                           std::size_t bytes) {
  sy_import_args args{};
  args.struct_size = sizeof(args);
  args.kind = kind;
  args.device = device.handle();
  args.pointer = pointer;
  args.size_bytes = bytes;
  return args;
}

/// `reader` waits for the event that the args name, or is null.
StorageRef imported(OpenDevice& device, OpenDevice& home, sy_import_args& args,
                    const StorageRef& source, std::unique_ptr<const WorkMark> mark,
                    OpenStream* reader) {
  PluginError error;
  std::optional<trace::Span> span;
  if (trace::Timeline* timeline = device.timeline()) {
    span.emplace(*timeline, "copy", "import",
                 trace::Facts()
                     .add("from", home.name())
                     .add("to", device.name())
                     .add("way", "import")
                     .add("bytes", source->bytes()));
  }
  const auto import = [&] { return device.api().import_memory(&args, &error); };
  if (reader) args.stream = reader->handle();
  if ((reader ? reader->drive(import) : import()) != SY_OK) return {};
  auto* owner = new ImportOwner(device, source, std::move(mark));
  return StorageRef(new Storage(*owner, args.storage, source->requested_bytes()));
}

/// The importing stream, not the caller, waits for the work that makes what the storage holds.
StorageRef import_from_same_processor(OpenDevice& device, OpenDevice& home,
                                      const StorageRef& source) {
  OpenStream& stream = home.stream();
  source->order_before_read(stream);
  auto mark = std::make_unique<const WorkMark>(home, stream);
  if (!mark->event()) source->wait_for_writes();
  const std::optional<sy_export_args> there = shown(home, *source.get(), mark->event());
  if (!there) return {};
  sy_import_args args = import_args(device, SY_EXTERNAL_DEVICE, there->pointer, source->bytes());
  args.ready_event = there->ready_event;
  OpenStream* const reader = args.ready_event != 0 ? &device.stream() : nullptr;
  return imported(device, home, args, source, std::move(mark), reader);
}

}  // namespace

StorageRef import_storage(OpenDevice& device, OpenDevice& home, const StorageRef& source) {
  if (home.addressable() && device.has(SY_DEVICE_IMPORTS_HOST_MEMORY)) {
    source->wait_for_writes();
    sy_import_args args = import_args(device, SY_EXTERNAL_HOST,
                                      reinterpret_cast<void*>(source->handle()), source->bytes());
    return imported(device, home, args, source, nullptr, nullptr);
  }
  if (home.is_same_processor(device)) return import_from_same_processor(device, home, source);
  return {};
}

void* exported_address(OpenDevice& device, const Storage& storage) {
  if (device.addressable()) return reinterpret_cast<void*>(storage.handle());
  const std::optional<sy_export_args> there = shown(device, storage, nullptr);
  return there ? there->pointer : nullptr;
}

StorageRef borrow_device_memory(OpenDevice& device, const CallersMemory& memory,
                                std::shared_ptr<const void>& kept) {
  sy_import_args args = import_args(device, SY_EXTERNAL_DEVICE, memory.begin, memory.bytes);
  PluginError error;
  const std::uint32_t generation = device.allocator().generation();  // it may be lost meanwhile
  const sy_status status = device.try_call(device.api().import_memory, args, error);
  if (status == SY_UNSUPPORTED) return {};
  device.check_call(status, error, "import_memory");
  return device.allocator().borrow(args.storage, generation,
                                   {.bytes = memory.bytes,
                                    .is_read_only = memory.is_read_only,
                                    .has_address = device.addressable(),
                                    .kept = std::move(kept)});
}

// Storages are aligned, and a caller's memory need not be: the storage begins before it, on the
// same page, and tensors begin within.
StorageRef borrow_memory(OpenDevice& device, const CallersMemory& memory,
                         std::shared_ptr<const void>& kept, std::int64_t& offset_bytes) {
  if (!device.addressable() || !device.has(SY_DEVICE_IMPORTS_HOST_MEMORY)) return {};
  constexpr std::uintptr_t kSmallestPage = 4096;
  const std::uintptr_t alignment = std::max<std::uintptr_t>(device.info().alignment, 1);
  if (alignment > kSmallestPage) return {};
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(memory.begin) % alignment;
  sy_import_args args =
      import_args(device, SY_EXTERNAL_HOST, memory.begin - before, memory.bytes + before);
  PluginError error;
  const std::uint32_t generation = device.allocator().generation();  // it may be lost meanwhile
  if (device.try_call(device.api().import_memory, args, error) != SY_OK) return {};
  offset_bytes = static_cast<std::int64_t>(before);
  return device.allocator().borrow(args.storage, generation,
                                   {.bytes = memory.bytes + before,
                                    .is_read_only = memory.is_read_only,
                                    .kept = std::move(kept)});
}

}  // namespace switchyard
