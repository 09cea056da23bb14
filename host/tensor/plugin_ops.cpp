#include "tensor/plugin_ops.hpp"

#include <switchyard/ops.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <switchyard/error.hpp>
#include <vector>

#include "ops/op_error.hpp"
#include "ops/registered_op.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_call.hpp"
#include "routing/program.hpp"
#include "types/dimensions.hpp"

namespace switchyard {
namespace {

/// What set_shape writes.
struct ToldShapes {
  std::vector<std::optional<Dims>> shapes;
};

sy_status set_shape(void* context, std::uint32_t output, std::uint32_t rank,
                    const std::int64_t* shape) {
  try {
    if (context == nullptr || rank > kMostDimensions) return SY_INVALID;
    ToldShapes& told = *static_cast<ToldShapes*>(context);
    if (output >= told.shapes.size() || (rank > 0 && shape == nullptr)) return SY_INVALID;
    const Dims extents(std::span(shape, rank));
    const bool is_told = std::ranges::all_of(extents, [](auto extent) { return extent >= -1; });
    if (!is_told || told.shapes[output]) return SY_INVALID;
    told.shapes[output] = extents;
    return SY_OK;
  } catch (...) {
    return SY_OUT_OF_MEMORY;
  }
}

/// The call as a program. It runs nowhere, so that it has no strides.
struct CallProgram {
  CallProgram(const Op& op, const OpCall& call, std::size_t output_count) : outputs(output_count) {
    site.op = &op;
    site.attributes = call.attributes();
    for (std::size_t i = 0; i < call.input_count(); ++i) {
      TensorDescriptor& input = inputs.emplace_back();
      if (!call.has_input(i)) continue;
      input.dtype = call.input_dtype(i);
      input.shape = call.input_shape(i);
      input.literal = call.literal(i);
    }
    program.emplace(RouteRequest{site, inputs, ~std::uint64_t{0}, output_count, {}}, outputs);
  }

  CallSite site;
  std::vector<TensorDescriptor> inputs;
  std::vector<ValueInfo> outputs;
  std::optional<NodeProgram> program;
};

/// Asks the plugin for the shapes, which it keeps loaded.
struct ShapesByPlugin {
  std::shared_ptr<const Plugin> plugin;
  const sy_op* op;

  std::vector<std::optional<Dims>> operator()(const OpCall& call, std::size_t output_count) const {
    const Op& known = *find_registered_op(op->domain, op->name);
    const CallProgram program(known, call, output_count);
    ToldShapes told{std::vector<std::optional<Dims>>(output_count)};
    sy_infer_shapes_args args{};
    args.struct_size = sizeof(args);
    args.program = &program.program->get();
    args.context = &told;
    args.set_shape = set_shape;
    const auto [status, words] = call_plugin(op->infer_shapes, args);
    if (status == SY_INVALID) throw ShapeMismatch(fmt::format("[{}] {}", op->name, words));
    if (status != SY_OK) {
      throw Error(ErrorKind::plugin,
                  fmt::format("plugin '{}' was asked for the shapes of {} and {}", plugin->name(),
                              op->name, words));
    }
    return told.shapes;
  }
};

std::string text_of(const char* text) { return text == nullptr ? std::string() : text; }

OpDefinition definition_of(const sy_op& op) {
  return {.domain = text_of(op.domain),
          .name = text_of(op.name),
          .version = static_cast<int>(op.version),
          .signature = text_of(op.signature),
          .attributes = text_of(op.attributes),
          .types = text_of(op.types),
          .shape = {},
          .body = text_of(op.body),
          .summary = text_of(op.summary)};
}

[[noreturn]] void refuse(std::string_view why) {
  throw LoadError(LoadProblem::wrong_ops,
                  fmt::format("it brings ops that cannot be registered: {}", why),
                  "Tell the plugin's author, or leave it out of the configuration.");
}

bool has_bounds(std::uint32_t struct_size, std::size_t least) {
  constexpr std::uint32_t kMost = 4096;  // far beyond what any version will have
  return struct_size >= least && struct_size <= kMost;
}

/// The lists in the plugin's chain.
std::vector<const sy_op_list*> lists_of(const Plugin& plugin) {
  std::vector<const sy_op_list*> lists;
  for (const sy_extension* link = plugin.table().extensions; link != nullptr; link = link->next) {
    if (link->kind != SY_EXTENSION_OPS) continue;
    if (!has_bounds(link->struct_size, sizeof(sy_op_list))) {
      refuse(fmt::format("its sy_op_list has a struct_size of {}; it takes {}", link->struct_size,
                         sizeof(sy_op_list)));
    }
    const auto* list = reinterpret_cast<const sy_op_list*>(link);
    if (list->count > 0 && (!list->ops || !has_bounds(list->ops->struct_size, sizeof(sy_op)))) {
      refuse(list->ops ? fmt::format("its first sy_op has a struct_size of {}; it takes {}",
                                     list->ops->struct_size, sizeof(sy_op))
                       : std::string("its sy_op_list counts ops and has none"));
    }
    lists.push_back(list);
  }
  return lists;
}

PluginOp op_of(const std::shared_ptr<const Plugin>& plugin, const sy_op& op, std::uint32_t i) {
  constexpr auto kNewest = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
  if (op.name == nullptr || op.infer_shapes == nullptr) {
    refuse(fmt::format("op {} of its list, '{}', has no {}", i, text_of(op.name),
                       op.name == nullptr ? "name" : "infer_shapes"));
  }
  if (op.version > kNewest) {
    refuse(fmt::format("{} has the version {}; at most {} is possible", text_of(op.name),
                       op.version, kNewest));
  }
  return {definition_of(op), ShapesByPlugin{plugin, &op}};
}

}  // namespace

std::size_t count_ops_of(const Plugin& plugin) {
  std::size_t count = 0;
  for (const sy_op_list* list : lists_of(plugin)) count += list->count;
  return count;
}

void register_ops_of(const std::shared_ptr<const Plugin>& plugin) try {
  std::vector<PluginOp> ops;
  for (const sy_op_list* list : lists_of(*plugin)) {
    for (std::uint32_t i = 0; i < list->count; ++i) {
      ops.push_back(op_of(plugin, *SY_AT(sy_op, list->ops, i), i));
    }
  }
  register_ops_of_plugin(ops);
} catch (const Error& error) {
  refuse(error.what());
}

}  // namespace switchyard
