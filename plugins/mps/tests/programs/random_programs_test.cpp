// Programs put together at random: whatever the cuts, the whole is what its nodes are.
#include <random>

#include "nets.hpp"

namespace mps::program_tests {
namespace {

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  Model make() {
    Model model;
    for (uint32_t i = 0; i < 3; ++i) {
      const auto views = runtime_tests::layouts(shape_);
      values_.push_back(model.input(views[random_() % views.size()], elements<float>(shape_, i)));
    }
    const size_t nodes = 3 + random_() % 18;
    for (size_t i = 0; i < nodes; ++i) values_.push_back(add(model));
    const size_t outputs = 1 + random_() % 3;
    for (size_t i = 0; i < outputs; ++i) model.output(values_[values_.size() - 1 - i]);
    model.output(any());
    return model;
  }

 private:
  Id any() { return values_[random_() % values_.size()]; }

  // All values have one shape.
  Id add(Model& model) {
    const Id x = any();
    const Id y = any();
    switch (random_() % 8) {
      case 0: return model.node("Relu", {x}, shape_);
      case 1: return model.node("Max", {x, y}, shape_);
      case 2: return model.node("Sub", {x, y}, shape_);
      case 3:
        return model.node("CumSum", {model.node("Tanh", {x}, shape_), model.host({1})}, shape_,
                          {{"exclusive", 0}, {"reverse", 0}});
      case 4: return model.node("Sign", {x}, shape_);
      case 5: return reshaped(model, x);
      case 6: return sliced(model, x);
      default: return model.node("Softmax", {x}, shape_, {{"axis", 1}});
    }
  }

  // Turned, and filled anew.
  Id reshaped(Model& model, Id x) {
    const Id turned = model.node("Transpose", {x}, {6, 4}, {{"perm", std::vector<int64_t>{1, 0}}});
    return model.node("Reshape", {turned, model.host({4, 6})}, shape_);
  }

  // A row, repeated.
  Id sliced(Model& model, Id x) {
    const auto row = static_cast<int64_t>(random_() % 4);
    const Id part = model.node("Slice",
                               {x, model.host({row, -1}), model.host({row + 1, -7}),
                                model.host({0, 1}), model.host({1, -1})},
                               {1, 6});
    return model.node("Expand", {part, model.host({4, 6})}, shape_);
  }

  const Shape shape_{4, 6};
  std::mt19937 random_;
  std::vector<Id> values_;
};

TEST(RandomPrograms, AreWhatTheirNodesAre) {
  const OpenDevice device;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Model model = Maker(seed).make();
    ASSERT_NO_FATAL_FAILURE(model.expect_same(device, 1e-4));
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace mps::program_tests
