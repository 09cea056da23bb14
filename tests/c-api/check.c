#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int failures = 0;

void expect(int holds, const char* what, const char* where) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "%s: not so: %s\n", where, what);
}

void succeed(swy_status* status, const char* call, const char* where) {
  if (status == NULL) return;
  fprintf(stderr, "%s: %s: %s\n", where, call, swy_status_message(status));
  exit(1);
}

/* The words of a message may change while a program that was built once runs on. */
#ifdef ARCHIVED
static int says(const swy_status* status, const char* part) {
  (void)part;
  return swy_status_message(status)[0] != '\0';
}
#else
static int says(const swy_status* status, const char* part) {
  return strstr(swy_status_message(status), part) != NULL;
}
#endif

void fail(swy_status* status, swy_error_kind kind, const char* part, const char* call,
          const char* where) {
  if (swy_status_kind(status) != kind || !says(status, part)) {
    ++failures;
    fprintf(stderr, "%s: %s: kind %d instead of %d, '%s' without '%s'\n", where, call,
            (int)swy_status_kind(status), (int)kind, swy_status_message(status), part);
  }
  swy_status_release(status);
}

swy_tensor* vector_of(swy_device* device, const float* elements, int64_t count) {
  swy_tensor* made = NULL;
  OK(swy_tensor_from_bytes(device, SWY_FLOAT32, 1, &count, elements, sizeof(float) * (size_t)count,
                           &made));
  return made;
}

swy_tensor* number_of(swy_device* device, int64_t number) {
  swy_tensor* made = NULL;
  OK(swy_tensor_from_bytes(device, SWY_INT64, 0, NULL, &number, sizeof(number), &made));
  return made;
}

void expect_elements(swy_tensor* tensor, const float* wanted, size_t count, const char* where) {
  float elements[16] = {0};
  size_t i = 0;
  succeed(swy_tensor_read(tensor, elements, sizeof(float) * count), "swy_tensor_read", where);
  for (i = 0; i < count; ++i) expect(elements[i] == wanted[i], "the elements", where);
}

swy_op_args op_args(const char* op, swy_tensor** inputs, uint32_t input_count,
                    swy_tensor** output) {
  swy_op_args args;
  memset(&args, 0, sizeof(args));
  args.struct_size = sizeof(args);
  args.op = op;
  args.inputs = inputs;
  args.input_count = input_count;
  args.outputs = output;
  args.output_count = 1;
  return args;
}
