/* Statuses, the log, runtimes and their devices. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

void test_status(void) {
  swy_runtime* runtime = NULL;
  swy_status* status = NULL;
  EXPECT(swy_api_version() == SWY_API_VERSION);
  EXPECT(swy_status_kind(NULL) == SWY_OK);
  EXPECT(strcmp(swy_status_message(NULL), "") == 0);
  swy_status_retain(NULL);
  swy_status_release(NULL);
  swy_text_release(NULL);
  EXPECT(strcmp(swy_status_device(NULL), "") == 0);
  EXPECT(strcmp(swy_status_op(NULL), "") == 0);
  EXPECT(strcmp(swy_status_plugin_code(NULL), "") == 0);
  EXPECT(swy_status_is_retryable(NULL) == 0);

  status = swy_runtime_open_text("[routing", &runtime);
  EXPECT(swy_status_kind(status) == SWY_ERROR_CONFIG);
  EXPECT(runtime == NULL); /* written on success only */
  swy_status_retain(status);
  swy_status_release(status);

  EXPECT(strstr(swy_status_message(status), "not TOML") != NULL);
  EXPECT(swy_status_is_retryable(status) == 0);
  swy_status_release(status);
}

static void count_context(void* context) { *(int*)context += 1000; }

static void count_message(void* context, swy_log_level level, const char* message) {
  if (level == SWY_LOG_WARN && strlen(message) > 0) ++*(int*)context;
}

/* A plugin that is not there is warned of. */
void test_log(void) {
  int messages = 0;
  swy_runtime* runtime = NULL;
  setenv("SWITCHYARD_LOG", "warn", 1);
  OK(swy_log_set_callback(count_message, &messages, count_context));
  swy_status_release(swy_runtime_open_text(
      "[plugins.nowhere]\nlibrary = \"/nowhere.so\"\n[routing]\norder = [\"nowhere\"]\n",
      &runtime));
  OK(swy_log_set_callback(NULL, NULL, NULL));
  EXPECT(messages > 1000); /* the deleter was called, too */
  swy_runtime_release(runtime);
}

void test_runtime(swy_runtime* runtime) {
  swy_runtime* other = NULL;
  swy_device* device = NULL;
  char* json = NULL;
  FAILS(SWY_ERROR_CONFIG, "nowhere.toml", swy_runtime_open_file("nowhere.toml", &other));
  REFUSES_NULL("file", swy_runtime_open_file(NULL, &other));
  REFUSES_NULL("toml", swy_runtime_open_text(NULL, &other));
  FAILS(SWY_ERROR_CONFIG, "nowhere.toml", swy_runtime_reload_file(runtime, "nowhere.toml"));
  FAILS(SWY_ERROR_CONFIG, "not TOML", swy_runtime_reload_text(runtime, "[routing"));
  OK(swy_runtime_reload(runtime));
  REFUSES_NULL("runtime", swy_runtime_reload(NULL));
  REFUSES_NULL("out_runtime", swy_runtime_open(NULL));
  OK(swy_runtime_open_file(getenv("SWITCHYARD_CONFIG"), &other));
  swy_runtime_retain(other);
  swy_runtime_release(other);
  swy_runtime_release(other);
  swy_runtime_retain(NULL);
  swy_runtime_release(NULL);

  OK(swy_runtime_devices_json(runtime, &json));
  EXPECT(strstr(json, "\"id\":\"cpu:0\"") != NULL);
  swy_text_release(json);
  OK(swy_runtime_fallbacks_json(runtime, &json));
  EXPECT(strcmp(json, "[]") == 0);
  swy_text_release(json);
  REFUSES_NULL("runtime", swy_runtime_devices_json(NULL, &json));
  REFUSES_NULL("out_json", swy_runtime_fallbacks_json(runtime, NULL));

  FAILS(SWY_ERROR_DEVICE_UNAVAILABLE, "nope", swy_runtime_device(runtime, "nope", &device));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "plugin:index", swy_runtime_device(runtime, "a:b:c", &device));
  REFUSES_NULL("name", swy_runtime_device(runtime, NULL, &device));
  REFUSES_NULL("runtime", swy_runtime_default_device(NULL, &device));
  REFUSES_NULL("out_device", swy_runtime_default_device(runtime, NULL));
}

static void note_fallback(void* context, const swy_fallback* fallback) {
  EXPECT(fallback->struct_size == sizeof(*fallback));
  EXPECT(strcmp(fallback->op, "Exp") == 0);
  EXPECT(strcmp(fallback->from, "fake:0") == 0 && strcmp(fallback->to, "cpu:0") == 0);
  EXPECT(fallback->code[0] != '\0' && fallback->reason[0] != '\0');
  ++*(int*)context;
}

/* The plugin, which is asked first, has no Exp. */
void test_fallback_callback(const char* fake_plugin) {
  const float numbers[] = {0, 0};
  const float ones[] = {1, 1};
  char toml[4096];
  int fallbacks = 0;
  int round = 0;
  swy_runtime* runtime = NULL;
  swy_device* device = NULL;
  swy_tensor* input = NULL;
  swy_tensor* output = NULL;
  swy_op_args args = op_args("Exp", &input, 1, &output);
  snprintf(toml, sizeof(toml),
           "[plugins.fake]\nlibrary = \"%s\"\n[plugins.cpu]\nlibrary = \"switchyard_cpu\"\n"
           "[routing]\norder = [\"fake\", \"cpu\"]\n",
           fake_plugin);
  OK(swy_runtime_open_text(toml, &runtime));
  OK(swy_runtime_device(runtime, "fake", &device));
  input = vector_of(device, numbers, 2);
  OK(swy_runtime_set_fallback_callback(runtime, note_fallback, &fallbacks, count_context));
  for (round = 0; round < 2; ++round) { /* told once, and then not any more */
    OK(swy_op_call(runtime, device, &args));
    EXPECT_ELEMENTS(output, ones);
    swy_tensor_release(output);
    EXPECT(fallbacks == (round == 0 ? 1 : 1001));
    OK(swy_runtime_set_fallback_callback(runtime, NULL, NULL, NULL));
    EXPECT(fallbacks == 1001); /* no call holds the context any more */
  }
  REFUSES_NULL("runtime", swy_runtime_set_fallback_callback(NULL, note_fallback, NULL, NULL));
  swy_tensor_release(input);
  swy_device_release(device);
  swy_runtime_release(runtime);
}

/* Pointers differ where devices do not. */
static void test_equal_devices(swy_runtime* runtime) {
  swy_runtime* other = NULL;
  swy_device* devices[4] = {NULL, NULL, NULL, NULL};
  int equal = -1;
  int i = 0;
  OK(swy_runtime_open(&other));
  OK(swy_runtime_device(runtime, "cpu", &devices[0]));
  OK(swy_runtime_device(runtime, "cpu:0", &devices[1]));
  OK(swy_runtime_device(other, "cpu", &devices[2]));
  OK(swy_runtime_device(runtime, "host", &devices[3]));
  for (i = 0; i < 4; ++i) {
    OK(swy_device_equal(devices[0], devices[i], &equal));
    EXPECT(equal == (i < 2));
  }
  OK(swy_device_equal(devices[3], devices[3], &equal));
  EXPECT(equal == 1);
  REFUSES_NULL("a", swy_device_equal(NULL, devices[0], &equal));
  REFUSES_NULL("b", swy_device_equal(devices[0], NULL, &equal));
  REFUSES_NULL("out_equal", swy_device_equal(devices[0], devices[1], NULL));
  for (i = 0; i < 4; ++i) swy_device_release(devices[i]);
  swy_runtime_release(other);
}

void test_device(swy_runtime* runtime) {
  swy_device* device = NULL;
  const char* name = NULL;
  swy_memory memory = {0};
  uint64_t freed = 1;
  test_equal_devices(runtime);
  OK(swy_runtime_default_device(runtime, &device));
  OK(swy_device_name(device, &name));
  EXPECT(strcmp(name, "cpu:0") == 0);
  REFUSES_NULL("device", swy_device_name(NULL, &name));

  FAILS(SWY_ERROR_INVALID_ARGUMENT, "swy_memory.struct_size is 0",
        swy_device_memory(device, &memory));
  memory.struct_size = sizeof(memory);
  OK(swy_device_memory(device, &memory));
  EXPECT(memory.peak_bytes >= memory.used_bytes);
  REFUSES_NULL("out_memory", swy_device_memory(device, NULL));

  OK(swy_device_synchronize(device));
  OK(swy_device_empty_cache(device, NULL));
  OK(swy_device_empty_cache(device, &freed));
  EXPECT(freed == 0);
  REFUSES_NULL("device", swy_device_synchronize(NULL));
  swy_device_retain(device);
  swy_device_release(device);
  swy_device_release(device);
}
