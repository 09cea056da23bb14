// Programs that become kernels of single nodes, and what lies between them.
#include "nets.hpp"

namespace mps::program_tests {
namespace {

class Programs : public testing::TestWithParam<const char*> {
 protected:
  const OpenDevice device_{{{"software.memory", GetParam()}}};
};

INSTANTIATE_TEST_SUITE_P(Memory, Programs, testing::Values("unified", "discrete"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Programs, ALineOfKernels) {
  Model model;
  const Shape shape{3, 5};
  Id x = model.input(contiguous(shape), numbers(shape));
  for (int i = 0; i < 6; ++i) x = cumulated(model, x, shape);
  model.output(x);
  EXPECT_EQ(model.pieces(device_), (Pieces{6, 0}));
  // Each intermediate lives until the next is made: two take turns.
  EXPECT_EQ(model.program(device_).workspace_bytes(), 512u);
  model.expect_same(device_);
}

TEST_P(Programs, ValuesThatLiveLongKeepTheirPosition) {
  Model model;
  const Shape shape{2, 40};
  const Id x = model.input(contiguous(shape), numbers(shape));
  std::vector<Id> made = {x};
  for (int i = 0; i < 5; ++i) made.push_back(cumulated(model, made.back(), shape));
  // Read in the opposite order, so that all live at once.
  Id joined = made[0];
  for (size_t i = made.size(); i-- > 1;) {
    joined = model.node("ScatterElements",
                        {joined, model.constant({1, 1}, std::vector<int64_t>{1}),
                         model.node("Slice",
                                    {made[i], model.host({0, static_cast<int64_t>(i)}),
                                     model.host({1, static_cast<int64_t>(i) + 1})},
                                    {1, 1})},
                        shape, {{"axis", 1}, {"reduction", "add"}});
  }
  model.output(joined);
  EXPECT_EQ(model.pieces(device_), (Pieces{10, 0}));
  model.expect_same(device_);
}

}  // namespace
}  // namespace mps::program_tests
