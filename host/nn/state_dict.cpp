// What a module has learned, by name: to and from other modules, files and PyTorch.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/io.hpp>

#include "nn/module_state.hpp"
#include "types/describe.hpp"

namespace switchyard::nn {
namespace {

/// Why the state cannot be loaded; "" if it can.
std::string objections(const NamedTensors& own, const StateDict& state,
                       const IncompatibleKeys& keys, bool strict) {
  std::string text;
  const auto object = [&](const std::string& line) { text += (text.empty() ? "" : "; ") + line; };
  if (strict && !keys.missing.empty()) {
    object(fmt::format("missing are {}", fmt::join(keys.missing, ", ")));
  }
  if (strict && !keys.unexpected.empty()) {
    object(fmt::format("unexpected are {}", fmt::join(keys.unexpected, ", ")));
  }
  for (const auto& [name, tensor] : own) {
    const auto given = state.find(name);
    if (given == state.end() || given->second.shape() == tensor.shape()) continue;
    object(fmt::format("{} has shape {} in the state and {} in the module", name,
                       describe(given->second.shape()), describe(tensor.shape())));
  }
  return text;
}

IncompatibleKeys differences(const NamedTensors& own, const StateDict& state) {
  IncompatibleKeys keys;
  StateDict rest = state;
  for (const auto& [name, tensor] : own) {
    if (rest.erase(name) == 0) keys.missing.push_back(name);
  }
  for (const auto& entry : rest) keys.unexpected.push_back(entry.first);
  return keys;
}

}  // namespace

StateDict Module::state_dict() const {
  StateDict state;
  for (const auto& [name, tensor] : persistent_tensors()) state.emplace(name, tensor.detach());
  return state;
}

IncompatibleKeys Module::load_state_dict(const StateDict& state, Flag strict) {
  const NamedTensors own = persistent_tensors();
  const IncompatibleKeys keys = differences(own, state);
  const std::string text = objections(own, state, keys, strict);
  if (!text.empty()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the state does not fit the module: {}{}", text,
                            strict ? "; with strict = false names may differ" : ""));
  }
  const NoGrad no_grad;
  for (const auto& [name, tensor] : own) {
    const auto given = state.find(name);
    if (given != state.end()) tensor.copy_(given->second);
  }
  return keys;
}

void Module::save(const std::filesystem::path& path) const {
  save_safetensors(path, state_dict(), {{"format", "pt"}});
}

IncompatibleKeys Module::load(const std::filesystem::path& path, Flag strict) {
  return load_state_dict(load_safetensors(path).tensors, strict);
}

}  // namespace switchyard::nn
