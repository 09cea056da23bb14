/// @file
/// Answers to `supports`. One check function, which fails with SY_UNSUPPORTED, serves both
/// questions: `supports` hands what it says to sy_judge, `prepare` returns it.
///
///   for (uint32_t i = 0; i < args->program->node_count; ++i) {
///     sy_error why = {sizeof(why), SY_OK, SY_REASON_NONE, ""};
///     const sy_status status = check_node(args->program, i, &why);
///     const sy_status judged = sy_judge(sy_verdict_at(args->verdicts, i), status, &why, error);
///     if (judged != SY_OK) return judged;
///   }
#ifndef SWITCHYARD_PLUGIN_VERDICT_H_
#define SWITCHYARD_PLUGIN_VERDICT_H_

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/error.h"

/// The caller's verdict for node `index`; the caller's structs may be larger than this header's.
static inline sy_verdict* sy_verdict_at(sy_verdict* verdicts, uint32_t index) {
  return (sy_verdict*)(void*)((char*)verdicts + (size_t)index * verdicts->struct_size);
}

/// The device takes the node.
static inline void sy_support(sy_verdict* verdict) {
  verdict->kind = SY_SUPPORTED;
  verdict->reason = SY_REASON_NONE;
  verdict->message[0] = '\0';
}

/// It does not: why, and a sentence for people, as printf has it.
SY_FORMAT(3, 4)
static inline void sy_refuse(sy_verdict* verdict, sy_reason reason, const char* format, ...) {
  va_list arguments;
  verdict->kind = SY_REFUSED;
  verdict->reason = reason;
  va_start(arguments, format);
  sy_write_text(verdict->message, sizeof(verdict->message), format, arguments);
  va_end(arguments);
}

/// Turns what a check returned into a verdict: SY_OK supports, SY_UNSUPPORTED refuses with the
/// check's own reason and message. Any other status is the call's: it is returned, and `error`
/// filled in.
static inline sy_status sy_judge(sy_verdict* verdict, sy_status status, const sy_error* why,
                                 sy_error* error) {
  if (status == SY_OK) {
    sy_support(verdict);
  } else if (status == SY_UNSUPPORTED) {
    sy_refuse(verdict, why->reason, "%s", why->message);
  } else {
    return sy_fail(error, status, why->reason, "%s", why->message);
  }
  return SY_OK;
}

#endif  // SWITCHYARD_PLUGIN_VERDICT_H_
