#pragma once

#include <switchyard/plugin.h>

#include <string>
#include <string_view>
#include <switchyard/error.hpp>

namespace switchyard {

/// An error slot for one call: sized, and empty until a plugin writes it.
struct PluginError : sy_error {
  PluginError() {
    struct_size = sizeof(sy_error);
    status = SY_OK;
    reason = SY_REASON_NONE;
    message[0] = '\0';
  }
};

/// "OP", "DTYPE", ...: the codes that trails and JSON show; "" for none.
std::string_view code_of(sy_reason reason);

/// Of a refusal, whose code and message are never empty: "UNKNOWN" where the plugin gave none, and
/// words that say that it gave no reason.
std::string refusal_code(sy_reason reason);
std::string refusal_message(std::string_view said);
std::string refusal_message(const sy_error& error);

/// Whether the ABI has such a status. A plugin that returns another breaks the contract.
bool is_known(sy_status status);

/// A plugin's failed call as an Error: "plugin:0: run: what it said".
Error error_from(sy_status status, const sy_error& error, std::string_view device,
                 std::string_view call);

/// Calls an entry, and once more where its failure may pass: it failed for now, or was short of
/// memory before `reclaim_memory` gave some back.
template <typename Function, typename Args, typename ReclaimMemory>
sy_status try_call(const Function& function, Args& args, PluginError& error,
                   ReclaimMemory&& reclaim_memory) {
  const sy_status status = function(&args, &error);
  if (status != SY_TRANSIENT && status != SY_OUT_OF_MEMORY) [[likely]]
    return status;
  if (status == SY_OUT_OF_MEMORY) reclaim_memory();
  return function(&args, &error);
}

inline void check(sy_status status, const sy_error& error, std::string_view device,
                  std::string_view call) {
  if (status != SY_OK) [[unlikely]]
    throw error_from(status, error, device, call);
}

}  // namespace switchyard
