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
