// Each collective, with a thread a rank, on devices of several kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <switchyard/functions.hpp>
#include <switchyard/streams.hpp>
#include <tuple>

#include "collectives/ranks.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Values of a rank: no two ranks and no two elements near each other are alike.
Floats values_of(int rank, std::int64_t count) {
  Floats values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(i % 91) + 100 * static_cast<float>(rank));
  }
  return values;
}

Tensor on(const Communicator& rank, const Dims& shape, const Floats& values) {
  return floats(shape, values).to(rank.device());
}

Tensor own(const Communicator& rank, std::int64_t count) {
  return on(rank, {count}, values_of(rank.rank(), count));
}

// A kind of device, how many ranks, how many elements: less than, as many as and more than what the
// fake hands over at once, which is 32 KiB.
class Collectives : public testing::TestWithParam<std::tuple<const char*, int, std::int64_t>> {
 protected:
  int size = std::get<1>(GetParam());
  std::int64_t count = std::get<2>(GetParam());
  Runtime runtime = start_late(size, std::get<0>(GetParam()));
};

TEST_P(Collectives, AllReduceGivesAllTheSum) {
  on_each_rank(runtime, size, [&](const Communicator& rank) {
    Floats expected(static_cast<std::size_t>(count), 0);
    for (int r = 0; r < size; ++r) {
      const Floats of_rank = values_of(r, count);
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += of_rank[i];
    }
    const Tensor tensor = own(rank, count);
    const Tensor sum = rank.all_reduce(tensor);
    EXPECT_EQ(sum.to_vector<float>(), expected);
    EXPECT_EQ(sum.device(), rank.device());
    EXPECT_EQ(tensor.to_vector<float>(), values_of(rank.rank(), count));
    rank.all_reduce_(tensor);
    EXPECT_EQ(tensor.to_vector<float>(), expected);
  });
}

TEST_P(Collectives, AllGatherPutsTheRanksOneAfterAnother) {
  on_each_rank(runtime, size, [&](const Communicator& rank) {
    Floats expected;
    for (int r = 0; r < size; ++r) {
      const Floats of_rank = values_of(r, count);
      expected.insert(expected.end(), of_rank.begin(), of_rank.end());
    }
    const Tensor all = rank.all_gather(own(rank, count));
    EXPECT_EQ(all.shape(), Dims(size * count));
    EXPECT_EQ(all.to_vector<float>(), expected);
    // In place: the rank's own part of the output is its input.
    const Tensor output = on(rank, {size * count}, Floats(expected.size(), -1));
    const Tensor part = output.narrow(0, rank.rank() * count, count);
    part.copy_(own(rank, count));
    rank.all_gather_into(output, part);
    EXPECT_EQ(output.to_vector<float>(), expected);
  });
}

TEST_P(Collectives, ReduceScatterGivesEachItsPart) {
  on_each_rank(runtime, size, [&](const Communicator& rank) {
    const Tensor input = own(rank, size * count);
    Floats expected(static_cast<std::size_t>(count), 0);
    for (int r = 0; r < size; ++r) {
      const Floats of_rank = values_of(r, size * count);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] += of_rank[static_cast<std::size_t>(rank.rank() * count) + i];
      }
    }
    EXPECT_EQ(rank.reduce_scatter(input).to_vector<float>(), expected);
    const Tensor part = input.narrow(0, rank.rank() * count, count);
    rank.reduce_scatter_into(part, input);
    EXPECT_EQ(part.to_vector<float>(), expected);
  });
}

TEST_P(Collectives, BroadcastGivesAllWhatTheRootHas) {
  on_each_rank(runtime, size, [&](const Communicator& rank) {
    for (int root = 0; root < size; ++root) {
      const Tensor tensor = own(rank, count);
      rank.broadcast_(tensor, root);
      EXPECT_EQ(tensor.to_vector<float>(), values_of(root, count)) << root;
    }
  });
}

TEST_P(Collectives, SendsReachWhoReceives) {
  on_each_rank(runtime, size, [&](const Communicator& rank) {
    if (size == 1) {  // there is nobody to send to
      EXPECT_THROW(rank.send(own(rank, count), 0), Error);
      return;
    }
    const int next = (rank.rank() + 1) % size, before = (rank.rank() + size - 1) % size;
    const Tensor received = on(rank, {count}, Floats(static_cast<std::size_t>(count), -1));
    CollectiveGroup group;  // else all would send, and nobody receive
    rank.send(own(rank, count), next);
    rank.receive_(received, before);
    group.run();
    EXPECT_EQ(received.to_vector<float>(), values_of(before, count));
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, Collectives,
                         testing::Combine(testing::ValuesIn(kDeviceKinds), testing::Values(1, 2, 3),
                                          testing::Values(0, 1, 7, 8192, 20001)));
INSTANTIATE_TEST_SUITE_P(ManyRanks, Collectives,
                         testing::Combine(testing::Values("", "synchronous = true"),
                                          testing::Values(8), testing::Values(1, 5001)));

TEST(CollectiveReductions, OfEveryKind) {
  const Runtime runtime = start_late(3);
  on_each_rank(runtime, 3, [&](const Communicator& rank) {
    const auto r = static_cast<float>(rank.rank());
    const auto reduced = [&](ReduceOp reduction) {
      return rank.all_reduce(on(rank, {2}, {r + 1, -r}), reduction).to_vector<float>();
    };
    EXPECT_THAT(reduced(ReduceOp::sum), ElementsAre(6, -3));
    EXPECT_THAT(reduced(ReduceOp::product), ElementsAre(6, 0));
    EXPECT_THAT(reduced(ReduceOp::minimum), ElementsAre(1, -2));
    EXPECT_THAT(reduced(ReduceOp::maximum), ElementsAre(3, 0));
    EXPECT_THAT(reduced(ReduceOp::average), ElementsAre(2, -1));
  });
}

TEST(CollectiveReductions, PassNaNOn) {
  const Runtime runtime = start_late(3);
  on_each_rank(runtime, 3, [&](const Communicator& rank) {
    for (const ReduceOp reduction : {ReduceOp::sum, ReduceOp::minimum, ReduceOp::maximum}) {
      const float number = rank.rank() == 1 ? NAN : 2.0F;
      EXPECT_TRUE(
          std::isnan(rank.all_reduce(on(rank, {1}, {number}), reduction).to_vector<float>()[0]));
    }
  });
}

TEST(CollectiveReductions, OfEveryDtype) {
  const Runtime runtime = start_late(2);
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64,
                              DType::int8, DType::int16, DType::int32, DType::int64, DType::uint8,
                              DType::uint16, DType::uint32, DType::uint64}) {
      const float r = static_cast<float>(rank.rank());
      const Tensor given = on(rank, {3}, {1 + r, 2, 7 * r}).to(dtype);
      const Tensor sum = rank.all_reduce(given);
      EXPECT_EQ(sum.dtype(), dtype);
      EXPECT_THAT(sum.to(DType::float32).to_vector<float>(), ElementsAre(3, 4, 7))
          << name_of(dtype);
      const Tensor most = rank.all_reduce(given, ReduceOp::maximum);
      EXPECT_THAT(most.to(DType::float32).to_vector<float>(), ElementsAre(2, 2, 7))
          << name_of(dtype);
    }
    const Tensor flags = on(rank, {2}, {1, static_cast<float>(rank.rank())}).to(DType::bool_);
    EXPECT_THAT(rank.all_reduce(flags, ReduceOp::minimum).to(DType::float32).to_vector<float>(),
                ElementsAre(1, 0));
    EXPECT_THAT(rank.all_reduce(flags, ReduceOp::maximum).to(DType::float32).to_vector<float>(),
                ElementsAre(1, 1));
  });
}

TEST(CollectiveReductions, GiveAllRanksTheSameBits) {
  const Runtime runtime = start_late(3);
  std::vector<Floats> results(3);
  on_each_rank(runtime, 3, [&](const Communicator& rank) {
    Floats values;
    for (int i = 0; i < 3000; ++i) {
      values.push_back(std::sin(static_cast<float>(i * (rank.rank() + 1))) * 1e3F);
    }
    results[static_cast<std::size_t>(rank.rank())] =
        rank.all_reduce(on(rank, {3000}, values)).to_vector<float>();
  });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(CollectiveTensors, MayHaveAnyStrides) {
  const Runtime runtime = start_late(2);
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    const float r = static_cast<float>(rank.rank());
    const Tensor matrix = on(rank, {2, 3}, {1, 2, 3, 4, 5, 6 + r});
    const Tensor turned = matrix.transpose(0, 1);
    EXPECT_THAT(rank.all_reduce(turned).to_vector<float>(), ElementsAre(2, 8, 4, 10, 6, 13));
    rank.all_reduce_(turned);
    EXPECT_THAT(matrix.to_vector<float>(), ElementsAre(2, 4, 6, 8, 10, 13));
    const Tensor column = matrix.narrow(1, 1, 1);
    rank.broadcast_(column.fill_(7 + r), 1);
    EXPECT_THAT(matrix.to_vector<float>(), ElementsAre(2, 8, 6, 8, 8, 13));
  });
}

TEST(CollectiveTensors, AreGatheredByTheirFirstDimension) {
  const Runtime runtime = start_late(2);
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    const float r = static_cast<float>(rank.rank());
    EXPECT_EQ(rank.all_gather(on(rank, {2, 3}, Floats(6, r))).shape(), Dims(4, 3));
    const Tensor scalars = rank.all_gather(on(rank, {}, {r}));
    EXPECT_EQ(scalars.shape(), Dims(2));
    EXPECT_THAT(scalars.to_vector<float>(), ElementsAre(0, 1));
    EXPECT_EQ(rank.reduce_scatter(on(rank, {4, 3}, Floats(12, 1))).shape(), Dims(2, 3));
  });
}

// Work before and behind a collective, on the same stream and on another.
TEST(CollectiveOrder, IsThatOfTheStreams) {
  const Runtime runtime = start_late(2, "delay_microseconds = 200");
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    const Stream side(rank.device());
    Tensor x = on(rank, {4}, Floats(4, 1));
    for (int round = 0; round < 10; ++round) {
      x = x + 1;
      {
        const StreamScope scope(side);
        x = rank.all_reduce(x, ReduceOp::average);
        x = x * 2;
      }
      rank.all_reduce_(x, ReduceOp::maximum);
    }
    EXPECT_THAT(x.to_vector<float>(), ElementsAre(3070, 3070, 3070, 3070));
  });
}

Error error_of_rank(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::internal, "nothing was thrown");
}

class FailingRanks : public testing::TestWithParam<const char*> {};

TEST_P(FailingRanks, DisagreeingIsAnErrorOnAll) {
  const Runtime runtime = start_late(2, GetParam());
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    const Error error = error_of_rank([&] {
      const Tensor sum = rank.all_reduce(own(rank, 4 + rank.rank()));
      sum.to_vector<float>();
    });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("the ranks disagree"));
    EXPECT_THAT(error.what(), HasSubstr("all_reduce sum of 5 float32"));
    EXPECT_EQ(error_of_rank([&] { rank.check(); }).kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error_of_rank([&] { rank.all_reduce(own(rank, 4)); }).kind(),
              ErrorKind::invalid_argument);
  });
}

TEST_P(FailingRanks, OneThatLeavesIsMissed) {
  const Runtime runtime = start_late(3, GetParam());
  on_each_rank(runtime, 3, [&](const Communicator& rank) {
    if (rank.rank() == 1) return;
    const Error error = error_of_rank([&] {
      const Tensor sum = rank.all_reduce(own(rank, 4));
      sum.to_vector<float>();
    });
    EXPECT_EQ(error.kind(), ErrorKind::peer_lost);
    EXPECT_THAT(error.what(), HasSubstr("rank 1 is gone"));
    EXPECT_FALSE(error.is_retryable());
    // The device is well.
    EXPECT_THAT((own(rank, 2) + own(rank, 2)).to_vector<float>()[1],
                values_of(rank.rank(), 2)[1] * 2);
  });
}

TEST_P(FailingRanks, OneThatComesTooLateFailsAll) {
  const Runtime runtime = start_late(2, GetParam());
  std::atomic<bool> has_failed = false;
  on_each_rank(runtime, 2,
               [&](const Communicator& rank) {
                 if (rank.rank() == 1) has_failed.wait(false);
                 const Error error = error_of_rank([&] {
                   const Tensor sum = rank.all_reduce(own(rank, 4));
                   sum.to_vector<float>();
                 });
                 EXPECT_EQ(error.kind(), ErrorKind::peer_lost);
                 EXPECT_THAT(error.what(), HasSubstr("rank 1 did not come within 300 ms"));
                 has_failed = true;
                 has_failed.notify_all();
               },
               {.timeout = std::chrono::milliseconds(300)});
}

TEST_P(FailingRanks, AbortFromAnotherThreadEndsTheWait) {
  const Runtime runtime = start_late(2, GetParam());
  std::atomic<bool> has_ended = false;
  on_each_rank(runtime, 2,
               [&](const Communicator& rank) {
                 if (rank.rank() == 1) return has_ended.wait(false);
                 std::thread other([&rank] {
                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                   rank.abort();
                 });
                 const Error error = error_of_rank([&] {
                   const Tensor sum = rank.all_reduce(own(rank, 4));
                   sum.to_vector<float>();
                 });
                 other.join();
                 has_ended = true;
                 has_ended.notify_all();
                 EXPECT_EQ(error.kind(), ErrorKind::peer_lost);
                 EXPECT_THAT(error.what(), HasSubstr("rank 0 was aborted"));
                 EXPECT_EQ(error_of_rank([&] { rank.check(); }).kind(), ErrorKind::peer_lost);
               },
               {.timeout = std::chrono::milliseconds(0)});
}

TEST_P(FailingRanks, ReceivingMoreThanWasSentIsAnError) {
  const Runtime runtime = start_late(2, GetParam());
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    if (rank.rank() == 0) {
      rank.send(own(rank, 3), 1);
      return rank.device().synchronize();
    }
    const Error error =
        error_of_rank([&] { rank.receive({4}, DType::float32, 0).to_vector<float>(); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("receive of 4 float32, rank 0 calls send of 3 float32"));
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, FailingRanks, testing::Values("", "synchronous = true"));

// Work that the stream drops, as what was before it failed, is told to the other ranks.
TEST(FailingStream, EndsTheWaitOfTheOthers) {
  const Runtime runtime = start_late(2, "late = 1000");
  on_each_rank(runtime, 2, [&](const Communicator& rank) {
    const Error error = error_of_rank([&] {
      const Tensor x = own(rank, 4);
      rank.all_reduce(x).to_vector<float>();
    });
    EXPECT_NE(error.kind(), ErrorKind::internal);
  });
}

TEST(CommunicatorMaking, EndsWhereTheOthersDoNotCome) {
  const Runtime runtime = start_late(2);
  const Device device = runtime.device("late:0");
  const Error error = error_of([&] {
    Communicator(device, CommunicatorId::make(device), 0, 2,
                 {.timeout = std::chrono::milliseconds(50)});
  });
  EXPECT_EQ(error.kind(), ErrorKind::peer_lost);
  EXPECT_THAT(error.what(), HasSubstr("of 2 ranks 1 have come within 50 ms"));
}

TEST(CommunicatorMaking, RefusesAnotherNumberOfRanks) {
  const Runtime runtime = start_late(2);
  const std::vector<Device> devices = devices_of(runtime, 2);
  const CommunicatorId id = CommunicatorId::make(devices[0]);
  std::vector<ErrorKind> kinds(2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      const auto index = static_cast<std::size_t>(i);
      kinds[index] =
          error_of_rank([&] { Communicator(devices[index], id, i, 2 + i, kPatient); }).kind();
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Whoever comes second sees it, and fails the one who waits.
  EXPECT_EQ(kinds[0], ErrorKind::invalid_argument);
  EXPECT_EQ(kinds[1], ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace switchyard
