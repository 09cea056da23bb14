/* The ops: which the device claims, which nodes it takes, how it computes them. */
#ifndef OPS_H_
#define OPS_H_

#include <stdint.h>
#include <switchyard/plugin.h>

/* A row for each op. They claim every dtype, so that `supports` is asked and refuses in its own
 * words. */
enum {
#define OP(name, inputs, min_version, max_version, value) op_##name,
#include "ops.def"
#undef OP
  op_count
};
extern const sy_claim op_claims[op_count];

/* SY_UNSUPPORTED with the reason, if the device does not take that node of the program. */
sy_status check_node(const sy_program* program, uint32_t node, sy_error* error);

/* A prepared op. It holds nothing that depends on shapes, strides or values: one kernel serves
 * all. */
sy_status prepare_kernel(sy_prepare_args* args, sy_error* error);
void destroy_kernel_of(sy_kernel kernel);
sy_status run_kernel(const sy_run_args* args, sy_error* error);

#endif /* OPS_H_ */
