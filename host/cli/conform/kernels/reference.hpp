// What an op ought to give: computed by a device of the installation, in this same process.
#pragma once

#include <optional>
#include <string>
#include <switchyard/runtime.hpp>
#include <vector>

#include "cli/conform/kernels/op_call.hpp"
#include "cli/conform/plugin/plugin_under_test.hpp"

namespace switchyard::cli::conform {

class Reference {
 public:
  /// Starts the first device of the configuration's order whose memory has addresses, alone.
  /// Throws CaseFailed where there is none: nothing could be compared.
  explicit Reference(const PluginUnderTest& plugin);

  /// The outputs; nothing where neither the device nor the op's function body computes them.
  std::optional<std::vector<Literal>> compute(const OpCall& call) const;

  /// Its name.
  const std::string& device() const { return device_; }

 private:
  std::string device_;
  std::optional<Runtime> runtime_;
};

/// The one of this process, started when it is first asked for.
const Reference& reference_for(const PluginUnderTest& plugin);

}  // namespace switchyard::cli::conform
