#include "abi/programs.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "abi/guard.hpp"
#include "abi/handles.hpp"
#include "ops/rows.hpp"
#include "runtime/limits.hpp"
#include "switchyard/plugin/extension.hpp"
#include "switchyard/plugin/node_positions.hpp"
#include "switchyard/plugin/sized_array.hpp"
#include "switchyard/plugin/verdict.hpp"

namespace mps {
namespace {

// Tensors of a run, on the stack while they are few.
class Tensors {
 public:
  Tensors(const sy_tensor* given, const std::vector<uint32_t>& positions)
      : count_(positions.size()) {
    if (count_ > few_.size()) many_ = std::make_unique<Tensor[]>(count_);
    for (size_t i = 0; i < count_; ++i) {
      if (positions[i] != SY_ABSENT) fill(data()[i], *SY_AT(sy_tensor, given, positions[i]));
    }
  }
  std::span<const Tensor> all() const { return {many_ ? many_.get() : few_.data(), count_}; }

 private:
  Tensor* data() { return many_ ? many_.get() : few_.data(); }

  static void fill(Tensor& tensor, const sy_tensor& given) {
    tensor.dtype = given.dtype;
    tensor.shape = {given.shape, given.rank};
    tensor.strides = sy::strides_or_contiguous(tensor.shape, given.strides);
    tensor.block = reinterpret_cast<const Block*>(given.storage);
    tensor.offset_bytes = given.offset_bytes;
    // A scalar always has a storage, but for an immediate.
    if (given.rank == 0 && given.storage == 0) tensor.host = given.immediate;
  }

  size_t count_;
  std::array<Tensor, 4> few_;
  std::unique_ptr<Tensor[]> many_;
};

void check_limits(std::span<const Tensor> tensors) {
  for (const Tensor& tensor : tensors) mps::check_limits(tensor);
}

bool is_empty(const Tensor& tensor) { return tensor.dtype == 0 || tensor.size() == 0; }

uint64_t bytes_of(std::span<const Tensor> tensors) {
  uint64_t bytes = 0;
  for (const Tensor& tensor : tensors) bytes += tensor.dtype == 0 ? 0 : tensor.size_bytes();
  return bytes;
}

// Throws sy::unsupported where a shape is not known.
void require_known_shapes(const sy::Node& node) {
  for (uint32_t i = 0; i < node.input_count() + node.output_count(); ++i) {
    const sy_value* value =
        i < node.input_count() ? node.input(i) : node.output(i - node.input_count());
    if (value == nullptr || sy::has_known_shape(*value)) continue;
    throw sy::unsupported(SY_REASON_LIMIT, node.op(), ": a shape is not known before the run");
  }
}

void require_known_shapes(const sy_program& program) {
  for (uint32_t i = 0; i < program.node_count; ++i) require_known_shapes(sy::Node(program, i));
}

void set_aliases(sy_prepare_args& args, const Prepared& made, const sy::NodePositions& positions) {
  for (size_t i = 0; i < std::min(made.may_alias_inputs.size(), positions.outputs.size()); ++i) {
    if (positions.outputs[i] == SY_ABSENT) continue;
    sy::element_at(args.outputs, positions.outputs[i]).may_alias_inputs =
        sy::program_mask(made.may_alias_inputs[i], positions.inputs);
  }
}

void prepare_node(sy_prepare_args& args) {
  const sy_program& program = *args.program;
  const sy::Node node = sy::only_node(program);
  Device& device = device_of(args.device);
  const KernelRow& row = select_row(node, traits_of(device.info()));
  auto placed = std::make_unique<PlacedKernel>();
  placed->positions = sy::positions_of_node(program, node.raw());
  placed->name = node.raw().op;
  placed->is_ours = true;
  Prepared made = prepared_by(row, device, node);
  placed->kernel = std::move(made.kernel);
  args.workspace_bytes = 0;
  std::fill_n(args.specialised_on, program.input_count, made.specialised_on);
  set_aliases(args, made, placed->positions);
  args.kernel = reinterpret_cast<sy_kernel>(placed.release());
}

// Constants may be part of a graph, and host inputs of a kernel.
uint8_t specialised_on(const sy_value& input) {
  const bool by_data = sy::is_constant(input) || sy::is_host_input(input);
  return by_data ? SY_ON_SHAPE | SY_ON_DATA : SY_ON_SHAPE;
}

void prepare_program(sy_prepare_args& args) {
  const sy_program& program = *args.program;
  require_known_shapes(program);
  auto placed = std::make_unique<PlacedKernel>();
  placed->program = std::make_unique<Program>(device_of(args.device), program);
  args.workspace_bytes = placed->program->workspace_bytes();
  for (uint32_t i = 0; i < program.input_count; ++i) {
    args.specialised_on[i] = specialised_on(*SY_AT(sy_value, program.values, program.inputs[i]));
  }
  args.kernel = reinterpret_cast<sy_kernel>(placed.release());
}

void run_node(const PlacedKernel& placed, sy_run_args& args) {
  const Tensors inputs(args.inputs, placed.positions.inputs);
  const Tensors outputs(args.outputs, placed.positions.outputs);
  if (placed.is_ours) {
    check_limits(inputs.all());
    check_limits(outputs.all());
  }
  Stream& stream = stream_of(args.stream);
  const bool empty = std::all_of(outputs.all().begin(), outputs.all().end(), is_empty);
  const uint64_t bytes = bytes_of(inputs.all()) + bytes_of(outputs.all());
  const auto* launch = sy::find_extension<sy_launch>(args.extensions, SY_EXTENSION_LAUNCH);
  args.sequence = stream.record(bytes, [&] {
    if (empty) return;
    stream.begin_section(placed.name);
    placed.kernel->encode({stream, inputs.all(), outputs.all(), launch});
  });
}

void run_program(const Program& program, sy_run_args& args) {
  Stream& stream = stream_of(args.stream);
  args.sequence = stream.record(program.touched_bytes(), [&] { program.encode(stream, args); });
}

void check_node(Device& device, const sy_program& program, uint32_t number) {
  const sy::Node node(program, number);
  if (program.node_count > 1) require_known_shapes(node);
  const Traits traits = traits_of(device.info());
  check_graph(select_row(node, traits), node, traits);
}

}  // namespace

sy_status supports(sy_supports_args* args, sy_error* error) {
  return guard(error, [&] {
    const sy_program& program = *args->program;
    for (uint32_t i = 0; i < program.node_count; ++i) {
      sy::judge(sy::verdict_at(args->verdicts, i),
                [&] { check_node(device_of(args->device), program, i); });
    }
  });
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return guard(error, [&] {
    args->program->node_count == 1 ? prepare_node(*args) : prepare_program(*args);
  });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  return guard_release(error, [&] { delete &placed_kernel_of(args->kernel); });
}

sy_status run(sy_run_args* args, sy_error* error) {
  return guard(error, [&] {
    const PlacedKernel& placed = placed_kernel_of(args->kernel);
    placed.program ? run_program(*placed.program, *args) : run_node(placed, *args);
  });
}

}  // namespace mps
