#include <switchyard/nn/container.hpp>

#include <fmt/format.h>

#include <boost/core/demangle.hpp>
#include <switchyard/error.hpp>

namespace switchyard::nn {

Module& ModuleList::operator[](std::size_t index) const {
  if (index < size()) return *children()[index].module;
  throw Error(ErrorKind::usage, fmt::format("module {} of a list of {} modules", index, size()));
}

void ModuleList::append(std::string_view name, std::shared_ptr<Module> module) {
  if (!module) throw Error(ErrorKind::usage, fmt::format("module {} of a list is none", name));
  add_child(name, std::move(module));
}

void ModuleList::refuse(std::size_t index, const char* wanted) const {
  const Module& module = (*this)[index];
  throw Error(ErrorKind::usage, fmt::format("module {} is a {}, not a {}", index,
                                            boost::core::demangle(typeid(module).name()),
                                            boost::core::demangle(wanted)));
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (const NamedModule& child : children()) y = (*child.module)(y);
  return y;
}

}  // namespace switchyard::nn
