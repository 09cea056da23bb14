#include <switchyard/nn/container.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/core/demangle.hpp>
#include <switchyard/error.hpp>

#include "nn/position_in.hpp"

namespace switchyard::nn {

Module& ModuleList::operator[](Int index) const {
  return *children()[position_in("ModuleList", index, size())].module;
}

void ModuleList::append(Text name, std::shared_ptr<Module> module) {
  if (!module)
    throw Error(ErrorKind::invalid_argument, fmt::format("module {} of a list is none", name));
  add_child(name, std::move(module));
}

namespace {

/// The type in "... signature() [with M = switchyard::nn::Linear; ...]", or clang's "[M = ...]".
std::string_view type_in(std::string_view signature) {
  const std::size_t start = signature.find("M = ");
  if (start == std::string_view::npos) return signature;
  const std::string_view rest = signature.substr(start + 4);
  return rest.substr(0, rest.find_first_of(";]"));
}

}  // namespace

void ModuleList::refuse(Int index, std::string_view wanted) const {
  const Module& module = (*this)[index];
  throw Error(ErrorKind::invalid_argument,
              fmt::format("module {} is a {}, not a {}", index,
                          boost::core::demangle(typeid(module).name()), type_in(wanted)));
}

void ModuleDict::insert(Text name, std::shared_ptr<Module> module) {
  if (!module)
    throw Error(ErrorKind::invalid_argument, fmt::format("the module '{}' is none", name));
  add_child(name, std::move(module));
}

std::vector<std::string> ModuleDict::keys() const {
  std::vector<std::string> names;
  for (const NamedModule& child : children()) names.push_back(child.name);
  return names;
}

Module* ModuleDict::find(std::string_view name) const {
  for (const NamedModule& child : children()) {
    if (child.name == name) return child.module.get();
  }
  return nullptr;
}

Module& ModuleDict::operator[](Text name) const {
  if (Module* module = find(name)) return *module;
  throw Error(ErrorKind::invalid_argument, fmt::format("there is no module '{}' among these: {}",
                                                       name, fmt::join(keys(), ", ")));
}

void ModuleDict::refuse(std::string_view name, std::string_view wanted) const {
  const Module& module = (*this)[name];
  throw Error(ErrorKind::invalid_argument,
              fmt::format("module '{}' is a {}, not a {}", name,
                          boost::core::demangle(typeid(module).name()), type_in(wanted)));
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (const NamedModule& child : children()) y = (*child.module)(y);
  return y;
}

}  // namespace switchyard::nn
