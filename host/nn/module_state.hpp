#pragma once

#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

struct Module::Entry {
  std::string name;
  Tensor tensor;
  bool persistent = true;
};

/// What all copies of a module share.
struct Module::State {
  std::vector<Entry> parameters, buffers;
  std::vector<NamedModule> children;
  bool training = true;
};

/// "a.b", or "b" below the root.
inline std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

}  // namespace switchyard::nn
