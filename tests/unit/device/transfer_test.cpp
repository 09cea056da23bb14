// Copies between every two kinds of memory, in every layout that a view can have.
#include "device/transfer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "device/devices.hpp"

namespace switchyard {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kRoom = 512;  // bytes, enough for every layout below

// Memory of a device, or of the host where the device is null.
class Memory {
 public:
  Memory(const std::shared_ptr<OpenDevice>& device, const Bytes& content)
      : device_(device), host_(content) {
    if (!device_) return;
    storage_ = device_->allocator().allocate(kRoom);
    transfer(DType::uint8, {kRoom}, Location::host(host_.data(), {1}), flat());
  }

  Location location(std::uint64_t offset_bytes, const Dims& strides) {
    if (!device_) return Location::host(host_.data() + offset_bytes, strides);
    return {device_.get(), storage_.get(), nullptr, offset_bytes, strides};
  }

  Bytes content() {
    Bytes bytes = host_;
    if (device_) transfer(DType::uint8, {kRoom}, flat(), Location::host(bytes.data(), {1}));
    return bytes;
  }

 private:
  Location flat() { return {device_.get(), storage_.get(), nullptr, 0, {1}}; }

  std::shared_ptr<OpenDevice> device_;
  StorageRef storage_;
  Bytes host_;
};

struct Side {
  std::uint64_t offset;  // elements
  Dims strides;
};

struct Layout {
  std::string name;
  Dims shape;
  Side source, destination;
};

const std::vector<Layout> kLayouts = {
    {"contiguous", {2, 3, 4}, {0, {12, 4, 1}}, {0, {12, 4, 1}}},
    {"a part of it", {2, 3}, {5, {4, 1}}, {1, {3, 1}}},
    {"transposed", {4, 3}, {0, {1, 4}}, {0, {3, 1}}},
    {"into a transposed one", {4, 3}, {0, {3, 1}}, {2, {1, 4}}},
    {"with gaps on both sides", {3, 2}, {1, {6, 3}}, {2, {8, 2}}},
    {"broadcast", {3, 4}, {2, {0, 1}}, {0, {4, 1}}},
    {"a scalar everywhere", {2, 2}, {3, {0, 0}}, {0, {2, 1}}},
    {"backwards", {5}, {4, {-1}}, {0, {1}}},
    {"rank 0", {}, {6, {}}, {7, {}}},
    {"nothing", {3, 0}, {0, {1, 1}}, {0, {1, 1}}},
    {"extents of 1 with odd strides", {1, 3, 1}, {0, {99, 1, 77}}, {0, {55, 1, 33}}},
};

// Calls `visit` with the position, in elements, of each element on both sides.
void for_each_element(const Layout& layout, const auto& visit) {
  std::vector<std::int64_t> index(layout.shape.size(), 0);
  for (std::int64_t left = element_count(layout.shape); left > 0; --left) {
    std::int64_t from = static_cast<std::int64_t>(layout.source.offset);
    std::int64_t to = static_cast<std::int64_t>(layout.destination.offset);
    for (std::size_t d = 0; d < index.size(); ++d) {
      from += index[d] * layout.source.strides[d];
      to += index[d] * layout.destination.strides[d];
    }
    visit(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < layout.shape[d]) break;
      index[d] = 0;
    }
  }
}

Bytes numbered() {
  Bytes bytes(kRoom);
  for (std::size_t i = 0; i < kRoom; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + 1);
  return bytes;
}

const Bytes kUntouched(kRoom, 0xEE);

void check_layout(const std::shared_ptr<OpenDevice>& from, const std::shared_ptr<OpenDevice>& to,
                  const Layout& layout, DType dtype) {
  const auto size = static_cast<std::size_t>(bit_width(dtype) / 8);
  Memory source(from, numbered());
  Memory destination(to, kUntouched);
  Bytes expected = kUntouched;
  for_each_element(layout, [&](std::size_t source_at, std::size_t at) {
    std::memcpy(&expected[at * size], &numbered()[source_at * size], size);
  });
  transfer(dtype, layout.shape, source.location(layout.source.offset * size, layout.source.strides),
           destination.location(layout.destination.offset * size, layout.destination.strides));
  EXPECT_EQ(destination.content(), expected) << layout.name << " of " << name_of(dtype);
  EXPECT_EQ(source.content(), numbered());
}

const std::vector<std::string> kLocations = {"host",   "good",     "asynchronous", "mappable",
                                             "opaque", "template", "null",         "cpu"};

class TransferFrom : public testing::TestWithParam<std::string> {};

TEST_P(TransferFrom, ToAnyOtherMemoryInAnyLayout) {
  const auto open = [](const std::string& name) {
    return name == "host" ? nullptr : open_any(name);
  };
  const std::shared_ptr<OpenDevice> from = open(GetParam());
  for (const std::string& name : kLocations) {
    if (!from && name == "host") continue;  // the host copies within itself without a device
    SCOPED_TRACE("to " + name);
    const std::shared_ptr<OpenDevice> to = open(name);
    for (const Layout& layout : kLayouts) {
      for (const DType dtype : {DType::uint8, DType::float16, DType::float32, DType::int64}) {
        check_layout(from, to, layout, dtype);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Locations, TransferFrom, testing::ValuesIn(kLocations),
                         [](const auto& info) { return info.param; });

TEST(Transfer, WithinADevice) {
  for (const char* name : {"good", "asynchronous", "opaque", "template"}) {
    SCOPED_TRACE(name);
    const std::shared_ptr<OpenDevice> device = open_any(name);
    for (const Layout& layout : kLayouts) check_layout(device, device, layout, DType::float32);
  }
}

TEST(Transfer, BetweenPeers) {
  const auto plugin = loaded(load_for_device(fake_library("two_devices")));
  const auto first = std::make_shared<OpenDevice>(plugin, 0, 0, Allocator::Limits());
  const auto second = std::make_shared<OpenDevice>(plugin, 1, 1, Allocator::Limits());
  for (const Layout& layout : kLayouts) check_layout(first, second, layout, DType::float32);
}

TEST(Transfer, BetweenAsynchronousPeersThatEndInAnyOrder) {
  const auto plugin =
      loaded(load_for_device(plugin_library("template"), "[plugins.mine.options]\ndevices = 2\n"));
  const auto first = std::make_shared<OpenDevice>(plugin, 0, 0, Allocator::Limits());
  auto second = std::make_shared<OpenDevice>(plugin, 1, 1, Allocator::Limits());
  Memory source(first, numbered());
  {
    Memory destination(second, kUntouched);
    transfer(DType::uint8, {kRoom}, source.location(0, {1}), destination.location(0, {1}));
    EXPECT_EQ(destination.content(), numbered());
  }
  second.reset();  // with the stream that copied
  EXPECT_EQ(source.content(), numbered());
}

TEST(Transfer, OnOneStreamNeedsNoWaiting) {
  // Each copy reads what the one before writes, none of them waited for.
  const auto device = open_plugin("template", "batch = 100\ndelay_microseconds = 200\n");
  const Bytes start = numbered();
  Memory source(device, start);
  std::vector<Memory> chain;
  chain.reserve(10);
  for (int i = 0; i < 10; ++i) {
    chain.emplace_back(device, kUntouched);
    Memory& from = i == 0 ? source : chain[chain.size() - 2];
    transfer(DType::uint8, {kRoom}, from.location(0, {1}), chain.back().location(0, {1}));
  }
  EXPECT_EQ(chain.back().content(), start);
}

TEST(Transfer, PackedTypesMoveAsWholeBytes) {
  const auto device = open_fake("opaque");
  Memory source(device, numbered());
  Memory destination(nullptr, kUntouched);
  transfer(DType::int4, {5}, source.location(0, {1}), destination.location(0, {1}));
  Bytes expected = kUntouched;
  std::copy_n(numbered().begin(), 2, expected.begin());
  const Bytes got = destination.content();
  EXPECT_TRUE(std::equal(got.begin(), got.begin() + 2, expected.begin()));
  EXPECT_EQ(got[2] & 0x0f, numbered()[2] & 0x0f) << "the fifth element is a low half";
  EXPECT_TRUE(std::equal(got.begin() + 3, got.end(), expected.begin() + 3));
}

// ---------------------------------------------------------------- import

TEST(Import, GivesNothingWhereTheDeviceCannot) {
  const auto home = open_fake("good");
  const StorageRef original = home->allocator().allocate(64);
  EXPECT_FALSE(import_storage(*open_fake("opaque"), *home, original));
}

TEST(Import, ReadsTheOriginalInPlaceAndKeepsIt) {
  const auto home = open_fake("good");
  const auto device = open_plugin("cpu");
  ASSERT_TRUE(device->has(SY_DEVICE_IMPORTS_HOST_MEMORY));
  StorageRef original = home->allocator().allocate(64);
  const std::uint64_t address = original->handle();
  StorageRef imported = import_storage(*device, *home, original);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->handle(), address);
  EXPECT_TRUE(original->is_shared()) << "so that nothing writes to it, nor reuses it";
  original = StorageRef();
  EXPECT_NE(home->allocator().allocate(64)->handle(), address);
  imported = StorageRef();
  EXPECT_EQ(home->allocator().statistics().used_bytes, 0u);
}

}  // namespace
}  // namespace switchyard
