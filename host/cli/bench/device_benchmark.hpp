#pragma once

#include "cli/arguments/configuration.hpp"

namespace switchyard::cli {

/// Times 100 products of 1000x1000 float32 on every available device of the configuration, warmed
/// up and synchronised, and prints them, or why a device refuses. Returns the exit code: a failure
/// if no device computed any.
int benchmark_devices(const ConfigurationOptions& options);

}  // namespace switchyard::cli
