#include "kernel.hpp"

#include <algorithm>

#include "switchyard/plugin/deferred_output.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/sized_array.hpp"

namespace null {
namespace {

// If some input's shape is open, an output's may be open for that reason alone; the host then knows
// it in the run.
bool inputs_are_known(const sy_program& program) {
  return std::all_of(program.inputs, program.inputs + program.input_count, [&](uint32_t index) {
    const sy_value& value = *SY_AT(sy_value, program.values, index);
    return sy::has_known_shape(value) && (!sy::is_host_input(value) || value.data != nullptr);
  });
}

std::vector<int64_t> invented_shape(const sy_value& value) {
  if (!sy::has_rank(value)) return {0};
  std::vector<int64_t> shape(value.shape, value.shape + value.rank);
  for (int64_t& extent : shape) extent = std::max<int64_t>(extent, 0);
  return shape;
}

}  // namespace

std::unique_ptr<Kernel> prepare_kernel(sy_prepare_args& args) {
  const sy_program& program = *args.program;
  auto kernel = std::make_unique<Kernel>();
  for (uint32_t i = 0; i < program.output_count && inputs_are_known(program); ++i) {
    const sy_value& value = *SY_AT(sy_value, program.values, program.outputs[i]);
    if (sy::has_known_shape(value)) continue;
    sy::element_at(args.outputs, i).mode = SY_OUTPUT_DEFERRED;
    kernel->deferred.push_back({i, invented_shape(value)});
  }
  args.workspace_bytes = 0;
  if (kernel->deferred.empty()) std::fill_n(args.specialised_on, program.input_count, uint8_t{0});
  return kernel;
}

void allocate_deferred(const Kernel& kernel, const sy_run_args& args) {
  for (const Kernel::Deferred& output : kernel.deferred) {
    sy::allocate_output(args, output.output, output.shape);
  }
}

}  // namespace null
