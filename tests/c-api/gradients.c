/* Gradients of ops. */
#include "check.h"

/* y = x * x, whose gradient is 2 x. */
static swy_tensor* square_of(swy_runtime* runtime, swy_tensor* x) {
  swy_tensor* inputs[2];
  swy_tensor* output = NULL;
  swy_op_args args = op_args("Mul", inputs, 2, &output);
  inputs[0] = x;
  inputs[1] = x;
  OK(swy_op_call(runtime, NULL, &args));
  return output;
}

void test_gradients(swy_runtime* runtime, swy_device* device) {
  const float numbers[] = {3, 4};
  const float ones[] = {1, 1};
  const float doubled[] = {6, 8};
  const float summed[] = {12, 16};
  const float twos[] = {2, 2};
  const int64_t pair[] = {1, 1};
  const int64_t two = 2;
  swy_tensor* x = vector_of(device, numbers, 2);
  swy_tensor* start = vector_of(device, ones, 2);
  swy_tensor* integer = number_of(device, 1);
  swy_tensor* integers = NULL;
  swy_tensor* gradient = x;
  swy_tensor* y = NULL;
  int requires_grad = 1;
  OK(swy_tensor_requires_grad(x, &requires_grad));
  EXPECT(requires_grad == 0);
  OK(swy_tensor_set_requires_grad(x, 1));
  OK(swy_tensor_requires_grad(x, &requires_grad));
  EXPECT(requires_grad == 1);
  OK(swy_tensor_grad(x, &gradient));
  EXPECT(gradient == NULL);
  y = square_of(runtime, x);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "one element", swy_tensor_backward(y, NULL, 0));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'flags' is 8", swy_tensor_backward(y, start, 8));
  OK(swy_tensor_backward(y, start, SWY_BACKWARD_RETAIN_GRAPH));
  OK(swy_tensor_grad(x, &gradient));
  EXPECT_ELEMENTS(gradient, doubled);
  swy_tensor_release(gradient);
  OK(swy_tensor_backward(y, start, 0));
  OK(swy_tensor_grad(x, &gradient));
  EXPECT_ELEMENTS(gradient, summed);
  swy_tensor_release(gradient);
  swy_tensor_release(y);

  EXPECT(swy_grad_mode_get() == 1);
  swy_grad_mode_set(0);
  EXPECT(swy_grad_mode_get() == 0);
  y = square_of(runtime, x);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "", swy_tensor_backward(y, start, 0));
  swy_tensor_release(y);
  swy_grad_mode_set(1);

  REFUSES_NULL("tensor", swy_tensor_set_grad(NULL, start));
  OK(swy_tensor_from_bytes(device, SWY_INT64, 1, &two, pair, sizeof(pair), &integers));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "int64", swy_tensor_set_grad(x, integers));
  swy_tensor_release(integers);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "", swy_tensor_set_grad(x, x));
  OK(swy_tensor_set_grad(x, start));
  OK(swy_tensor_set_grad(x, NULL));
  y = square_of(runtime, x);
  OK(swy_tensor_backward(y, start, SWY_BACKWARD_CREATE_GRAPH));
  swy_tensor_release(y);
  OK(swy_tensor_grad(x, &y));
  OK(swy_tensor_set_grad(x, NULL));
  OK(swy_tensor_backward(y, start, 0));
  swy_tensor_release(y);
  OK(swy_tensor_grad(x, &gradient));
  EXPECT_ELEMENTS(gradient, twos);
  swy_tensor_release(gradient);
  OK(swy_tensor_set_requires_grad(x, 0));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "int64", swy_tensor_set_requires_grad(integer, 1));
  REFUSES_NULL("tensor", swy_tensor_set_requires_grad(NULL, 1));
  REFUSES_NULL("out_requires_grad", swy_tensor_requires_grad(x, NULL));
  REFUSES_NULL("tensor", swy_tensor_backward(NULL, NULL, 0));
  REFUSES_NULL("out_gradient", swy_tensor_grad(x, NULL));
  swy_tensor_release(x);
  swy_tensor_release(start);
  swy_tensor_release(integer);
}

/* The gradient of what an op made is kept where swy_tensor_retain_grad asked for it alone. */
void test_kept_gradients(swy_runtime* runtime, swy_device* device) {
  const float numbers[] = {3, 4};
  const float ones[] = {1, 1};
  swy_tensor* x = vector_of(device, numbers, 2);
  swy_tensor* start = vector_of(device, ones, 2);
  swy_tensor* y = NULL;
  swy_tensor* gradient = NULL;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "", swy_tensor_retain_grad(x));
  OK(swy_tensor_set_requires_grad(x, 1));
  y = square_of(runtime, x);
  OK(swy_tensor_set_requires_grad(y, 1)); /* nothing changes */
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "", swy_tensor_set_requires_grad(y, 0));
  OK(swy_tensor_backward(y, start, SWY_BACKWARD_RETAIN_GRAPH));
  OK(swy_tensor_grad(y, &gradient));
  EXPECT(gradient == NULL);
  OK(swy_tensor_retain_grad(y));
  OK(swy_tensor_retain_grad(x)); /* is kept anyway */
  OK(swy_tensor_backward(y, start, 0));
  OK(swy_tensor_grad(y, &gradient));
  EXPECT_ELEMENTS(gradient, ones);
  REFUSES_NULL("tensor", swy_tensor_retain_grad(NULL));
  swy_tensor_release(gradient);
  swy_tensor_release(y);
  swy_tensor_release(start);
  swy_tensor_release(x);
}

/* detach() cuts, clone() does not. */
void test_copies(swy_device* device) {
  const float numbers[] = {3, 4};
  const float ones[] = {1, 1};
  swy_tensor* x = vector_of(device, numbers, 2);
  swy_tensor* start = vector_of(device, ones, 2);
  swy_tensor* detached = NULL;
  swy_tensor* copy = NULL;
  swy_tensor* gradient = NULL;
  int requires_grad = 1;
  OK(swy_tensor_set_requires_grad(x, 1));
  OK(swy_tensor_detach(x, &detached));
  OK(swy_tensor_requires_grad(detached, &requires_grad));
  EXPECT(requires_grad == 0);
  EXPECT_ELEMENTS(detached, numbers);
  OK(swy_tensor_clone(x, &copy));
  EXPECT_ELEMENTS(copy, numbers);
  OK(swy_tensor_backward(copy, start, 0));
  OK(swy_tensor_grad(x, &gradient));
  EXPECT_ELEMENTS(gradient, ones);
  REFUSES_NULL("out_tensor", swy_tensor_detach(x, NULL));
  REFUSES_NULL("tensor", swy_tensor_clone(NULL, &copy));
  swy_tensor_release(gradient);
  swy_tensor_release(copy);
  swy_tensor_release(detached);
  swy_tensor_release(start);
  swy_tensor_release(x);
}
