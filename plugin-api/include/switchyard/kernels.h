/** @file
 * An extension of the plugin ABI: kernels that users write in the device's own language.
 *
 * A plugin that compiles them puts a sy_kernel_compiler into its table's extension chain. What
 * `compile` gives is run and destroyed through the table's own slots; each run's args carry a
 * sy_launch in their chain. The conventions of plugin.h hold.
 */
/* Aligned by hand. */
/* clang-format off */
#ifndef SWITCHYARD_KERNELS_H_
#define SWITCHYARD_KERNELS_H_

#include <switchyard/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SY_EXTENSION_KERNEL_COMPILER 1u /* a sy_kernel_compiler, in sy_plugin.extensions */
#define SY_EXTENSION_LAUNCH 2u          /* a sy_launch, in sy_run_args.extensions */

/** Compiles one function of a source. The function takes a pointer to the elements of each input,
 * then of each output, in this order. Both are contiguous when it runs.
 * SY_INVALID: the source does not compile, or has no such function. */
typedef struct sy_compile_args {
  uint32_t struct_size;
  uint32_t input_count;
  const sy_extension* extensions; /**< may be null */
  sy_device device;
  const char* name;               /**< of the source, for the compiler's messages */
  const char* source;
  const char* function;
  const sy_dtype* inputs;         /**< the element type of each input */
  const sy_dtype* outputs;
  uint32_t output_count;
  uint32_t reserved;
  const sy_writer* log;           /**< takes all that the compiler says, also where `error` is too
                                       short for it; may be null */
  sy_kernel kernel;               /**< out */
} sy_compile_args;
SY_ASSERT_SIZE(sy_compile_args, 88);

/** What a plugin that compiles kernels puts into its table's chain. */
typedef struct sy_kernel_compiler {
  sy_extension link;    /**< kind: SY_EXTENSION_KERNEL_COMPILER */
  const char* language; /**< its name, for people */
  sy_status (*compile)(sy_compile_args* args, sy_error* error);
} sy_kernel_compiler;
SY_ASSERT_SIZE(sy_kernel_compiler, 32);

/** How many threads run a compiled kernel, and in groups of how many. All counts are at least 1. */
typedef struct sy_launch {
  sy_extension link;   /**< kind: SY_EXTENSION_LAUNCH */
  uint32_t threads[3];
  uint32_t group[3];   /**< all 0: the plugin chooses */
} sy_launch;
SY_ASSERT_SIZE(sy_launch, 40);

#ifdef __cplusplus
}
#endif
#endif /* SWITCHYARD_KERNELS_H_ */
/* clang-format on */
