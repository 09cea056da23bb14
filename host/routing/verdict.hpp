#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ops/row.hpp"

namespace switchyard {

class OpenDevice;
class NodeProgram;

/// A device's answer for one node.
struct Verdict {
  sy_verdict_kind kind = SY_SUPPORTED;
  sy_reason reason = SY_REASON_NONE;
  std::string message;

  bool refused() const { return kind == SY_REFUSED; }
};

inline Verdict refusal(sy_reason reason, std::string message) {
  return {SY_REFUSED, reason, std::move(message)};
}

/// Whether a row of the device's claim table is about the op, in whichever version and types.
bool has_claim_about(const OpenDevice& device, const Op& op);

/// Asks a device about a program of one node: its claim table first, then its `supports`. The
/// program is left as the matching claim takes it.
Verdict ask(OpenDevice& device, NodeProgram& program);

/// Asks a device about each node of a program, as one program: the claim table first, then, if it
/// covers all, `supports`.
std::vector<Verdict> ask(OpenDevice& device, const sy_program& program);

/// One step on the way to a route.
struct TrailStep {
  std::string device;  // or the plugin's name, if it gave no such device
  Verdict verdict;
};
using Trail = std::vector<TrailStep>;

}  // namespace switchyard
