/* Single ops and their attributes. */
#include "check.h"

static swy_attribute attribute_of(const char* name, swy_attribute_kind kind, const void* data,
                                  uint64_t count) {
  swy_attribute attribute = {0};
  attribute.struct_size = sizeof(attribute);
  attribute.name = name;
  attribute.kind = kind;
  attribute.data = data;
  attribute.count = count;
  return attribute;
}

void test_op(swy_runtime* runtime, swy_device* device) {
  const float numbers[] = {-1, 2, 5};
  const float clipped[] = {-1, 2, 3};
  const float three = 3;
  swy_tensor* x = vector_of(device, numbers, 3);
  swy_tensor* high = NULL;
  swy_tensor* inputs[3];
  swy_tensor* outputs[2] = {NULL, NULL};
  const swy_attribute attribute = attribute_of("none", SWY_ATTRIBUTE_FLOAT, &three, 1);
  swy_op_args args = op_args("Clip", inputs, 3, outputs);
  OK(swy_tensor_from_bytes(device, SWY_FLOAT32, 0, NULL, &three, sizeof(three), &high));
  inputs[0] = x;
  inputs[1] = NULL; /* left out */
  inputs[2] = high;
  OK(swy_op_call(runtime, device, &args));
  EXPECT_ELEMENTS(outputs[0], clipped);
  swy_tensor_release(outputs[0]);
  args.output_count = 2;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "[Clip] is asked for 2 outputs and has 1",
        swy_op_call(runtime, device, &args));
  args.output_count = 0;
  args.outputs = NULL;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "0 outputs", swy_op_call(runtime, NULL, &args));

  REFUSES_NULL("runtime", swy_op_call(NULL, device, &args));
  REFUSES_NULL("args", swy_op_call(runtime, device, NULL));
  args.inputs = NULL;
  REFUSES_NULL("args.inputs", swy_op_call(runtime, device, &args));
  args.inputs = inputs; /* of a count that was never set, nothing is read */
  args.input_count = UINT32_MAX;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'args.inputs' has a count of 4294967295",
        swy_op_call(runtime, device, &args));
  args.input_count = 0;
  args.outputs = outputs;
  args.output_count = UINT32_MAX;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'args.outputs' has a count of 4294967295",
        swy_op_call(runtime, device, &args));
  args.output_count = 1;
  args.attributes = &attribute;
  args.attribute_count = UINT32_MAX;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'args.attributes' has a count of 4294967295",
        swy_op_call(runtime, device, &args));
  args.attribute_count = 0;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "Clip", swy_op_call(runtime, device, &args));
  args.op = "Klip";
  FAILS(SWY_ERROR_NOT_FOUND, "Klip", swy_op_call(runtime, device, &args));
  args.op = NULL;
  REFUSES_NULL("args.op", swy_op_call(runtime, device, &args));
  args.struct_size = 3;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "swy_op_args.struct_size is 3",
        swy_op_call(runtime, device, &args));
  swy_tensor_release(x);
  swy_tensor_release(high);
}

/* A device of another runtime is none of this one's. */
void test_other_runtime(swy_device* device) {
  const int64_t shape[] = {4};
  const swy_attribute of_shape = attribute_of("shape", SWY_ATTRIBUTE_INTS, shape, 1);
  swy_runtime* other = NULL;
  swy_tensor* output = NULL;
  swy_op_args args = op_args("RandomUniform", NULL, 0, &output);
  args.attributes = &of_shape;
  args.attribute_count = 1;
  OK(swy_runtime_open(&other));
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "of another runtime", swy_op_call(other, device, &args));
  swy_runtime_release(other);
}

/* The first of an op's outputs, optional ones, and a variable number of them. */
void test_outputs(swy_runtime* runtime, swy_device* device) {
  const float numbers[] = {1, 2, 3, 4};
  const float heads[] = {1, 2};
  const float tails[] = {3, 4};
  swy_tensor* input = vector_of(device, numbers, 4);
  swy_tensor* outputs[2] = {NULL, NULL};
  swy_op_args args = op_args("Split", &input, 1, outputs);
  args.output_count = 2;
  swy_attribute parts = attribute_of("num_outputs", SWY_ATTRIBUTE_INT, &(const int64_t){2}, 1);
  args.attributes = &parts;
  args.attribute_count = 1;
  OK(swy_op_call(runtime, device, &args));
  EXPECT_ELEMENTS(outputs[0], heads);
  EXPECT_ELEMENTS(outputs[1], tails);
  swy_tensor_release(outputs[0]);
  swy_tensor_release(outputs[1]);

  args = op_args("Dropout", &input, 1, outputs);
  OK(swy_op_call(runtime, device, &args));
  swy_tensor_release(outputs[0]);
  args.output_count = 2;
  OK(swy_op_call(runtime, device, &args));
  EXPECT_ELEMENTS(outputs[0], numbers);
  EXPECT(outputs[1] != NULL); /* the mask */
  swy_tensor_release(outputs[0]);
  swy_tensor_release(outputs[1]);
  swy_tensor_release(input);
}

/* Calls an op of one input and one attribute. */
static swy_tensor* call_with(swy_runtime* runtime, const char* op, swy_tensor* input,
                             swy_attribute attribute) {
  swy_tensor* output = NULL;
  swy_op_args args = op_args(op, &input, input ? 1 : 0, &output);
  args.attributes = &attribute;
  args.attribute_count = 1;
  OK(swy_op_call(runtime, NULL, &args));
  return output;
}

/* An op for each kind of attribute. */
void test_attributes(swy_runtime* runtime, swy_device* device) {
  const float numbers[] = {1, -2};
  const float leaky[] = {1, -1};
  const float half = 0.5F;
  const int64_t one = 1;
  const int64_t zero = 0;
  const char* text = "text";
  swy_tensor* x = vector_of(device, numbers, 2);
  swy_tensor* filled = vector_of(device, &half, 1);
  swy_tensor* shape = NULL;
  swy_tensor* output = NULL;
  output = call_with(runtime, "LeakyRelu", x, attribute_of("alpha", SWY_ATTRIBUTE_FLOAT, &half, 1));
  EXPECT_ELEMENTS(output, leaky);
  swy_tensor_release(output);
  output = call_with(runtime, "Concat", x, attribute_of("axis", SWY_ATTRIBUTE_INT, &zero, 1));
  EXPECT_ELEMENTS(output, numbers);
  swy_tensor_release(output);
  output = call_with(runtime, "Transpose", x, attribute_of("perm", SWY_ATTRIBUTE_INTS, &zero, 1));
  EXPECT_ELEMENTS(output, numbers);
  swy_tensor_release(output);
  output = call_with(runtime, "Constant", NULL,
                     attribute_of("value_floats", SWY_ATTRIBUTE_FLOATS, numbers, 2));
  EXPECT_ELEMENTS(output, numbers);
  swy_tensor_release(output);
  output = call_with(runtime, "Constant", NULL,
                     attribute_of("value_string", SWY_ATTRIBUTE_STRING, &text, 1));
  swy_tensor_release(output);
  output = call_with(runtime, "Constant", NULL,
                     attribute_of("value_strings", SWY_ATTRIBUTE_STRINGS, &text, 1));
  swy_tensor_release(output);
  OK(swy_tensor_from_bytes(device, SWY_INT64, 1, &one, &one, sizeof(one), &shape));
  output = call_with(runtime, "ConstantOfShape", shape,
                     attribute_of("value", SWY_ATTRIBUTE_TENSOR, &filled, 1));
  expect_elements(output, &half, 1, WHERE);
  swy_tensor_release(output);
  swy_tensor_release(shape);
  swy_tensor_release(filled);
  swy_tensor_release(x);
}

void test_wrong_attributes(swy_runtime* runtime, swy_device* device) {
  const float half = 0.5F;
  const char* no_text = NULL;
  swy_tensor* x = vector_of(device, &half, 1);
  swy_tensor* output = NULL;
  swy_attribute attribute = attribute_of("alpha", SWY_ATTRIBUTE_FLOAT, &half, 0);
  swy_op_args args = op_args("LeakyRelu", &x, 1, &output);
  args.attribute_count = 1;
  REFUSES_NULL("args.attributes", swy_op_call(runtime, device, &args));
  args.attributes = &attribute;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "'alpha' has a count of 0",
        swy_op_call(runtime, device, &args));
  attribute = attribute_of("alpha", 99, &half, 1);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "has kind 99", swy_op_call(runtime, device, &args));
  attribute = attribute_of("alpha", SWY_ATTRIBUTE_FLOATS, &half, 1);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "alpha", swy_op_call(runtime, device, &args));
  attribute = attribute_of("beta", SWY_ATTRIBUTE_FLOAT, &half, 1);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "beta", swy_op_call(runtime, device, &args));
  attribute = attribute_of(NULL, SWY_ATTRIBUTE_FLOAT, &half, 1);
  REFUSES_NULL("attribute.name", swy_op_call(runtime, device, &args));
  attribute = attribute_of("alpha", SWY_ATTRIBUTE_STRING, &no_text, 1);
  REFUSES_NULL("attribute.data[0]", swy_op_call(runtime, device, &args));
  attribute = attribute_of("alpha", SWY_ATTRIBUTE_FLOAT, NULL, 1);
  REFUSES_NULL("attribute.data", swy_op_call(runtime, device, &args));
  attribute = attribute_of("alpha", SWY_ATTRIBUTE_FLOATS, &half, UINT64_MAX);
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "which no memory holds", swy_op_call(runtime, device, &args));
  attribute.struct_size = 8;
  FAILS(SWY_ERROR_INVALID_ARGUMENT, "swy_attribute.struct_size is 8",
        swy_op_call(runtime, device, &args));
  EXPECT(output == NULL);
  swy_tensor_release(x);
}
