#include "device.h"

#include <stdlib.h>

#include "switchyard/plugin/copy.h"
#include "switchyard/plugin/error.h"
#include "switchyard/plugin/options.h"
#include "switchyard/plugin/shape.h"

/* The bytes of a storage follow. Two numbers keep them aligned as malloc has it, to 16 bytes. */
typedef struct block {
  uint64_t size_bytes;
  uint64_t reserved;
} block;

static block* block_of(sy_storage storage) { return (block*)(uintptr_t)storage; }

sy_status read_settings(const sy_host* host, settings* settings, sy_error* error) {
  static const char* const known[] = {"memory_bytes"};
  const sy_status status = sy_refuse_unknown_options(host, known, 1, error);
  if (status != SY_OK) return status;
  settings->memory_bytes = INT64_C(1) << 30;
  return sy_integer_option(host, "memory_bytes", 1, INT64_MAX, &settings->memory_bytes, error);
}

sy_status allocate_storage(device* device, uint64_t size_bytes, sy_storage* storage,
                           sy_error* error) {
  uint64_t used = used_bytes_of(device);
  do {
    const uint64_t left = device->memory_bytes - used;
    if (size_bytes > left) {
      return sy_fail(error, SY_OUT_OF_MEMORY, SY_REASON_NONE, "asked for %llu bytes; %llu are left",
                     (unsigned long long)size_bytes, (unsigned long long)left);
    }
  } while (!__atomic_compare_exchange_n(&device->used_bytes, &used, used + size_bytes, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  block* made = malloc(sizeof(*made) + size_bytes);
  if (made == NULL) {
    __atomic_sub_fetch(&device->used_bytes, size_bytes, __ATOMIC_RELAXED);
    return sy_fail(error, SY_OUT_OF_MEMORY, SY_REASON_NONE, "this machine has no %llu bytes left",
                   (unsigned long long)size_bytes);
  }
  made->size_bytes = size_bytes;
  *storage = (sy_storage)(uintptr_t)made;
  return SY_OK;
}

void release_storage(device* device, sy_storage storage) {
  __atomic_sub_fetch(&device->used_bytes, block_of(storage)->size_bytes, __ATOMIC_RELAXED);
  free(block_of(storage));
}

uint64_t used_bytes_of(const device* device) {
  return __atomic_load_n(&device->used_bytes, __ATOMIC_RELAXED);
}

sy_status find_elements(sy_storage storage, uint64_t offset_bytes, sy_dtype dtype, uint32_t rank,
                        const int64_t* shape, const int64_t* strides, char** address,
                        sy_error* error) {
  *address = NULL;
  if (sy_element_count(rank, shape) == 0) return SY_OK;
  if (storage == 0) return sy_fail(error, SY_INVALID, SY_REASON_NONE, "there is no storage");
  const sy_byte_range range = sy_bytes_touched(dtype, rank, shape, strides);
  const int64_t offset = (int64_t)offset_bytes;
  const uint64_t size = block_of(storage)->size_bytes;
  if (offset + range.first < 0 || offset + range.end > (int64_t)size) {
    return sy_fail(error, SY_INVALID, SY_REASON_NONE,
                   "bytes %lld to %lld leave a storage of %llu bytes",
                   (long long)(offset + range.first), (long long)(offset + range.end),
                   (unsigned long long)size);
  }
  *address = (char*)(block_of(storage) + 1) + offset;
  return SY_OK;
}

static sy_status find_region(const sy_copy_args* args, const sy_region* region, char** address,
                             sy_error* error) {
  if (region->kind == SY_REGION_HOST) {
    *address = (char*)(uintptr_t)(region->handle + region->offset_bytes);  // null of no elements
    return SY_OK;
  }
  if (region->kind != SY_REGION_STORAGE) {
    return sy_fail(error, SY_UNSUPPORTED, SY_REASON_NONE, "copies to no other device");
  }
  return find_elements(region->handle, region->offset_bytes, args->dtype, args->rank, args->shape,
                       region->strides, address, error);
}

sy_status copy_regions(const sy_copy_args* args, sy_error* error) {
  char *source = NULL, *destination = NULL;
  sy_status status = find_region(args, args->source, &source, error);
  if (status == SY_OK) status = find_region(args, args->destination, &destination, error);
  if (status != SY_OK) return status;
  return sy_copy_elements(args->dtype, args->rank, args->shape, source, args->source->strides,
                          destination, args->destination->strides, error);
}
