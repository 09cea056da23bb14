#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <switchyard/register_op.hpp>

#include "ops/row.hpp"

namespace switchyard {

/// Shapes by a plugin's rule, which may leave a rank open. Takes how many outputs the node has.
using PluginShapes =
    std::function<std::vector<std::optional<Dims>>(const OpCall& call, std::size_t output_count)>;

/// What a definition comes to; its row and its op look at its texts. None ever goes: an op is
/// compared by its address.
struct RegisteredOp {
  RegisteredOp(OpDefinition given, PluginShapes by_plugin)
      : definition(std::move(given)), shapes(std::move(by_plugin)) {}

  const OpDefinition definition;
  const PluginShapes shapes;  // in place of the definition's rule
  std::string body;
  Row row;
  Op op{};
};

struct PluginOp {
  OpDefinition definition;  // without a shape rule
  PluginShapes shapes;
};

/// Registers a plugin's ops, all or none; those of which there is one in the same words are there
/// already. Throws Error(invalid_argument) as register_op does, and where there is one in other
/// words.
void register_ops_of_plugin(std::span<const PluginOp> ops);

/// Throws Error(invalid_argument) for a function body that cannot stand for its op. Bodies are ONNX
/// text, which the reader above this module knows: `onnx` sets it as its file is initialised.
using CheckBody = void (*)(const Op& op);
void set_body_check(CheckBody check);

/// Parses a row's texts. The row lives as long as the op.
Op parse_op(const Row& row, std::uint32_t id);

/// The op, or null. Any thread may ask while others register.
const Op* find_registered_op(std::string_view domain, std::string_view name);
/// The same of whichever domain.
const Op* find_registered_op_by_name(std::string_view name);
/// All of them, in the order in which they were registered.
std::vector<const Op*> all_registered_ops();
/// The library's own ops, and then these.
std::vector<const Op*> all_known_ops();

/// Sets the outputs' shapes by the definition's rule, once the ranks of all inputs are known.
void infer_registered_shapes(const Op& op, Inference& inference);

/// "com.acme::Film".
std::string full_name(const OpDefinition& definition);
inline std::string full_name(const Op& op) { return full_name(op.registered->definition); }

}  // namespace switchyard
