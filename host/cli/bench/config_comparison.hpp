#pragma once

#include <string>
#include <vector>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/model_options.hpp"
#include "cli/values/input_values.hpp"

namespace switchyard::cli {

/// What `bench MODEL` compares configurations on.
struct ComparisonOptions {
  ModelOptions model;
  InputSources inputs;  // random ones have the seed 1, unless it says otherwise
  int repeat = 20;
};

/// Times the model under each configuration file (without any, the default one), interleaved so
/// that a busy machine burdens all alike, and prints the times side by side with their ratio to the
/// first. The flags of `overrides` hold for all. Returns the exit code.
int compare_configurations(const ComparisonOptions& options, std::vector<std::string> files,
                           const ConfigurationOptions& overrides);

}  // namespace switchyard::cli
