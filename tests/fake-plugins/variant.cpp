// What a variant alone has: CMakeLists.txt compiles this once for each, with the values that differ
// from a good plugin's in FAKE_BEHAVIOUR. All else is compiled once for all.
#include <switchyard/plugin.h>

#include "behaviour.hpp"
#include "entry.hpp"

#ifndef FAKE_BEHAVIOUR
#define FAKE_BEHAVIOUR
#endif

// No constructor, so that it is there when the loader runs those of the library.
constinit const fake::Behaviour fake::behaviour = {FAKE_BEHAVIOUR};

#ifdef FAKE_UNDEFINED_SYMBOL
extern "C" int symbol_that_nobody_defines();
#endif
#ifdef FAKE_NEEDS_LIBRARY
extern "C" int symbol_of_a_missing_library();
#endif

#ifndef FAKE_NO_ENTRY
sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
#ifdef FAKE_UNDEFINED_SYMBOL
  if (symbol_that_nobody_defines() != 0) return SY_BUG;
#endif
#ifdef FAKE_NEEDS_LIBRARY
  if (symbol_of_a_missing_library() != 0) return SY_BUG;
#endif
  return fake::enter(args, error);
}
#endif
