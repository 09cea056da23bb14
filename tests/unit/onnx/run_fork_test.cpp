// Runs with a thread of their own in a child of fork(), which has none of its parent's threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <future>
#include <optional>
#include <string_view>
#include <switchyard/run.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using ModelRun = Run;  // fixtures of GoogleTest have a Run of their own

/// Whether `body` is true in a child of fork(), which then ends at once.
bool holds_in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    bool holds = false;
    try {
      holds = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    _exit(holds ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status == 0;
}

struct ForkedRun : testing::Test {
  Runtime runtime = start({{"cpu"}});
  std::string bytes = onnx::encode(model_of("g (float[N] x) => (float[N] y) { y = Neg (x) }"));
  Model model = Model::from_bytes(runtime, bytes_of(bytes));
  std::optional<ModelRun> run{std::in_place, model};

  void give(float value) { run->set_input(0, floats({1}, {value})); }
  bool gives(float value) { return run->output(0).to_vector<float>() == Floats{value}; }
};

TEST_F(ForkedRun, HasItsThreadAnewInTheChild) {
  give(1);
  run->execute_async().get();
  run->wait();
  EXPECT_TRUE(holds_in_child([&] {
    if (run->is_running() || !gives(-1)) return false;
    for (const float value : {2.F, 3.F}) {
      give(value);
      run->execute_async().get();
      run->wait();
      if (!gives(-value)) return false;
    }
    run.reset();
    return true;
  }));
  give(4);
  run->execute_async().get();
  EXPECT_TRUE(gives(-4)) << "the parent has its thread as before";
}

TEST_F(ForkedRun, GoesWhereTheChildDoesNotUseIt) {
  give(1);
  run->execute_async().get();
  run->wait();
  EXPECT_TRUE(holds_in_child([&] {
    run->wait();
    run.reset();
    return true;
  }));
}

TEST_F(ForkedRun, IsOfNoUseWhereItWasBeingExecuted) {
  std::promise<void> began, may_end;
  give(1);
  run->execute_async([&](std::exception_ptr) {
    began.set_value();
    may_end.get_future().wait();
  });
  began.get_future().wait();
  EXPECT_TRUE(holds_in_child([&] {
    run->wait();
    const Error error = error_of([&] { run->execute_async([](std::exception_ptr) {}); });
    const bool is_refused = error.kind() == ErrorKind::invalid_argument &&
                            std::string_view(error.what()).find("forked") != std::string_view::npos;
    const bool is_running = run->is_running();
    run.reset();
    run.emplace(model);  // another one is
    give(2);
    run->execute_async().get();
    run->wait();
    return is_refused && !is_running && gives(-2);
  }));
  may_end.set_value();
  run->wait();
  EXPECT_TRUE(gives(-1));
}

}  // namespace
}  // namespace switchyard
