/// @file
/// Typed reads of the plugin's [plugins.NAME.options]. A value holds the default before the call,
/// and keeps it where the option is not there. An option of a wrong kind, or outside of its bounds,
/// is SY_INVALID, with its key.
#ifndef SWITCHYARD_PLUGIN_OPTIONS_H_
#define SWITCHYARD_PLUGIN_OPTIONS_H_

#include <stdint.h>
#include <string.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/error.h"

/// The option of that key; null if the configuration has none.
static inline const sy_option* sy_find_option(const sy_host* host, const char* key) {
  for (uint64_t i = 0; i < host->option_count; ++i) {
    const sy_option* option = SY_AT(sy_option, host->options, i);
    if (strcmp(option->key, key) == 0) return option;
  }
  return NULL;
}

/// That `option` is of this kind.
static inline sy_status sy_expect_option(const sy_option* option, sy_option_kind kind,
                                         sy_error* error) {
  static const char* const names[] = {"a bool", "an integer", "a float", "a text", "a list"};
  if (option->kind == kind) return SY_OK;
  return sy_fail(error, SY_INVALID, SY_REASON_NONE, "option %s must be %s", option->key,
                 names[kind]);
}

/// A bool, as 0 or 1.
static inline sy_status sy_flag_option(const sy_host* host, const char* key, int* value,
                                       sy_error* error) {
  const sy_option* option = sy_find_option(host, key);
  if (option == NULL) return SY_OK;
  const sy_status status = sy_expect_option(option, SY_OPTION_BOOL, error);
  if (status == SY_OK) *value = option->integer != 0;
  return status;
}

/// An integer between two bounds, both allowed.
static inline sy_status sy_integer_option(const sy_host* host, const char* key, int64_t least,
                                          int64_t most, int64_t* value, sy_error* error) {
  const sy_option* option = sy_find_option(host, key);
  if (option == NULL) return SY_OK;
  const sy_status status = sy_expect_option(option, SY_OPTION_INT, error);
  if (status != SY_OK) return status;
  if (option->integer < least || option->integer > most) {
    return sy_fail(error, SY_INVALID, SY_REASON_NONE,
                   "option %s is %lld; it must be from %lld to %lld", key,
                   (long long)option->integer, (long long)least, (long long)most);
  }
  *value = option->integer;
  return SY_OK;
}

/// A real between two bounds, both allowed; an integer is taken as one too.
static inline sy_status sy_real_option(const sy_host* host, const char* key, double least,
                                       double most, double* value, sy_error* error) {
  const sy_option* option = sy_find_option(host, key);
  if (option == NULL) return SY_OK;
  double given = (double)option->integer;
  if (option->kind != SY_OPTION_INT) {
    const sy_status status = sy_expect_option(option, SY_OPTION_FLOAT, error);
    if (status != SY_OK) return status;
    given = option->real;
  }
  if (!(given >= least && given <= most)) {
    return sy_fail(error, SY_INVALID, SY_REASON_NONE, "option %s is %g; it must be from %g to %g",
                   key, given, least, most);
  }
  *value = given;
  return SY_OK;
}

/// A text, which lives as long as the process.
static inline sy_status sy_text_option(const sy_host* host, const char* key, const char** value,
                                       sy_error* error) {
  const sy_option* option = sy_find_option(host, key);
  if (option == NULL) return SY_OK;
  const sy_status status = sy_expect_option(option, SY_OPTION_STRING, error);
  if (status == SY_OK) *value = option->text;
  return status;
}

/// An option that nobody reads is a mistake of the configuration: SY_INVALID for the first that is
/// none of `known`, `count` keys, with all of them.
static inline sy_status sy_refuse_unknown_options(const sy_host* host, const char* const* known,
                                                  size_t count, sy_error* error) {
  char names[256] = "";
  for (size_t k = 0; k < count; ++k) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof(names) - used, "%s%s", used == 0 ? "" : ", ", known[k]);
  }
  for (uint64_t i = 0; i < host->option_count; ++i) {
    const sy_option* option = SY_AT(sy_option, host->options, i);
    size_t k = 0;
    while (k < count && strcmp(known[k], option->key) != 0) ++k;
    if (k == count) {
      return sy_fail(error, SY_INVALID, SY_REASON_NONE, "no option %s; known: %s", option->key,
                     count == 0 ? "none" : names);
    }
  }
  return SY_OK;
}

#endif  // SWITCHYARD_PLUGIN_OPTIONS_H_
