// Copies through the plugin's table, on unified and on discrete memory.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "node.hpp"
#include "sizes.hpp"
#include "switchyard/plugin/shape.hpp"

namespace mps::runtime_tests {
namespace {

constexpr std::byte around{0x5a};

// Host memory that a view lies in.
class HostMemory {
 public:
  HostMemory(const View& view, size_t element)
      : view_(view), element_(element), bytes_(static_cast<size_t>(view.room) * element, around) {}

  void write(const std::vector<std::byte>& elements) {
    size_t at = 0;
    for (const int64_t position : view_.positions()) {
      std::copy_n(elements.begin() + static_cast<std::ptrdiff_t>(at), element_, byte(position));
      at += element_;
    }
  }
  std::vector<std::byte> elements() {
    std::vector<std::byte> result;
    for (const int64_t position : view_.positions()) {
      result.insert(result.end(), byte(position), byte(position) + step());
    }
    return result;
  }
  // Fails the test if a byte around the view has changed.
  std::vector<std::byte> read() {
    std::vector<std::byte> result = elements();
    for (const int64_t position : view_.positions()) std::fill_n(byte(position), element_, around);
    EXPECT_EQ(std::count(bytes_.begin(), bytes_.end(), around),
              static_cast<int64_t>(bytes_.size()));
    return result;
  }
  void overwrite() { std::fill(bytes_.begin(), bytes_.end(), std::byte{0xee}); }
  sy_region region() const {
    return host_region(bytes_.data(), view_.strides.data(),
                       static_cast<uint64_t>(view_.offset) * element_);
  }

 private:
  std::ptrdiff_t step() const { return static_cast<std::ptrdiff_t>(element_); }
  std::vector<std::byte>::iterator byte(int64_t position) {
    return bytes_.begin() + position * step();
  }

  const View view_;
  const size_t element_;
  std::vector<std::byte> bytes_;
};

std::vector<std::byte> random_bytes(size_t count) {
  static std::mt19937 random(5);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// The parameter: software.memory.
class Copies : public testing::TestWithParam<const char*> {
 protected:
  sy_region region_of(const Placed& placed, const View& view, size_t element) const {
    return storage_region(placed.handle(), view.strides.data(),
                          static_cast<uint64_t>(view.offset) * element);
  }

  // From the host, through the device, to the host.
  void expect_round_trip(sy_dtype dtype, const View& source, const View& first, const View& second,
                         const View& destination) {
    const size_t element = sy::dtype_bytes(dtype);
    const Shape& shape = source.shape;
    HostMemory from(source, element);
    from.write(random_bytes(static_cast<size_t>(source.count()) * element));
    const std::vector<std::byte> elements = from.elements();
    HostMemory to(destination, element);
    const Placed one(stream_, dtype, first), two(stream_, dtype, second);
    stream_.copy(dtype, shape, from.region(), region_of(one, first, element));
    from.overwrite();
    stream_.copy(dtype, shape, region_of(one, first, element), region_of(two, second, element));
    stream_.wait(stream_.copy(dtype, shape, region_of(two, second, element), to.region()));
    EXPECT_TRUE(to.read() == elements)
        << sy::dtype_name(dtype) << ": " << source.name << " to " << first.name << " to "
        << second.name << " to " << destination.name;
    EXPECT_TRUE(one.read() == elements);
    EXPECT_TRUE(two.read() == elements);
  }

  const OpenDevice device_{{{"software.memory", GetParam()}}};
  const OpenStream stream_{device_};
};

INSTANTIATE_TEST_SUITE_P(Memory, Copies, testing::ValuesIn(memory_kinds()),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Copies, EveryLayoutToEveryOther) {
  const Shape shape{3, 4, 5};
  const std::vector<View> views = layouts(shape);
  for (size_t i = 0; i < views.size(); ++i) {
    for (size_t k = 0; k < views.size(); ++k) {
      expect_round_trip(SY_FLOAT32, views[i], views[k], views[(i + 1) % views.size()],
                        views[(k + 2) % views.size()]);
    }
  }
}

TEST_P(Copies, EveryElementType) {
  for (const sy::DtypeRow& row : sy::dtype_rows) {
    if (sy::is_sub_byte(row.dtype)) continue;
    const Shape shape{5, 7};
    expect_round_trip(row.dtype, permuted(shape), sliced(shape), gapped(shape), shifted(shape));
    expect_round_trip(row.dtype, contiguous(shape), contiguous(shape), contiguous(shape),
                      contiguous(shape));
  }
}

TEST_P(Copies, RepeatedElements) {
  const Shape shape{4, 3, 6};
  for (const auto& axes : std::vector<std::vector<size_t>>{{0}, {1}, {2}, {0, 2}, {0, 1, 2}}) {
    expect_round_trip(SY_INT16, repeated(shape, axes), contiguous(shape), permuted(shape),
                      gapped(shape));
    // On the device.
    const View source = repeated(shape, axes);
    Placed placed(stream_, SY_INT32, source);
    std::vector<int32_t> elements;
    for (const int64_t position : source.positions())
      elements.push_back(static_cast<int32_t>(position));
    placed.write(bytes_of(elements));
    std::vector<int32_t> back(elements.size());
    stream_.wait(
        stream_.copy(SY_INT32, shape, region_of(placed, source, 4), host_region(back.data())));
    EXPECT_EQ(back, elements);
  }
}

TEST_P(Copies, RankZeroHighRanksAndExtentsOfOne) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1, 1}, Shape{2, 1, 3, 1, 2, 1, 2}}) {
    expect_round_trip(SY_FLOAT16, sliced(shape), gapped(shape), reversed(shape), contiguous(shape));
  }
  const Shape high{2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  expect_round_trip(SY_FLOAT16, permuted(high), gapped(high), reversed(high), permuted(high));
}

TEST_P(Copies, WithoutElementsNothingIsTouched) {
  const Shape shape{3, 0, 2};
  const Placed placed(stream_, SY_FLOAT32, contiguous({4}));
  const uint64_t first =
      stream_.copy(SY_FLOAT32, shape, host_region(nullptr), storage_region(placed.handle()));
  const uint64_t second = stream_.copy(SY_FLOAT32, shape, storage_region(0), host_region(nullptr));
  EXPECT_EQ(second, first + 1);
  stream_.wait(second);
  EXPECT_EQ(stream_.completed(), second);
}

TEST_P(Copies, FourBitElementsArePackedAsTheyCome) {
  for (const int64_t count : {1, 2, 7, 64, 1001}) {
    const size_t bytes = static_cast<size_t>(count + 1) / 2;
    const std::vector<std::byte> elements = random_bytes(bytes);
    std::vector<std::byte> back(bytes + 1, around);
    const Storage one(stream_, bytes + 8), two(stream_, bytes + 8);
    stream_.copy(SY_INT4, {count}, host_region(elements.data()),
                 storage_region(one.handle(), nullptr, 3));
    stream_.copy(SY_INT4, {count}, storage_region(one.handle(), nullptr, 3),
                 storage_region(two.handle(), nullptr, 5));
    stream_.wait(stream_.copy(SY_INT4, {count}, storage_region(two.handle(), nullptr, 5),
                              host_region(back.data())));
    EXPECT_EQ(back.back(), around);
    back.pop_back();
    EXPECT_EQ(back, elements) << count;
  }
}

TEST_P(Copies, LargerThanSixteenBitsCount) {
  const Shape shape{3, 66'000};
  expect_round_trip(SY_UINT8, contiguous(shape), permuted(shape), sliced(shape), gapped(shape));
  const Shape tall{70'001, 2};
  expect_round_trip(SY_FLOAT32, permuted(tall), gapped(tall), contiguous(tall), sliced(tall));
}

TEST_P(Copies, TheSourceMayChangeOrGoAsSoonAsTheCallReturns) {
  constexpr size_t count = 10'000;
  const Storage storage(stream_, count * 4);
  std::vector<int32_t> expected(count);
  std::iota(expected.begin(), expected.end(), 1);
  {
    auto source = std::make_unique<std::vector<int32_t>>(expected);
    stream_.copy(SY_INT32, {count}, host_region(source->data()), storage_region(storage.handle()));
    std::fill(source->begin(), source->end(), -1);
  }
  std::vector<int32_t> back(count);
  stream_.wait(stream_.download(storage.handle(), back.data(), count * 4));
  EXPECT_EQ(back, expected);
}

TEST_P(Copies, ManyUploadsInFlightKeepTheirBytes) {
  constexpr int64_t count = 5000;
  std::vector<int32_t> host(count);
  std::deque<Storage> storages;
  for (int32_t i = 0; i < 50; ++i) {
    std::fill(host.begin(), host.end(), i);
    storages.emplace_back(stream_, count * 4);
    stream_.copy(SY_INT32, {count}, host_region(host.data()),
                 storage_region(storages.back().handle()));
  }
  for (int32_t i = 0; i < 50; ++i) {
    stream_.wait(
        stream_.download(storages[static_cast<size_t>(i)].handle(), host.data(), count * 4));
    EXPECT_EQ(host, std::vector<int32_t>(count, i));
  }
}

TEST_P(Copies, RecycledStoragesHoldWhatWasWrittenLast) {
  std::mt19937 random(3);
  constexpr size_t count = 3000;
  std::vector<std::vector<int32_t>> results(60, std::vector<int32_t>(count));
  std::vector<std::unique_ptr<Storage>> live(6);
  uint64_t last = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    std::vector<int32_t> source(count, static_cast<int32_t>(i));
    std::unique_ptr<Storage>& position = live[random() % live.size()];
    position = nullptr;  // released while its work may still be to come
    position = std::make_unique<Storage>(stream_, count * 4 - random() % 64 * 4);
    Storage middle(stream_, count * 4);
    const auto shape = std::vector<int64_t>{static_cast<int64_t>(count) - 64};
    stream_.copy(SY_INT32, shape, host_region(source.data()), storage_region(position->handle()));
    stream_.copy(SY_INT32, shape, storage_region(position->handle()),
                 storage_region(middle.handle()));
    last = stream_.copy(SY_INT32, shape, storage_region(middle.handle()),
                        host_region(results[i].data()));
  }
  stream_.wait(last);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].resize(count - 64);
    EXPECT_EQ(results[i], std::vector<int32_t>(count - 64, static_cast<int32_t>(i)));
  }
}

TEST_P(Copies, WhatCannotBeCopiedIsRefused) {
  const Storage storage(stream_, 64);
  int32_t number = 0;
  const auto refusal = [&](sy_dtype dtype, const sy_region& from, const sy_region& to) {
    try {
      stream_.copy(dtype, {1}, from, to);
    } catch (const sy::Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("nothing");
  };
  const sy_region on_device = storage_region(storage.handle());
  EXPECT_EQ(refusal(SY_INT32, host_region(&number), host_region(&number)),
            "a copy from the host to the host");
  EXPECT_EQ(refusal(99, host_region(&number), on_device), "copy: there is no element type 99");
  sy_region peer = on_device;
  peer.kind = SY_REGION_PEER;
  EXPECT_EQ(refusal(SY_INT32, peer, on_device), "no copies between two devices");
  EXPECT_EQ(refusal(SY_INT32, on_device, storage_region(storage.handle(), nullptr, 6)),
            "an offset of 6 bytes, which is not a multiple of an element's 4");
}

TEST_P(Copies, MapReachesUnifiedMemoryAlone) {
  const Storage storage(stream_, 64);
  auto args = make_args<sy_map_args>();
  args.access = SY_MAP_READ | SY_MAP_WRITE;
  args.device = device_.handle();
  args.storage = storage.handle();
  args.offset_bytes = 8;
  args.size_bytes = 8;
  if (std::string(GetParam()) == "discrete") {
    EXPECT_EQ(device_.table().map(&args, nullptr), SY_UNSUPPORTED);
    return;
  }
  const int64_t number = 0x1122334455667788;
  stream_.wait(stream_.copy(SY_INT64, {1}, host_region(&number),
                            storage_region(storage.handle(), nullptr, 8)));
  call(device_.table().map, args);
  EXPECT_EQ(*static_cast<int64_t*>(args.pointer), number);
  *static_cast<int64_t*>(args.pointer) = 5;
  int64_t back = 0;
  stream_.wait(stream_.copy(SY_INT64, {1}, storage_region(storage.handle(), nullptr, 8),
                            host_region(&back)));
  EXPECT_EQ(back, 5);
}

// The block was another tensor's, which work that is still to come reads.
TEST_P(Copies, TheHostDoesNotWriteToRecycledMemoryThatWorkStillReads) {
  if (std::string(GetParam()) == "discrete") return;
  constexpr size_t bytes = 4096;
  std::vector<std::byte> seen(bytes);
  const std::vector<std::byte> written(bytes, std::byte{7});
  uint64_t last = 0;
  {
    const Storage old(stream_, bytes);
    stream_.upload(written.data(), bytes, old.handle());
    last = stream_.download(old.handle(), seen.data(), bytes);
  }
  const Storage fresh(stream_, bytes);
  auto args = make_args<sy_map_args>();
  args.access = SY_MAP_WRITE;
  args.device = device_.handle();
  args.storage = fresh.handle();
  args.size_bytes = bytes;
  call(device_.table().map, args);
  std::memset(args.pointer, 1, bytes);
  stream_.wait(last);
  EXPECT_EQ(seen, written);
  stream_.wait(stream_.download(fresh.handle(), seen.data(), bytes));
  EXPECT_EQ(seen, std::vector<std::byte>(bytes, std::byte{1}));
}

TEST_P(Copies, MemoryComesBack) {
  const auto before = device_.statistics();
  EXPECT_EQ(before.used_bytes, 0u);
  std::vector<std::byte> bytes(mebi);
  {
    const Storage storage(stream_, mebi);
    stream_.wait(stream_.upload(bytes.data(), mebi, storage.handle()));
    stream_.wait(stream_.download(storage.handle(), bytes.data(), mebi));
    EXPECT_EQ(device_.statistics().used_bytes, mebi);
    EXPECT_GT(device_.statistics().cached_bytes, 0u);
    EXPECT_LT(device_.statistics().free_bytes, before.free_bytes);
  }
  EXPECT_GT(device_.trim(), 0u);
  EXPECT_EQ(device_.statistics().used_bytes, 0u);
  EXPECT_EQ(device_.statistics().cached_bytes, 0u);
  EXPECT_EQ(device_.statistics().free_bytes, before.free_bytes);
}

}  // namespace
}  // namespace mps::runtime_tests
