// What copies read of the host and write to it, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "node.hpp"
#include "sizes.hpp"

namespace mps::runtime_tests {
namespace {

using Numbers = std::vector<int32_t>;

// The parameter: software.memory.
class HostOrder : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int64_t count = 1000;
  static constexpr size_t bytes = count * 4;

  bool is_unified() const { return std::string(GetParam()) == "unified"; }

  const OpenDevice device_{
      {{"software.memory", GetParam()}, OpenDevice::Option{"profile", nullptr, 1, true}}};
  const OpenStream left_{device_};
  const OpenStream right_{device_};
};

INSTANTIATE_TEST_SUITE_P(Memory, HostOrder, testing::ValuesIn(memory_kinds()),
                         [](const auto& info) { return std::string(info.param); });

Numbers read(const OpenStream& stream, const Storage& storage, int64_t count) {
  Numbers numbers(static_cast<size_t>(count));
  stream.wait(stream.download(storage.handle(), numbers.data(), numbers.size() * 4));
  return numbers;
}

TEST_P(HostOrder, AnUploadAfterADownloadOfTheSameMemorySendsWhatCame) {
  const Storage first(left_, bytes), second(left_, bytes);
  const Numbers sevens(count, 7);
  Numbers host(count, 1);
  for (int round = 0; round < 20; ++round) {
    std::fill(host.begin(), host.end(), 1);
    left_.upload(sevens.data(), bytes, first.handle());
    left_.download(first.handle(), host.data(), bytes);
    left_.upload(host.data(), bytes, second.handle());
    EXPECT_EQ(read(left_, second, count), sevens);
  }
}

TEST_P(HostOrder, OneSharedByteIsEnough) {
  const Storage first(left_, bytes), second(left_, bytes);
  Numbers host(2 * count, 1);
  const Numbers sevens(count, 7);
  left_.upload(sevens.data(), bytes, first.handle());
  // Written from its end to its beginning: host[count] and on.
  const int64_t backwards[] = {-1};
  left_.copy(SY_INT32, {count}, storage_region(first.handle()),
             host_region(host.data(), backwards, (2 * count - 1) * 4));
  left_.upload(host.data() + 1, bytes, second.handle());
  Numbers expected(count, 1);
  expected.back() = 7;
  EXPECT_EQ(read(left_, second, count), expected);
}

TEST_P(HostOrder, AnUploadReadsBackwardsToo) {
  const Storage first(left_, bytes), second(left_, bytes);
  Numbers host(count, 1), rising(count), falling(count);
  std::iota(rising.begin(), rising.end(), 0);
  std::iota(falling.rbegin(), falling.rend(), 0);
  left_.upload(rising.data(), bytes, first.handle());
  left_.download(first.handle(), host.data(), bytes);
  const int64_t backwards[] = {-1};
  left_.copy(SY_INT32, {count}, host_region(host.data(), backwards, bytes - 4),
             storage_region(second.handle()));
  EXPECT_EQ(read(left_, second, count), falling);
}

TEST_P(HostOrder, MemoryBesideADownloadIsNotWaitedFor) {
  const Storage first(left_, bytes), second(left_, bytes), third(left_, bytes);
  const Numbers ones(count, 1);
  Numbers host(2 * count, 2);
  left_.upload(ones.data(), bytes, first.handle());
  left_.upload(ones.data(), bytes, first.handle());
  const uint64_t last = left_.download(first.handle(), host.data(), bytes);
  left_.upload(host.data() + count, bytes, second.handle());
  EXPECT_LT(left_.completed(), last) << "so few operations are not committed unless one waits";
  left_.upload(host.data(), bytes, third.handle());
  EXPECT_GE(left_.completed(), last);
  EXPECT_EQ(read(left_, second, count), Numbers(count, 2));
  EXPECT_EQ(read(left_, third, count), ones);
}

TEST_P(HostOrder, AnotherStreamThatWaitsSeesWhatCame) {
  const Storage first(left_, bytes), second(right_, bytes);
  const OpenEvent event(device_);
  for (int32_t round = 2; round < 20; ++round) {
    const Numbers source(count, round);
    Numbers host(count, 1);
    left_.upload(source.data(), bytes, first.handle());
    left_.download(first.handle(), host.data(), bytes);
    event.record(left_);
    event.delay(right_);
    right_.upload(host.data(), bytes, second.handle());
    EXPECT_EQ(read(right_, second, count), source);
  }
}

// Its download never comes.
TEST_P(HostOrder, AStreamThatFailsHoldsNobodyUp) {
  const std::vector<int64_t> wrong = {12};
  const std::vector<Input> inputs = {input(contiguous({10}), std::vector<float>(10, 1.0f)),
                                     input(contiguous({1}), wrong)};
  Node gather(device_, "Gather", 13);
  gather.attribute("axis", int64_t{0}).prepare(inputs, SY_FLOAT32, {1});
  Numbers host(count, 1);
  const Storage kept(right_, bytes);
  {
    const OpenStream failing(device_);
    Placed x(failing, SY_FLOAT32, contiguous({10})), at(failing, SY_INT64, contiguous({1}));
    x.write(inputs[0].elements);
    at.write(inputs[1].elements);
    const Placed result(failing, SY_FLOAT32, contiguous({1}));
    const Storage source(failing, bytes);
    gather.enqueue(failing, {x.tensor(), at.tensor()}, result.tensor());
    failing.download(source.handle(), host.data(), bytes);
    right_.upload(host.data(), bytes, kept.handle());
    failing.download(source.handle(), host.data(), bytes);  // dropped at once
    right_.upload(host.data(), bytes, kept.handle());
  }
  EXPECT_EQ(read(right_, kept, count), Numbers(count, 1));
}

// ---------------------------------------------------------------- straight into memory

TEST_P(HostOrder, AFreshStorageNeedsNoWorkOfTheDevice) {
  const Storage storage(left_, bytes);
  Numbers rising(count);
  std::iota(rising.begin(), rising.end(), 0);
  left_.wait(left_.upload(rising.data(), bytes, storage.handle()));
  EXPECT_EQ(device_.report().find("upload") == std::string::npos, is_unified());
  EXPECT_EQ(read(left_, storage, count), rising);
}

TEST_P(HostOrder, LayoutsAndOffsetsAreKept) {
  const Storage storage(left_, 100);
  const Numbers source{1, 2, 3, 4, 5, 6};
  const int64_t turned[] = {1, 2};  // of a 2 x 3: columns first
  const int64_t gapped[] = {6, 2};
  left_.copy(SY_INT32, {2, 3}, host_region(source.data(), turned),
             storage_region(storage.handle(), gapped, 12));
  Numbers back(6);
  left_.wait(left_.copy(SY_INT32, {2, 3}, storage_region(storage.handle(), gapped, 12),
                        host_region(back.data())));
  EXPECT_EQ(back, (Numbers{1, 3, 5, 2, 4, 6}));
}

TEST_P(HostOrder, WhatCannotBeAlignedIsRefusedForFreshStoragesToo) {
  const Storage storage(left_, 64);
  const int32_t number = 0;
  EXPECT_THROW(
      left_.copy(SY_INT32, {1}, host_region(&number), storage_region(storage.handle(), nullptr, 6)),
      sy::Failure);
}

TEST_P(HostOrder, WorkThatComesFirstReadsWhatWasThere) {
  const Storage source(left_, bytes), first(left_, bytes), second(left_, bytes);
  for (int32_t round = 0; round < 10; ++round) {
    const Numbers older(count, round), newer(count, round + 100);
    left_.upload(older.data(), bytes, source.handle());
    left_.copy(SY_INT32, {count}, storage_region(source.handle()), storage_region(first.handle()));
    left_.upload(newer.data(), bytes, source.handle());
    left_.copy(SY_INT32, {count}, storage_region(source.handle()), storage_region(second.handle()));
    EXPECT_EQ(read(left_, first, count), older);
    EXPECT_EQ(read(left_, second, count), newer);
  }
}

// Enough for the device's thread to lag behind the host's.
void keep_busy(const OpenStream& stream, const Storage& from, const Storage& to, int64_t size) {
  for (int i = 0; i < 50; ++i) {
    stream.copy(SY_UINT8, {size}, storage_region(from.handle()), storage_region(to.handle()));
  }
}

TEST_P(HostOrder, AStorageThatAnotherStreamUsedIsNotFresh) {
  const Storage from(right_, mebi), to(right_, mebi);
  const Storage storage(left_, bytes);  // and nothing enqueued on its stream since
  const Numbers ones(count, 1), twos(count, 2);
  keep_busy(right_, from, to, mebi);
  right_.upload(ones.data(), bytes, storage.handle());
  const OpenEvent event(device_);
  event.record(right_);
  event.delay(left_);
  left_.upload(twos.data(), bytes, storage.handle());
  EXPECT_EQ(read(left_, storage, count), twos);
}

TEST_P(HostOrder, ARecycledStorageIsNotFreshWhileItsWorkIsDue) {
  const Storage from(left_, mebi), to(left_, mebi);
  Numbers seen(count);
  const Numbers ones(count, 1), twos(count, 2);
  keep_busy(left_, from, to, mebi);
  {
    const Storage old(left_, bytes);
    left_.upload(ones.data(), bytes, old.handle());
    left_.download(old.handle(), seen.data(), bytes);
  }
  const Storage storage(left_, bytes);
  const uint64_t last = left_.upload(twos.data(), bytes, storage.handle());
  left_.wait(last);
  EXPECT_EQ(seen, ones);
  EXPECT_EQ(read(left_, storage, count), twos);
}

}  // namespace
}  // namespace mps::runtime_tests
