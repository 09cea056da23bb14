// Runs that are executed asynchronously, and several at once on one model.
#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/register_op.hpp>
#include <switchyard/run.hpp>
#include <thread>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using ModelRun = Run;  // fixtures of GoogleTest have a Run of their own

struct AsynchronousRun : testing::Test {
  Runtime runtime = start({{"cpu"}});
  std::string bytes = onnx::encode(model_of("g (float[N] x) => (float[N] y) { y = Neg (x) }"));
  Model model = Model::from_bytes(runtime, bytes_of(bytes));

  Tensor number(float value) { return floats({1}, {value}); }
};

TEST_F(AsynchronousRun, EndsInAFutureAndMayBeExecutedAgain) {
  ModelRun run(model);
  for (int i = 0; i < 20; ++i) {
    run.set_input(0, number(static_cast<float>(i)));
    std::future<void> done = run.execute_async();
    done.get();
    EXPECT_EQ(run.output(0).to_vector<float>(), (Floats{static_cast<float>(-i)}));
  }
}

TEST_F(AsynchronousRun, GivesItsFailureToTheFuture) {
  ModelRun run(model);
  EXPECT_THROW(run.execute_async().get(), Error) << "the input is missing";
  run.set_input(0, number(1));
  EXPECT_NO_THROW(run.execute_async().get());
}

TEST_F(AsynchronousRun, CallsBackAndMayGoOnThere) {
  ModelRun run(model);
  run.set_input(0, number(0));
  std::promise<int> finished;
  int left = 5;
  std::function<void(std::exception_ptr)> again = [&](std::exception_ptr failure) {
    if (failure || left == 0) return finished.set_value(left);
    run.set_input(0, run.output(0) + 1);
    --left;
    run.execute_async(again);
  };
  run.execute_async(again);
  EXPECT_EQ(finished.get_future().get(), 0);
  run.wait();
  EXPECT_FALSE(run.is_running());
  EXPECT_THROW(run.execute_async(std::function<void(std::exception_ptr)>()), Error);
}

TEST_F(AsynchronousRun, MayBeDestroyedByItsCallback) {
  std::promise<void> finished;
  auto run = std::make_shared<std::optional<ModelRun>>(std::in_place, model);
  (*run)->set_input(0, number(1));
  (*run)->execute_async([run, &finished](std::exception_ptr) {
    run->reset();
    finished.set_value();
  });
  finished.get_future().get();
}

TEST_F(AsynchronousRun, StartedByItsCallbackEndsAlsoWhereThatDestroysIt) {
  std::promise<float> finished;
  auto run = std::make_shared<std::optional<ModelRun>>(std::in_place, model);
  (*run)->set_input(0, number(1));
  (*run)->execute_async([run, &finished](std::exception_ptr) {
    (*run)->execute_async(
        [&finished](std::exception_ptr failure) { finished.set_value(failure ? -1.0F : 1.0F); });
    EXPECT_THROW((*run)->execute_async([](std::exception_ptr) {}), Error) << "one is waiting";
    EXPECT_THROW((*run)->set_input(0, Tensor()), Error) << "it is that one's";
    run->reset();
  });
  EXPECT_EQ(finished.get_future().get(), 1);
}

/// A model of one op, which the program registers: it gives sevens, and does `also` before.
Model model_of_own_op(const Runtime& runtime, const std::string& name, std::function<void()> also) {
  OpDefinition definition{
      .domain = "com.example",
      .name = name,
      .signature = "x:float32 -> y:float32",
      .shape = [](const OpCall& call) { return std::vector{call.input_shape(0)}; },
      .is_random = true};
  definition.kernel = [also = std::move(also)](OpKernel& call) {
    also();
    for (float& y : call.output<float>(0)) y = 7;
  };
  register_op(definition);
  onnx::ModelProto proto =
      model_of("g (float[N] x) => (float[N] y) { y = com.example." + name + " (x) }");
  onnx::OperatorSetIdProto& import = proto.opset_import.emplace_back();
  import.domain = "com.example";
  import.version = 1;
  const std::string own = onnx::encode(proto);
  return Model::from_bytes(runtime, bytes_of(own));
}

TEST_F(AsynchronousRun, IsRefusedToWhatItCalls) {
  ModelRun* current = nullptr;
  int refusals = 0;
  ModelRun run(model_of_own_op(runtime, "CallsItsRun", [&] {
    try {
      current->execute_async([](std::exception_ptr) {});
    } catch (const Error& error) {
      refusals += error.kind() == ErrorKind::invalid_argument ? 1 : 0;
    }
  }));
  current = &run;
  run.set_input(0, number(1));
  run.execute_async().get();
  run.execute();
  EXPECT_EQ(refusals, 2);
  EXPECT_EQ(run.output(0).to_vector<float>(), (Floats{7}));
}

TEST_F(AsynchronousRun, MayBeDestroyedByWhatItCalls) {
  std::optional<ModelRun> run;
  run.emplace(model_of_own_op(runtime, "DestroysItsRun", [&] { run.reset(); }));
  run->set_input(0, number(1));
  run->execute();
  EXPECT_FALSE(run.has_value());
}

TEST_F(AsynchronousRun, IsRefusedOtherCallsMeanwhile) {
  std::promise<void> may_end;
  std::shared_future<void> signal = may_end.get_future().share();
  ModelRun run(model);
  run.set_input(0, number(1));
  run.execute_async([signal](std::exception_ptr) { signal.wait(); });
  EXPECT_TRUE(run.is_running());
  EXPECT_THROW(run.execute(), Error);
  EXPECT_THROW(run.set_input(0, number(2)), Error);
  EXPECT_THROW(run.output(0), Error);
  may_end.set_value();
  run.wait();
  EXPECT_EQ(run.output(0).to_vector<float>(), (Floats{-1}));
}

TEST_F(AsynchronousRun, RecordsGradientsAsItsCallerDoes) {
  ModelRun run(model);
  run.set_input(0, number(1).to(runtime.device("cpu")).requires_grad_());
  EXPECT_THROW(run.execute_async().get(), Error) << "no gradient flows through a model";
  const NoGrad off;
  EXPECT_NO_THROW(run.execute_async().get());
}

TEST_F(AsynchronousRun, RunsBesideOthersOfItsModel) {
  std::vector<ModelRun> runs;
  std::vector<std::future<void>> done;
  for (int i = 0; i < 8; ++i) {
    runs.emplace_back(model);
    runs.back().set_input(0, number(static_cast<float>(i)));
  }
  for (int round = 0; round < 20; ++round) {
    done.clear();
    for (ModelRun& run : runs) done.push_back(run.execute_async());
    for (std::future<void>& one : done) one.get();
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].output(0).to_vector<float>(), (Floats{-static_cast<float>(i)}));
  }
}

}  // namespace
}  // namespace switchyard
