#include "cli/conform/allocations/allocation_cases.hpp"

#include <algorithm>

#include "cli/conform/allocations/attempt.hpp"
#include "cli/conform/devices/test_op.hpp"

namespace switchyard::cli::conform {
namespace {

/// Each of the first ones fails in turn, and as many as this of those behind, evenly spread.
constexpr std::uint64_t kFirst = 100, kSampled = 50;

/// The numbers of those that fail, of `count`.
std::vector<std::uint64_t> chosen_of(std::uint64_t count) {
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t k = 1; k <= std::min(count, kFirst); ++k) chosen.push_back(k);
  if (count <= kFirst) return chosen;
  const std::uint64_t others = count - kFirst, sampled = std::min(others, kSampled);
  for (std::uint64_t i = 1; i <= sampled; ++i) chosen.push_back(kFirst + others * i / sampled);
  return chosen;
}

/// The first op that the device takes, as a program.
void draw(TestProgram& program, TestDevice& device) {
  TestStream stream(device);
  const OpCall call = first_op(stream).calls.front();
  std::vector<TestProgram::Value> inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i)) skip("its first op has inputs of other kinds");
    inputs.push_back(program.add_input(call.inputs[i]));
  }
  program.add_output(program.add_node(call, inputs));
}

template <Step step>
void try_step(CaseRun& run) {
  const FailingAllocations& failing = FailingAllocations::loaded();
  TestDevice beside(run);
  TestProgram program("the first op", reference_for(run.plugin));
  draw(program, beside);
  failing.arm(0);
  for (int time = 0; time < 2; ++time) {  // what is made once for all is there the second time
    failing.arm(0);
    if (!Attempt(beside, program, step, "with memory for all").run()) fail("a call has failed");
  }
  const std::uint64_t count = failing.count();
  if (count == 0) skip("it allocates nothing there");
  const std::vector<std::uint64_t> chosen = chosen_of(count);
  for (const std::uint64_t number : chosen) {
    failing.arm(number);
    static_cast<void>(Attempt(beside, program, step,
                              fmt::format("when allocation {} of {} has failed", number, count))
                          .run());
    failing.arm(0);
    Attempt(beside, program, Step::none,
            fmt::format("on a new device, after allocation {} of {} has failed", number, count))
        .run();
    ++run.kernel_runs;
  }
  if (chosen.size() < count) {
    run.left_out.push_back(fmt::format("{} of {} allocations, beyond the first {}",
                                       count - chosen.size(), count, kFirst));
  }
}

constexpr CaseRow kCases[] = {
    {"allocations/open-device",
     "open_device bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::open_device>},
    {"allocations/create-stream",
     "create_stream bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::create_stream>},
    {"allocations/allocate",
     "allocate bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::allocate>},
    {"allocations/copy", "copy bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::copy>},
    {"allocations/prepare",
     "prepare bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::prepare>},
    {"allocations/run", "run bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::run>},
    {"allocations/wait", "wait bears that any of its first 100 allocations fails, and 50 of more.",
     try_step<Step::wait>},
    {"allocations/end",
     "Destroying, releasing and closing bear that any of the first 100 fails, and 50 of more.",
     try_step<Step::end>},
};

}  // namespace

std::span<const CaseRow> allocation_cases() { return kCases; }

}  // namespace switchyard::cli::conform
