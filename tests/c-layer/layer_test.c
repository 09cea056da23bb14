/* The C layer for plugin authors, from C99: each header is used as its comment says. Exits with 1
 * where a check fails, which it names. That its copies equal the C++ layer's for all kinds of
 * strides is shown by tests/unit/plugin-api/c_layer_test.cpp. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/claim.h"
#include "switchyard/plugin/copy.h"
#include "switchyard/plugin/devices.h"
#include "switchyard/plugin/dtype.h"
#include "switchyard/plugin/entry.h"
#include "switchyard/plugin/error.h"
#include "switchyard/plugin/options.h"
#include "switchyard/plugin/program.h"
#include "switchyard/plugin/rows.h"
#include "switchyard/plugin/shape.h"
#include "switchyard/plugin/synchronous_stream.h"
#include "switchyard/plugin/verdict.h"

static int checks, failures;

static void check(int holds, const char* what, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  fprintf(stderr, "layer_test.c:%d: does not hold: %s\n", line, what);
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static sy_error new_error(void) {
  const sy_error error = {sizeof(error), SY_OK, SY_REASON_NONE, ""};
  return error;
}

static void errors_hold_a_sentence_cut_at_a_character(void) {
  sy_error error = new_error();
  CHECK(sy_fail(&error, SY_UNSUPPORTED, SY_REASON_RANK, "rank %d", 5) == SY_UNSUPPORTED);
  CHECK(error.status == SY_UNSUPPORTED && error.reason == SY_REASON_RANK);
  CHECK(strcmp(error.message, "rank 5") == 0);
  CHECK(sy_fail(NULL, SY_BUG, SY_REASON_NONE, "nobody reads it") == SY_BUG);

  /* Two bytes a character: the 500th byte ends the text, so that the 250th character is half. */
  char text[2 * 400 + 2] = "x";
  for (int i = 0; i < 400; ++i) memcpy(text + 1 + 2 * i, "\xC3\xA9", 2);
  text[801] = '\0';
  sy_fail(&error, SY_BUG, SY_REASON_NONE, "%s", text);
  CHECK(strlen(error.message) == 499);
  CHECK(memcmp(error.message, text, 499) == 0);
  sy_fail(&error, SY_BUG, SY_REASON_NONE, "%s", text + 1);
  CHECK(strlen(error.message) == 498);
  sy_fail(&error, SY_BUG, SY_REASON_NONE, "%s", "");
  CHECK(error.message[0] == '\0');
}

static void verdicts_say_what_the_check_said(void) {
  sy_verdict verdicts[2] = {{sizeof(sy_verdict), SY_UNANSWERED, SY_REASON_NONE, "?"},
                            {sizeof(sy_verdict), SY_UNANSWERED, SY_REASON_NONE, "?"}};
  sy_error why = new_error(), error = new_error();
  CHECK(sy_verdict_at(verdicts, 1) == &verdicts[1]);
  CHECK(sy_judge(&verdicts[0], SY_OK, &why, &error) == SY_OK);
  CHECK(verdicts[0].kind == SY_SUPPORTED && verdicts[0].message[0] == '\0');
  sy_fail(&why, SY_UNSUPPORTED, SY_REASON_DTYPE, "100%% float32");
  CHECK(sy_judge(&verdicts[1], SY_UNSUPPORTED, &why, &error) == SY_OK);
  CHECK(verdicts[1].kind == SY_REFUSED && verdicts[1].reason == SY_REASON_DTYPE);
  CHECK(strcmp(verdicts[1].message, "100% float32") == 0);
  CHECK(error.status == SY_OK);
  sy_fail(&why, SY_INVALID, SY_REASON_NONE, "no such axis");
  CHECK(sy_judge(&verdicts[0], SY_INVALID, &why, &error) == SY_INVALID);
  CHECK(error.status == SY_INVALID && strcmp(error.message, "no such axis") == 0);

  /* A host of a later version has larger structs. */
  union {
    sy_verdict verdict;
    char bytes[2 * (sizeof(sy_verdict) + 8)];
  } larger = {{sizeof(sy_verdict) + 8, SY_UNANSWERED, SY_REASON_NONE, ""}};
  CHECK((char*)sy_verdict_at(&larger.verdict, 1) == larger.bytes + sizeof(sy_verdict) + 8);
}

static void claims_are_constant_tables(void) {
  static const sy_claim claims[] = {
      SY_CLAIM_ROW("Add", 7, 14, SY_DTYPE_BIT(SY_FLOAT32), SY_CLAIM_STRIDED_INPUTS)};
  CHECK(claims[0].struct_size == sizeof(sy_claim));
  CHECK(strcmp(claims[0].op, "Add") == 0 && claims[0].domain[0] == '\0');
  CHECK(claims[0].min_version == 7 && claims[0].max_version == 14);
  CHECK(claims[0].input_dtypes == 2 && claims[0].output_dtypes == 2);
  CHECK(claims[0].min_rank == 0 && claims[0].max_rank == SY_MAX_RANK);
  CHECK(claims[0].flags == SY_CLAIM_STRIDED_INPUTS);
}

static void element_types_have_sizes_and_names(void) {
  uint64_t known = 0;
  for (sy_dtype dtype = 0; dtype < 64; ++dtype) {
    if (sy_dtype_bits(dtype) != 0) known |= SY_DTYPE_BIT(dtype);
  }
  CHECK(known == SY_DTYPES_ALL);
  CHECK(sy_dtype_bytes(SY_COMPLEX128) == 16 && sy_dtype_bytes(SY_INT4) == 0);
  CHECK(strcmp(sy_dtype_name(SY_BFLOAT16), "bfloat16") == 0);
  CHECK(strcmp(sy_dtype_name(-1), "unknown type") == 0);
  CHECK(sy_contiguous_bytes(SY_UINT4, 5) == 3 && sy_contiguous_bytes(SY_INT2, 5) == 2);
  CHECK(sy_contiguous_bytes(SY_FLOAT64, 5) == 40 && sy_contiguous_bytes(99, 5) == 0);
}

static void shapes_broadcast_as_in_onnx(void) {
  const int64_t shape[] = {2, 1, 3}, wanted[] = {5, 2, 4, 3};
  int64_t strides[4];
  CHECK(sy_element_count(3, shape) == 6 && sy_element_count(0, NULL) == 1);
  CHECK(sy_broadcast_strides(3, shape, NULL, 4, wanted, strides));
  CHECK(strides[0] == 0 && strides[1] == 3 && strides[2] == 0 && strides[3] == 1);
  CHECK(sy_broadcast_strides(0, NULL, NULL, 4, wanted, strides) && strides[3] == 0);
  CHECK(!sy_broadcast_strides(4, wanted, NULL, 3, shape, strides));
  const int64_t other[] = {5, 2, 4, 4};
  CHECK(!sy_broadcast_strides(3, shape, NULL, 4, other, strides));

  const int64_t backwards[] = {-3, 0, -1}, padded[] = {4, 7, 1};
  CHECK(sy_is_contiguous(3, shape, NULL) && !sy_is_contiguous(3, shape, backwards));
  CHECK(!sy_is_contiguous(3, shape, padded) && sy_is_contiguous(0, NULL, NULL));
  sy_byte_range range = sy_bytes_touched(SY_INT16, 3, shape, backwards);
  CHECK(range.first == -10 && range.end == 2);
  range = sy_bytes_touched(SY_INT16, 3, shape, padded);
  CHECK(range.first == 0 && range.end == 14);
  range = sy_bytes_touched(SY_UINT4, 3, shape, NULL);
  CHECK(range.first == 0 && range.end == 3);
  const int64_t empty[] = {2, 0, 3};
  range = sy_bytes_touched(SY_INT16, 3, empty, padded);
  CHECK(range.first == 0 && range.end == 0);
}

static void rows_walk_over_all_elements_once(void) {
  /* [[0, 1, 2], [3, 4, 5]] transposed, plus a column that broadcasts. */
  const float input[] = {0, 1, 2, 3, 4, 5}, column[] = {10, 20, 30};
  const int64_t shape[] = {3, 2}, column_shape[] = {3, 1}, transposed[] = {1, 3};
  float output[6] = {-1, -1, -1, -1, -1, -1};
  int64_t repeated[2];
  CHECK(sy_broadcast_strides(2, column_shape, NULL, 2, shape, repeated));
  const int64_t* strides[3] = {transposed, repeated, NULL};
  sy_rows rows;
  for (int more = sy_begin_rows(&rows, 3, 2, shape, strides); more; more = sy_next_row(&rows)) {
    for (int64_t i = 0; i < rows.count; ++i) {
      output[rows.offset[2] + i * rows.step[2]] =
          input[rows.offset[0] + i * rows.step[0]] + column[rows.offset[1] + i * rows.step[1]];
    }
  }
  const float wanted[] = {10, 13, 21, 24, 32, 35};
  CHECK(memcmp(output, wanted, sizeof(wanted)) == 0);

  const int64_t* contiguous[1] = {NULL};
  CHECK(sy_begin_rows(&rows, 1, 2, shape, contiguous) && rows.count == 6 && rows.step[0] == 1);
  CHECK(!sy_next_row(&rows));
  CHECK(sy_begin_rows(&rows, 1, 0, NULL, contiguous) && rows.count == 1 && !sy_next_row(&rows));
  const int64_t empty[] = {3, 0};
  CHECK(!sy_begin_rows(&rows, 1, 2, empty, contiguous));
}

static void copies_take_strides_and_packed_types(void) {
  sy_error error = new_error();
  const int64_t shape[] = {3, 2}, transposed[] = {1, 3}, backwards[] = {-2, -1};
  const int16_t source[] = {1, 2, 3, 4, 5, 6}, wanted[] = {6, 3, 5, 2, 4, 1};
  int16_t got[6] = {0};
  CHECK(sy_copy_elements(SY_INT16, 2, shape, source, transposed, got + 5, backwards, &error) ==
        SY_OK);
  CHECK(memcmp(got, wanted, sizeof(wanted)) == 0);
  const double one = 2.5;
  double other = 0;
  CHECK(sy_copy_elements(SY_FLOAT64, 0, NULL, &one, NULL, &other, NULL, &error) == SY_OK);
  CHECK(other == 2.5);
  const int64_t empty[] = {3, 0};
  CHECK(sy_copy_elements(SY_FLOAT64, 2, empty, NULL, NULL, NULL, NULL, &error) == SY_OK);

  const int64_t five[] = {5}, apart[] = {2};
  const uint8_t packed[] = {0x21, 0x43, 0x05};
  uint8_t unpacked[] = {0, 0, 0, 0xEE};
  CHECK(sy_copy_elements(SY_UINT4, 1, five, packed, NULL, unpacked, NULL, &error) == SY_OK);
  CHECK(memcmp(unpacked, packed, 3) == 0 && unpacked[3] == 0xEE);
  CHECK(sy_copy_elements(SY_INT2, 1, five, packed, apart, unpacked, NULL, &error) == SY_INVALID);
  CHECK(strcmp(error.message, "int2 must be contiguous on both sides of a copy") == 0);
  CHECK(sy_copy_elements(8, 1, five, packed, NULL, unpacked, NULL, &error) == SY_UNSUPPORTED);
  CHECK(sy_copy_elements(SY_INT8, 33, five, packed, NULL, unpacked, NULL, &error) ==
        SY_UNSUPPORTED);
  CHECK(strcmp(error.message, "rank 33 is above 32") == 0);
}

static sy_option new_option(sy_option_kind kind, const char* key) {
  sy_option option;
  memset(&option, 0, sizeof(option));
  option.struct_size = sizeof(option);
  option.kind = kind;
  option.key = key;
  return option;
}

static void options_are_read_by_key_and_kind(void) {
  sy_option options[4];
  options[0] = new_option(SY_OPTION_INT, "devices");
  options[0].integer = 3;
  options[1] = new_option(SY_OPTION_BOOL, "fast");
  options[1].integer = 1;
  options[2] = new_option(SY_OPTION_FLOAT, "share");
  options[2].real = 0.5;
  options[3] = new_option(SY_OPTION_STRING, "mode");
  options[3].text = "slow";
  sy_host host;
  memset(&host, 0, sizeof(host));
  host.struct_size = sizeof(host);
  host.options = options;
  host.option_count = 4;

  sy_error error = new_error();
  int64_t devices = 1, absent = 7;
  int fast = 0;
  double share = 1, real_devices = 0;
  const char* mode = "";
  CHECK(sy_integer_option(&host, "devices", 1, 16, &devices, &error) == SY_OK && devices == 3);
  CHECK(sy_integer_option(&host, "absent", 1, 16, &absent, &error) == SY_OK && absent == 7);
  CHECK(sy_flag_option(&host, "fast", &fast, &error) == SY_OK && fast == 1);
  CHECK(sy_real_option(&host, "share", 0, 1, &share, &error) == SY_OK && share == 0.5);
  CHECK(sy_real_option(&host, "devices", 0, 9, &real_devices, &error) == SY_OK);
  CHECK(real_devices == 3);
  CHECK(sy_text_option(&host, "mode", &mode, &error) == SY_OK && strcmp(mode, "slow") == 0);

  CHECK(sy_integer_option(&host, "devices", 4, 16, &devices, &error) == SY_INVALID && devices == 3);
  CHECK(strcmp(error.message, "option devices is 3; it must be from 4 to 16") == 0);
  CHECK(sy_integer_option(&host, "mode", 4, 16, &devices, &error) == SY_INVALID);
  CHECK(strcmp(error.message, "option mode must be an integer") == 0);
  options[2].real = NAN;
  CHECK(sy_real_option(&host, "share", 0, 1, &share, &error) == SY_INVALID);

  static const char* const known[] = {"devices", "fast", "share", "mode"};
  CHECK(sy_refuse_unknown_options(&host, known, 4, &error) == SY_OK);
  CHECK(sy_refuse_unknown_options(&host, known, 3, &error) == SY_INVALID);
  CHECK(strcmp(error.message, "no option mode; known: devices, fast, share") == 0);
  CHECK(sy_refuse_unknown_options(&host, NULL, 0, &error) == SY_INVALID);
  CHECK(strcmp(error.message, "no option devices; known: none") == 0);
}

static void versions_are_agreed_on(void) {
  sy_entry_args args;
  sy_error error = new_error();
  memset(&args, 0, sizeof(args));
  args.min_version = 0;
  args.max_version = SY_ABI_VERSION;
  CHECK(sy_negotiate_version(&args, &error) == SY_OK);
  args.min_version = args.max_version = (1u << 16) | 3u;
  CHECK(sy_negotiate_version(&args, &error) == SY_UNSUPPORTED);
  CHECK(strstr(error.message, "the host 1.3 to 1.3") != NULL);
}

static sy_device_info new_device(int32_t built, int32_t available, const char* message) {
  sy_device_info device;
  memset(&device, 0, sizeof(device));
  device.struct_size = sizeof(device);
  device.built = built;
  device.available = available;
  device.message = message;
  return device;
}

static void probe_tells_of_the_first_device_that_is_there(void) {
  sy_device_info devices[2];
  sy_probe_args args;
  memset(&args, 0, sizeof(args));
  devices[0] = new_device(1, 0, "no driver; install one");
  devices[1] = new_device(0, 0, "not built");
  sy_set_devices(&args, devices, 2);
  CHECK(args.built == 1 && args.available == 0 && args.device_count == 2);
  CHECK(strcmp(args.message, "no driver; install one") == 0);
  devices[1] = new_device(1, 1, "");
  sy_set_devices(&args, devices, 2);
  CHECK(args.available == 1 && args.message[0] == '\0');
}

static void programs_are_read_by_name_and_place(void) {
  sy_value values[3];
  memset(values, 0, sizeof(values));
  for (int i = 0; i < 3; ++i) values[i].struct_size = sizeof(sy_value);
  const int64_t axis = 2;
  const sy_attribute attribute = {sizeof(attribute), SY_ATTRIBUTE_INT, "axis", &axis, 1};
  const uint32_t node_inputs[] = {2, SY_ABSENT}, output[] = {0}, inputs[] = {1, 2};
  sy_node node;
  memset(&node, 0, sizeof(node));
  node.struct_size = sizeof(node);
  node.op = "Sum";
  node.attributes = &attribute;
  node.attribute_count = 1;
  node.inputs = node_inputs;
  node.input_count = 2;
  node.outputs = output;
  node.output_count = 1;
  sy_program program;
  memset(&program, 0, sizeof(program));
  program.struct_size = sizeof(program);
  program.values = values;
  program.inputs = inputs;
  program.input_count = 2;

  sy_error error = new_error();
  CHECK(sy_node_input(&program, &node, 0) == &values[2]);
  CHECK(sy_node_input(&program, &node, 1) == NULL && sy_node_input(&program, &node, 2) == NULL);
  CHECK(sy_node_output(&program, &node, 0) == &values[0]);
  CHECK(sy_input_position(&program, 2) == 1 && sy_input_position(&program, 0) == SY_ABSENT);
  CHECK(sy_find_attribute(&node, "axis") == &attribute && !sy_find_attribute(&node, "axes"));
  values[2].flags = SY_VALUE_IMMEDIATE | SY_VALUE_CONSTANT;
  node.math_flags = SY_MATH_DETERMINISTIC | SY_MATH_TF32;
  CHECK(sy_require_known(&program, &node, &error) == SY_OK);
  values[0].flags = 1u << 30;
  CHECK(sy_require_known(&program, &node, &error) == SY_UNSUPPORTED);
  CHECK(error.reason == SY_REASON_ATTRIBUTE);
  values[0].flags = 0;
  node.math_flags |= 1u << 31;
  CHECK(sy_require_known(&program, &node, &error) == SY_UNSUPPORTED);
}

static void streams_count_what_was_done(void) {
  sy_create_stream_args create;
  sy_completed_args completed;
  sy_wait_args wait;
  sy_stream_args destroy;
  sy_error error = new_error();
  memset(&create, 0, sizeof(create));
  memset(&completed, 0, sizeof(completed));
  memset(&wait, 0, sizeof(wait));
  memset(&destroy, 0, sizeof(destroy));
  create.device = (sy_device)(void*)&failures;
  CHECK(sy_create_synchronous_stream(&create, &error) == SY_OK);
  CHECK(*create.completed == 0);
  CHECK(sy_synchronous_stream_of(create.stream)->device == create.device);
  CHECK(sy_complete_next(create.stream) == 1 && sy_complete_next(create.stream) == 2);
  CHECK(*create.completed == 2);
  completed.stream = wait.stream = destroy.stream = create.stream;
  CHECK(sy_completed_of_synchronous_stream(&completed, &error) == SY_OK && completed.sequence == 2);
  wait.sequence = 2;
  CHECK(sy_wait_for_synchronous_stream(&wait, &error) == SY_OK);
  wait.sequence = 3;
  CHECK(sy_wait_for_synchronous_stream(&wait, &error) == SY_INVALID);
  CHECK(strcmp(error.message, "waits for 3, but the stream's last number is 2") == 0);
  CHECK(sy_destroy_synchronous_stream(&destroy, &error) == SY_OK);
}

int main(void) {
  errors_hold_a_sentence_cut_at_a_character();
  verdicts_say_what_the_check_said();
  claims_are_constant_tables();
  element_types_have_sizes_and_names();
  shapes_broadcast_as_in_onnx();
  rows_walk_over_all_elements_once();
  copies_take_strides_and_packed_types();
  options_are_read_by_key_and_kind();
  versions_are_agreed_on();
  probe_tells_of_the_first_device_that_is_there();
  programs_are_read_by_name_and_place();
  streams_count_what_was_done();
  printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
