/* What the tests of the C API share: checks that name their line, and tensors to call with. */
#ifndef CHECK_H_
#define CHECK_H_

#include <switchyard/plugin.h> /* both C headers fit in one program */
#include <switchyard/switchyard.h>

extern int failures;

#define CHECK_TEXT_OF(line) #line
#define CHECK_TEXT(line) CHECK_TEXT_OF(line)
#define WHERE __FILE__ ":" CHECK_TEXT(__LINE__)

void expect(int holds, const char* what, const char* where);
void succeed(swy_status* status, const char* call, const char* where);
void fail(swy_status* status, swy_error_kind kind, const char* part, const char* call,
          const char* where);
swy_tensor* vector_of(swy_device* device, const float* elements, int64_t count);
swy_tensor* number_of(swy_device* device, int64_t number);
void expect_elements(swy_tensor* tensor, const float* wanted, size_t count, const char* where);
swy_op_args op_args(const char* op, swy_tensor** inputs, uint32_t input_count, swy_tensor** output);

#define EXPECT(condition) expect((condition), #condition, WHERE)
/* The rest makes no sense after a call that must succeed has failed. */
#define OK(call) succeed((call), #call, WHERE)
#define FAILS(kind, part, call) fail((call), (kind), (part), #call, WHERE)
#define REFUSES_NULL(name, call) \
  fail((call), SWY_ERROR_INVALID_ARGUMENT, "'" name "' is NULL", #call, WHERE)
#define EXPECT_ELEMENTS(tensor, wanted) \
  expect_elements((tensor), (wanted), sizeof(wanted) / sizeof(float), WHERE)

/* The tests, by file. */
void test_status(void);
void test_log(void);
void test_fallback_callback(const char* fake_plugin);
void test_runtime(swy_runtime* runtime);
void test_device(swy_runtime* runtime);
void test_tensor(swy_device* device);
void test_same_tensor(swy_device* device);
void test_dlpack(swy_device* device);
void test_versioned_dlpack(swy_device* device);
void test_borrow(swy_device* device);
void test_map(swy_device* device);
void test_assign(swy_device* device);
void test_model(swy_runtime* runtime, const char* fashion, const char* counting_loop);
void test_fashion(swy_runtime* runtime, swy_device* device, const char* file);
void test_prepare(swy_runtime* runtime, const char* counting_loop);
void test_run(swy_runtime* runtime, swy_device* device, const char* counting_loop);
void test_limits(swy_runtime* runtime, swy_device* device, const char* counting_loop);
void test_cancellation(swy_runtime* runtime, swy_device* device, const char* counting_loop);
void test_op(swy_runtime* runtime, swy_device* device);
void test_other_runtime(swy_device* device);
void test_outputs(swy_runtime* runtime, swy_device* device);
void test_attributes(swy_runtime* runtime, swy_device* device);
void test_wrong_attributes(swy_runtime* runtime, swy_device* device);
void test_gradients(swy_runtime* runtime, swy_device* device);
void test_kept_gradients(swy_runtime* runtime, swy_device* device);
void test_copies(swy_device* device);

#endif
