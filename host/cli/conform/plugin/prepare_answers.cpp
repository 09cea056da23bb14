#include "cli/conform/plugin/prepare_answers.hpp"

#include "cli/conform/plugin/call.hpp"

namespace switchyard::cli::conform {

sy_prepare_args PrepareAnswers::ask_for(sy_device device, const sy_program& program) {
  specialised_on.assign(program.input_count, SY_ON_ALL);
  plans.assign(program.output_count, sized<sy_output_plan>());
  bounds.assign(program.output_count, std::vector<std::int64_t>(SY_MAX_RANK));
  strides = bounds;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].bound = bounds[i].data();
    plans[i].strides = strides[i].data();
  }
  constants.assign(program.input_count, sized<sy_packed_constant>());
  auto args = sized<sy_prepare_args>();
  args.device = device;
  args.program = &program;
  args.specialised_on = specialised_on.data();
  args.outputs = plans.data();
  args.constants = constants.data();
  return args;
}

}  // namespace switchyard::cli::conform
