// Which nodes may run at once, and in which order.
#include "graph/programs/partition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "graph/graph_builder.hpp"
#include "graph/uses.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;

class Partitions : public testing::Test {
 protected:
  Assignment on(const char* plugin) { return {runtime.device(plugin).open(), false, {}}; }
  Assignment view_on(const char* plugin) { return {runtime.device(plugin).open(), true, {}}; }
  Assignment a() { return on("programs"); }
  Assignment b() { return on("programs_of_three"); }

  std::vector<std::vector<std::size_t>> parts(const std::vector<Assignment>& assignments) {
    std::vector<std::vector<std::size_t>> nodes;
    for (const Part& part : partition(build.graph(), assignments)) nodes.push_back(part.nodes);
    return nodes;
  }

  Runtime runtime = start({{"programs", "programs_of_three"}});
  GraphBuilder build;
  ValueId x = build.input("x");
};

using Nodes = std::vector<std::size_t>;
const Assignment nobody;

TEST_F(Partitions, JoinAChain) {
  build.output(build.node("Relu", {build.node("Relu", {build.node("Relu", {x})})}));
  EXPECT_THAT(parts({a(), a(), a()}), ElementsAre(Nodes{0, 1, 2}));
}

TEST_F(Partitions, DoNotLetOnePartWaitForItself) {
  // 0 and 2 are of one device, but 2 needs 1, which needs 0.
  const ValueId first = build.node("Relu", {x});
  const ValueId second = build.node("Exp", {first});
  build.output(build.node("Add", {first, second}));
  build.output(build.node("Relu", {first}));
  EXPECT_THAT(parts({a(), nobody, a(), a()}), ElementsAre(Nodes{0, 3}, Nodes{1}, Nodes{2}));
}

TEST_F(Partitions, JoinBranchesThatDoNotKnowOfEachOther) {
  build.output(build.node("Relu", {x})).output(build.node("Exp", {x}));
  build.output(build.node("Neg", {x}));
  EXPECT_THAT(parts({a(), nobody, a()}), ElementsAre(Nodes{0, 2}, Nodes{1}));
}

TEST_F(Partitions, LeaveASingleNodeAlone) {
  build.output(build.node("Exp", {build.node("Relu", {build.node("Exp", {x})})}));
  EXPECT_THAT(parts({nobody, a(), nobody}), ElementsAre(Nodes{0}, Nodes{1}, Nodes{2}));
}

TEST_F(Partitions, KeepViewsInsideAndDropThemAtTheEnd) {
  const ValueId turned = build.node("Transpose", {build.node("Relu", {x})});
  build.output(build.node("Transpose", {build.node("Relu", {turned})}));
  const Assignment view = view_on("programs");
  EXPECT_THAT(parts({a(), view, a(), view}), ElementsAre(Nodes{0, 1, 2}, Nodes{3}));
}

TEST_F(Partitions, AreNoProgramOfViewsAlone) {
  build.output(build.node("Transpose", {build.node("Transpose", {build.node("Relu", {x})})}));
  const Assignment view = view_on("programs");
  EXPECT_THAT(parts({a(), view, view}), ElementsAre(Nodes{0}, Nodes{1}, Nodes{2}));
}

TEST_F(Partitions, ObeyTheLimitOfTheirDevice) {
  ValueId value = x;
  for (int n = 0; n < 7; ++n) value = build.node("Relu", {value});
  build.output(value);
  EXPECT_THAT(parts(std::vector<Assignment>(7, b())),
              ElementsAre(Nodes{0, 1, 2}, Nodes{3, 4, 5}, Nodes{6}));
}

// Every value is made before it is used, and every node runs once, whatever the graph.
TEST_F(Partitions, KeepTheOrderOfAnyGraph) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    GraphBuilder any;
    std::vector<ValueId> values = {any.input("x")};
    std::vector<Assignment> assignments;
    for (int n = 0; n < 30; ++n) {
      const auto pick = [&] { return values[random() % values.size()]; };
      values.push_back(any.node("Add", {pick(), pick()}));
      assignments.push_back(
          std::vector<Assignment>{nobody, a(), b(), view_on("programs")}[random() % 4]);
    }
    any.output(values.back());
    std::vector<bool> made(any.graph().values.size(), false);
    made[values.front()] = true;
    std::size_t nodes = 0;
    for (const Part& part : partition(any.graph(), assignments)) {
      for (const std::size_t n : part.nodes) {
        for_each_use(any.graph().nodes[n], [&](ValueId use) { EXPECT_TRUE(made[use]); });
        EXPECT_TRUE(!part.device || part.device == assignments[n].device.get());
        made[any.graph().nodes[n].outputs[0]] = true;
        ++nodes;
      }
      const std::size_t limit = part.device ? part.device->info().max_program_nodes : 1;
      EXPECT_TRUE(limit == 0 || part.nodes.size() <= limit);
    }
    EXPECT_EQ(nodes, assignments.size());
  }
}

}  // namespace
}  // namespace switchyard
