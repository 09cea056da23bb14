#include "collectives/communicator_state.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <utility>

#include "device/forks.hpp"
#include "plugin_loader/plugin_api.hpp"

namespace switchyard {
namespace {

std::uint32_t forks_from_now_on() {
  watch_forks();
  return fork_count();
}

}  // namespace

Communicator::State::State(std::shared_ptr<OpenDevice> on, const sy_collectives& extension,
                           std::uint32_t as, std::uint32_t of)
    : device(std::move(on)),
      collectives(extension),
      rank(as),
      size(of),
      generation(device->generation()),
      forks(forks_from_now_on()) {}

// In a child of fork() it is the parent's to say that the rank has left.
Communicator::State::~State() {
  if (!handle || forks != fork_count()) return;
  uses.settle();
  sy_communicator_args args{sizeof(args), 0, nullptr, handle};
  PluginError error;
  device->note_call(PluginFunction(collectives.destroy, "destroy", &device->calls())(&args, &error),
                    error, "destroy of a communicator");
}

void Communicator::State::require_alive(std::string_view function) const {
  if (forks != fork_count()) {
    throw Error(ErrorKind::device_unavailable,
                fmt::format("[{}] {}: a communicator does not cross a fork(); use it in the "
                            "parent, or make one in the child after exec",
                            function, device->name()))
        .set_device(device->name());
  }
  if (generation == device->generation()) return;
  throw Error(ErrorKind::device_lost,
              fmt::format("[{}] {}: the device has failed and recovered since the communicator was "
                          "made; make another, on all ranks",
                          function, device->name()))
      .set_device(device->name());
}

}  // namespace switchyard
