#include "cli/arguments/model_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/arguments/assignment.hpp"

namespace switchyard::cli {

void add_model_options(CLI::App& arguments, ModelOptions& options, bool is_required) {
  arguments.add_option("model", options.file, "The ONNX model")
      ->type_name("MODEL")
      ->required(is_required);
  arguments
      .add_option("--dim", options.dims, "Fixes a free extent of the model's inputs by its name")
      ->type_name("NAME=N")
      ->allow_extra_args(false);
}

Model load_model(const Runtime& runtime, const ModelOptions& options) {
  return Model::load(runtime, options.file, read_dims(options.dims));
}

}  // namespace switchyard::cli
