/// @file
/// Reading programs: inputs and attributes of a node.
#ifndef SWITCHYARD_PLUGIN_PROGRAM_H_
#define SWITCHYARD_PLUGIN_PROGRAM_H_

#include <stdint.h>
#include <string.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/error.h"

/// Input `index` of a node; null if it is left out.
static inline const sy_value* sy_node_input(const sy_program* program, const sy_node* node,
                                            uint32_t index) {
  if (index >= node->input_count || node->inputs[index] == SY_ABSENT) return NULL;
  return SY_AT(sy_value, program->values, node->inputs[index]);
}

/// Output `index` of a node; null if it is left out.
static inline const sy_value* sy_node_output(const sy_program* program, const sy_node* node,
                                             uint32_t index) {
  if (index >= node->output_count || node->outputs[index] == SY_ABSENT) return NULL;
  return SY_AT(sy_value, program->values, node->outputs[index]);
}

/// Where `value`, an index of the program's values, lies among the program's inputs, in the order
/// in which a run gets them; SY_ABSENT if it is none. A value used twice is one input: x + x has
/// one.
static inline uint32_t sy_input_position(const sy_program* program, uint32_t value) {
  for (uint32_t i = 0; i < program->input_count; ++i) {
    if (program->inputs[i] == value) return i;
  }
  return SY_ABSENT;
}

/// The attribute of that name; null if the node has none.
static inline const sy_attribute* sy_find_attribute(const sy_node* node, const char* name) {
  for (uint32_t i = 0; i < node->attribute_count; ++i) {
    const sy_attribute* attribute = SY_AT(sy_attribute, node->attributes, i);
    if (strcmp(attribute->name, name) == 0) return attribute;
  }
  return NULL;
}

/// SY_UNSUPPORTED where the node, or a value that it reads or makes, has a flag that may not be
/// ignored and that this header does not know (convention 10).
static inline sy_status sy_require_known(const sy_program* program, const sy_node* node,
                                         sy_error* error) {
  const uint32_t of_values = SY_FLAGS_TO_KNOW & ~(SY_VALUE_HOST_INPUT | SY_VALUE_IMMEDIATE);
  uint32_t unknown = node->math_flags & SY_FLAGS_TO_KNOW & ~SY_MATH_DETERMINISTIC;
  for (uint32_t i = 0; i < node->input_count; ++i) {
    const sy_value* value = sy_node_input(program, node, i);
    if (value != NULL) unknown |= value->flags & of_values;
  }
  for (uint32_t i = 0; i < node->output_count; ++i) {
    const sy_value* value = sy_node_output(program, node, i);
    if (value != NULL) unknown |= value->flags & of_values;
  }
  if (unknown == 0) return SY_OK;
  return sy_fail(error, SY_UNSUPPORTED, SY_REASON_ATTRIBUTE,
                 "%s has flags %u, which this plugin does not know", node->op, (unsigned)unknown);
}

#endif  // SWITCHYARD_PLUGIN_PROGRAM_H_
