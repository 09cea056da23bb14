// One thread calls for all ranks; and what is refused before a plugin hears of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "collectives/ranks.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CollectiveGroups : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start_late(3, GetParam());
  RuntimeScope scope{runtime};
  std::vector<Device> devices = devices_of(runtime, 3);
  std::vector<Communicator> ranks = Communicator::all(devices, kPatient);

  Tensor on(std::size_t rank, const Floats& values) {
    return floats({static_cast<std::int64_t>(values.size())}, values).to(devices[rank]);
  }
};

TEST_P(CollectiveGroups, HaveARankADevice) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_EQ(ranks[i].rank(), static_cast<int>(i));
    EXPECT_EQ(ranks[i].size(), 3);
    EXPECT_EQ(ranks[i].device(), devices[i]);
    EXPECT_NO_THROW(ranks[i].check());
  }
}

TEST_P(CollectiveGroups, ReduceForAllRanksOfOneThread) {
  std::vector<Tensor> tensors, more;
  CollectiveGroup group;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    tensors.push_back(on(i, {1, static_cast<float>(i)}));
    more.push_back(on(i, Floats(9000, static_cast<float>(i))));
    ranks[i].all_reduce_(tensors[i]);
    ranks[i].all_reduce_(more[i], ReduceOp::maximum);
  }
  EXPECT_THAT(tensors[2].to_vector<float>(), ElementsAre(1, 2)) << "nothing happens before run()";
  group.run();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_THAT(tensors[i].to_vector<float>(), ElementsAre(3, 3)) << i;
    EXPECT_EQ(more[i].to_vector<float>(), Floats(9000, 2)) << i;
  }
}

TEST_P(CollectiveGroups, GatherScatterAndBroadcast) {
  std::vector<Tensor> inputs, gathered, scattered, shared;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto r = static_cast<float>(i);
    inputs.push_back(on(i, {r, r + 10, r + 20}));
    gathered.push_back(on(i, Floats(9, -1)));
    scattered.push_back(on(i, {-1}));
    shared.push_back(on(i, {r}));
  }
  CollectiveGroup group;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ranks[i].all_gather_into(gathered[i], inputs[i]);
    ranks[i].reduce_scatter_into(scattered[i], inputs[i]);
    ranks[i].broadcast_(shared[i], 2);
  }
  group.run();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_THAT(gathered[i].to_vector<float>(), ElementsAre(0, 10, 20, 1, 11, 21, 2, 12, 22));
    EXPECT_THAT(scattered[i].to_vector<float>(), ElementsAre(3 + 30 * static_cast<float>(i)));
    EXPECT_THAT(shared[i].to_vector<float>(), ElementsAre(2));
  }
}

// From each to each, several in one direction, in the order of the calls.
TEST_P(CollectiveGroups, Exchange) {
  std::vector<std::vector<Tensor>> received(3);
  CollectiveGroup group;
  for (std::size_t to = 0; to < 3; ++to) {
    for (std::size_t from = 0; from < 3; ++from) {
      if (from == to) continue;
      const int source = static_cast<int>(from), target = static_cast<int>(to);
      for (int i = 0; i < 2; ++i) {
        ranks[from].send(on(from, Floats(3000, static_cast<float>(100 * source + 10 * target + i))),
                         target);
        received[to].push_back(on(to, Floats(3000, -1)));
        ranks[to].receive_(received[to].back(), source);
      }
    }
  }
  group.run();
  for (std::size_t to = 0; to < 3; ++to) {
    std::size_t next = 0;
    for (std::size_t from = 0; from < 3; ++from) {
      for (int i = 0; from != to && i < 2; ++i) {
        const auto expected = static_cast<float>(100 * from + 10 * to) + static_cast<float>(i);
        EXPECT_EQ(received[to][next++].to_vector<float>(), Floats(3000, expected));
      }
    }
  }
}

TEST_P(CollectiveGroups, ThatDoNotRunDoNothing) {
  const Tensor x = on(0, {5});
  {
    const CollectiveGroup group;
    ranks[0].all_reduce_(x);
  }
  EXPECT_THAT(x.to_vector<float>(), ElementsAre(5));
  EXPECT_NO_THROW(ranks[0].check());
}

TEST_P(CollectiveGroups, GiveNothingBackBeforeTheyRun) {
  CollectiveGroup group;
  const Tensor x = on(0, {5});
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { ranks[0].all_reduce(x); }, [&] { ranks[0].all_gather(x); },
           [&] { ranks[0].reduce_scatter(x); },
           [&] { ranks[0].receive({1}, DType::float32, 1); }}) {
    const Error error = error_of(call);
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("in a CollectiveGroup there is nothing to give back"));
  }
}

TEST_P(CollectiveGroups, DoNotNestAndRunOnce) {
  CollectiveGroup group;
  EXPECT_THAT(error_of([] { const CollectiveGroup inner; }).what(),
              HasSubstr("groups do not nest"));
  group.run();
  EXPECT_THAT(error_of([&] { group.run(); }).what(), HasSubstr("has run already"));
  CollectiveGroup again;
}

TEST_P(CollectiveGroups, DoNotWriteOneElementTwice) {
  const Tensor x = on(0, {1, 2, 3});
  CollectiveGroup group;
  ranks[0].all_reduce_(x);
  ranks[0].all_reduce_(x.narrow(0, 2, 1));
  const Error error = error_of([&] { group.run(); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("touch the same elements"));
  EXPECT_NO_THROW(ranks[0].check());
}

INSTANTIATE_TEST_SUITE_P(Kinds, CollectiveGroups, testing::ValuesIn(kDeviceKinds));

class WrongCollectives : public testing::Test {
 protected:
  Runtime runtime = start_late(2);
  RuntimeScope scope{runtime};
  std::vector<Device> devices = devices_of(runtime, 2);
  Communicator alone{devices[0], CommunicatorId::make(devices[0]), 0, 1};
  Tensor x = floats({2}, {1, 2}).to(devices[0]);

  void refused(ErrorKind kind, const std::string& words, const std::function<void()>& call) {
    const Error error = error_of(call);
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
};

TEST_F(WrongCollectives, RanksOutOfRange) {
  const CommunicatorId id = CommunicatorId::make(devices[0]);
  constexpr ErrorKind invalid = ErrorKind::invalid_argument;
  refused(invalid, "rank 2 of 2", [&] { Communicator(devices[0], id, 2, 2); });
  refused(invalid, "rank -1 of 2", [&] { Communicator(devices[0], id, -1, 2); });
  refused(invalid, "cannot be 0 ranks", [&] { Communicator(devices[0], id, 0, 0); });
  refused(ErrorKind::unsupported, "64 ranks at most", [&] { Communicator(devices[0], id, 0, 65); });
  refused(invalid, "there is no rank 1", [&] { alone.broadcast_(x, 1); });
  refused(invalid, "rank 0 is this one", [&] { alone.send(x, 0); });
  refused(invalid, "rank 0 is this one", [&] { alone.receive_(x, 0); });
}

TEST_F(WrongCollectives, Devices) {
  constexpr ErrorKind invalid = ErrorKind::invalid_argument;
  refused(invalid, "there are no devices", [] { Communicator::all({}); });
  const std::vector<Device> twice{devices[0], devices[0]};
  refused(invalid, "is there twice", [&] { Communicator::all(twice); });
  refused(invalid, "the rank's device is late:0",
          [&] { alone.all_reduce(floats({1}, {1}).to(devices[1])); });
  refused(invalid, "lies on host", [&] { alone.all_reduce(floats({1}, {1})); });
}

TEST_F(WrongCollectives, Ids) {
  const CommunicatorId id = CommunicatorId::make(devices[0]);
  EXPECT_EQ(CommunicatorId::from_text(id.text()), id);
  EXPECT_FALSE(CommunicatorId::make(devices[0]) == id);
  refused(ErrorKind::invalid_argument, "256 hexadecimal digits",
          [] { (void)CommunicatorId::from_text("12"); });
  std::string text = id.text();
  text[5] = 'x';
  refused(ErrorKind::invalid_argument, "256 hexadecimal digits",
          [&] { (void)CommunicatorId::from_text(text); });
  const CommunicatorId strange = CommunicatorId::from_text(std::string(256, '0'));
  refused(ErrorKind::invalid_argument, "not an id that this plugin made",
          [&] { Communicator(devices[0], strange, 0, 1); });
}

TEST_F(WrongCollectives, Shapes) {
  const Tensor matrix = floats({3, 2}, Floats(6, 1)).to(devices[0]);
  refused(ErrorKind::shape_mismatch, "the output is float32[2]",
          [&] { alone.all_gather_into(x, matrix); });
  refused(ErrorKind::invalid_argument, "the output is float32[2]",
          [&] { alone.all_gather_into(x, x.to(DType::int32)); });
  refused(ErrorKind::shape_mismatch, "does not part among",
          [&] { alone.reduce_scatter(floats({}, {1}).to(devices[0])); });
}

TEST_F(WrongCollectives, Dtypes) {
  refused(ErrorKind::unsupported, "no all_reduce average of int32",
          [&] { alone.all_reduce(x.to(DType::int32), ReduceOp::average); });
  refused(ErrorKind::unsupported, "no all_reduce sum of bool",
          [&] { alone.all_reduce(x.to(DType::bool_)); });
  refused(ErrorKind::invalid_argument, "is no ReduceOp",
          [&] { alone.all_reduce(x, static_cast<ReduceOp>(0)); });
}

TEST_F(WrongCollectives, LoseNoGradient) {
  const Tensor weight = x.clone().requires_grad_();
  refused(ErrorKind::invalid_argument, "requires a gradient", [&] { alone.all_reduce(weight); });
  refused(ErrorKind::invalid_argument, "requires a gradient", [&] { alone.broadcast_(weight, 0); });
  const NoGrad off;
  alone.broadcast_(weight, 0);
  EXPECT_THAT(alone.all_reduce(weight).to_vector<float>(), ElementsAre(1, 2));
}

// A backward pass must not read what a collective has written over.
TEST_F(WrongCollectives, CountAsWrites) {
  const Tensor weight = x.clone().requires_grad_();
  const Tensor factor = x.clone();
  const Tensor product = weight * factor;
  alone.all_reduce_(factor);
  EXPECT_EQ(error_of([&] { sum(product).backward(); }).kind(), ErrorKind::invalid_argument);
}

TEST(CollectivesLacking, AreAnErrorWithAWayOut) {
  const Runtime runtime = start_late(1, "", false);
  const Device device = runtime.device("late:0");
  EXPECT_FALSE(Communicator::is_available(device));
  const Error error = error_of([&] { (void)CommunicatorId::make(device); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("late:0: its plugin has no collectives"));
}

TEST(CollectivesLacking, InAProcessOfItsOwn) {
  const Runtime runtime = Runtime::from_text(
      fmt::format("[host]\nlog_level = \"error\"\n[routing]\norder = [\"late\"]\n{}"
                  "isolation = \"process\"\n[plugins.late.options]\nkernels = \"{}\"\n"
                  "collectives = true\n{}",
                  plugin_section("late"), plugin_library("cpu").string(), plugin_section("cpu")));
  const Device device = runtime.device("late:0");
  EXPECT_FALSE(Communicator::is_available(device));
  EXPECT_EQ(error_of([&] { Communicator::all(std::span(&device, 1)); }).kind(),
            ErrorKind::unsupported);
}

TEST(CollectivesLacking, BehindTheValidationLayer) {
  const Runtime runtime = start({{"late"},
                                 "",
                                 fmt::format("[plugins.late.options]\nkernels = \"{}\"\n"
                                             "collectives = true\n",
                                             plugin_library("cpu").string()),
                                 {"cpu"},
                                 {"late"}});
  const Device device = runtime.device("late:0");
  EXPECT_FALSE(Communicator::is_available(device));
  EXPECT_THAT(error_of([&] { Communicator::all(std::span(&device, 1)); }).what(),
              HasSubstr("without isolation = \"process\" and validate = true"));
}

}  // namespace
}  // namespace switchyard
