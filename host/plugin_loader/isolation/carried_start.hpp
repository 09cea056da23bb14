/// How a library is opened and entered in the process that serves it, and what its table says.
#pragma once

#include <switchyard/ops.h>
#include <switchyard/plugin.h>

#include <array>
#include <cstdint>

namespace switchyard::isolation {

/// What refused the library; `problem` is a LoadProblem.
struct Refusal {
  static constexpr std::int32_t kNone = -1;
  std::int32_t problem = kNone;
  const char* reason = nullptr;
  const char* remedy = nullptr;
};

struct LoadArgs {
  const char* plugin = nullptr;  // its name in the configuration
  const char* library = nullptr;
  const char* options = nullptr;  // see option_text.hpp
  std::uint32_t thread_limit = 1;
  Refusal refusal = {};  // out
};

/// An op of the plugin's own; the shapes of its outputs are asked for by its position in the list.
struct OwnOp {
  sy_op op;
};

struct EnterArgs {  // all out
  Refusal refusal = {};
  std::uint64_t slots = 0;  // a bit for each Call whose slot is set
  const char* name = nullptr;
  const char* version = nullptr;
  const char* build = nullptr;
  const char* language = nullptr;  // of kernels that it compiles; null if it compiles none
  const OwnOp* ops = nullptr;
  std::uint32_t op_count = 0;
};

/// What infer_shapes said of an output.
struct InferredShape {
  std::uint32_t is_known = 0;
  std::uint32_t rank = 0;
  std::int64_t extents[SY_MAX_RANK] = {};
};

struct InferArgs {
  std::uint32_t op = 0;
  const sy_program* program = nullptr;
  InferredShape* shapes = nullptr;  // out: for each output of the node
  std::uint32_t output_count = 0;
};

/// infer_shapes's own args are made on either side from an InferArgs.
static_assert(sizeof(sy_infer_shapes_args) == 40,
              "sy_infer_shapes_args has grown: carry the new "
              "fields in InferArgs");

template <typename Wire>
void carry(Wire& wire, Refusal& refusal) {
  wire.out(refusal.problem);
  wire.given_text(refusal.reason);
  wire.given_text(refusal.remedy);
}

template <typename Wire>
void carry(Wire& wire, LoadArgs& args) {
  wire.text(args.plugin);
  wire.text(args.library);
  wire.text(args.options);
  wire.in(args.thread_limit);
  carry(wire, args.refusal);
}

template <typename Wire>
void carry(Wire& wire, OwnOp& own) {
  auto& [struct_size, version, domain, name, signature, attributes, types, body, summary,
         infer_shapes] = own.op;
  wire.out(version);
  wire.given_text(domain);
  wire.given_text(name);
  wire.given_text(signature);
  wire.given_text(attributes);
  wire.given_text(types);
  wire.given_text(body);
  wire.given_text(summary);
}

template <typename Wire>
void carry(Wire& wire, EnterArgs& args) {
  carry(wire, args.refusal);
  wire.out(args.slots);
  wire.given_text(args.name);
  wire.given_text(args.version);
  wire.given_text(args.build);
  wire.given_text(args.language);
  wire.given_structs(args.ops, args.op_count);
}

template <typename Wire>
void carry(Wire& wire, InferredShape& shape) {
  wire.out(shape.is_known, shape.rank);
  wire.out_characters(shape.extents);
}

template <typename Wire>
void carry(Wire& wire, InferArgs& args) {
  wire.in(args.op, args.output_count);
  wire.structs(args.program, 1);
  wire.out_structs(args.shapes, args.output_count);
}

}  // namespace switchyard::isolation
