#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/limits.hpp"
#include "graph/graph.hpp"

namespace switchyard {

/// A model as read: its graph in canonical form, and what the file says about itself.
struct ModelFile {
  Graph graph;
  /// Inputs of the graph that have initializers: they are constants, and cannot be fed.
  std::vector<std::string> default_inputs;
  std::map<std::string, std::int64_t> opset_imports;  // by domain; the default domain is ""
  std::int64_t ir_version = 0;
  std::string producer;
  std::string producer_version;
  std::string domain;
  std::int64_t model_version = 0;
  std::string description;
  std::map<std::string, std::string> metadata;
};

/// Reads a model of IR 1 to 13. Its large tensors are held once; external data lie beside the file.
/// Both files stay mapped as long as a Literal uses them, and must not be cut short meanwhile.
/// Throws Error(model), one line that names the file, the node or value, and what is wrong with it.
ModelFile read_model(const std::filesystem::path& path, const LimitsConfig& limits = {});

/// The same from memory, of which nothing is used after the call. `name` stands for the file in
/// messages; `folder` is where external data lie, empty for nowhere.
ModelFile read_model_bytes(std::span<const std::byte> bytes,
                           const std::filesystem::path& folder = {},
                           const std::string& name = "model", const LimitsConfig& limits = {});

}  // namespace switchyard
