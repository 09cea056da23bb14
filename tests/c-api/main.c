/* Calls every function of <switchyard/switchyard.h> from C, and each in the wrong way.
 *
 *   switchyard_c_api FASHION.ONNX COUNTING_LOOP.ONNX FAKE_PLUGIN
 */
#include <stdio.h>

#include "check.h"

static const char* cpu_only =
    "[routing]\norder = [\"cpu\"]\n[plugins.cpu]\nlibrary = "
    "\"switchyard_cpu\"\nrequired = true\n";

/* What is made is of use after everything that it was made from. */
static void test_lifetimes(void) {
  const float numbers[] = {1, 2};
  swy_runtime* runtime = NULL;
  swy_device* device = NULL;
  swy_tensor* tensor = NULL;
  OK(swy_runtime_open_text(cpu_only, &runtime));
  OK(swy_runtime_device(runtime, "cpu:0", &device));
  swy_runtime_release(runtime);
  tensor = vector_of(device, numbers, 2);
  swy_device_release(device);
  EXPECT_ELEMENTS(tensor, numbers);
  swy_tensor_release(tensor);
}

int main(int count, char** arguments) {
  swy_runtime* runtime = NULL;
  swy_device* device = NULL;
  if (count != 4) {
    fprintf(stderr, "usage: switchyard_c_api FASHION.ONNX COUNTING_LOOP.ONNX FAKE_PLUGIN\n");
    return 2;
  }
  test_status();
  test_log();
  OK(swy_runtime_open(&runtime));
  OK(swy_runtime_device(runtime, "cpu", &device));
  test_runtime(runtime);
  test_fallback_callback(arguments[3]);
  test_device(runtime);
  test_tensor(device);
  test_same_tensor(device);
  test_dlpack(device);
  test_versioned_dlpack(device);
  test_borrow(device);
  test_map(device);
  test_assign(device);
  test_model(runtime, arguments[1], arguments[2]);
  test_fashion(runtime, device, arguments[1]);
  test_prepare(runtime, arguments[2]);
  test_run(runtime, device, arguments[2]);
  test_limits(runtime, device, arguments[2]);
  test_cancellation(runtime, device, arguments[2]);
  test_op(runtime, device);
  test_other_runtime(device);
  test_outputs(runtime, device);
  test_attributes(runtime, device);
  test_wrong_attributes(runtime, device);
  test_gradients(runtime, device);
  test_kept_gradients(runtime, device);
  test_copies(device);
  test_lifetimes();
  swy_device_release(device);
  swy_runtime_release(runtime);
  if (failures == 0) puts("all calls as promised");
  return failures == 0 ? 0 : 1;
}
