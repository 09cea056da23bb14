#pragma once

#include <string>
#include <vector>

#include <switchyard/model.hpp>

namespace CLI {
class App;
}

namespace switchyard::cli {

/// A model as the command line names it.
struct ModelOptions {
  std::string file;
  std::vector<std::string> dims;  // "NAME=N"
};

/// Declares MODEL and --dim. `options` must outlive the parsing.
void add_model_options(CLI::App& arguments, ModelOptions& options, bool is_required = true);

/// Throws Error(invalid_argument) for a bad --dim, and what Model::load throws.
Model load_model(const Runtime& runtime, const ModelOptions& options);

}  // namespace switchyard::cli
