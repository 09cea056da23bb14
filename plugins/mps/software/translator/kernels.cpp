#include "software/translator/kernels.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "software/translator/reach.hpp"

namespace mps::software {
namespace {

const auto& known_values = *new const std::set<std::string_view>{
    "thread_position_in_grid",   "thread_position_in_threadgroup",   "thread_index_in_threadgroup",
    "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup",   "threadgroup_position_in_grid",
    "threads_per_threadgroup",   "dispatch_threads_per_threadgroup", "threads_per_grid",
    "threadgroups_per_grid",     "simdgroups_per_threadgroup",       "threads_per_simdgroup"};
constexpr uint32_t max_buffers = 31;

bool is_index(const std::string& text) {
  return !text.empty() && text.size() < 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool meets_others(std::string_view word) {
  return word.substr(0, 5) == "simd_" || word.substr(0, 9) == "simdgroup" ||
         word == "threadgroup_barrier" || word == "threadgroup";
}

Attribute checked(const Syntax& syntax, const ParameterSyntax& parameter) {
  const size_t at = parameter.type_and_name.begin;
  const std::string what = "parameter '" + syntax.spelling(parameter.type_and_name) + "'";
  if (!parameter.attribute) {
    syntax.fail(at, what + " of a kernel has no attribute such as [[buffer(0)]]");
  }
  const Attribute& attribute = *parameter.attribute;
  if (attribute.name != "buffer" && attribute.name != "threadgroup") {
    if (known_values.count(attribute.name)) return attribute;
    syntax.fail(at, what + " has an unknown attribute [[" + attribute.name + "]]");
  }
  if (!is_index(attribute.argument)) {
    syntax.fail(at, "the index of " + what + " is not a number: " + attribute.argument);
  }
  if (std::stoul(attribute.argument) >= max_buffers) {
    syntax.fail(at, what + " has index " + attribute.argument + ", the last is 30");
  }
  return attribute;
}

std::vector<Attribute> bindings_of(const Syntax& syntax, const FunctionSyntax& function) {
  std::vector<Attribute> result;
  std::set<std::pair<std::string, std::string>> taken;
  for (const ParameterSyntax& parameter : function.parameters) {
    Attribute attribute = checked(syntax, parameter);
    const bool has_position = attribute.name == "buffer" || attribute.name == "threadgroup";
    if (has_position && !taken.insert({attribute.name, attribute.argument}).second) {
      syntax.fail(parameter.type_and_name.begin, "two parameters of " + function.name + " are [[" +
                                                     attribute.name + "(" + attribute.argument +
                                                     ")]]");
    }
    result.push_back(std::move(attribute));
  }
  return result;
}

bool is_bound(const FunctionSyntax& function) {
  return std::any_of(function.parameters.begin(), function.parameters.end(),
                     [](const ParameterSyntax& parameter) { return parameter.attribute; });
}

}  // namespace

std::vector<BoundKernel> find_kernels(const Syntax& syntax,
                                      const std::vector<ConstantSyntax>& constants) {
  std::vector<BoundKernel> result;
  std::map<std::string, const FunctionSyntax*> templates;
  const Reach reach(syntax);
  for (const FunctionSyntax& function : syntax.functions) {
    if (!function.is_kernel) continue;
    if (function.is_template) {
      templates[function.name] = &function;
      continue;
    }
    if (!function.is_instance && function.body.empty()) continue;
    const FunctionSyntax* bound = &function;
    if (function.is_instance && !is_bound(function)) {
      const auto found = templates.find(function.name);
      if (found == templates.end()) {
        syntax.fail(function.head.begin, "no kernel template '" + function.name + "'");
      }
      bound = found->second;
    }
    BoundKernel kernel{function.host_name, function.symbol, bindings_of(syntax, *bound), false, {}};
    const auto words = reach.from(function.name);
    kernel.collective = std::any_of(words.begin(), words.end(), meets_others);
    for (const ConstantSyntax& constant : constants) {
      if (words.count(constant.name)) kernel.constants.push_back(constant.index);
    }
    result.push_back(std::move(kernel));
  }
  return result;
}

}  // namespace mps::software
