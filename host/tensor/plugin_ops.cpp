#include "tensor/plugin_ops.hpp"

#include <switchyard/ops.h>

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <switchyard/error.hpp>
#include <vector>

#include "ops/op_error.hpp"
#include "ops/registered_op.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_call.hpp"
#include "routing/program.hpp"

namespace switchyard {
namespace {

constexpr std::uint32_t kMostDimensions = 64;

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
    told.shapes[output] = Dims(std::span(shape, rank));
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

const sy_op_list* ops_of(const Plugin& plugin) {
  for (const sy_extension* link = plugin.table().extensions; link != nullptr; link = link->next) {
    if (link->kind == SY_EXTENSION_OPS && link->struct_size >= sizeof(sy_op_list)) {
      return reinterpret_cast<const sy_op_list*>(link);
    }
  }
  return nullptr;
}

PluginOp op_of(const std::shared_ptr<const Plugin>& plugin, const sy_op& op) {
  constexpr auto kNewest = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
  if (op.infer_shapes == nullptr) refuse(fmt::format("{} has no infer_shapes", text_of(op.name)));
  if (op.version > kNewest) {
    refuse(fmt::format("{} has the version {}; at most {} is possible", text_of(op.name),
                       op.version, kNewest));
  }
  return {definition_of(op), ShapesByPlugin{plugin, &op}};
}

}  // namespace

std::uint32_t count_ops_of(const Plugin& plugin) {
  const sy_op_list* list = ops_of(plugin);
  return list ? list->count : 0;
}

void register_ops_of(const std::shared_ptr<const Plugin>& plugin) try {
  const sy_op_list* list = ops_of(*plugin);
  if (!list) return;
  if (list->count > 0 && (!list->ops || list->ops->struct_size < sizeof(sy_op))) {
    refuse("a list without ops, or whose struct_size is not set");
  }
  std::vector<PluginOp> ops;
  for (std::uint32_t i = 0; i < list->count; ++i) {
    ops.push_back(op_of(plugin, *SY_AT(sy_op, list->ops, i)));
  }
  register_ops_of_plugin(ops);
} catch (const Error& error) {
  refuse(error.what());
}

}  // namespace switchyard
