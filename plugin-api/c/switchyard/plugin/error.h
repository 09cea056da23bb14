/// @file
/// Errors as the ABI tells them:
///
///   if (rank > 4) return sy_fail(error, SY_INVALID, SY_REASON_NONE, "rank %u is above 4", rank);
#ifndef SWITCHYARD_PLUGIN_ERROR_H_
#define SWITCHYARD_PLUGIN_ERROR_H_

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <switchyard/plugin.h>

/// Has the compiler hold values against the text that formats them: their places among the
/// arguments.
#if defined(__GNUC__)
#define SY_FORMAT(text, values) __attribute__((format(printf, text, values)))
#else
#define SY_FORMAT(text, values)
#endif

/// Ends a text of `size` bytes before a last character of UTF-8 that was cut off.
static inline void sy_drop_cut_character(char* text, size_t size) {
  size_t first = size;
  while (first > 0 && ((unsigned char)text[first - 1] & 0xC0u) == 0x80u) --first;
  if (first == 0) return;
  const unsigned char lead = (unsigned char)text[--first];
  const size_t needed = lead < 0x80u ? 1 : lead < 0xE0u ? 2 : lead < 0xF0u ? 3 : 4;
  if (needed > size - first) text[first] = '\0';
}

/// Writes a text into a fixed buffer, cut at a character of UTF-8 if it is too long, and ends it
/// with NUL.
SY_FORMAT(3, 0)
static inline void sy_write_text(char* buffer, size_t capacity, const char* format,
                                 va_list arguments) {
  const int size = vsnprintf(buffer, capacity, format, arguments);
  if (size < 0) buffer[0] = '\0';
  if (size >= 0 && (size_t)size >= capacity) sy_drop_cut_character(buffer, capacity - 1);
}

/// Fills in the caller's error, which may be null, and returns `status`. `reason` belongs to
/// SY_UNSUPPORTED alone; the message is one sentence for people, as printf has it.
SY_FORMAT(4, 5)
static inline sy_status sy_fail(sy_error* error, sy_status status, sy_reason reason,
                                const char* format, ...) {
  va_list arguments;
  if (error == NULL) return status;
  error->status = status;
  error->reason = reason;
  va_start(arguments, format);
  sy_write_text(error->message, sizeof(error->message), format, arguments);
  va_end(arguments);
  return status;
}

#endif  // SWITCHYARD_PLUGIN_ERROR_H_
