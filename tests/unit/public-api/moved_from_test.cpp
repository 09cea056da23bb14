// Objects that were moved from are as before, or say that they were moved from; none crashes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>
#include <utility>

#include "data/numbered_set.hpp"
#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using ModelRun = Run;  // GoogleTest's fixtures have a Run of their own

struct MovedFromHandles : testing::Test {
  Runtime runtime = start({{"cpu"}});
  Device device = runtime.device("cpu");

  Model relu_model() {
    const std::string bytes =
        onnx::encode(model_of("g (float[N] x) => (float[N] y) { y = Relu (x) }"));
    return Model::from_bytes(runtime, bytes_of(bytes));
  }
};

// What these tests are about.
// NOLINTBEGIN(bugprone-use-after-move)

TEST_F(MovedFromHandles, HandlesAreStillHandlesOfTheSame) {
  Device other_device = std::move(device);
  EXPECT_EQ(device, other_device);
  Operation relu = runtime.operation("Relu");
  const Operation other_relu = std::move(relu);
  EXPECT_EQ(relu(floats({2}, {-1, 1})).to_vector<float>(), (Floats{0, 1}));
  Model model = relu_model();
  const Model other_model = std::move(model);
  EXPECT_EQ(model.inputs().size(), 1u);
  Stream stream(other_device);
  const Stream other_stream = std::move(stream);
  EXPECT_TRUE(stream.query());
  Context context = Context::current();
  const Context other_context = std::move(context);
  const ContextScope entered(context);
  const Runtime other_runtime = std::move(runtime);
  EXPECT_TRUE(runtime.is_available("cpu"));
}

TEST_F(MovedFromHandles, ALoaderStillHasItsBatches) {
  DataLoader loader(NumberedSet(5), {.batch_size = 2});
  DataLoader other = std::move(loader);
  EXPECT_EQ(pass_of(loader).size(), 3u);
  EXPECT_EQ(other.size(), 3);
}

TEST_F(MovedFromHandles, ARunSaysWhereItsStateIs) {
  ModelRun run(relu_model());
  const ModelRun other = std::move(run);
  const auto expect_error = [](const std::function<void()>& call) {
    const Error error = error_of(call);
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), testing::HasSubstr("was moved to another Run"));
  };
  expect_error([&] { run.execute(); });
  expect_error([&] { run.set_input(0, Tensor()); });
  expect_error([&] { run.wait(); });
  expect_error([&] { static_cast<void>(run.output(0)); });
  run = ModelRun(relu_model());
  EXPECT_FALSE(run.is_running());
}

TEST_F(MovedFromHandles, ALayerHasGivenItsParametersAway) {
  const DeviceScope scope(device);
  nn::Linear layer(2, 3);
  nn::Linear other = std::move(layer);
  EXPECT_EQ(other(ones({1, 2})).shape(), (Dims{1, 3}));
  EXPECT_EQ(error_of([&] { layer(ones({1, 2})); }).kind(), ErrorKind::invalid_argument);
}

// NOLINTEND(bugprone-use-after-move)

}  // namespace
}  // namespace switchyard
