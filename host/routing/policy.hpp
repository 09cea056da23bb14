#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fallback_policy.hpp"
#include "routing/verdict.hpp"

namespace switchyard {

/// A position in the order: a device, or why there is none.
struct Candidate {
  std::string name;                    // as the configuration has it
  std::shared_ptr<OpenDevice> device;  // null: not available
  Verdict unavailable;                 // why not
  bool failed = false;                 // it is there, but did not open
  bool may_open_later = false;         // for now
  bool short_of_memory = false;        // what it had too little of
};

/// What the configuration says about routing, with names resolved to devices.
struct RoutingPolicy {
  std::vector<Candidate> order;
  std::map<std::string, Candidate, std::less<>> pins;  // by op
  std::shared_ptr<OpenDevice> host_device;
  /// A candidate that may open later, as it is now.
  std::function<Candidate(const std::string& name)> ask_again;
  FallbackPolicy fallback = FallbackPolicy::warn;
  std::map<std::string, FallbackPolicy, std::less<>> fallback_by_plugin;  // of the device asked for
  std::map<std::string, FallbackPolicy, std::less<>> fallback_by_op;
  bool whole_programs = true;      // devices that take programs of many nodes are given them
  std::uint32_t node_flags = 0;    // SY_MATH_* from [precision]: of every node,
  std::uint32_t matmul_flags = 0;  // and besides of these
  std::uint32_t convolution_flags = 0;

  /// The first device in the order that is available; null if none is.
  std::shared_ptr<OpenDevice> first_device() const {
    for (const Candidate& candidate : order) {
      if (candidate.device) return candidate.device;
    }
    return nullptr;
  }

  /// The SY_MATH_* flags of an op's nodes.
  std::uint32_t math_flags(std::string_view op) const {
    if (op == "MatMul" || op == "Gemm") return node_flags | matmul_flags;
    if (op == "Conv" || op == "ConvTranspose") return node_flags | convolution_flags;
    return node_flags;
  }

  FallbackPolicy fallback_for(std::string_view op, std::string_view plugin) const {
    if (auto found = fallback_by_op.find(op); found != fallback_by_op.end()) return found->second;
    if (auto found = fallback_by_plugin.find(plugin); found != fallback_by_plugin.end()) {
      return found->second;
    }
    return fallback;
  }
};

}  // namespace switchyard
