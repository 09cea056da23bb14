// Calls that run the function body of their op: a body is made once for all calls that are alike.
#include <gtest/gtest.h>

#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/register_op.hpp>

#include "graph/expansion.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

/// Counts the bodies that are made while it lives.
class CountedBodies {
 public:
  CountedBodies() : expand_(body_expansion()) {
    made = 0;
    wrapped = expand_;
    set_body_expansion([](const Node& node, std::span<const Value> inputs) {
      ++made;
      return wrapped(node, inputs);
    });
  }
  ~CountedBodies() { set_body_expansion(expand_); }
  CountedBodies(const CountedBodies&) = delete;
  CountedBodies& operator=(const CountedBodies&) = delete;

  inline static int made = 0;

 private:
  inline static ExpandBody wrapped = nullptr;

  ExpandBody expand_;
};

struct BodyCall : testing::Test {
  Runtime runtime = start({{"cpu"}});
  RuntimeScope scope{runtime};

  static void SetUpTestSuite() {
    register_op({.domain = "com.example",
                 .name = "Leaky",
                 .signature = "x:T -> y:T",
                 .attributes = "alpha:float=0.5",
                 .types = "T=float",
                 .shape = [](const OpCall& call) { return std::vector{call.input_shape(0)}; },
                 .body = "y = LeakyRelu <alpha: float = @alpha> (x)"});
  }
  Floats leaky(const Tensor& x, float alpha) {
    return runtime.operation("Leaky", {{"alpha", alpha}}, "com.example")(x)
        .to(DType::float32)
        .to_vector<float>();
  }
};

TEST_F(BodyCall, MakesOneBodyForOperationsThatAreAlike) {
  const CountedBodies bodies;
  const Tensor x = tensor({-2.0F, 2.0F});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(leaky(x, 0.25F), (Floats{-0.5, 2}));
  EXPECT_EQ(CountedBodies::made, 1) << "each call makes an Operation of its own";
}

TEST_F(BodyCall, MakesOneBodyForEachSetOfAttributesAndTypes) {
  const CountedBodies bodies;
  const Tensor x = tensor({-2.0F, 2.0F});
  EXPECT_EQ(leaky(x, 0.25F), (Floats{-0.5, 2}));
  EXPECT_EQ(leaky(x, 2), (Floats{-4, 2}));
  EXPECT_EQ(leaky(x.to(DType::float16), 2), (Floats{-4, 2}));
  EXPECT_EQ(CountedBodies::made, 3);
  EXPECT_EQ(leaky(x, 0.25F), (Floats{-0.5, 2}));
  EXPECT_EQ(CountedBodies::made, 3) << "they are kept";
}

}  // namespace
}  // namespace switchyard
