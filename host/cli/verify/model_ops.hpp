#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace switchyard::cli {

/// The ops that a model's file names, those of bodies and functions included, as it names them:
/// "Relu", and outside the default domain "ai.onnx.ml.Scaler". For models that are refused, too;
/// empty for a file that is not a model.
std::set<std::string> ops_of_model(const std::filesystem::path& file);

}  // namespace switchyard::cli
