#include <algorithm>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/on_threads.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "cli/conform/plugin/test_event.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::size_t kBytes = 1 << 18;

/// The other devices, by index, that copies of this one read.
std::vector<std::uint32_t> peers_of(const TestDevice& device) {
  const sy_device_info& info = device.info();
  std::vector<std::uint32_t> peers;
  for (std::uint32_t i = 0; i < device.plugin().devices().size(); ++i) {
    const bool is_named =
        info.peers == nullptr || std::count(info.peers, info.peers + info.peer_count, i) != 0;
    const bool is_available = device.plugin().devices()[i].info.available != 0;
    if (i != device.index() && is_named && is_available) peers.push_back(i);
  }
  return peers;
}

sy_region peer_region(const TestDevice& peer, const TestStorage& storage,
                      std::uint64_t offset_bytes = 0, const std::int64_t* strides = nullptr) {
  sy_region region = storage.region(offset_bytes, strides);
  region.kind = SY_REGION_PEER;
  region.peer = peer.handle();
  return region;
}

/// All bytes, and then some of them from strides to others, once the peer's work is done.
void copy_from(TestDevice& peer, TestDevice& device) {
  TestStream theirs(peer), ours(device);
  const std::string what = fmt::format("device {} of device {}", device.index(), peer.index());
  const std::vector<std::byte> bytes = test_bytes(kBytes, peer.index());
  const TestStorage source(peer, kBytes, &theirs), copied(device, kBytes, &ours);
  source.write(theirs, bytes);
  copied.write(ours, test_bytes(kBytes, 100));
  ours.copy(DType::uint8, {kBytes}, peer_region(peer, source), copied.region());
  ours.finish();
  require_bytes(copied.read(ours), bytes, "what was read by " + what);
  require_bytes(source.read(theirs), bytes, "a storage that was read by " + what);

  constexpr std::int64_t rows = 5, columns = 7, size = sizeof(float);
  constexpr std::int64_t transposed[] = {1, rows};
  const TestStorage packed(device, rows * columns * size, &ours);
  ours.copy(DType::float32, {rows, columns}, peer_region(peer, source, 0, transposed),
            packed.region());
  std::vector<std::byte> expected(rows * columns * size);
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const std::int64_t from = i / columns + i % columns * rows;
    std::copy_n(bytes.begin() + from * size, size, expected.begin() + i * size);
  }
  ours.finish();
  require_bytes(packed.read(ours), expected, "transposed elements, read by " + what);
}

/// The copy waits for the peer's work by an event, and nobody else does.
void copy_behind_event(TestDevice& peer, TestDevice& device) {
  TestStream theirs(peer), ours(device);
  const TestStorage first(peer, kBytes, &theirs), second(peer, kBytes, &theirs);
  const TestStorage copied(device, kBytes, &ours);
  for (unsigned round = 0; round < 10; ++round) {
    const std::vector<std::byte> bytes = test_bytes(kBytes, round);
    TestEvent written(peer);
    theirs.copy(DType::uint8, {kBytes}, host_region(bytes.data()), first.region());
    theirs.copy(DType::uint8, {kBytes}, first.region(), second.region());
    written.record(theirs);
    written.make_wait(ours);
    ours.copy(DType::uint8, {kBytes}, peer_region(peer, second), copied.region());
    require_bytes(copied.read(ours), bytes, "what was read of a device behind its event");
    theirs.finish();
  }
}

/// From storage to storage to storage, each on the other stream than the one before.
void copy_in_turns(TestStream& first, TestStream& second, unsigned seed) {
  TestDevice& device = first.device();
  const std::vector<std::byte> bytes = test_bytes(kBytes, seed);
  const TestStorage a(device, kBytes), b(device, kBytes), c(device, kBytes);
  const auto hand_over = [&device](TestStream& from, TestStream& to) {
    if (!device.plugin().has_events()) return from.finish();
    TestEvent done(device);
    done.record(from);
    done.make_wait(to);
  };
  const Dims shape{kBytes};
  first.copy(DType::uint8, shape, host_region(bytes.data()), a.region());
  hand_over(first, second);
  second.copy(DType::uint8, shape, a.region(), b.region());
  hand_over(second, first);
  first.copy(DType::uint8, shape, b.region(), c.region());
  require_bytes(c.read(first), bytes, "what two streams have copied in turns");
  second.finish();
}

}  // namespace

void try_peer_copies(CaseRun& run) {
  TestDevice device(run);
  if (!device.has(SY_DEVICE_PEER_COPY)) skip("its copies read no other device");
  const std::vector<std::uint32_t> peers = peers_of(device);
  if (peers.empty()) skip("there is no other device that its copies read");
  for (const std::uint32_t index : peers) {
    TestDevice peer(device, index);
    copy_from(peer, device);
    if (device.plugin().has_events()) copy_behind_event(peer, device);
  }
}

void try_copies_on_two_streams(CaseRun& run) {
  TestDevice device(run);
  {
    TestStream first(device), second(device);
    for (unsigned round = 0; round < 10; ++round) copy_in_turns(first, second, round);
  }
  on_threads(2, [&](unsigned k) {
    TestStream stream(device);
    const std::vector<std::byte> bytes = test_bytes(kBytes, k);
    const TestStorage a(device, kBytes, &stream), b(device, kBytes, &stream);
    a.write(stream, bytes);
    for (int round = 0; round < 100; ++round) {
      stream.copy(DType::uint8, {kBytes}, a.region(), b.region());
      stream.finish();
      require_bytes(b.read(stream), bytes, "what a stream has copied while another one did");
    }
  });
}

}  // namespace switchyard::cli::conform
