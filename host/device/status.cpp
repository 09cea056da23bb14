#include "device/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "error/plain_text.hpp"

namespace switchyard {
namespace {

constexpr std::array<std::string_view, 11> kCodes = {
    "", "OP", "DTYPE", "RANK", "STRIDE", "ATTRIBUTE", "LIMIT", "MEMORY", "OS", "CONFIG", "FAULTED"};

struct StatusRow {
  sy_status status;
  ErrorKind kind;
  std::string_view words;  // where the plugin gave no message
};

constexpr StatusRow kStatuses[] = {
    {SY_UNSUPPORTED, ErrorKind::unsupported, "not supported"},
    {SY_INVALID, ErrorKind::invalid_argument, "invalid request"},
    {SY_OUT_OF_MEMORY, ErrorKind::out_of_memory, "out of memory"},
    {SY_TRANSIENT, ErrorKind::transient, "failed for now; the same call may succeed later"},
    {SY_DEVICE_LOST, ErrorKind::device_lost, "the device was lost"},
    {SY_BUG, ErrorKind::plugin, "the plugin found a bug in itself"},
    {SY_PEER_LOST, ErrorKind::peer_lost, "another rank of the communicator was lost"},
};

// Who get what users choose: sizes, values, options. What another calls invalid is the host's own
// or the plugin's.
constexpr std::string_view kJudgesOfUsers[] = {"open_device",
                                               "allocate",
                                               "copy",
                                               "prepare",
                                               "run",
                                               "wait",
                                               "create of a communicator",
                                               "check of a communicator",
                                               "enqueue of collectives"};

bool judges_users(std::string_view call) {
  return std::find(std::begin(kJudgesOfUsers), std::end(kJudgesOfUsers), call) !=
         std::end(kJudgesOfUsers);
}

}  // namespace

std::string_view code_of(sy_reason reason) {
  const auto index = static_cast<std::size_t>(reason);
  return index < kCodes.size() ? kCodes[index] : "UNKNOWN";
}

std::string refusal_code(sy_reason reason) {
  const std::string_view code = code_of(reason);
  return code.empty() ? "UNKNOWN" : std::string(code);
}

std::string refusal_message(std::string_view said) {
  return said.empty() ? "the plugin gives no reason" : plain_line(said);
}

std::string refusal_message(const sy_error& error) {
  return refusal_message({error.message, strnlen(error.message, sizeof(error.message))});
}

bool is_known(sy_status status) {
  return status == SY_OK || std::any_of(std::begin(kStatuses), std::end(kStatuses),
                                        [&](const StatusRow& r) { return r.status == status; });
}

Error error_from(sy_status status, const sy_error& error, std::string_view device,
                 std::string_view call) {
  const auto* row = std::find_if(std::begin(kStatuses), std::end(kStatuses),
                                 [&](const StatusRow& r) { return r.status == status; });
  if (row == std::end(kStatuses)) {
    Error broken(ErrorKind::plugin, fmt::format("{}: {}: unknown status {}; the plugin is broken",
                                                device, call, status));
    return broken.set_device(device);
  }
  const std::string_view message(error.message, strnlen(error.message, sizeof(error.message)));
  const bool is_misplaced = status == SY_INVALID && !judges_users(call);
  Error failed(is_misplaced ? ErrorKind::plugin : row->kind,
               fmt::format("{}: {}: {}", device, call, message.empty() ? row->words : message));
  return failed.set_device(device).set_plugin_code(code_of(error.reason));
}

}  // namespace switchyard
