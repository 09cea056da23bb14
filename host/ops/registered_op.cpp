#include "ops/registered_op.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <mutex>
#include <shared_mutex>
#include <switchyard/error.hpp>
#include <tuple>

#include "error/called_function.hpp"

namespace switchyard {
namespace {

struct Registry {
  std::shared_mutex guard;
  std::deque<RegisteredOp> ops;
};

Registry& registry() {
  static Registry& the_registry = *new Registry;
  return the_registry;
}

template <typename Accept>
const Op* find_if(const Accept& accept) {
  const std::shared_lock lock(registry().guard);
  for (const RegisteredOp& known : registry().ops) {
    if (accept(known.definition)) return &known.op;
  }
  return nullptr;
}

bool is_identifier(std::string_view text, std::string_view more) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
  });
}

[[noreturn]] void refuse(const OpDefinition& definition, std::string_view why) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[register_op] {}: {}", full_name(definition), why));
}

void check(const OpDefinition& definition, bool has_shapes) {
  static constexpr std::array<std::string_view, 6> kTaken = {
      "", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "switchyard", "com.microsoft"};
  if (std::ranges::find(kTaken, definition.domain) != kTaken.end()) {
    refuse(definition, fmt::format("the domain '{}' belongs to others; give one of your own, such "
                                   "as \"com.example\"",
                                   definition.domain));
  }
  if (!is_identifier(definition.domain, "._-")) {
    refuse(definition, "a domain has letters, digits, '.', '_' and '-'");
  }
  if (!is_identifier(definition.name, "_"))
    refuse(definition, "a name has letters, digits and '_'");
  if (definition.version < 1) refuse(definition, "its version is below 1");
  if (!has_shapes) refuse(definition, "it has no shape rule; give `shape`");
}

std::vector<std::string_view> names_of(const std::vector<Formal>& formals) {
  std::vector<std::string_view> names;
  for (const Formal& formal : formals) names.push_back(formal.name);
  return names;
}

void parse(RegisteredOp& registered, std::uint32_t id) try {
  const OpDefinition& definition = registered.definition;
  registered.row = {.op = definition.name,
                    .domain = definition.domain,
                    .version = definition.version,
                    .signature = definition.signature,
                    .attributes = definition.attributes,
                    .types = definition.types,
                    .summary = definition.summary};
  registered.op = parse_op(registered.row, id);
  registered.op.registered = &registered;
  const Signature& signature = registered.op.canonical;
  if (signature.outputs.empty()) refuse(definition, "its signature has no output");
  for (const AttributeSpec& attribute : signature.attributes) {
    if (attribute.kind == "graph" || attribute.kind == "tensor") {
      refuse(definition,
             fmt::format("attribute \"{}\" is of the kind {}; those of one's own ops are "
                         "int, float, text, ints, floats and texts",
                         attribute.name, attribute.kind));
    }
  }
  if (definition.body.empty()) return;
  registered.body =
      fmt::format("({}) => ({}) {{\n{}\n}}", fmt::join(names_of(signature.inputs), ", "),
                  fmt::join(names_of(signature.outputs), ", "), definition.body);
  registered.row.body = registered.body;
} catch (const Error& error) {
  if (error.kind() == ErrorKind::invalid_argument) throw;
  refuse(registered.definition, error.what());
}

const RegisteredOp* find(const Registry& known, const OpDefinition& definition) {
  const auto found = std::ranges::find_if(known.ops, [&](const RegisteredOp& other) {
    return other.definition.name == definition.name && other.definition.domain == definition.domain;
  });
  return found == known.ops.end() ? nullptr : &*found;
}

/// What two definitions of one op must agree on.
auto words_of(const OpDefinition& definition) {
  return std::tie(definition.version, definition.signature, definition.attributes, definition.types,
                  definition.body);
}

void add(Registry& known, const OpDefinition& definition, const PluginShapes& shapes) {
  RegisteredOp& registered = known.ops.emplace_back(definition, shapes);
  try {
    parse(registered, static_cast<std::uint32_t>(all_ops().size() + known.ops.size() - 1));
  } catch (...) {
    known.ops.pop_back();
    throw;
  }
}

}  // namespace

std::string full_name(const OpDefinition& definition) {
  return fmt::format("{}::{}", definition.domain, definition.name);
}

void register_op(const OpDefinition& definition) {
  const CalledFunction here;
  check(definition, definition.shape != nullptr);
  Registry& known = registry();
  const std::scoped_lock lock(known.guard);
  if (find(known, definition)) {
    refuse(definition, "it is registered already; an op is registered once in a process");
  }
  add(known, definition, {});
}

void register_op_of_plugin(const OpDefinition& definition, const PluginShapes& shapes) {
  check(definition, shapes != nullptr);
  Registry& known = registry();
  const std::scoped_lock lock(known.guard);
  const RegisteredOp* other = find(known, definition);
  if (!other) return add(known, definition, shapes);
  if (words_of(other->definition) == words_of(definition)) return;
  refuse(definition,
         "it is registered already, with another version, signature or body; load one "
         "of the two alone");
}

std::vector<std::string> registered_ops() {
  const CalledFunction here;
  std::vector<std::string> names;
  for (const Op* op : all_registered_ops()) names.push_back(full_name(*op));
  std::ranges::sort(names);
  return names;
}

const Op* find_registered_op(std::string_view domain, std::string_view name) {
  return find_if([&](const OpDefinition& definition) {
    return definition.name == name && definition.domain == domain;
  });
}

const Op* find_registered_op_by_name(std::string_view name) {
  return find_if([&](const OpDefinition& definition) { return definition.name == name; });
}

std::vector<const Op*> all_registered_ops() {
  const std::shared_lock lock(registry().guard);
  std::vector<const Op*> ops;
  for (const RegisteredOp& known : registry().ops) ops.push_back(&known.op);
  return ops;
}

std::vector<const Op*> all_known_ops() {
  std::vector<const Op*> ops;
  for (const Op& op : all_ops()) ops.push_back(&op);
  std::ranges::copy(all_registered_ops(), std::back_inserter(ops));
  return ops;
}

namespace {

std::vector<std::optional<Dims>> shapes_by_rule(const RegisteredOp& registered, const OpCall& call,
                                                Inference& inference) {
  if (registered.shapes) return registered.shapes(call, inference.output_count());
  std::vector<std::optional<Dims>> shapes;
  for (Dims& shape : registered.definition.shape(call)) shapes.emplace_back(std::move(shape));
  if (shapes.size() < inference.output_count()) {
    inference.fail(fmt::format("its shape rule gives {} shapes for {} outputs", shapes.size(),
                               inference.output_count()));
  }
  return shapes;
}

}  // namespace

void infer_registered_shapes(const Op& op, Inference& inference) {
  std::vector<ValueInfo> inputs;
  for (std::size_t i = 0; i < inference.input_count(); ++i) {
    if (inference.has(i) && !inference.has_rank(i)) return;
    inputs.push_back(inference.input(i));
  }
  const RegisteredOp& registered = *op.registered;
  const OpCall call(inference.attributes(), inputs);
  std::vector<std::optional<Dims>> shapes = shapes_by_rule(registered, call, inference);
  for (std::size_t i = 0; i < inference.output_count(); ++i) {
    if (shapes[i]) inference.set_shape(i, std::move(*shapes[i]));
  }
}

}  // namespace switchyard
