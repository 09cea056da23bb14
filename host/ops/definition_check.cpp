#include "ops/definition_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <switchyard/error.hpp>

#include "ops/row.hpp"

namespace switchyard {
namespace {

/// Inputs that are read as host inputs, and outputs that are asked for, are bits of a mask.
constexpr std::size_t kMostValues = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool consists_of(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

bool is_identifier(std::string_view text) {
  return !text.empty() && (is_letter(text[0]) || text[0] == '_') && consists_of(text, "_");
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return lower;
}

void check_formal(const OpDefinition& definition, const Formal& formal) {
  if (!is_identifier(formal.name)) {
    refuse_definition(definition, fmt::format("\"{}\" is no name of an input or output: it has "
                                              "letters, digits and '_', no digit first",
                                              formal.name));
  }
  if (formal.kind != Formal::Kind::tensor) {
    refuse_definition(definition, fmt::format("\"{}\" is a sequence or an optional; ops of one's "
                                              "own have tensors",
                                              formal.name));
  }
}

/// Whether a call tells the output's type.
bool has_type(const Formal& output, const std::vector<Formal>& inputs) {
  return std::has_single_bit(output.allowed) ||
         (output.letter >= 0 && std::ranges::any_of(inputs, [&](const Formal& input) {
            return input.letter == output.letter;
          }));
}

void check_outputs(const OpDefinition& definition, const std::vector<Formal>& outputs,
                   const std::vector<Formal>& inputs) {
  if (outputs.empty()) refuse_definition(definition, "its signature has no output");
  for (const Formal& output : outputs) {
    if (!has_type(output, inputs)) {
      refuse_definition(
          definition,
          fmt::format("nothing tells the type of output \"{}\": {} is neither one dtype "
                      "nor the type of an input",
                      output.name, output.type));
    }
    if (!output.variadic && !output.host_input) continue;
    refuse_definition(definition,
                      fmt::format("output \"{}\" has a `{}`, which inputs may have alone",
                                  output.name, output.variadic ? '*' : '!'));
  }
}

void check_attribute(const OpDefinition& definition, const AttributeSpec& attribute) {
  static constexpr std::array<std::string_view, 6> kKinds = {"int",  "float",  "text",
                                                             "ints", "floats", "texts"};
  if (!is_identifier(attribute.name)) {
    refuse_definition(definition, fmt::format("\"{}\" is no name of an attribute: it has letters, "
                                              "digits and '_', no digit first",
                                              attribute.name));
  }
  if (std::ranges::find(kKinds, attribute.kind) == kKinds.end()) {
    refuse_definition(
        definition, fmt::format("attribute \"{}\" is of the kind {}; those of one's own ops are {}",
                                attribute.name, attribute.kind,
                                "int, float, text, ints, floats "
                                "and texts"));
  }
  if (attribute.required && attribute.fallback) {
    refuse_definition(definition, fmt::format("attribute \"{}\" must be given (`!`) and has a "
                                              "default; leave one of the two out",
                                              attribute.name));
  }
}

/// A text in which each name stands for one thing.
class Names {
 public:
  Names(const OpDefinition& definition, std::string_view what)
      : definition_(definition), what_(what) {}
  void add(std::string_view name) {
    if (known_.insert(name).second) return;
    refuse_definition(definition_, fmt::format("two {} have the name \"{}\"", what_, name));
  }

 private:
  const OpDefinition& definition_;
  std::string_view what_;
  std::set<std::string_view> known_;
};

}  // namespace

bool belongs_to_others(std::string_view domain) {
  static constexpr std::array<std::string_view, 3> kTaken = {"ai.onnx", "com.microsoft",
                                                             "switchyard"};
  const std::string lower = in_lower_case(domain);
  return lower.empty() || std::ranges::any_of(kTaken, [&](std::string_view taken) {
           return lower == taken || lower.starts_with(std::string(taken) + ".");
         });
}

void refuse_definition(const OpDefinition& definition, std::string_view why) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{}::{}: {}", definition.domain, definition.name, why));
}

void check_names(const OpDefinition& definition, bool has_shapes) {
  if (belongs_to_others(definition.domain)) {
    refuse_definition(definition,
                      fmt::format("the domain '{}' belongs to others; give one of your own, such "
                                  "as \"com.example\"",
                                  definition.domain));
  }
  if (!is_letter(definition.domain[0]) || !consists_of(definition.domain, "._-")) {
    refuse_definition(definition,
                      "a domain has letters, digits, '.', '_' and '-', and a letter first");
  }
  if (!is_identifier(definition.name)) {
    refuse_definition(definition, "a name has letters, digits and '_', no digit first");
  }
  if (definition.version < 1) refuse_definition(definition, "its version is below 1");
  if (!has_shapes) refuse_definition(definition, "it has no shape rule; give `shape`");
}

void check_signature(const OpDefinition& definition, const Signature& signature) {
  if (definition.signature.find('~') != std::string::npos) {
    refuse_definition(definition, "its signature has a '~', which only the library's own ops have");
  }
  if (std::max(signature.inputs.size(), signature.outputs.size()) > kMostValues) {
    refuse_definition(definition,
                      fmt::format("it has more than {} inputs or outputs", kMostValues));
  }
  check_outputs(definition, signature.outputs, signature.inputs);
  Names values(definition, "inputs and outputs"), attributes(definition, "attributes"),
      types(definition, "types");
  for (const auto* formals : {&signature.inputs, &signature.outputs}) {
    for (const Formal& formal : *formals) {
      check_formal(definition, formal);
      values.add(formal.name);
    }
  }
  for (const AttributeSpec& attribute : signature.attributes) {
    check_attribute(definition, attribute);
    attributes.add(attribute.name);
  }
  for (const auto& [letter, allowed] : signature.types) {
    types.add(letter);
    if (is_identifier(letter) && !dtype_named(letter)) continue;
    refuse_definition(definition,
                      fmt::format("\"{}\" is no word for a type: it has letters, digits "
                                  "and '_', no digit first, and is no dtype's name",
                                  letter));
  }
}

}  // namespace switchyard
