/* An extension of the plugin ABI: ops of a plugin's own domain.
 *
 * A plugin that has some puts a sy_op_list into its table's extension chain. The host registers
 * them when it has loaded the plugin, for the whole process: models may then have them, and they
 * are routed like all others, by the claims and `supports` of every plugin. The conventions of
 * plugin.h hold.
 */
/* Aligned by hand. */
/* clang-format off */
#ifndef SWITCHYARD_OPS_H_
#define SWITCHYARD_OPS_H_

#include <switchyard/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SY_EXTENSION_OPS 3u /* a sy_op_list, in sy_plugin.extensions */

/** Asks for the shapes of a node's outputs. Any thread may ask, and no device need be open. */
typedef struct sy_infer_shapes_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions; /* may be null */
  const sy_program* program;      /* one node. The ranks of its inputs are known; an extent may be
                                     SY_UNKNOWN_DIMENSION while a model is loaded. Host inputs have
                                     `data` once their values are known */
  void* context;                  /* for set_shape */
  /* To be called once for each output; the shape is copied. An extent that cannot be told yet, or
   * not before the op has run, is SY_UNKNOWN_DIMENSION. An output for which it is not called has an
   * unknown rank. Returns SY_INVALID for an output that the node does not have. */
  sy_status (*set_shape)(void* context, uint32_t output, uint32_t rank, const int64_t* shape);
} sy_infer_shapes_args;
SY_ASSERT_SIZE(sy_infer_shapes_args, 40);

/** An op. Its texts are UTF-8, end with 0, and live as long as the library is loaded.
 *
 * signature: `name:Type` for each input, `->`, the same for each output. A type is a word that
 *   `types` explains, and all values of one word have one dtype; or dtypes themselves, as
 *   `int32|int64`. Behind it may stand `?` for one that is optional, `*` for a last input that
 *   comes once or more often, and `!` for a host input, whose values the host reads and offers to
 *   `infer_shapes` and to kernels.
 * attributes: `name:kind` each, kind one of int, float, text, ints, floats and texts;
 *   `name:kind=default` has a default, `name:kind!` must be given, others may be left out. "" for
 *   none.
 * types: `T=float32|float64` each; `float`, `integer`, `numeric` and `all` name groups of dtypes.
 * body: simpler ops that make this one, as lines of ONNX text in the names of the signature, for
 *   where no device takes it: "t = Mul (x, scale)" and so on. They are of ONNX's newest opset or of
 *   the domains switchyard and com.microsoft; the op's attributes are `name` with an at sign in
 *   front there. "" for none. */
typedef struct sy_op {
  uint32_t struct_size;
  uint32_t version;        /* at least 1; what nodes of the op have in sy_node.version */
  const char* domain;      /* one's own: neither "", ai.onnx, switchyard nor com.microsoft */
  const char* name;
  const char* signature;
  const char* attributes;
  const char* types;
  const char* body;
  const char* summary;     /* what it computes, for people */
  /* SY_INVALID: the inputs' shapes do not fit. */
  sy_status (*infer_shapes)(sy_infer_shapes_args* args, sy_error* error);
} sy_op;
SY_ASSERT_SIZE(sy_op, 72);

/** Several plugins may have one op, in equal words: it is one op then. A plugin that has one in
 * other words than a plugin before it, or one that makes no sense, is not loaded, and the host says
 * why. */
typedef struct sy_op_list {
  sy_extension link;    /* kind: SY_EXTENSION_OPS */
  const sy_op* ops;
  uint32_t count;
  uint32_t reserved;
} sy_op_list;
SY_ASSERT_SIZE(sy_op_list, 32);

#ifdef __cplusplus
}
#endif
#endif /* SWITCHYARD_OPS_H_ */
/* clang-format on */
