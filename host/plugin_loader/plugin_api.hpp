// A plugin's functions as the host calls them: the one way into a plugin once it has been entered.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include "plugin_loader/floating_point_state.hpp"
#include "plugin_loader/watch/thread_calls.hpp"

namespace switchyard {

namespace detail {
// Describes the exception in flight, which no plugin may throw, in `error`. Returns SY_BUG.
sy_status report_thrown(sy_error* error) noexcept;
// The same for a call that says it has worked, but has not given what it gives.
sy_status report_missing(sy_error* error) noexcept;

// What a call gives, where that may not be null.
inline bool gives_all(const sy_open_device_args& args) { return args.device != nullptr; }
inline bool gives_all(const sy_allocate_args& args) { return args.storage != 0; }
inline bool gives_all(const sy_import_args& args) { return args.storage != 0; }
inline bool gives_all(const sy_export_args& args) { return args.pointer != nullptr; }
inline bool gives_all(const sy_map_args& args) { return args.pointer || args.size_bytes == 0; }
inline bool gives_all(const sy_create_stream_args& args) { return args.stream != nullptr; }
inline bool gives_all(const sy_create_event_args& args) { return args.event != nullptr; }
inline bool gives_all(const sy_prepare_args& args) { return args.kernel != nullptr; }
inline bool gives_all(const sy_compile_args& args) { return args.kernel != nullptr; }
}  // namespace detail

// One function of a plugin. Whatever it throws is SY_BUG, and so is a success that gives no handle;
// the caller's floating-point mode is what it was; and while it runs, other threads can see that.
template <typename Args>
class PluginFunction {
 public:
  using Pointer = sy_status (*)(Args*, sy_error*);

  // `name` lives as long as the process. A target is told of by it if a call does not come back.
  explicit PluginFunction(Pointer function, const char* name = "a call",
                          const watch::CallTarget* target = nullptr)
      : function_(function), name_(name), target_(target) {}
  explicit operator bool() const noexcept { return function_ != nullptr; }

  sy_status operator()(Args* args, sy_error* error) const noexcept {
    const watch::CallScope called(name_, target_);
    const FloatingPointState kept;
    try {
      const sy_status status = function_(args, error);
      if constexpr (requires { detail::gives_all(*args); }) {
        if (status == SY_OK && !detail::gives_all(*args)) return detail::report_missing(error);
      }
      return status;
    } catch (...) {
      return detail::report_thrown(error);
    }
  }

 private:
  Pointer function_;
  const char* name_;
  const watch::CallTarget* target_;
};

// The functions of a plugin's table, every one of which may be called. A target lives as long.
class PluginApi {
 public:
  explicit PluginApi(const sy_plugin& table, const watch::CallTarget* target = nullptr)
      : table_(table), target_(target) {}
  PluginApi(const PluginApi&) = delete;
  PluginApi& operator=(const PluginApi&) = delete;

 private:
  const sy_plugin table_;
  const watch::CallTarget* const target_;

 public:
  const PluginFunction<sy_probe_args> probe{table_.probe, "probe", target_};
  const PluginFunction<sy_open_device_args> open_device{table_.open_device, "open_device", target_};
  const PluginFunction<sy_device_args> close_device{table_.close_device, "close_device", target_};
  const PluginFunction<sy_device_args> recover{table_.recover, "recover", target_};
  const PluginFunction<sy_report_args> report{table_.report, "report", target_};
  const PluginFunction<sy_leave_args> leave{table_.leave, "leave", target_};

  const PluginFunction<sy_allocate_args> allocate{table_.allocate, "allocate", target_};
  const PluginFunction<sy_storage_args> release{table_.release, "release", target_};
  const PluginFunction<sy_import_args> import_memory{table_.import_memory, "import_memory",
                                                     target_};
  const PluginFunction<sy_export_args> export_memory{table_.export_memory, "export_memory",
                                                     target_};
  const PluginFunction<sy_host_memory_args> allocate_host{table_.allocate_host, "allocate_host",
                                                          target_};
  const PluginFunction<sy_host_memory_args> release_host{table_.release_host, "release_host",
                                                         target_};
  const PluginFunction<sy_host_memory_args> register_host{table_.register_host, "register_host",
                                                          target_};
  const PluginFunction<sy_host_memory_args> unregister_host{table_.unregister_host,
                                                            "unregister_host", target_};
  const PluginFunction<sy_map_args> map{table_.map, "map", target_};
  const PluginFunction<sy_storage_args> unmap{table_.unmap, "unmap", target_};
  const PluginFunction<sy_trim_args> trim{table_.trim, "trim", target_};
  const PluginFunction<sy_memory_statistics_args> memory_statistics{table_.memory_statistics,
                                                                    "memory_statistics", target_};
  const PluginFunction<sy_copy_args> copy{table_.copy, "copy", target_};

  const PluginFunction<sy_create_stream_args> create_stream{table_.create_stream, "create_stream",
                                                            target_};
  const PluginFunction<sy_stream_args> destroy_stream{table_.destroy_stream, "destroy_stream",
                                                      target_};
  const PluginFunction<sy_stream_args> flush{table_.flush, "flush", target_};
  const PluginFunction<sy_completed_args> completed{table_.completed, "completed", target_};
  const PluginFunction<sy_wait_args> wait{table_.wait, "wait", target_};
  const PluginFunction<sy_notify_args> notify{table_.notify, "notify", target_};
  const PluginFunction<sy_create_event_args> create_event{table_.create_event, "create_event",
                                                          target_};
  const PluginFunction<sy_event_args> destroy_event{table_.destroy_event, "destroy_event", target_};
  const PluginFunction<sy_event_args> record_event{table_.record_event, "record_event", target_};
  const PluginFunction<sy_event_args> wait_for_event{table_.wait_for_event, "wait_for_event",
                                                     target_};
  const PluginFunction<sy_event_args> wait_event{table_.wait_event, "wait_event", target_};
  const PluginFunction<sy_elapsed_time_args> elapsed_time{table_.elapsed_time, "elapsed_time",
                                                          target_};

  const PluginFunction<sy_supports_args> supports{table_.supports, "supports", target_};
  const PluginFunction<sy_prepare_args> prepare{table_.prepare, "prepare", target_};
  const PluginFunction<sy_kernel_args> destroy_kernel{table_.destroy_kernel, "destroy_kernel",
                                                      target_};
  const PluginFunction<sy_constant_args> release_constant{table_.release_constant,
                                                          "release_constant", target_};
  const PluginFunction<sy_workspace_args> workspace{table_.workspace, "workspace", target_};
  const PluginFunction<sy_run_args> run{table_.run, "run", target_};
};

}  // namespace switchyard
