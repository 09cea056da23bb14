// How ranks join, and how a communicator ends early.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/collectives.hpp>
#include <switchyard/error.hpp>
#include <utility>

#include "collectives/communicator_state.hpp"
#include "collectives/extension.hpp"
#include "plugin_loader/plugin_api.hpp"

namespace switchyard {
namespace {

constexpr std::string_view kName = "Communicator";

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, fmt::format("[{}] {}", kName, what));
}

void check_numbers(std::int64_t rank, std::int64_t size, const CommunicatorOptions& options) {
  if (size < 1 || size > INT32_MAX) refuse(fmt::format("there cannot be {} ranks", size));
  if (rank < 0 || rank >= size) {
    refuse(fmt::format("rank {} of {}; ranks count from 0 to {}", rank, size, size - 1));
  }
  if (options.timeout.count() < 0) refuse("the timeout is below zero; zero stands for none");
}

void check_devices(std::span<const Device> devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const OpenDevice& device = *devices[i].open();
    if (&device.plugin() != &devices[0].open()->plugin()) {
      refuse(fmt::format("{} and {} are of two plugins; a communicator is of one",
                         devices[0].name(), device.name()));
    }
    if (std::find(devices.begin(), devices.begin() + i, devices[i]) != devices.begin() + i) {
      refuse(fmt::format("{} is there twice; each rank has a device of its own", device.name()));
    }
  }
}

void check_count(const OpenDevice& device, const sy_collectives& collectives, std::uint32_t size) {
  if (collectives.max_ranks == 0 || size <= collectives.max_ranks) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("[{}] {}: its plugin joins {} ranks at most, not {}", kName,
                          device.name(), collectives.max_ranks, size))
      .set_device(device.name());
}

/// The ranks from `first` on, one a device, of one communicator.
std::vector<Communicator> join(std::span<const Device> devices, const CommunicatorId& id,
                               std::uint32_t first, std::uint32_t size,
                               const CommunicatorOptions& options) {
  OpenDevice& device = *devices[0].open();
  const sy_collectives& collectives = collectives_of(device, kName);
  check_count(device, collectives, size);
  std::vector<Communicator> made;
  std::vector<sy_communicator_rank> ranks;
  for (const Device& on : devices) {
    static_cast<void>(on.open()->stream());  // one that has failed recovers first
    const std::uint32_t rank = first + static_cast<std::uint32_t>(ranks.size());
    made.emplace_back(std::make_shared<Communicator::State>(on.open(), collectives, rank, size));
    ranks.push_back({sizeof(sy_communicator_rank), rank, on.open()->handle(), nullptr});
  }
  sy_create_communicator_args args{};
  args.struct_size = sizeof(args);
  args.rank_count = size;
  std::copy(id.bytes().begin(), id.bytes().end(), args.id);
  args.ranks = ranks.data();
  args.count = static_cast<std::uint32_t>(ranks.size());
  args.timeout_milliseconds = static_cast<std::uint64_t>(options.timeout.count());
  device.call(PluginFunction(collectives.create, "create", &device.calls()), args,
              "create of a communicator");
  bool is_any_null = false;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i].state()->handle = ranks[i].communicator;
    is_any_null = is_any_null || ranks[i].communicator == nullptr;
  }
  if (is_any_null) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: create of a communicator succeeds and gives no handle; tell the "
                            "plugin's author",
                            device.name()));
  }
  return made;
}

void call(const Communicator::State& communicator,
          sy_status (*slot)(sy_communicator_args*, sy_error*), std::string_view name) {
  sy_communicator_args args{sizeof(args), 0, nullptr, communicator.handle};
  communicator.device->call(
      PluginFunction(slot, "a call of a communicator", &communicator.device->calls()), args, name);
}

}  // namespace

bool Communicator::is_available(const Device& device) {
  return find_collectives(*device.open()) != nullptr;
}

Communicator::Communicator(const Device& device, const CommunicatorId& id, Int rank, Int size,
                           const CommunicatorOptions& options) {
  check_numbers(rank, size, options);
  const auto made = join(std::span(&device, 1), id, static_cast<std::uint32_t>(rank),
                         static_cast<std::uint32_t>(size), options);
  state_ = made[0].state_;
}

std::vector<Communicator> Communicator::all(std::span<const Device> devices,
                                            const CommunicatorOptions& options) {
  const auto size = static_cast<std::int64_t>(devices.size());
  if (size == 0) refuse("there are no devices");
  check_numbers(0, size, options);
  check_devices(devices);
  return join(devices, CommunicatorId::make(devices[0]), 0, static_cast<std::uint32_t>(size),
              options);
}

Device Communicator::device() const { return Device(state_->device); }
int Communicator::rank() const { return static_cast<int>(state_->rank); }
int Communicator::size() const { return static_cast<int>(state_->size); }

void Communicator::abort() const {
  state_->require_alive("abort");
  call(*state_, state_->collectives.abort, "abort of a communicator");
}

void Communicator::check() const {
  state_->require_alive("check");
  call(*state_, state_->collectives.check, "check of a communicator");
}

}  // namespace switchyard
