#include "routing/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <switchyard/dtype.hpp>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "plugin_loader/watch/thread_calls.hpp"
#include "routing/program.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

/// A kernel may make tables as large as its results: what no run could hold is refused before.
void check_memory_for_results(OpenDevice& device, const sy_program& program) {
  for (const std::uint32_t position : std::span(program.outputs, program.output_count)) {
    const sy_value& value = program.values[position];
    if (value.rank == SY_UNKNOWN_RANK) continue;
    const Dims shape(std::span(value.shape, value.rank));
    if (std::find(shape.begin(), shape.end(), SY_UNKNOWN_DIMENSION) != shape.end()) continue;
    check_memory(device, byte_size(static_cast<DType>(value.dtype), element_count(shape)));
  }
}

}  // namespace

void check_memory(OpenDevice& device, std::size_t bytes) {
  try {
    device.allocator().require_memory(bytes);
  } catch (const Error& error) {
    throw PrepareRefusal(SY_REASON_MEMORY, error.what());
  }
}

Kernel::Kernel(OpenDevice& device, const sy_program& program)
    : device_(device.shared_from_this()), generation_(device.generation()) {
  check_memory_for_results(device, program);
  specialised_on_.assign(program.input_count, SY_ON_ALL);
  std::vector<sy_output_plan> plans(program.output_count);
  std::vector<std::array<std::int64_t, SY_MAX_RANK>> bounds(program.output_count),
      strides(program.output_count);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i] = {};
    plans[i].struct_size = sizeof(sy_output_plan);
    plans[i].bound = bounds[i].data();
    plans[i].strides = strides[i].data();
  }
  std::vector<sy_packed_constant> constants(program.input_count);
  for (auto& constant : constants) {
    constant = {};
    constant.struct_size = sizeof(sy_packed_constant);
  }
  sy_prepare_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  args.program = &program;
  args.specialised_on = specialised_on_.data();
  args.outputs = plans.data();
  args.constants = constants.data();
  PluginError error;
  const watch::OpScope told_as(summary_of(program));
  const sy_status status = device.try_call(device.api().prepare, args, error);
  if (status == SY_UNSUPPORTED) throw PrepareRefusal(error.reason, refusal_message(error));
  device.check_call(status, error, "prepare");
  handle_ = args.kernel;
  workspace_bytes_ = args.workspace_bytes;
  if ((args.flags & SY_KERNEL_BINDINGS) != 0) bindings_ = std::make_unique<BindingTable>();
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const sy_packed_constant& constant = constants[i];
    if (constant.original_unneeded) {
      unneeded_constants_.resize(constants.size());
      unneeded_constants_[i] = true;
    }
    if (!constant.packed) continue;
    packed_.push_back(constant.packed);
    packed_bytes_ += constant.size_bytes;
  }
  keep_plans(plans);
  if (!packed_.empty() && !device.plugin().has_release_constant()) {
    packed_.clear();
    destroy();
    throw Error(ErrorKind::plugin,
                fmt::format("{}: prepare: packs constants, but the plugin has no release_constant; "
                            "tell its author",
                            device.name()));
  }
  const std::size_t most = device.allocator().limits().value_bytes;
  if (workspace_bytes_ != SY_WORKSPACE_PER_RUN && workspace_bytes_ > most) {
    destroy();
    throw PrepareRefusal(SY_REASON_MEMORY,
                         fmt::format("its kernel wants a workspace of {} bytes, more than "
                                     "limits.value_bytes, {}",
                                     workspace_bytes_, most));
  }
}

void Kernel::keep_plans(const std::vector<sy_output_plan>& plans) {
  for (const sy_output_plan& plan : plans) {
    OutputPlan kept;
    const std::uint32_t rank = std::min<std::uint32_t>(plan.rank, SY_MAX_RANK);
    kept.mode = plan.mode;
    kept.may_alias = plan.may_alias_inputs;
    if (plan.mode == SY_OUTPUT_BOUNDED) kept.bound = Dims(std::span(plan.bound, rank));
    if (plan.proposes_strides) kept.strides = Dims(std::span(plan.strides, rank));
    outputs_.push_back(std::move(kept));
  }
}

Kernel::~Kernel() {
  uses_.settle();
  destroy();
}

void Kernel::destroy() noexcept {
  PluginError error;
  sy_kernel_args args{sizeof(args), 0, nullptr, handle_};
  device_->note_call(device_->api().destroy_kernel(&args, &error), error, "destroy_kernel");
  for (sy_constant constant : packed_) {
    PluginError release_error;
    sy_constant_args release{sizeof(release), 0, nullptr, device_->handle(), constant};
    device_->note_call(device_->api().release_constant(&release, &release_error), release_error,
                       "release_constant");
  }
}

}  // namespace switchyard
