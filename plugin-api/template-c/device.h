/* The device: memory that the host cannot read, and copies in and out of it. */
#ifndef DEVICE_H_
#define DEVICE_H_

#include <stdint.h>
#include <switchyard/plugin.h>

/* What [plugins.NAME.options] may set. */
typedef struct settings {
  int64_t memory_bytes;
} settings;

/* The defaults, with what the host's options change. */
sy_status read_settings(const sy_host* host, settings* settings, sy_error* error);

typedef struct device {
  uint64_t memory_bytes;
  uint64_t used_bytes; /* by storages that live; any thread may count */
} device;

/* What sy_storage handles point to: the host hands them back, and reads none. */
sy_status allocate_storage(device* device, uint64_t size_bytes, sy_storage* storage,
                           sy_error* error);
void release_storage(device* device, sy_storage storage);
uint64_t used_bytes_of(const device* device);

/* The element whose indices are all 0, as `address`. Every element must lie within the storage; a
 * tensor without elements needs none, and gets null. */
sy_status find_elements(sy_storage storage, uint64_t offset_bytes, sy_dtype dtype, uint32_t rank,
                        const int64_t* shape, const int64_t* strides, char** address,
                        sy_error* error);

/* Copies between storages and host memory, at once. */
sy_status copy_regions(const sy_copy_args* args, sy_error* error);

#endif /* DEVICE_H_ */
