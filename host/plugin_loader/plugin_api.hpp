// A plugin's functions as the host calls them: the one way into a plugin once it has been entered.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include "plugin_loader/floating_point_state.hpp"

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
// the caller's floating-point mode is what it was.
template <typename Args>
class PluginFunction {
 public:
  using Pointer = sy_status (*)(Args*, sy_error*);

  explicit PluginFunction(Pointer function) : function_(function) {}
  explicit operator bool() const noexcept { return function_ != nullptr; }

  sy_status operator()(Args* args, sy_error* error) const noexcept {
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
};

// The functions of a plugin's table, every one of which may be called.
class PluginApi {
 public:
  explicit PluginApi(const sy_plugin& table) : table_(table) {}
  PluginApi(const PluginApi&) = delete;
  PluginApi& operator=(const PluginApi&) = delete;

 private:
  const sy_plugin table_;

 public:
  const PluginFunction<sy_probe_args> probe{table_.probe};
  const PluginFunction<sy_open_device_args> open_device{table_.open_device};
  const PluginFunction<sy_device_args> close_device{table_.close_device};
  const PluginFunction<sy_device_args> recover{table_.recover};
  const PluginFunction<sy_report_args> report{table_.report};
  const PluginFunction<sy_leave_args> leave{table_.leave};

  const PluginFunction<sy_allocate_args> allocate{table_.allocate};
  const PluginFunction<sy_storage_args> release{table_.release};
  const PluginFunction<sy_import_args> import_memory{table_.import_memory};
  const PluginFunction<sy_export_args> export_memory{table_.export_memory};
  const PluginFunction<sy_host_memory_args> allocate_host{table_.allocate_host};
  const PluginFunction<sy_host_memory_args> release_host{table_.release_host};
  const PluginFunction<sy_host_memory_args> register_host{table_.register_host};
  const PluginFunction<sy_host_memory_args> unregister_host{table_.unregister_host};
  const PluginFunction<sy_map_args> map{table_.map};
  const PluginFunction<sy_storage_args> unmap{table_.unmap};
  const PluginFunction<sy_trim_args> trim{table_.trim};
  const PluginFunction<sy_memory_statistics_args> memory_statistics{table_.memory_statistics};
  const PluginFunction<sy_copy_args> copy{table_.copy};

  const PluginFunction<sy_create_stream_args> create_stream{table_.create_stream};
  const PluginFunction<sy_stream_args> destroy_stream{table_.destroy_stream};
  const PluginFunction<sy_stream_args> flush{table_.flush};
  const PluginFunction<sy_completed_args> completed{table_.completed};
  const PluginFunction<sy_wait_args> wait{table_.wait};
  const PluginFunction<sy_notify_args> notify{table_.notify};
  const PluginFunction<sy_create_event_args> create_event{table_.create_event};
  const PluginFunction<sy_event_args> destroy_event{table_.destroy_event};
  const PluginFunction<sy_event_args> record_event{table_.record_event};
  const PluginFunction<sy_event_args> wait_for_event{table_.wait_for_event};
  const PluginFunction<sy_event_args> wait_event{table_.wait_event};
  const PluginFunction<sy_elapsed_time_args> elapsed_time{table_.elapsed_time};

  const PluginFunction<sy_supports_args> supports{table_.supports};
  const PluginFunction<sy_prepare_args> prepare{table_.prepare};
  const PluginFunction<sy_kernel_args> destroy_kernel{table_.destroy_kernel};
  const PluginFunction<sy_constant_args> release_constant{table_.release_constant};
  const PluginFunction<sy_workspace_args> workspace{table_.workspace};
  const PluginFunction<sy_run_args> run{table_.run};
};

}  // namespace switchyard
