/** @file
 * An extension of the plugin ABI: a layer, that is a plugin which stands between the host and
 * another plugin, and passes its calls on.
 *
 * A layer exports `switchyard_plugin_entry` as every plugin does. The host puts a sy_layer into the
 * chain of its sy_entry_args; the layer calls the entry that it names with the same host, and hands
 * over a table of its own. The validation layer is one. The conventions of plugin.h hold.
 */
/* Aligned by hand. */
/* clang-format off */
#ifndef SWITCHYARD_LAYER_H_
#define SWITCHYARD_LAYER_H_

#include <switchyard/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SY_EXTENSION_LAYER 16u /* a sy_layer, in sy_entry_args.extensions */

/** The plugin below. What follows this link in the chain is for that plugin. */
typedef struct sy_layer {
  sy_extension link;        /**< kind: SY_EXTENSION_LAYER */
  sy_plugin_entry entry;    /**< of the plugin below; valid for ever */
  const sy_option* options; /**< the layer's own; sy_host.options are the plugin's. Valid until the
                                 entry returns */
  uint64_t option_count;
} sy_layer;
SY_ASSERT_SIZE(sy_layer, 40);

#ifdef __cplusplus
}
#endif
#endif /* SWITCHYARD_LAYER_H_ */
/* clang-format on */
