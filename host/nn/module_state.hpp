#pragma once

#include <cstddef>
#include <memory>
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
  std::shared_ptr<Hooks> hooks;  // null: none was ever registered
  std::vector<Module*> copies;
};

/// Where a registered child lies in its parent: in a member, which is in the same place of every
/// copy of the parent.
struct Module::Slot {
  /// Whether the module is such a member of a copy of the parent.
  bool holds(const Module& module) const;

  std::weak_ptr<State> parent;
  std::string name;
  Module* child;                        // the copy that is registered
  Assignment assign;                    // of the class of the member
  std::vector<std::ptrdiff_t> offsets;  // bytes from the parent to the member
  bool is_assigned = false;             // now, to the members of all copies
};

/// "a.b", or "b" below the root.
inline std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

}  // namespace switchyard::nn
