/* Tensors, and DLPack capsules of them. */
#include <dlpack/dlpack.h>
#include <string.h>

#include "check.h"

static void test_description(swy_tensor* tensor) {
  swy_dtype dtype = SWY_UNDEFINED;
  uint32_t rank = 0;
  size_t size_bytes = 0;
  const int64_t* shape = NULL;
  const int64_t* strides = NULL;
  swy_device* device = NULL;
  const char* name = NULL;
  OK(swy_tensor_dtype(tensor, &dtype));
  OK(swy_tensor_rank(tensor, &rank));
  OK(swy_tensor_shape(tensor, &shape));
  OK(swy_tensor_strides(tensor, &strides));
  OK(swy_tensor_size_bytes(tensor, &size_bytes));
  EXPECT(dtype == SWY_FLOAT32 && rank == 2 && size_bytes == 24);
  EXPECT(shape[0] == 2 && shape[1] == 3 && strides[0] == 3 && strides[1] == 1);
  OK(swy_tensor_device(tensor, &device));
  OK(swy_device_name(device, &name));
  EXPECT(strcmp(name, "cpu:0") == 0);
  swy_device_release(device);
  REFUSES_NULL("tensor", swy_tensor_dtype(NULL, &dtype));
  REFUSES_NULL("out_dtype", swy_tensor_dtype(tensor, NULL));
  REFUSES_NULL("out_rank", swy_tensor_rank(tensor, NULL));
  REFUSES_NULL("out_shape", swy_tensor_shape(tensor, NULL));
  REFUSES_NULL("out_strides", swy_tensor_strides(tensor, NULL));
  REFUSES_NULL("out_size_bytes", swy_tensor_size_bytes(tensor, NULL));
  REFUSES_NULL("out_device", swy_tensor_device(tensor, NULL));
}

void test_tensor(swy_device* device) {
  const int64_t shape[] = {2, 3};
  const int64_t negative[] = {2, -3};
  const int64_t huge[] = {INT64_MAX, 3};
  const int64_t none = 0;
  const float zeros[6] = {0};
  swy_tensor* tensor = NULL;
  OK(swy_tensor_empty(device, SWY_FLOAT32, 2, shape, &tensor));
  test_description(tensor);
  swy_tensor_release(tensor);
  OK(swy_tensor_zeros(device, SWY_FLOAT32, 2, shape, &tensor));
  EXPECT_ELEMENTS(tensor, zeros);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "24 bytes", swy_tensor_read(tensor, NULL, 0));
  REFUSES_NULL("destination", swy_tensor_read(tensor, NULL, 24));
  swy_tensor_retain(tensor);
  swy_tensor_release(tensor);
  swy_tensor_release(tensor);

  OK(swy_tensor_from_bytes(device, SWY_FLOAT32, 1, &none, NULL, 0, &tensor));
  OK(swy_tensor_read(tensor, NULL, 0));
  swy_tensor_release(tensor);
  FAILS(SWY_ERROR_SHAPE_MISMATCH, "needs 24 bytes",
        swy_tensor_from_bytes(device, SWY_FLOAT32, 2, shape, zeros, 20, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'dtype' is 8",
        swy_tensor_from_bytes(device, SWY_STRING, 2, shape, zeros, 24, &tensor));
  REFUSES_NULL("data", swy_tensor_from_bytes(device, SWY_FLOAT32, 2, shape, NULL, 24, &tensor));
  REFUSES_NULL("shape", swy_tensor_empty(device, SWY_FLOAT32, 2, NULL, &tensor));
  REFUSES_NULL("device", swy_tensor_zeros(NULL, SWY_FLOAT32, 2, shape, &tensor));
  REFUSES_NULL("out_tensor", swy_tensor_empty(device, SWY_FLOAT32, 2, shape, NULL));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'dtype' is 99",
        swy_tensor_zeros(device, 99, 0, NULL, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'dtype' is 0", swy_tensor_zeros(device, 0, 0, NULL, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'dtype' is 8",
        swy_tensor_empty(device, SWY_STRING, 2, shape, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'rank' is 4294967295",
        swy_tensor_zeros(device, SWY_FLOAT32, UINT32_MAX, shape, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "negative",
        swy_tensor_zeros(device, SWY_FLOAT32, 2, negative, &tensor));
  FAILS(SWY_ERROR_OUT_OF_MEMORY, "", swy_tensor_zeros(device, SWY_FLOAT32, 2, huge, &tensor));
}

/* Pointers differ where tensors do not, and tensors where elements do not. */
void test_same_tensor(swy_device* device) {
  const float numbers[] = {1, 2};
  swy_tensor* tensor = vector_of(device, numbers, 2);
  swy_tensor* moved = NULL;
  swy_tensor* detached = NULL;
  int is_same = -1;
  OK(swy_tensor_to_device(tensor, device, &moved));
  OK(swy_tensor_detach(tensor, &detached));
  OK(swy_tensor_is_same(tensor, moved, &is_same));
  EXPECT(is_same == 1);
  OK(swy_tensor_is_same(tensor, detached, &is_same));
  EXPECT(is_same == 0);
  REFUSES_NULL("a", swy_tensor_is_same(NULL, tensor, &is_same));
  REFUSES_NULL("b", swy_tensor_is_same(tensor, NULL, &is_same));
  REFUSES_NULL("out_is_same", swy_tensor_is_same(tensor, moved, NULL));
  swy_tensor_release(detached);
  swy_tensor_release(moved);
  swy_tensor_release(tensor);
}

#ifndef DLPACK_MAJOR_VERSION /* the header is older than 1.0 */
typedef struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
#endif

static int deleted = 0;
static void count_deleted(DLManagedTensor* capsule) {
  (void)capsule;
  ++deleted;
}

void test_dlpack(swy_device* device) {
  float elements[] = {1, 2, 3};
  int64_t shape[] = {3};
  int64_t strides[] = {2};
  DLManagedTensor capsule = {0};
  DLManagedTensor* exported = NULL;
  swy_tensor* shared = NULL;
  swy_tensor* on_device = NULL;
  swy_device* host = NULL;
  swy_memory memory = {0};
  capsule.dl_tensor.data = elements;
  capsule.dl_tensor.device.device_type = kDLCPU;
  capsule.dl_tensor.ndim = 1;
  capsule.dl_tensor.dtype.code = kDLFloat;
  capsule.dl_tensor.dtype.bits = 32;
  capsule.dl_tensor.dtype.lanes = 1;
  capsule.dl_tensor.shape = shape;
  capsule.deleter = count_deleted;
  REFUSES_NULL("out_tensor", swy_tensor_from_dlpack(&capsule, NULL));
  REFUSES_NULL("capsule", swy_tensor_from_dlpack(NULL, &shared));
  EXPECT(deleted == 0);
  OK(swy_tensor_from_dlpack(&capsule, &shared));
  OK(swy_tensor_to_device(shared, device, &on_device));
  OK(swy_tensor_device(shared, &host));
  memory.struct_size = sizeof(memory);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "the host is not a device", swy_device_memory(host, &memory));
  REFUSES_NULL("device", swy_tensor_to_device(shared, NULL, &on_device));
  swy_device_release(host);

  OK(swy_tensor_to_dlpack(on_device, &exported));
  swy_tensor_release(on_device);
  EXPECT(((const float*)exported->dl_tensor.data)[2] == 3);
  exported->deleter(exported);
  REFUSES_NULL("out_capsule", swy_tensor_to_dlpack(shared, NULL));
  swy_tensor_release(shared);
  EXPECT(deleted == 1);

  capsule.dl_tensor.strides = strides; /* taken over though it is refused */
  FAILS(SWY_ERROR_UNSUPPORTED, "strided", swy_tensor_from_dlpack(&capsule, &shared));
  EXPECT(deleted == 2);
}

static void count_versioned(DLManagedTensorVersioned* capsule) {
  (void)capsule;
  ++deleted;
}

void test_versioned_dlpack(swy_device* device) {
  float elements[] = {1, 2, 3, 4};
  const float columns[] = {1, 3, 2, 4};
  int64_t shape[] = {2, 2};
  int64_t strides[] = {1, 2};
  DLManagedTensorVersioned capsule = {0};
  DLManagedTensorVersioned* exported = NULL;
  swy_tensor* tensor = NULL;
  deleted = 0;
  capsule.version.major = 1;
  capsule.flags = 1; /* read-only */
  capsule.deleter = count_versioned;
  capsule.dl_tensor.data = elements;
  capsule.dl_tensor.device.device_type = kDLCPU;
  capsule.dl_tensor.ndim = 2;
  capsule.dl_tensor.dtype.code = kDLFloat;
  capsule.dl_tensor.dtype.bits = 32;
  capsule.dl_tensor.dtype.lanes = 1;
  capsule.dl_tensor.shape = shape;
  capsule.dl_tensor.strides = strides;
  REFUSES_NULL("device", swy_tensor_from_dlpack_versioned(NULL, &capsule, &tensor));
  REFUSES_NULL("capsule", swy_tensor_from_dlpack_versioned(device, NULL, &tensor));
  REFUSES_NULL("out_tensor", swy_tensor_from_dlpack_versioned(device, &capsule, NULL));
  EXPECT(deleted == 0);
  OK(swy_tensor_from_dlpack_versioned(device, &capsule, &tensor));
  EXPECT_ELEMENTS(tensor, columns);

  OK(swy_tensor_to_dlpack_versioned(tensor, 0, &exported));
  EXPECT(exported->version.major == 1 && exported->flags == 1);
  EXPECT((char*)exported->dl_tensor.data + exported->dl_tensor.byte_offset == (char*)elements);
  exported->deleter(exported);
  OK(swy_tensor_to_dlpack_versioned(tensor, SWY_DLPACK_COPY, &exported));
  EXPECT(exported->flags == 2);
  EXPECT((char*)exported->dl_tensor.data + exported->dl_tensor.byte_offset != (char*)elements);
  exported->deleter(exported);
  REFUSES_NULL("tensor", swy_tensor_to_dlpack_versioned(NULL, 0, &exported));
  REFUSES_NULL("out_capsule", swy_tensor_to_dlpack_versioned(tensor, 0, NULL));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'flags' is 6",
        swy_tensor_to_dlpack_versioned(tensor, 6, &exported));
  swy_tensor_release(tensor);
  EXPECT(deleted == 1);

  capsule.version.major = 2; /* taken over though it is refused */
  FAILS(SWY_ERROR_UNSUPPORTED, "version 2.0",
        swy_tensor_from_dlpack_versioned(device, &capsule, &tensor));
  EXPECT(deleted == 2);
}

static void count_context(void* context) { ++*(int*)context; }

void test_borrow(swy_device* device) {
  float elements[] = {1, 2, 3, 4};
  const float columns[] = {1, 3, 2, 4};
  const float changed[] = {1, 2, 7, 4};
  const int64_t shape[] = {2, 2};
  const int64_t strides[] = {1, 2};
  const int64_t four = 4;
  const int64_t none = 0;
  const int64_t* of_copy = NULL;
  int given_back = 0;
  swy_tensor* tensor = NULL;
  swy_tensor* copy = NULL;
  OK(swy_tensor_borrow(device, SWY_FLOAT32, 2, shape, strides, elements, 0, count_context,
                       &given_back, &tensor));
  EXPECT_ELEMENTS(tensor, columns);
  OK(swy_tensor_clone(tensor, &copy));
  OK(swy_tensor_strides(copy, &of_copy));
  EXPECT(of_copy[0] == 2 && of_copy[1] == 1); /* contiguous */
  EXPECT_ELEMENTS(copy, columns);
  swy_tensor_release(copy);
  swy_tensor_release(tensor);
  EXPECT(given_back == 1);
  OK(swy_tensor_borrow(device, SWY_FLOAT32, 1, &four, NULL, elements, SWY_BORROW_READ_ONLY, NULL,
                       NULL, &tensor));
  elements[2] = 7; /* is seen: the memory is shared */
  EXPECT_ELEMENTS(tensor, changed);
  swy_tensor_release(tensor);
  OK(swy_tensor_borrow(device, SWY_FLOAT32, 1, &none, NULL, NULL, 0, count_context, &given_back,
                       &tensor));
  swy_tensor_release(tensor);
  EXPECT(given_back == 2);

  REFUSES_NULL("device", swy_tensor_borrow(NULL, SWY_FLOAT32, 1, &four, NULL, elements, 0,
                                           count_context, &given_back, &tensor));
  REFUSES_NULL("shape", swy_tensor_borrow(device, SWY_FLOAT32, 1, NULL, NULL, elements, 0,
                                          count_context, &given_back, &tensor));
  REFUSES_NULL("data", swy_tensor_borrow(device, SWY_FLOAT32, 1, &four, NULL, NULL, 0,
                                         count_context, &given_back, &tensor));
  REFUSES_NULL("out_tensor", swy_tensor_borrow(device, SWY_FLOAT32, 1, &four, NULL, elements, 0,
                                               count_context, &given_back, NULL));
  EXPECT(given_back == 2);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'flags' is 2",
        swy_tensor_borrow(device, SWY_FLOAT32, 1, &four, NULL, elements, 2, count_context,
                          &given_back, &tensor));
  EXPECT(given_back == 3);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'dtype' is 8",
        swy_tensor_borrow(device, SWY_STRING, 1, &four, NULL, elements, 0, count_context,
                          &given_back, &tensor));
  EXPECT(given_back == 4);
}

/* The elements in place, which live as long as the mapping. */
void test_map(swy_device* device) {
  float elements[] = {1, 2, 3, 4};
  const int64_t shape[] = {2, 2};
  const int64_t strides[] = {1, 2};
  swy_tensor* tensor = vector_of(device, elements, 4);
  swy_mapping* mapping = NULL;
  const void* data = NULL;
  OK(swy_tensor_map(tensor, &mapping, &data));
  swy_tensor_release(tensor);
  swy_mapping_retain(mapping);
  swy_mapping_release(mapping);
  EXPECT(memcmp(data, elements, sizeof(elements)) == 0);
  swy_mapping_release(mapping);
  swy_mapping_retain(NULL);
  swy_mapping_release(NULL);

  OK(swy_tensor_borrow(device, SWY_FLOAT32, 2, shape, NULL, elements, 0, NULL, NULL, &tensor));
  OK(swy_tensor_map(tensor, &mapping, &data));
  EXPECT(data == elements); /* no copy */
  swy_mapping_release(mapping);
  REFUSES_NULL("tensor", swy_tensor_map(NULL, &mapping, &data));
  REFUSES_NULL("out_mapping", swy_tensor_map(tensor, NULL, &data));
  REFUSES_NULL("out_data", swy_tensor_map(tensor, &mapping, NULL));
  swy_tensor_release(tensor);
  OK(swy_tensor_borrow(device, SWY_FLOAT32, 2, shape, strides, elements, 0, NULL, NULL, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "strided", swy_tensor_map(tensor, &mapping, &data));
  swy_tensor_release(tensor);
}

void test_assign(swy_device* device) {
  float elements[] = {1, 2, 3, 4};
  const float sevens[] = {7, 7, 7, 7};
  const float seven = 7;
  const int64_t four = 4;
  swy_tensor* tensor = vector_of(device, elements, 4);
  swy_tensor* source = vector_of(device, &seven, 1);
  OK(swy_tensor_assign(tensor, source)); /* broadcasts */
  EXPECT_ELEMENTS(tensor, sevens);
  FAILS(SWY_ERROR_SHAPE_MISMATCH, "", swy_tensor_assign(source, tensor));
  REFUSES_NULL("tensor", swy_tensor_assign(NULL, source));
  REFUSES_NULL("source", swy_tensor_assign(tensor, NULL));
  OK(swy_tensor_set_requires_grad(tensor, 1));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "requires a gradient", swy_tensor_assign(tensor, source));
  swy_grad_mode_set(0);
  OK(swy_tensor_assign(tensor, source));
  swy_grad_mode_set(1);
  swy_tensor_release(tensor);
  OK(swy_tensor_borrow(device, SWY_FLOAT32, 1, &four, NULL, elements, SWY_BORROW_READ_ONLY, NULL,
                       NULL, &tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "read-only", swy_tensor_assign(tensor, source));
  EXPECT(elements[0] == 1);
  swy_tensor_release(tensor);
  swy_tensor_release(source);
}
