#include "harness/open_plugin.hpp"

#include <cstdlib>

#include "switchyard/plugin/guard.hpp"

namespace cpu::testing {
namespace {

int test_threads() {
  const char* text = std::getenv("SWITCHYARD_TEST_THREADS");
  return text == nullptr ? 4 : std::atoi(text);
}

// Said aloud, since a machine of few processors would get fewer.
const sy_option& threads_option() {
  static const sy_option option = [] {
    sy_option made{};
    made.struct_size = sizeof(made);
    made.kind = SY_OPTION_INT;
    made.key = "threads";
    made.integer = test_threads();
    return made;
  }();
  return option;
}

}  // namespace

void must(sy_status status, const sy_error& error) {
  if (status != SY_OK) throw sy::Failure(status, error.reason, error.message);
}

sy_error fresh_error() {
  sy_error error{};
  error.struct_size = sizeof(error);
  return error;
}

const sy_host& host() {
  static const sy_host services = [] {
    sy_host made{};
    made.struct_size = sizeof(made);
    made.thread_limit = static_cast<uint32_t>(test_threads());
    made.options = &threads_option();
    made.option_count = 1;
    made.library_path = "";
    made.log = [](void*, sy_log_level, const char*) {};
    return made;
  }();
  return services;
}

const sy_plugin& plugin() {
  static const sy_plugin* const table = [] {
    sy_entry_args args{};
    args.min_version = SY_ABI_VERSION;
    args.max_version = SY_ABI_VERSION;
    args.host = &host();
    call(switchyard_plugin_entry, args);
    return args.plugin;
  }();
  return *table;
}

const sy_device_info& device_info() {
  sy_probe_args args{};
  args.host = &host();
  call(plugin().probe, args);
  return *args.devices;
}

namespace {

struct OpenDevice {
  sy_device handle;
  OpenDevice() {
    sy_open_device_args args{};
    args.host = &host();
    call(plugin().open_device, args);
    handle = args.device;
  }
  ~OpenDevice() {
    sy_device_args args{};
    args.device = handle;
    call(plugin().close_device, args);
  }
};

struct OpenStream {
  sy_stream handle;
  OpenStream() {
    sy_create_stream_args args{};
    args.device = device();
    call(plugin().create_stream, args);
    handle = args.stream;
  }
  ~OpenStream() {
    sy_stream_args args{};
    args.stream = handle;
    call(plugin().destroy_stream, args);
  }
};

}  // namespace

sy_device device() {
  static const OpenDevice opened;
  return opened.handle;
}

sy_stream stream() {
  static const OpenStream created;
  return created.handle;
}

}  // namespace cpu::testing
