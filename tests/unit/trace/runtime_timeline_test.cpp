// What a runtime writes to the file that host.trace names.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/graph_builder.hpp"
#include "plugin_loader/fakes.hpp"
#include "tensor/test_runtime.hpp"
#include "trace/timeline_events.hpp"

namespace switchyard {
namespace {

using trace::Event;
using trace::of_kind;

std::string traced(const Setup& setup, const std::filesystem::path& file) {
  const std::string host = "[host]\n";
  return host + "trace = '" + file.string() + "'\n" + config_text(setup).substr(host.size());
}

// What a runtime writes while it is used, and until its devices are closed.
template <typename Use>
std::vector<Event> events_of_use(const Setup& setup, const std::filesystem::path& file, Use use) {
  {
    const Runtime runtime = Runtime::from_text(traced(setup, file));
    use(runtime);
  }
  return trace::events_in(file);
}

class RuntimeTimeline : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "t.json"; }

 private:
  ScratchFolder folder_;
};

TEST_F(RuntimeTimeline, HoldsEachRunAndEachPreparation) {
  const std::vector<Event> all = events_of_use({{"cpu"}}, file(), [](const Runtime& runtime) {
    const Operation add = runtime.operation("Add");
    add(counting({2, 3}), counting({3}));
    add(counting({2, 3}), counting({3}));
  });
  const std::vector<Event> runs = of_kind(all, "kernel");
  ASSERT_EQ(runs.size(), 2u);
  for (const Event& run : runs) {
    EXPECT_EQ(run.name, "Add");
    EXPECT_EQ(run.facts["op"], "Add");
    EXPECT_EQ(run.facts["device"], "cpu:0");
    EXPECT_EQ(run.facts["inputs"], (nlohmann::json{"float32[2, 3]", "float32[3]"}));
    EXPECT_EQ(run.facts["outputs"], nlohmann::json::array({"float32[2, 3]"}));
    EXPECT_FALSE(run.facts.contains("node")) << "an eager op has no name";
  }
  const std::vector<Event> preparations = of_kind(all, "prepare");
  ASSERT_EQ(preparations.size(), 1u) << "the second call found the kernel";
  EXPECT_EQ(preparations[0].facts["op"], "Add");
  EXPECT_EQ(preparations[0].facts["device"], "cpu:0");
  EXPECT_LE(preparations[0].end, runs[0].begin);
}

TEST_F(RuntimeTimeline, NamesTheNodesOfGraphs) {
  const std::vector<Event> all = events_of_use({{"cpu"}}, file(), [](const Runtime& runtime) {
    GraphBuilder builder;
    const ValueId x = builder.input("x", DType::float32, {2});
    builder.output(builder.node("Relu", {builder.node("Neg", {x})}));
    PlannedGraph graph(runtime, builder);
    graph({floats({2}, {-1, 2})});
  });
  const std::vector<Event> runs = of_kind(all, "kernel");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].facts["op"], "Neg");
  EXPECT_EQ(runs[0].facts["node"], "Neg_0");
  EXPECT_EQ(runs[1].facts["op"], "Relu");
  EXPECT_EQ(runs[1].facts["node"], "Relu_1");
}

TEST_F(RuntimeTimeline, HoldsEachCopyWithItsWayInsideTheRunThatNeedsIt) {
  const std::vector<Event> all =
      events_of_use({{"template", "cpu"}}, file(), [](const Runtime& runtime) {
        const Tensor sum = runtime.operation("Add")(counting({4}), counting({4}));
        EXPECT_EQ(sum.device().name(), "template:0");
        const Tensor root = runtime.operation("Sqrt")(sum);
        EXPECT_EQ(root.device().name(), "cpu:0");
        EXPECT_EQ(sum.to_vector<float>(), (Floats{0, 2, 4, 6}));
      });
  const std::vector<Event> copies = of_kind(all, "copy");
  ASSERT_EQ(copies.size(), 4u);
  const auto is = [](const Event& copy, const char* from, const char* to, const char* way) {
    return copy.facts["from"] == from && copy.facts["to"] == to && copy.facts["way"] == way &&
           copy.facts["bytes"] == 16;
  };
  EXPECT_TRUE(is(copies[0], "host", "template:0", "from the host")) << copies[0].facts;
  EXPECT_TRUE(is(copies[1], "host", "template:0", "from the host")) << copies[1].facts;
  EXPECT_TRUE(is(copies[2], "template:0", "cpu:0", "address of the destination"))
      << copies[2].facts;
  EXPECT_TRUE(is(copies[3], "template:0", "host", "to the host")) << copies[3].facts;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(copies[static_cast<std::size_t>(i)].depth, 1u);
  EXPECT_EQ(copies[3].depth, 0u);
  EXPECT_FALSE(of_kind(all, "wait").empty()) << "the device works asynchronously";
}

TEST_F(RuntimeTimeline, HasNoCopyAndNoWaitOfScalarsThatGoIntoTheArguments) {
  const std::vector<Event> all =
      events_of_use({{"immediates", "cpu"}}, file(), [](const Runtime& runtime) {
        const Operation add = runtime.operation("Add");
        Tensor sum = counting({4}).to(runtime.device("immediates"));
        for (int i = 0; i < 10; ++i) sum = add(sum, host_scalar(static_cast<float>(i)));
        EXPECT_EQ(sum.device().name(), "immediates:0");
        EXPECT_EQ(sum.to_vector<float>(), (Floats{45, 46, 47, 48}));
      });
  const std::vector<Event> runs = of_kind(all, "kernel");
  ASSERT_EQ(runs.size(), 10u);
  EXPECT_EQ(of_kind(all, "prepare").size(), 1u) << "their values are no part of a kernel";
  for (const char* kind : {"copy", "wait"}) {
    for (const Event& event : of_kind(all, kind)) {
      const bool is_between = event.begin > runs.front().begin && event.end < runs.back().end;
      EXPECT_FALSE(is_between) << kind << " " << event.facts;
    }
  }
}

TEST_F(RuntimeTimeline, CopiesScalarsWhereTheClaimDoesNotTakeThem) {
  const std::vector<Event> all =
      events_of_use({{"asynchronous", "cpu"}}, file(), [](const Runtime& runtime) {
        const Tensor x = counting({4}).to(runtime.device("asynchronous"));
        const Tensor sum = runtime.operation("Add")(x, host_scalar(2.f));
        EXPECT_EQ(sum.to_vector<float>(), (Floats{2, 3, 4, 5}));
      });
  EXPECT_EQ(of_kind(all, "copy").size(), 3u) << "there, the scalar, and back";
}

TEST_F(RuntimeTimeline, HasNoCopyOfAStridedViewThatAnOpWritesTo) {
  const std::vector<Event> all =
      events_of_use({{"template", "cpu"}}, file(), [](const Runtime& runtime) {
        const Tensor x = counting({2, 3}).to(runtime.device("template"));
        x.select(1, 1).add_(10);
        EXPECT_EQ(x.to_vector<float>(), (Floats{0, 11, 2, 3, 14, 5}));
      });
  EXPECT_EQ(of_kind(all, "copy").size(), 2u) << "there and back";
}

TEST_F(RuntimeTimeline, TellsAScalarOfTheHostFromOneOfTheDevice) {
  const std::vector<Event> all =
      events_of_use({{"immediates", "cpu"}}, file(), [](const Runtime& runtime) {
        const Operation add = runtime.operation("Add");
        const Tensor x = counting({4}).to(runtime.device("immediates"));
        const Tensor there = host_scalar(1.f).to(runtime.device("immediates"));
        for (int i = 0; i < 2; ++i) {
          EXPECT_EQ(add(x, host_scalar(2.f)).to_vector<float>(), (Floats{2, 3, 4, 5}));
          EXPECT_EQ(add(x, there).to_vector<float>(), (Floats{1, 2, 3, 4}));
        }
      });
  EXPECT_EQ(of_kind(all, "prepare").size(), 2u);
}

TEST_F(RuntimeTimeline, MarksARunThatFails) {
  const std::vector<Event> all =
      events_of_use({{"run_transient", "cpu"}}, file(), [](const Runtime& runtime) {
        EXPECT_EQ(runtime.operation("Relu")(floats({1}, {-1})).device().name(), "cpu:0");
      });
  const std::vector<Event> runs = of_kind(all, "kernel");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].facts["device"], "run_transient:0");
  EXPECT_EQ(runs[0].facts["outcome"], "failed");
  EXPECT_EQ(runs[1].facts["device"], "cpu:0");
  EXPECT_FALSE(runs[1].facts.contains("outcome"));
}

TEST_F(RuntimeTimeline, IsSharedByRuntimesOfOneFile) {
  const std::string text = traced({{"cpu"}}, file());
  {
    const Runtime one = Runtime::from_text(text), other = Runtime::from_text(text);
    one.operation("Neg")(counting({1}));
    other.operation("Abs")(counting({1}));
  }
  const std::vector<Event> runs = of_kind(trace::events_in(file()), "kernel");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].name, "Neg");
  EXPECT_EQ(runs[1].name, "Abs");
}

TEST_F(RuntimeTimeline, OutlivesItsRuntimeWithTheTensors) {
  {
    Tensor kept;
    {
      const Runtime runtime = Runtime::from_text(traced({{"template", "cpu"}}, file()));
      kept = runtime.operation("Relu")(counting({2}));
    }
    EXPECT_EQ(kept.to_vector<float>(), (Floats{0, 1}));
  }
  EXPECT_EQ(of_kind(trace::events_in(file()), "copy").back().facts["to"], "host");
}

TEST_F(RuntimeTimeline, IsOffByDefault) {
  const Runtime runtime = start({{"cpu"}});
  EXPECT_EQ(runtime.device("cpu").open()->timeline(), nullptr);
  const Runtime traced_one = Runtime::from_text(traced({{"cpu"}}, file()));
  EXPECT_NE(traced_one.device("cpu").open()->timeline(), nullptr);
  EXPECT_EQ(runtime.device("cpu").open()->timeline(), nullptr) << "another runtime's is its own";
}

TEST_F(RuntimeTimeline, AFileThatCannotBeWrittenStopsTheStart) {
  const std::filesystem::path nowhere = file() / "t.json";
  const Error error = error_of([&] { Runtime::from_text(traced({{"cpu"}}, nowhere)); });
  EXPECT_EQ(error.kind(), ErrorKind::config);
  EXPECT_EQ(error.what(),
            fmt::format("configuration text:2:9: key 'host.trace' names \"{}\", which cannot be "
                        "written: No such file or directory; name a file that can be made there, "
                        "or \"\" for none",
                        nowhere.string()));
}

}  // namespace
}  // namespace switchyard
