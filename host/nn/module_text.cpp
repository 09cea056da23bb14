#include <fmt/format.h>

#include <boost/core/demangle.hpp>
#include <ostream>
#include <switchyard/nn/module.hpp>
#include <vector>

#include "nn/class_name.hpp"

namespace switchyard::nn {
namespace {

/// All lines but the first two columns further right.
std::string indented(const std::string& text) {
  std::string moved;
  for (const char letter : text) {
    moved += letter;
    if (letter == '\n') moved += "  ";
  }
  return moved;
}

}  // namespace

std::string class_name(const Module& module) {
  std::string name = boost::core::demangle(typeid(module).name());
  const std::size_t arguments = name.back() == '>' ? name.find('<') : name.size();
  const std::size_t colons = name.rfind("::", arguments);
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

std::string to_string(const Module& module) {
  const std::string own = module.extra_repr();
  if (module.children().empty() && own.find('\n') == std::string::npos) {
    return fmt::format("{}({})", class_name(module), own);
  }
  std::string lines;
  if (!own.empty()) lines += "\n  " + indented(own);
  for (const NamedModule& child : module.children()) {
    lines += fmt::format("\n  ({}): {}", child.name, indented(to_string(*child.module)));
  }
  return fmt::format("{}({}\n)", class_name(module), lines);
}

std::ostream& operator<<(std::ostream& stream, const Module& module) {
  return stream << to_string(module);
}

}  // namespace switchyard::nn
