#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "plugin_loader/isolation/deliveries.hpp"
#include "plugin_loader/isolation/element.hpp"
#include "plugin_loader/isolation/proxy_call.hpp"
#include "plugin_loader/isolation/proxy_table.hpp"

namespace switchyard::isolation {
namespace proxy {
namespace {

/// "Add", for messages.
std::string label_of(const sy_program& program) {
  if (program.node_count == 1) return program.nodes->op;
  if (program.node_count == 0) return "an empty program";
  return fmt::format("a program of {} nodes, the first {}", program.node_count, program.nodes->op);
}

std::unique_ptr<ProxyKernel> new_kernel(Child& child, const sy_prepare_args& args) {
  const sy_program& program = *args.program;
  auto kernel = std::make_unique<ProxyKernel>();
  kernel->child = &child;
  kernel->handle = reinterpret_cast<std::uint64_t>(args.kernel);
  kernel->label = label_of(program);
  for (std::uint32_t i = 0; i < program.input_count; ++i) {
    const sy_value& value = element(program.values, program.inputs[i]);
    kernel->in_host_memory.push_back((value.flags & SY_VALUE_HOST_INPUT) != 0);
  }
  for (std::uint32_t i = 0; i < program.output_count; ++i) {
    kernel->is_bounded.push_back(element(args.outputs, i).mode == SY_OUTPUT_BOUNDED);
  }
  return kernel;
}

/// The extents of bounded outputs, which the server writes to shared memory.
class Extents {
 public:
  Extents(ProxyStream& stream, const ProxyKernel& kernel, const sy_run_args& args)
      : given_(args.output_count) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; args.extents != nullptr && i < args.output_count; ++i) {
      if (args.extents[i] != nullptr && i < kernel.is_bounded.size()) ++count;
    }
    if (count == 0) return;
    block_ = ArenaBlock(stream.child->arena(), count * kBytes);
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < args.output_count; ++i) {
      if (args.extents[i] == nullptr) continue;
      given_[i] = reinterpret_cast<std::int64_t*>(block_.data() + next);
      // What the server does not write stays what it was.
      const std::uint32_t rank = element(args.outputs, i).rank;
      std::copy_n(args.extents[i], rank, given_[i]);
      parts_.push_back({next, args.extents[i], rank});
      next += kBytes;
    }
  }

  std::int64_t* const* pointers() const { return parts_.empty() ? nullptr : given_.data(); }

  Delivery delivery() && {
    if (parts_.empty()) return {};
    return {std::move(block_), [parts = std::move(parts_)](const std::byte* block) {
              for (const Part& part : parts) {
                const auto* const told = reinterpret_cast<const std::int64_t*>(block + part.offset);
                std::copy_n(told, part.rank, part.destination);
              }
            }};
  }

 private:
  static constexpr std::size_t kBytes = SY_MAX_RANK * sizeof(std::int64_t);

  struct Part {
    std::size_t offset;
    std::int64_t* destination;
    std::uint32_t rank;
  };

  ArenaBlock block_;
  std::vector<std::int64_t*> given_;
  std::vector<Part> parts_;
};

sy_status run_with_extents(ProxyStream& stream, const ProxyKernel& kernel, sy_run_args& args,
                           const CallContext& context, sy_error* error) try {
  stream.child->check_is_own();
  Extents extents(stream, kernel, args);
  sy_run_args sent = args;
  sent.extents = extents.pointers();
  const sy_status status = stream.child->call(Call::run, sent, error, context);
  if (status != SY_OK) return status;
  args.sequence = sent.sequence;
  note_enqueued(stream, args.sequence, std::move(extents).delivery());
  return SY_OK;
} catch (const StaleHandle& stale) {
  return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE, stale.what());
} catch (const std::bad_alloc&) {
  return refuse(error, SY_OUT_OF_MEMORY, SY_REASON_NONE,
                "no memory is left to share with the process that serves it");
}

}  // namespace

sy_status supports(sy_supports_args* args, sy_error* error) {
  const std::string label = label_of(*args->program);
  return child_of(device_of(args->device))
      .call(Call::supports, *args, error, CallContext{.subject = label});
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  ProxyDevice& device = device_of(args->device);
  Child& child = child_of(device);
  const std::string label = label_of(*args->program);
  const sy_status status = child.call(Call::prepare, *args, error, CallContext{.subject = label});
  if (status != SY_OK) return status;
  for (std::uint32_t i = 0; i < args->program->input_count; ++i) {
    sy_packed_constant& constant = element(args->constants, i);
    constant.packed = device.plugin.intern(child, constant.packed);
  }
  if (args->kernel == nullptr) return SY_OK;
  args->kernel = reinterpret_cast<sy_kernel>(new_kernel(child, *args).release());
  return SY_OK;
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  const std::unique_ptr<ProxyKernel> kernel(as_proxy<ProxyKernel>(args->kernel));
  return call_to_end<Call::destroy_kernel>(*kernel, args, error);
}

sy_status release_constant(sy_constant_args* args, sy_error* error) {
  ProxyDevice& device = device_of(args->device);
  auto& constant = *as_proxy<ProxyConstant>(args->constant);
  const sy_status status = call_to_end<Call::release_constant>(constant, args, error);
  device.plugin.forget(constant);
  return status;
}

sy_status workspace(sy_workspace_args* args, sy_error* error) {
  const ProxyStream& stream = stream_of(args->run->stream);
  const auto& kernel = *as_proxy<ProxyKernel>(args->run->kernel);
  sy_run_args run = *args->run;
  run.extents = nullptr;
  run.allocator = nullptr;
  sy_workspace_args sent = *args;
  sent.run = &run;
  const sy_status status = stream.child->call(
      Call::workspace, sent, error, CallContext{.subject = kernel.label, .kernel = &kernel});
  args->size_bytes = sent.size_bytes;
  return status;
}

sy_status run(sy_run_args* args, sy_error* error) {
  ProxyStream& stream = stream_of(args->stream);
  const auto& kernel = *as_proxy<ProxyKernel>(args->kernel);
  const CallContext context{
      .subject = kernel.label, .kernel = &kernel, .allocator = args->allocator, .stream = &stream};
  if (args->extents != nullptr) return run_with_extents(stream, kernel, *args, context, error);
  const sy_status status = stream.child->call(Call::run, *args, error, context);
  if (status == SY_OK) note_enqueued(stream, args->sequence, {});
  return status;
}

}  // namespace proxy

sy_status proxy_compile(sy_compile_args* args, sy_error* error) {
  Child& child = child_of(device_of(args->device));
  const sy_status status = child.call(Call::compile, *args, error,
                                      CallContext{.subject = args->function, .writer = args->log});
  if (status != SY_OK || args->kernel == nullptr) return status;
  auto kernel = std::make_unique<ProxyKernel>();
  kernel->child = &child;
  kernel->handle = reinterpret_cast<std::uint64_t>(args->kernel);
  kernel->label = fmt::format("the kernel '{}'", args->function);
  args->kernel = reinterpret_cast<sy_kernel>(kernel.release());
  return SY_OK;
}

// The host registers a plugin's ops for the whole process, so they are asked about where no device
// is open.
sy_status proxy_infer_shapes(sy_infer_shapes_args* args, sy_error* error) {
  const auto [plugin, op] = IsolatedPlugin::find_op(*args->program->nodes);
  if (plugin == nullptr) return refuse(error, SY_BUG, SY_REASON_NONE, "nobody serves this op");
  std::vector<InferredShape> shapes(args->program->nodes->output_count);
  InferArgs sent;
  sent.op = op;
  sent.program = args->program;
  sent.shapes = shapes.data();
  sent.output_count = static_cast<std::uint32_t>(shapes.size());
  const CallContext context{.subject = args->program->nodes->op};
  const sy_status status = plugin->child().call(Call::infer_shapes, sent, error, context);
  if (status != SY_OK) return status;
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].is_known == 0) continue;
    if (shapes[i].rank > SY_MAX_RANK) {
      return refuse(error, SY_BUG, SY_REASON_NONE, "an op's output has more than 32 dimensions");
    }
    args->set_shape(args->context, i, shapes[i].rank, shapes[i].extents);
  }
  return SY_OK;
}

}  // namespace switchyard::isolation
