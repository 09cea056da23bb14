// Calls into a plugin from where its word is not yet to be trusted: entry and probe. Whatever it
// throws ends here, and whatever it says is cut to what the ABI allows.
#pragma once

#include <switchyard/plugin.h>

#include <string>

#include "plugin_loader/floating_point_state.hpp"

namespace switchyard {

// "SY_BUG"; "status 99" for a number that is none.
std::string status_name(sy_status status);

// What came of a call.
struct PluginCallOutcome {
  sy_status status = SY_OK;
  std::string words;  // "returned SY_INVALID: what it said", "threw std::exception: what it said"
};

namespace detail {
PluginCallOutcome describe_call(sy_status status, const sy_error& error);
PluginCallOutcome describe_exception();  // the one in flight
}  // namespace detail

template <typename Args>
PluginCallOutcome call_plugin(sy_status (*function)(Args*, sy_error*), Args& args) {
  sy_error error = {};
  error.struct_size = sizeof(error);
  const FloatingPointState kept;
  try {
    return detail::describe_call(function(&args, &error), error);
  } catch (...) {
    return detail::describe_exception();
  }
}

}  // namespace switchyard
