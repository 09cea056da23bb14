#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <switchyard/model.hpp>

#include "config/limits.hpp"

namespace CLI {
class App;
}

namespace switchyard::cli {

/// Where a model's inputs come from.
struct InputSources {
  std::vector<std::string> files;       // "NAME=FILE.npy"
  std::optional<std::uint64_t> random;  // the seed for required inputs without a file
};

/// Declares --input and --random. `sources` must outlive the parsing.
void add_input_options(CLI::App& arguments, InputSources& sources);

/// The values for `ports`: those of the files, and random ones for the rest, in which free extents
/// are what a file's input of the same name for them has, else 1. Throws Error(invalid_argument)
/// that names the input, Error(model) for a file that is not .npy, and Error(out_of_memory) for a
/// random one larger than one tensor may be.
std::vector<NamedValue> input_values(const std::vector<Port>& ports, const InputSources& sources,
                                     const LimitsConfig& limits = {});

}  // namespace switchyard::cli
