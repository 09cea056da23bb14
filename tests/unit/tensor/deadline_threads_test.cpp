// Ops whose calls of a plugin do not come back within the deadline: which op, and which node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "plugin_loader/watch/told_lines.hpp"
#include "tensor/kernel_run.hpp"
#include "tensor/small_input.hpp"

namespace switchyard {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::MatchesRegex;

Runtime start_blocking(const std::string& entry) {
  return start({.order = {"blocks_" + entry}, .sections = "deadline_seconds = 0.05\n"});
}

TEST(OpDeadline, OfARunTellsTheOpAndTheNode) {
  const Runtime runtime = start_blocking("run");
  const Operation relu = runtime.operation("Relu");
  const Device device = runtime.device("blocks_run");
  ToldLines told;
  const FakesBlock blocks;
  Floats result;
  std::thread thread([&] {
    const NodeScope node("the node");
    result = relu(kInput).to_vector<float>();
  });
  EXPECT_THAT(told.wait_for("has not come back"),
              HasSubstr("warn: blocks_run:0: run for Relu, node 'the node': has not come back"));
  EXPECT_THAT(device.calls_under_way(),
              Contains(HasSubstr("run for Relu, node 'the node', on thread ")));
  blocks.end();
  thread.join();
  told.wait_for("blocks_run:0: run for Relu, node 'the node': has come back after ");
  EXPECT_EQ(result, (Floats{0, 2}));
}

TEST(OpDeadline, OfAPreparationTellsTheOp) {
  const Runtime runtime = start_blocking("prepare");
  const Operation relu = runtime.operation("Relu");
  ToldLines told;
  const FakesBlock blocks;
  std::thread thread([&] { relu(kInput); });
  told.wait_for("blocks_prepare:0: prepare for Relu: has not come back");
  blocks.end();
  thread.join();
}

// The run has come back, and its work is not done.
TEST(OpDeadline, OfAWaitTellsWhatIsUnderWay) {
  const Runtime runtime = start_blocking("work");
  const Operation relu = runtime.operation("Relu");
  ToldLines told;
  const FakesBlock blocks;
  Floats result;
  std::thread thread([&] {
    Tensor enqueued;
    {
      const NodeScope node("the node");
      enqueued = relu(kInput);
    }
    result = enqueued.to_vector<float>();
  });
  EXPECT_THAT(told.wait_for("blocks_work:0: wait: has seen no work complete"),
              MatchesRegex(".* s, on thread [0-9]+; pieces of work under way: [0-9]+, the first "
                           "with a name is node 'the node' \\(Relu\\)\\. A call .*"));
  blocks.end();
  thread.join();
  // The watch may see the work complete before the wait returns: it goes on, or has come back.
  told.wait_for("info: blocks_work:0: wait: ");
  EXPECT_EQ(result, (Floats{0, 2}));
}

}  // namespace
}  // namespace switchyard
