/* The boundary: the entries of the table, each a line or two over device.h and ops.h.
 * CMakeLists.txt gives PLUGIN_NAME. */
#include <stdio.h>
#include <stdlib.h>
#include <switchyard/plugin.h>

#include "device.h"
#include "ops.h"
#include "switchyard/plugin/devices.h"
#include "switchyard/plugin/entry.h"
#include "switchyard/plugin/error.h"
#include "switchyard/plugin/synchronous_stream.h"
#include "switchyard/plugin/verdict.h"

static device* device_of(sy_device handle) { return (device*)(void*)handle; }

static sy_status probe(sy_probe_args* args, sy_error* error) {
  static const sy_device_info info = {
      .struct_size = sizeof(info),
      .flags = SY_DEVICE_SYNCHRONOUS | SY_DEVICE_THREAD_SAFE_RUN,
      .name = PLUGIN_NAME ": a small device with memory of its own, in C",
      .built = 1,
      .available = 1,
      .memory_kind = SY_MEMORY_OPAQUE, /* no map, no import: the host has `copy` alone */
      .message = "",
      .alignment = 16,
      .offset_alignment = 1,
      .max_program_nodes = 1,
      .claims = op_claims,
      .claim_count = op_count,
  };
  (void)error;
  sy_set_devices(args, &info, 1);
  return SY_OK;
}

static sy_status open_device(sy_open_device_args* args, sy_error* error) {
  if (args->index != 0) {
    return sy_fail(error, SY_INVALID, SY_REASON_NONE, "there is no device %u", args->index);
  }
  settings settings;
  const sy_status status = read_settings(args->host, &settings, error);
  if (status != SY_OK) return status;
  device* opened = calloc(1, sizeof(*opened));
  if (opened == NULL) {
    return sy_fail(error, SY_OUT_OF_MEMORY, SY_REASON_NONE, "no host memory for a device");
  }
  opened->memory_bytes = (uint64_t)settings.memory_bytes;
  args->device = (sy_device)(void*)opened;
  return SY_OK;
}

static sy_status close_device(sy_device_args* args, sy_error* error) {
  (void)error;
  free(device_of(args->device));
  return SY_OK;
}

static sy_status report(sy_report_args* args, sy_error* error) {
  char text[64];
  if (args->device == NULL) return SY_OK;
  const int size = snprintf(text, sizeof(text), "storages hold %llu bytes\n",
                            (unsigned long long)used_bytes_of(device_of(args->device)));
  const sy_status status = args->writer->write(args->writer->context, text, (uint64_t)size);
  if (status == SY_OK) return SY_OK;
  return sy_fail(error, status, SY_REASON_NONE, "the host stopped taking the report");
}

static sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return allocate_storage(device_of(args->device), args->size_bytes, &args->storage, error);
}

static sy_status release(sy_storage_args* args, sy_error* error) {
  (void)error;
  release_storage(device_of(args->device), args->storage);
  return SY_OK;
}

static sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error) {
  (void)error;
  args->used_bytes = used_bytes_of(device_of(args->device));
  args->cached_bytes = 0;
  args->free_bytes = device_of(args->device)->memory_bytes - args->used_bytes;
  return SY_OK;
}

static sy_status copy(sy_copy_args* args, sy_error* error) {
  const sy_status status = copy_regions(args, error);
  if (status == SY_OK) args->sequence = sy_complete_next(args->stream);
  return status;
}

static sy_status supports(sy_supports_args* args, sy_error* error) {
  for (uint32_t i = 0; i < args->program->node_count; ++i) {
    sy_error why = {sizeof(why), SY_OK, SY_REASON_NONE, ""};
    const sy_status status = check_node(args->program, i, &why);
    const sy_status judged = sy_judge(sy_verdict_at(args->verdicts, i), status, &why, error);
    if (judged != SY_OK) return judged;
  }
  return SY_OK;
}

static sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return prepare_kernel(args, error);
}

static sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  (void)error;
  destroy_kernel_of(args->kernel);
  return SY_OK;
}

static sy_status run(sy_run_args* args, sy_error* error) {
  const sy_status status = run_kernel(args, error);
  if (status == SY_OK) args->sequence = sy_complete_next(args->stream);
  return status;
}

/* Slots that are not set are null, which means the default that plugin.h names. */
static const sy_plugin table = {
    .struct_size = sizeof(table),
    .abi_version = SY_ABI_VERSION,
    .name = PLUGIN_NAME,
    .version = "0.1.0",
    .probe = probe,
    .open_device = open_device,
    .close_device = close_device,
    .report = report,
    .allocate = allocate,
    .release = release,
    .memory_statistics = memory_statistics,
    .copy = copy,
    .create_stream = sy_create_synchronous_stream,
    .destroy_stream = sy_destroy_synchronous_stream,
    .completed = sy_completed_of_synchronous_stream,
    .wait = sy_wait_for_synchronous_stream,
    .supports = supports,
    .prepare = prepare,
    .destroy_kernel = destroy_kernel,
    .run = run,
};

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  settings settings;
  sy_status status = sy_negotiate_version(args, error);
  if (status == SY_OK) status = read_settings(args->host, &settings, error);
  if (status == SY_OK) args->plugin = &table;
  return status;
}
