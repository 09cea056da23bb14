#include "plugin_loader/default_slots.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace switchyard {
namespace {

sy_status refuse(sy_error* error, sy_status status, const char* message) {
  if (error != nullptr) {
    error->status = status;
    error->reason = status == SY_UNSUPPORTED ? SY_REASON_OP : SY_REASON_NONE;
    std::strncpy(error->message, message, sizeof(error->message) - 1);
    error->message[sizeof(error->message) - 1] = '\0';
  }
  return status;
}

template <typename Args>
sy_status do_nothing(Args*, sy_error*) {
  return SY_OK;
}

sy_status import_nothing(sy_import_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin does not import memory");
}

sy_status export_nothing(sy_export_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin does not export memory");
}

sy_status refuse_host_memory(sy_host_memory_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin has no host memory of its own for copies");
}

sy_status notify_nobody(sy_notify_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin does not tell of completions");
}

sy_status measure_nothing(sy_elapsed_time_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin's events have no times");
}

sy_status want_nothing(sy_workspace_args*, sy_error* error) {
  return refuse(error, SY_BUG,
                "the kernel asks for workspace per run but the plugin lacks workspace");
}

sy_status map_nothing(sy_map_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin does not map memory");
}

sy_status unmap_nothing(sy_storage_args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin does not map memory");
}

sy_status trim_nothing(sy_trim_args* args, sy_error*) {
  args->freed_bytes = 0;
  return SY_OK;
}

sy_status count_nothing(sy_memory_statistics_args* args, sy_error*) {
  args->used_bytes = 0;
  args->cached_bytes = 0;
  args->free_bytes = 0;
  return SY_OK;
}

template <typename Args>
sy_status refuse_event(Args*, sy_error* error) {
  return refuse(error, SY_UNSUPPORTED, "the plugin has no events");
}

// The host asks only about nodes that a claim covers, and the claim decides.
sy_status support_all(sy_supports_args* args, sy_error*) {
  const std::size_t step = args->program->node_count > 0 ? args->verdicts->struct_size : 0;
  for (std::uint32_t i = 0; i < args->program->node_count; ++i) {
    auto* verdict =
        reinterpret_cast<sy_verdict*>(reinterpret_cast<char*>(args->verdicts) + i * step);
    verdict->kind = SY_SUPPORTED;
    verdict->reason = SY_REASON_NONE;
    verdict->message[0] = '\0';
  }
  return SY_OK;
}

sy_status release_nothing(sy_constant_args*, sy_error* error) {
  return refuse(error, SY_BUG, "the plugin packs constants but lacks release_constant");
}

template <typename Args>
void fill(sy_status (*&slot)(Args*, sy_error*), sy_status (*otherwise)(Args*, sy_error*)) noexcept {
  if (slot == nullptr) slot = otherwise;
}

}  // namespace

void fill_default_slots(sy_plugin& table) noexcept {
  fill(table.recover, do_nothing<sy_device_args>);
  fill(table.report, do_nothing<sy_report_args>);
  fill(table.leave, do_nothing<sy_leave_args>);
  fill(table.import_memory, import_nothing);
  fill(table.export_memory, export_nothing);
  fill(table.allocate_host, refuse_host_memory);
  fill(table.release_host, refuse_host_memory);
  fill(table.register_host, refuse_host_memory);
  fill(table.unregister_host, refuse_host_memory);
  fill(table.map, map_nothing);
  fill(table.unmap, unmap_nothing);
  fill(table.trim, trim_nothing);
  fill(table.memory_statistics, count_nothing);
  fill(table.flush, do_nothing<sy_stream_args>);
  fill(table.notify, notify_nobody);
  fill(table.create_event, refuse_event<sy_create_event_args>);
  fill(table.destroy_event, refuse_event<sy_event_args>);
  fill(table.record_event, refuse_event<sy_event_args>);
  fill(table.wait_for_event, refuse_event<sy_event_args>);
  fill(table.wait_event, refuse_event<sy_event_args>);
  fill(table.elapsed_time, measure_nothing);
  fill(table.supports, support_all);
  fill(table.release_constant, release_nothing);
  fill(table.workspace, want_nothing);
}

}  // namespace switchyard
