#pragma once

#include <memory>
#include <string>
#include <switchyard/error.hpp>
#include <switchyard/model.hpp>
#include <vector>

#include <fmt/format.h>

#include "device/within_memory.hpp"
#include "onnx/model_state.hpp"

namespace switchyard {

/// What one execution of a model is given.
struct ModelCall {
  std::vector<NamedValue> inputs;
  std::vector<Tensor> targets = {};              // by output, or none at all: see Run::set_output
  std::shared_ptr<OpenDevice> device = nullptr;  // null: the device order's
  Model::RunOptions options = {};
};

/// The one way in which models run. Errors are those of Model::run and Run::execute, and name the
/// model's file in front.
std::vector<NamedValue> run_model(const Model::State& state, ModelCall call);

/// Calls `body`. Its errors name the model's file in front, but for those of the configuration.
template <typename Body>
auto about_model(const std::string& name, const Body& body) {
  try {
    return within_memory(name, body);
  } catch (const Error& error) {
    const bool is_named = std::string_view(error.what()).starts_with(name);
    if (is_named || error.kind() == ErrorKind::config) throw;
    throw Error(error).set_line(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace switchyard
