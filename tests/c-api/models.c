/* Models and their runs, with deadlines and cancellation. */
#define _POSIX_C_SOURCE 200809L /* alarm */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

void test_model(swy_runtime* runtime, const char* fashion, const char* counting_loop) {
  const char* names[] = {"n"};
  const int64_t extents[] = {4};
  swy_model_options options = {0};
  swy_model* model = NULL;
  swy_port port = {0};
  size_t count = 0;
  FAILS(SWY_ERROR_NOT_FOUND, "nowhere.onnx", swy_model_load(runtime, "nowhere.onnx", NULL, &model));
  FAILS(SWY_ERROR_MODEL, "model in memory",
        swy_model_from_bytes(runtime, "nonsense", 8, NULL, &model));
  REFUSES_NULL("data", swy_model_from_bytes(runtime, NULL, 8, NULL, &model));
  REFUSES_NULL("file", swy_model_load(runtime, NULL, NULL, &model));
  REFUSES_NULL("runtime", swy_model_load(NULL, fashion, NULL, &model));
  REFUSES_NULL("out_model", swy_model_load(runtime, fashion, NULL, NULL));

  FAILS(SWY_ERROR_INVALID_ARGUMENT, "swy_model_options.struct_size is 0",
        swy_model_load(runtime, counting_loop, &options, &model));
  options.struct_size = sizeof(options);
  options.fixed_dim_count = 1;
  REFUSES_NULL("options.fixed_dim_names", swy_model_load(runtime, counting_loop, &options, &model));
  options.fixed_dim_names = names;
  options.fixed_dim_extents = extents;
  OK(swy_model_load(runtime, counting_loop, &options, &model));
  OK(swy_model_input_count(model, &count));
  EXPECT(count == 3);
  OK(swy_model_output_count(model, &count));
  EXPECT(count == 3);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "swy_port.struct_size is 0",
        swy_model_input_port(model, 1, &port));
  port.struct_size = sizeof(port);
  OK(swy_model_input_port(model, 1, &port));
  EXPECT(strcmp(port.name, "x") == 0 && port.dtype == SWY_FLOAT32);
  EXPECT(port.rank == 1 && port.shape[0] == 4 && strcmp(port.dim_names[0], "n") == 0);
  EXPECT(port.flags == (SWY_PORT_TENSOR | SWY_PORT_REQUIRED));
  OK(swy_model_output_port(model, 1, &port));
  EXPECT((port.flags & SWY_PORT_TENSOR) == 0);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no output 3", swy_model_output_port(model, 3, &port));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no input 9", swy_model_input_port(model, 9, &port));
  REFUSES_NULL("out_port", swy_model_input_port(model, 0, NULL));
  REFUSES_NULL("model", swy_model_output_count(NULL, &count));
  REFUSES_NULL("out_count", swy_model_input_count(model, NULL));
  swy_model_retain(model);
  swy_model_release(model);
  swy_model_release(model);
}

/* Pictures of nothing: 10 scores each. */
void test_fashion(swy_runtime* runtime, swy_device* device, const char* file) {
  const int64_t pictures[] = {2, 1, 28, 28};
  const int64_t* shape = NULL;
  swy_model* model = NULL;
  swy_run* run = NULL;
  swy_tensor* input = NULL;
  swy_tensor* output = NULL;
  float scores[20] = {0};
  OK(swy_model_load(runtime, file, NULL, &model));
  OK(swy_run_create(model, &run));
  swy_model_release(model); /* the run keeps it */
  OK(swy_tensor_zeros(device, SWY_FLOAT32, 4, pictures, &input));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "is missing", swy_run_execute(run));
  OK(swy_run_set_input(run, 0, input));
  swy_tensor_release(input); /* and this */
  OK(swy_run_execute(run));
  OK(swy_run_output(run, 0, &output));
  swy_run_retain(run);
  swy_run_release(run);
  swy_run_release(run);
  OK(swy_tensor_shape(output, &shape));
  EXPECT(shape[0] == 2 && shape[1] == 10);
  OK(swy_tensor_read(output, scores, sizeof(scores)));
  EXPECT(scores[0] != 0 && scores[3] == scores[13]);
  swy_tensor_release(output);
}

static swy_run* loop_run(swy_runtime* runtime, swy_device* device, const char* file,
                         int64_t iterations) {
  const float x[] = {1, 2};
  const float step[] = {10, 20};
  swy_model* model = NULL;
  swy_run* run = NULL;
  swy_tensor* inputs[3];
  size_t i = 0;
  OK(swy_model_load(runtime, file, NULL, &model));
  OK(swy_run_create(model, &run));
  swy_model_release(model);
  inputs[0] = number_of(device, iterations);
  inputs[1] = vector_of(device, x, 2);
  inputs[2] = vector_of(device, step, 2);
  for (i = 0; i < 2; ++i) OK(swy_run_set_input(run, i, inputs[i]));
  OK(swy_run_set_input_by_name(run, "step", inputs[2]));
  for (i = 0; i < 3; ++i) swy_tensor_release(inputs[i]);
  return run;
}

static void store_kind(void* context, swy_status* status) {
  *(swy_error_kind*)context = swy_status_kind(status);
  swy_status_release(status);
}

static void test_given_outputs(swy_runtime* runtime, swy_device* device, const char* file) {
  const float nothing[] = {0, 0};
  const float wanted[] = {31, 62};
  swy_error_kind kind = -1;
  swy_run* run = loop_run(runtime, device, file, 3);
  swy_tensor* target = vector_of(device, nothing, 2);
  swy_tensor* zeros = vector_of(device, nothing, 2);
  OK(swy_run_set_output(run, 0, target));
  OK(swy_run_set_device(run, device));
  OK(swy_run_execute_async(run, store_kind, &kind));
  OK(swy_run_wait(run));
  EXPECT(kind == SWY_OK);
  EXPECT_ELEMENTS(target, wanted);
  OK(swy_run_set_output(run, 0, NULL));
  OK(swy_tensor_assign(target, zeros));
  OK(swy_run_set_output_by_name(run, "y", target));
  OK(swy_run_execute(run));
  EXPECT_ELEMENTS(target, wanted);
  OK(swy_run_set_output_by_name(run, "y", NULL)); /* takes it away */
  OK(swy_run_set_deadline(run, 0));
  OK(swy_run_execute_async(run, store_kind, &kind));
  OK(swy_run_wait(run));
  EXPECT(kind == SWY_ERROR_DEADLINE);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no output 9", swy_run_set_output(run, 9, target));
  FAILS(SWY_ERROR_NOT_FOUND, "no output 'z'", swy_run_set_output_by_name(run, "z", target));
  REFUSES_NULL("callback", swy_run_execute_async(run, NULL, NULL));
  OK(swy_run_set_device(run, NULL)); /* takes it away */
  REFUSES_NULL("run", swy_run_set_output(NULL, 0, target));
  REFUSES_NULL("run", swy_run_set_output_by_name(NULL, "y", target));
  REFUSES_NULL("name", swy_run_set_output_by_name(run, NULL, target));
  REFUSES_NULL("run", swy_run_wait(NULL));
  swy_tensor_release(zeros);
  swy_tensor_release(target);
  swy_run_release(run);
}

static void use_anew(void* context, swy_status* status) {
  swy_run* run = context;
  swy_status_release(status);
  swy_run_retain(run); /* while the last owner waits */
  swy_run_release(run);
}

static void test_last_release(swy_runtime* runtime, swy_device* device, const char* file) {
  int i = 0;
  for (i = 0; i < 20; ++i) {
    swy_run* run = loop_run(runtime, device, file, 3);
    OK(swy_run_execute_async(run, use_anew, run));
    swy_run_release(run);
  }
}

/* Of a run that was executed. */
static void test_outputs_by_name(swy_run* run, const float* wanted) {
  swy_tensor* output = NULL;
  OK(swy_run_output_by_name(run, "y", &output));
  expect_elements(output, wanted, 2, WHERE);
  swy_tensor_release(output);
  FAILS(SWY_ERROR_UNSUPPORTED, "'pair' is a sequence",
        swy_run_output_by_name(run, "pair", &output));
  OK(swy_run_output_by_name(run, "nothing", &output));
  EXPECT(output == NULL);
  FAILS(SWY_ERROR_NOT_FOUND, "no output 'z'", swy_run_output_by_name(run, "z", &output));
}

void test_run(swy_runtime* runtime, swy_device* device, const char* counting_loop) {
  const float wanted[] = {31, 62};
  const float one_each[] = {1, 1};
  swy_run* run = loop_run(runtime, device, counting_loop, 3);
  swy_tensor* tensor = number_of(device, 3);
  swy_tensor* ones = vector_of(device, one_each, 2);
  swy_tensor* output = tensor;
  test_given_outputs(runtime, device, counting_loop);
  test_last_release(runtime, device, counting_loop);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no outputs", swy_run_output(run, 0, &output));
  OK(swy_run_execute(run));
  OK(swy_run_output(run, 0, &output));
  EXPECT_ELEMENTS(output, wanted);
  swy_tensor_release(output);
  FAILS(SWY_ERROR_UNSUPPORTED, "'pair' is a sequence", swy_run_output(run, 1, &output));
  OK(swy_run_output(run, 2, &output));
  EXPECT(output == NULL);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no output 3", swy_run_output(run, 3, &output));
  test_outputs_by_name(run, wanted);

  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no input 3", swy_run_set_input(run, 3, tensor));
  FAILS(SWY_ERROR_NOT_FOUND, "no input 'z'", swy_run_set_input_by_name(run, "z", tensor));
  OK(swy_run_set_input_by_name(run, "x", tensor));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "takes float32, got int64", swy_run_execute(run));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "no outputs", swy_run_output(run, 0, &output));
  OK(swy_tensor_set_requires_grad(ones, 1));
  OK(swy_run_set_input_by_name(run, "x", ones));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "requires a gradient", swy_run_execute(run));
  swy_grad_mode_set(0);
  OK(swy_run_execute(run));
  OK(swy_run_set_input(run, 0, NULL)); /* takes it away */
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "is missing", swy_run_execute(run));
  swy_grad_mode_set(1);
  swy_tensor_release(ones);
  REFUSES_NULL("name", swy_run_set_input_by_name(run, NULL, tensor));
  REFUSES_NULL("run", swy_run_execute(NULL));
  REFUSES_NULL("model", swy_run_create(NULL, &run));
  REFUSES_NULL("out_tensor", swy_run_output(run, 0, NULL));
  REFUSES_NULL("run", swy_run_output_by_name(NULL, "y", &output));
  REFUSES_NULL("name", swy_run_output_by_name(run, NULL, &output));
  REFUSES_NULL("out_tensor", swy_run_output_by_name(run, "y", NULL));
  swy_tensor_release(tensor);
  swy_run_release(run);
}

void test_prepare(swy_runtime* runtime, const char* counting_loop) {
  const char* names[] = {"x", "step", "x"};
  const uint32_t ranks[] = {1, 1, 1};
  const int64_t five = 5;
  const int64_t* shapes[] = {&five, &five, &five};
  swy_model* model = NULL;
  OK(swy_model_load(runtime, counting_loop, NULL, &model));
  OK(swy_model_prepare(model, 2, names, ranks, shapes));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'x' twice", swy_model_prepare(model, 3, names, ranks, shapes));
  names[0] = "y";
  FAILS(SWY_ERROR_NOT_FOUND, "'y'", swy_model_prepare(model, 1, names, ranks, shapes));
  REFUSES_NULL("model", swy_model_prepare(NULL, 1, names, ranks, shapes));
  REFUSES_NULL("names", swy_model_prepare(model, 1, NULL, ranks, shapes));
  REFUSES_NULL("ranks", swy_model_prepare(model, 1, names, NULL, shapes));
  REFUSES_NULL("shapes", swy_model_prepare(model, 1, names, ranks, NULL));
  swy_model_release(model);
}

static swy_cancellation_token* token_of_signal = NULL;
static void cancel_on_signal(int number) {
  (void)number;
  swy_cancellation_token_cancel(token_of_signal);
}

/* A deadline counts from where it is set, a timeout from each execution. */
void test_limits(swy_runtime* runtime, swy_device* device, const char* counting_loop) {
  swy_run* run = loop_run(runtime, device, counting_loop, 9000000);
  swy_run* short_run = loop_run(runtime, device, counting_loop, 3);
  int round = 0;
  OK(swy_run_set_deadline(run, 50));
  FAILS(SWY_ERROR_DEADLINE, "", swy_run_execute(run));
  OK(swy_run_set_timeout(run, 50));
  for (round = 0; round < 2; ++round) FAILS(SWY_ERROR_DEADLINE, "", swy_run_execute(run));
  swy_run_release(run);

  OK(swy_run_set_deadline(short_run, -1));
  FAILS(SWY_ERROR_DEADLINE, "", swy_run_execute(short_run));
  OK(swy_run_set_timeout(short_run, SWY_NO_DEADLINE)); /* the later call counts */
  OK(swy_run_execute(short_run));
  OK(swy_run_set_timeout(short_run, INT64_MIN));
  FAILS(SWY_ERROR_DEADLINE, "", swy_run_execute(short_run));
  OK(swy_run_set_timeout(short_run, INT64_MAX - 1)); /* beyond the end of the clock */
  OK(swy_run_execute(short_run));
  OK(swy_run_set_deadline(short_run, INT64_MIN));
  FAILS(SWY_ERROR_DEADLINE, "", swy_run_execute(short_run));
  OK(swy_run_set_deadline(short_run, INT64_MAX - 1));
  OK(swy_run_execute(short_run));
  OK(swy_run_set_timeout(short_run, 0));
  FAILS(SWY_ERROR_DEADLINE, "", swy_run_execute(short_run));
  OK(swy_run_set_deadline(short_run, SWY_NO_DEADLINE));
  OK(swy_run_execute(short_run));
  REFUSES_NULL("run", swy_run_set_deadline(NULL, 1));
  REFUSES_NULL("run", swy_run_set_timeout(NULL, 1));
  swy_run_release(short_run);
}

void test_cancellation(swy_runtime* runtime, swy_device* device, const char* counting_loop) {
  swy_run* run = loop_run(runtime, device, counting_loop, 9000000);
  swy_run* short_run = loop_run(runtime, device, counting_loop, 3);
  swy_cancellation_token* token = NULL;
  struct sigaction action;
  OK(swy_cancellation_token_create(&token));
  OK(swy_run_set_cancellation_token(run, token));
  token_of_signal = token;
  memset(&action, 0, sizeof(action));
  action.sa_handler = cancel_on_signal;
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
  FAILS(SWY_ERROR_CANCELLED, "", swy_run_execute(run));
  swy_run_release(run);

  OK(swy_run_set_cancellation_token(short_run, token));
  FAILS(SWY_ERROR_CANCELLED, "", swy_run_execute(short_run));
  swy_cancellation_token_reset(token);
  OK(swy_run_execute(short_run));
  swy_cancellation_token_cancel(token);
  OK(swy_run_set_cancellation_token(short_run, NULL));
  OK(swy_run_execute(short_run));
  OK(swy_run_set_cancellation_token(short_run, token));
  swy_cancellation_token_retain(token);
  swy_cancellation_token_release(token);
  swy_cancellation_token_release(token);
  FAILS(SWY_ERROR_CANCELLED, "", swy_run_execute(short_run)); /* the run keeps the token */
  swy_run_release(short_run);

  swy_cancellation_token_cancel(NULL);
  swy_cancellation_token_reset(NULL);
  REFUSES_NULL("out_token", swy_cancellation_token_create(NULL));
  REFUSES_NULL("run", swy_run_set_cancellation_token(NULL, NULL));
}
