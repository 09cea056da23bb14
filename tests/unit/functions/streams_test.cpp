// Work of one device in more than one order, and events between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/functions.hpp>
#include <switchyard/streams.hpp>
#include <thread>

namespace switchyard {
namespace {

TEST(Streams, AreTheDevicesOwnUnlessAScopeSaysOtherwise) {
  const Stream own = current_stream();
  const Stream mine(current_device());
  EXPECT_FALSE(mine == own);
  {
    const StreamScope scope(mine);
    EXPECT_TRUE(current_stream() == mine);
    std::thread([&] { EXPECT_TRUE(current_stream(mine.device()) == own); }).join();
    {
      const StreamScope inner(own);
      EXPECT_TRUE(current_stream() == own);
    }
    EXPECT_TRUE(current_stream() == mine);
  }
  EXPECT_TRUE(current_stream() == own);
}

TEST(Streams, SeeWhatOthersMade) {
  const Stream one(current_device()), two(current_device());
  Tensor x = ones({64});
  for (int i = 0; i < 50; ++i) {
    const StreamScope scope(i % 2 == 0 ? one : two);
    x = x + 1;
    x.mul_(1);
  }
  x.add_(1);
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(64, 52));
}

TEST(Streams, WriteOverOnlyWhatOthersHaveRead) {
  const Stream reader(current_device());
  const Tensor x = zeros({256, 256});
  for (int i = 1; i <= 20; ++i) {
    x.fill_(i);
    Tensor product;
    {
      const StreamScope scope(reader);
      product = x * 2;
    }
    x.fill_(-1);
    EXPECT_EQ(product.max().item(), 2.0 * i);
    EXPECT_EQ(product.min().item(), 2.0 * i);
  }
}

TEST(Streams, OfTwoThreadsWorkAtOnce) {
  const auto work = [] {
    const Stream mine(current_device());
    const StreamScope scope(mine);
    Tensor x = ones({128});
    for (int i = 0; i < 100; ++i) x = x + 1;
    mine.synchronize();
    EXPECT_TRUE(mine.query());
    EXPECT_EQ(x.sum().item(), 128.0 * 101);
  };
  std::thread other(work);
  work();
  other.join();
}

TEST(Events, MarkWorkThatIsWaitedFor) {
  const Stream first(current_device()), second(current_device());
  Event done;
  EXPECT_TRUE(done.query());
  done.synchronize();
  second.wait_event(done);
  Tensor x;
  {
    const StreamScope scope(first);
    x = ones({1000}) + 1;
    done.record();
  }
  second.wait_event(done);
  {
    const StreamScope scope(second);
    x = x * 3;
    done.record();
  }
  done.synchronize();
  EXPECT_TRUE(done.query());
  EXPECT_EQ(x.sum().item(), 6000.0);
}

}  // namespace
}  // namespace switchyard
