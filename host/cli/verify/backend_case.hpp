#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace switchyard::cli {

/// One set of inputs with the outputs expected for them: files by number.
struct TestDataSet {
  std::string name;  // "test_data_set_0"
  std::vector<std::pair<std::size_t, std::filesystem::path>> inputs;
  std::vector<std::pair<std::size_t, std::filesystem::path>> outputs;
};

/// A folder in the layout of ONNX's backend tests: model.onnx beside test_data_set_*.
struct BackendCase {
  std::string name;                            // the folder's own
  std::optional<std::filesystem::path> model;  // nothing: there is no model.onnx
  std::vector<TestDataSet> data_sets;
};

/// The cases in `folder`, which is one or holds them at any depth, by name. Throws
/// Error(invalid_argument) if it is not a folder that can be read.
std::vector<BackendCase> find_cases(const std::filesystem::path& folder);

}  // namespace switchyard::cli
