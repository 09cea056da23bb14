#include "ops.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "switchyard/plugin/claim.h"
#include "switchyard/plugin/dtype.h"
#include "switchyard/plugin/error.h"
#include "switchyard/plugin/program.h"
#include "switchyard/plugin/rows.h"
#include "switchyard/plugin/shape.h"

enum { most_inputs = 2 };

typedef struct op {
  const char* name;
  uint32_t inputs;
  uint32_t min_version, max_version;
  float (*compute)(float a, float b);
} op;

#define OP(name, inputs, min_version, max_version, value) \
  static float compute_##name(float a, float b) {         \
    (void)b;                                              \
    return value;                                         \
  }
#include "ops.def"
#undef OP

static const op ops[op_count] = {
#define OP(name, inputs, min_version, max_version, value) \
  {#name, inputs, min_version, max_version, compute_##name},
#include "ops.def"
#undef OP
};

const sy_claim op_claims[op_count] = {
#define OP(name, inputs, min_version, max_version, value)      \
  SY_CLAIM_ROW(#name, min_version, max_version, SY_DTYPES_ALL, \
               SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS | SY_CLAIM_IMMEDIATES),
#include "ops.def"
#undef OP
};

typedef struct kernel {
  const op* op;
  uint32_t input[most_inputs];   /* position among the program's inputs */
  int is_immediate[most_inputs]; /* the value lies in the sy_tensor, not in a storage */
} kernel;

static kernel* kernel_of(sy_kernel handle) { return (kernel*)(void*)handle; }

static const op* find_op(const sy_node* node) {
  for (uint32_t i = 0; i < op_count; ++i) {
    const op* op = &ops[i];
    if (node->domain[0] == '\0' && strcmp(node->op, op->name) == 0 &&
        node->version >= op->min_version && node->version <= op->max_version) {
      return op;
    }
  }
  return NULL;
}

sy_status check_node(const sy_program* program, uint32_t index, sy_error* error) {
  const sy_node* node = SY_AT(sy_node, program->nodes, index);
  const sy_status status = sy_require_known(program, node, error);
  if (status != SY_OK) return status;
  const op* op = find_op(node);
  if (op == NULL) {
    return sy_fail(error, SY_UNSUPPORTED, SY_REASON_OP, "has no %s-%u", node->op,
                   (unsigned)node->version);
  }
  for (uint32_t i = 0; i < op->inputs; ++i) {
    const sy_value* input = sy_node_input(program, node, i);
    if (input == NULL) {
      return sy_fail(error, SY_INVALID, SY_REASON_NONE, "%s has no input %u", op->name,
                     (unsigned)i);
    }
    if (input->dtype != SY_FLOAT32) {
      return sy_fail(error, SY_UNSUPPORTED, SY_REASON_DTYPE, "computes %s in float32, not in %s",
                     op->name, sy_dtype_name(input->dtype));
    }
  }
  return SY_OK;
}

sy_status prepare_kernel(sy_prepare_args* args, sy_error* error) {
  const sy_program* program = args->program;
  const sy_node* node = program->nodes;
  const sy_status status = check_node(program, 0, error);
  if (status != SY_OK) return status;
  kernel* made = calloc(1, sizeof(*made));
  if (made == NULL) {
    return sy_fail(error, SY_OUT_OF_MEMORY, SY_REASON_NONE, "no host memory for a kernel");
  }
  made->op = find_op(node);
  for (uint32_t i = 0; i < made->op->inputs; ++i) {
    made->input[i] = sy_input_position(program, node->inputs[i]);
    made->is_immediate[i] = (sy_node_input(program, node, i)->flags & SY_VALUE_IMMEDIATE) != 0;
    if (!made->is_immediate[i]) {
      args->outputs->may_alias_inputs |= UINT64_C(1) << made->input[i];
    }
  }
  args->workspace_bytes = 0;
  memset(args->specialised_on, 0, program->input_count);
  args->kernel = (sy_kernel)(void*)made;
  return SY_OK;
}

void destroy_kernel_of(sy_kernel kernel) { free(kernel_of(kernel)); }

/* Where the elements of a run's input lie, and its strides as if it had the output's shape. */
static sy_status find_input(const sy_tensor* tensor, int is_immediate, const sy_tensor* output,
                            const float** data, int64_t* strides, sy_error* error) {
  char* address = NULL;
  if (!sy_broadcast_strides(tensor->rank, tensor->shape, tensor->strides, output->rank,
                            output->shape, strides)) {
    return sy_fail(error, SY_INVALID, SY_REASON_NONE,
                   "an input does not broadcast to the output's shape");
  }
  if (is_immediate) {
    *data = (const float*)(const void*)tensor->immediate;
    return SY_OK;
  }
  const sy_status status =
      find_elements(tensor->storage, tensor->offset_bytes, tensor->dtype, tensor->rank,
                    tensor->shape, tensor->strides, &address, error);
  *data = (const float*)(const void*)address;
  return status;
}

sy_status run_kernel(const sy_run_args* args, sy_error* error) {
  const kernel* kernel = kernel_of(args->kernel);
  const op* op = kernel->op;
  const sy_tensor* output = args->outputs;
  const float* data[most_inputs];
  int64_t inputs[most_inputs][SY_MAX_RANK];
  char* address = NULL;
  sy_status status = find_elements(output->storage, output->offset_bytes, output->dtype,
                                   output->rank, output->shape, output->strides, &address, error);
  for (uint32_t i = 0; i < op->inputs && status == SY_OK; ++i) {
    status = find_input(SY_AT(sy_tensor, args->inputs, kernel->input[i]), kernel->is_immediate[i],
                        output, &data[i], inputs[i], error);
  }
  if (status != SY_OK) return status;

  const uint32_t last = op->inputs - 1; /* an op of one input reads it twice */
  const int64_t* strides[] = {output->strides, inputs[0], inputs[last]};
  sy_rows rows;
  for (int more = sy_begin_rows(&rows, 3, output->rank, output->shape, strides); more;
       more = sy_next_row(&rows)) {
    float* y = (float*)(void*)address + rows.offset[0];
    const float* a = data[0] + rows.offset[1];
    const float* b = data[last] + rows.offset[2];
    for (int64_t i = 0; i < rows.count; ++i) {
      y[i * rows.step[0]] = op->compute(a[i * rows.step[1]], b[i * rows.step[2]]);
    }
  }
  return SY_OK;
}
