// Cutting a program compares its nodes with each other. So that long models take time and memory in
// proportion to their length, a program has a most number of nodes, which the host is told.
#include "model.hpp"

namespace mps::program_tests {
namespace {

using runtime_tests::call;
using runtime_tests::Host;
using runtime_tests::make_args;

// A line of `count` nodes; every other one is an op that no graph holds.
Model line_of(uint32_t count) {
  Model model;
  const Shape shape{2, 3};
  Id x = model.input(contiguous(shape), numbers(shape));
  const Id axis = model.host({1});
  for (uint32_t i = 0; i < count; ++i) {
    x = i % 2 == 0 ? model.node("Neg", {x}, shape)
                   : model.node("CumSum", {x, axis}, shape, {{"exclusive", 1}, {"reverse", 0}});
  }
  model.output(x);
  return model;
}

TEST(LongPrograms, TheHostIsToldHowManyNodesAreTaken) {
  Host software;
  software.text("device", "software");
  auto args = make_args<sy_probe_args>();
  args.host = &software.raw();
  call(runtime_tests::enter(software).probe, args);
  EXPECT_EQ(args.devices->max_program_nodes, most_program_nodes);
}

TEST(LongPrograms, OneOfTheMostNodesIsRight) {
  const OpenDevice device;
  line_of(most_program_nodes).expect_same(device);
}

TEST(LongPrograms, MoreNodesAreRefused) {
  const OpenDevice device;
  Model model = line_of(most_program_nodes + 1);
  try {
    model.kernel(device);
    FAIL() << "it was taken";
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
    EXPECT_STREQ(failure.what(), "a program of 2049 nodes; at most 2048 are taken");
  }
}

}  // namespace
}  // namespace mps::program_tests
