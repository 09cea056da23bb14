#include "ops/registered_op.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <switchyard/error.hpp>
#include <tuple>

#include "error/called_function.hpp"
#include "error/line_without_function.hpp"
#include "ops/definition_check.hpp"
#include "ops/op_error.hpp"

namespace switchyard {
namespace {

struct Registry {
  std::shared_mutex guard;
  std::vector<std::unique_ptr<RegisteredOp>> ops;
};

Registry& registry() {
  static Registry& the_registry = *new Registry;
  return the_registry;
}

template <typename Accept>
const Op* find_if(const Accept& accept) {
  const std::shared_lock lock(registry().guard);
  for (const auto& known : registry().ops) {
    if (accept(known->definition)) return &known->op;
  }
  return nullptr;
}

constinit CheckBody the_body_check = nullptr;

std::vector<std::string_view> names_of(const std::vector<Formal>& formals) {
  std::vector<std::string_view> names;
  for (const Formal& formal : formals) names.push_back(formal.name);
  return names;
}

/// What the readers of the library's own ops say of a text, said of the definition.
template <typename Read>
void read_or_refuse(const OpDefinition& definition, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    refuse_definition(definition, line_without_function(error));
  }
}

void set_body(RegisteredOp& made) {
  const Signature& signature = made.op.canonical;
  // The body begins in the first line, so that errors count its lines as its author does.
  made.body = fmt::format("({}) => ({}) {{ {}\n}}", fmt::join(names_of(signature.inputs), ", "),
                          fmt::join(names_of(signature.outputs), ", "), made.definition.body);
  made.row.body = made.body;
  if (the_body_check) the_body_check(made.op);
}

/// Parses and checks a definition; whoever adds it gives its op a number.
std::unique_ptr<RegisteredOp> parsed(const OpDefinition& given, const PluginShapes& shapes) {
  check_names(given, given.shape || shapes);
  auto made = std::make_unique<RegisteredOp>(given, shapes);
  const OpDefinition& definition = made->definition;
  made->row = {.op = definition.name,
               .domain = definition.domain,
               .version = definition.version,
               .signature = definition.signature,
               .attributes = definition.attributes,
               .types = definition.types,
               .random = definition.is_random,
               .summary = definition.summary};
  read_or_refuse(definition, [&] { made->op = parse_op(made->row, 0); });
  made->op.registered = made.get();
  check_signature(definition, made->op.canonical);
  if (!definition.body.empty()) read_or_refuse(definition, [&] { set_body(*made); });
  return made;
}

const RegisteredOp* find(const Registry& known, const OpDefinition& definition) {
  const auto found = std::ranges::find_if(known.ops, [&](const auto& other) {
    return other->definition.name == definition.name &&
           other->definition.domain == definition.domain;
  });
  return found == known.ops.end() ? nullptr : found->get();
}

/// What two definitions of one op must agree on.
auto words_of(const OpDefinition& definition) {
  return std::tie(definition.version, definition.signature, definition.attributes, definition.types,
                  definition.body);
}

void add(Registry& known, std::unique_ptr<RegisteredOp> made) {
  made->op.id = static_cast<std::uint32_t>(all_ops().size() + known.ops.size());
  known.ops.push_back(std::move(made));
}

/// Whether it is to be added: not where a plugin, or another, brought the same before.
bool is_new(const Registry& known, const RegisteredOp& made) {
  const RegisteredOp* other = find(known, made.definition);
  if (!other) return true;
  if (words_of(other->definition) == words_of(made.definition)) return false;
  refuse_definition(made.definition,
                    "it is registered already, with another version, signature or body; load one "
                    "of the two alone");
}

}  // namespace

std::string full_name(const OpDefinition& definition) {
  return fmt::format("{}::{}", definition.domain, definition.name);
}

void set_body_check(CheckBody check) { the_body_check = check; }

void register_op(const OpDefinition& definition) {
  const CalledFunction here;
  std::unique_ptr<RegisteredOp> made = parsed(definition, {});
  Registry& known = registry();
  const std::scoped_lock lock(known.guard);
  if (find(known, definition)) {
    refuse_definition(definition,
                      "it is registered already; an op is registered once in a process");
  }
  add(known, std::move(made));
}

void register_ops_of_plugin(std::span<const PluginOp> ops) {
  std::vector<std::unique_ptr<RegisteredOp>> made;
  for (const PluginOp& op : ops) made.push_back(parsed(op.definition, op.shapes));
  Registry& known = registry();
  const std::scoped_lock lock(known.guard);
  std::erase_if(made, [&](const auto& each) { return !is_new(known, *each); });
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      if (full_name(made[i]->op) != full_name(made[before]->op)) continue;
      refuse_definition(made[i]->definition, "the plugin's list has it twice");
    }
  }
  known.ops.reserve(known.ops.size() + made.size());
  for (auto& each : made) add(known, std::move(each));
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
  for (const auto& known : registry().ops) ops.push_back(&known->op);
  return ops;
}

std::vector<const Op*> all_known_ops() {
  std::vector<const Op*> ops;
  for (const Op& op : all_ops()) ops.push_back(&op);
  std::ranges::copy(all_registered_ops(), std::back_inserter(ops));
  return ops;
}

namespace {

using Shapes = std::vector<std::optional<Dims>>;

Shapes shapes_by_rule(const RegisteredOp& registered, const OpCall& call, Inference& inference) {
  if (registered.shapes) return registered.shapes(call, inference.output_count());
  Shapes shapes;
  for (Dims& shape : registered.definition.shape(call)) shapes.emplace_back(std::move(shape));
  return shapes;
}

/// What the rule throws is said as the rules of the library's own ops say it: of a node, where a
/// model is read.
Shapes shapes_or_failure(const RegisteredOp& registered, const OpCall& call,
                         Inference& inference) try {
  return shapes_by_rule(registered, call, inference);
} catch (const ShapeMismatch&) {
  throw;
} catch (const Error& error) {
  if (error.kind() == ErrorKind::shape_mismatch) {
    inference.mismatch(std::string(line_without_function(error)));
  }
  if (error.kind() != ErrorKind::invalid_argument) throw;
  inference.fail(std::string(line_without_function(error)));
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception& exception) {
  inference.fail(fmt::format("its shape rule threw: {}", exception.what()));
}

void check_told(const Op& op, const Shapes& shapes, const Inference& inference) {
  if (shapes.size() < inference.output_count() || shapes.size() > op.canonical.outputs.size()) {
    inference.fail(fmt::format("its shape rule gives {} shapes for {} outputs", shapes.size(),
                               inference.output_count()));
  }
  for (std::size_t i = 0; i < inference.output_count(); ++i) {
    if (!shapes[i]) continue;
    for (const std::int64_t extent : *shapes[i]) {
      if (extent >= -1) continue;
      inference.fail(
          fmt::format("its shape rule gives output {} an extent of {}; -1 is one that it cannot "
                      "tell",
                      i, extent));
    }
  }
}

}  // namespace

void infer_registered_shapes(const Op& op, Inference& inference) {
  std::vector<ValueInfo> inputs;
  for (std::size_t i = 0; i < inference.input_count(); ++i) {
    if (inference.has(i) && !inference.has_rank(i)) return;
    inputs.push_back(inference.input(i));
  }
  const OpCall call(op, inference.attributes(), inputs);
  Shapes shapes = shapes_or_failure(*op.registered, call, inference);
  check_told(op, shapes, inference);
  for (std::size_t i = 0; i < inference.output_count(); ++i) {
    if (shapes[i]) inference.set_shape(i, std::move(*shapes[i]));
  }
}

}  // namespace switchyard
