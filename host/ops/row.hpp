#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/inference.hpp"
#include "ops/node_draft.hpp"

namespace switchyard {

struct RegisteredOp;

/// Sets the shapes of a node's outputs (types are set already). Leaves a shape unset where it
/// cannot be known yet; throws Error(model) where the inputs break the op's rules.
using ShapeRule = void (*)(Inference&);

/// Sets output types that the signature's letters do not tell (Cast's `to`).
using TypeRule = void (*)(Inference&);

/// One output as a view of the node's first input: no bytes move.
struct ViewSpec {
  Dims shape;
  Dims strides;             // elements; negative ones are made contiguous at once
  std::int64_t offset = 0;  // elements, from the input's first element
};

/// The outputs as views of input 0, whose strides are given; nothing if these strides do not allow
/// it, in which case the host makes the input contiguous and asks again (then it must succeed).
using ViewRule = std::optional<std::vector<ViewSpec>> (*)(const Inference&, const Dims& strides);

/// The output as a host value that follows from shapes and attributes alone (Shape, Size).
using LiteralRule = Literal (*)(const Inference&);

/// The nodes of a body that depends on which inputs and attributes a node has, as ONNX text: lines
/// `Y = Op <attribute = 1> (X)` whose values are the names of the signature; a variadic formal `V`
/// gives `V_0`, `V_1`, ... Runs after the shape rule; what has no body fails with the reason.
using BodyRule = std::string (*)(const Inference&);

/// Rewrites a node from this revision's form to the next one's.
using Upgrade = void (*)(NodeDraft&);

/// Who computes an op.
enum class RunsOn : std::uint8_t {
  device,   // routed to a plugin
  view,     // metadata: its view rule; runs on no device
  literal,  // metadata: its literal rule
  control,  // the graph executor: If, Loop, Scan, sequences, optionals
  body,     // nobody: a model's reader puts the nodes of its body in its place
};

/// What Autocast does with an op's inputs of float32, float16 and bfloat16.
enum class AutocastTo : std::uint8_t {
  as_given,
  low_precision,  // to the scope's type: products, whose sums devices keep in float32
  float32,        // what loses range or digits in narrower types
};

/// One ONNX version of an op, as models declare it.
struct Revision {
  int since;  // ONNX since-version
  std::string_view types =
      "";  // ONNX's type sets for this version, as in Row::types; "" = those of the next
  std::string_view signature = "";   // where it differs from the row's
  std::string_view attributes = "";  // where they differ from the row's; "-" = none
  Upgrade upgrade = nullptr;         // to the next revision's form; null: equal in meaning
};

/// All that the host knows of one op, in the form that plugins see: its canonical version.
///
///   {.op = "Gather", .version = 13,
///    .signature = "data:T indices:I -> output:T",
///    .attributes = "axis:int=0",
///    .types = "T=all I=int32|int64",
///    .revisions = {{1}, {11}},            // older ones only; the canonical one is implied
///    .shape = gather_shape}
///
/// signature: `name:Type` for each formal input, `->`, outputs. Type is a letter word from `types`
///   (all values of one letter agree) or a set as in `types` (each value for itself). Suffixes: `?`
///   optional, `*` variadic (last; one or more, with `?*` also none), `~` each value for itself in
///   spite of a letter, `!` host input. `seq(T)`, `opt(T)` for sequences and optionals.
/// attributes: `name:kind[=default]`, kind one of int float text ints floats texts tensor graph, or
///   one with a closed set of values (allowed_values.hpp): text(none|tanh), int(0..3), flag,
///   padding (or ONNX's sparse and type, which a model's reader turns into others); no default =
///   optional, `!` after the kind = required. Lists: `[1,2]`.
/// types: `T=float32|float64` ...; groups: all (every tensor type but string), any (with string),
/// float
///   (float16 bfloat16 float32 float64), integer, signed, unsigned, numeric (float+integer), bool,
///   float8 (the four of IR 9), int4s, int2s, numbers (all but complex); as ONNX had them before
///   bfloat16 (IR 4), float8 (9), int4 (10), float4 (11), float8e8m0 (12) and int2 (13): any_irN,
///   all_irN for N of 3 4 9 10 11 12, numbers_irN from 10 on, float_ir3, numeric_ir3. Here they are
///   Switchyard's sets (a superset of equal meaning); ONNX's stand in `onnx_types` where they are
///   narrower.
/// example: a call that tries a device beside another, as `doctor` does: a word for each input
///   (cli/doctor/trial_values.hpp says which), then `name=value` for each attribute.
/// summary: a phrase for the index of plugin-api/switchyard-ops.md.
struct Row {
  std::string_view op;
  std::string_view domain = "";
  int version = 1;
  std::string_view signature = "";
  std::string_view attributes = "";
  std::string_view types = "";
  std::string_view onnx_types = "";  // of the canonical version; "" = same as `types`
  std::vector<Revision> revisions = {};
  ShapeRule shape = nullptr;  // null only for control ops
  TypeRule type = nullptr;
  RunsOn runs_on = RunsOn::device;
  ViewRule view = nullptr;
  LiteralRule literal = nullptr;
  std::string_view body = "";     // function body in ONNX text, for plugins that lack the op
  BodyRule write_body = nullptr;  // in its place, where nodes differ; a model is read as them
  bool random = false;            // not folded, never shared between equal nodes
  std::string_view example = "";  // "" = one that the signature suggests
  AutocastTo autocast = AutocastTo::as_given;
  std::string_view summary = "";  // what it computes, for ops that ONNX does not describe
};

/// A formal input or output, parsed from a signature; its texts are parts of the row's.
struct Formal {
  std::string_view name;
  std::string_view type;  // letter word or type name, without suffixes
  enum class Kind : std::uint8_t { tensor, sequence, optional } kind = Kind::tensor;
  bool optional = false;
  bool variadic = false;
  bool host_input = false;
  std::uint64_t allowed = 0;  // mask of 1 << dtype
  int letter = -1;            // index into Signature::types; -1: each value's type is its own
};

struct AttributeSpec {
  std::string_view name;
  std::string_view kind;
  bool required = false;
  std::optional<AttributeValue> fallback;
};

/// A revision's checks, parsed once.
struct Signature {
  int since = 0;
  std::vector<Formal> inputs;
  std::vector<Formal> outputs;
  std::vector<AttributeSpec> attributes;
  std::vector<std::pair<std::string_view, std::uint64_t>> types;  // letter -> mask of 1 << dtype
  Upgrade upgrade = nullptr;
};

/// A row with its texts parsed; one object for each op as long as the process lives, so that an op
/// is compared by address and numbered densely.
struct Op {
  const Row* row;
  const RegisteredOp* registered = nullptr;  // of an op that is not the library's own
  std::uint32_t id;                          // dense, from 0
  Signature canonical;                       // Switchyard's types
  std::uint64_t host_inputs = 0;             // mask over inputs
  std::string_view name() const { return row->op; }
  int version() const { return row->version; }

  /// Whether the op reads the values of that input. Those that a variadic formal takes are alike.
  bool is_host_input(std::size_t input) const {
    return host_inputs != 0 &&
           (host_inputs >> std::min(input, canonical.inputs.size() - 1) & 1) != 0;
  }
};

/// Checks types against the canonical signature, sets output types, then shapes.
void infer(const Op& op, Inference& inference);

/// All ops of the library, ordered by domain and name. Others may be registered beside them.
std::span<const Op> all_ops();

/// The op, the library's or a registered one; null if there is none.
const Op* find_op(std::string_view domain, std::string_view name);

}  // namespace switchyard
