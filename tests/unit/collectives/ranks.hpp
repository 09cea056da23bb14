// Ranks on the devices of the fake plugin `late`, whose collectives meet in shared memory.
#pragma once

#include <functional>
#include <string>
#include <switchyard/collectives.hpp>
#include <switchyard/defaults.hpp>
#include <thread>
#include <vector>

#include "tensor/test_runtime.hpp"

namespace switchyard {

// Options of the fake; each is another kind of device.
inline constexpr const char* kDeviceKinds[] = {
    "", "synchronous = true", "synchronous = true\nmemory = \"address\"",
    "delay_microseconds = 60\nbatch = 100", "caches_memory = true\nhas_events = false"};

inline Runtime start_late(int devices, const std::string& options = "", bool collectives = true) {
  return start({{"late"},
                "",
                fmt::format("[plugins.late.options]\nkernels = \"{}\"\ndevices = {}\n"
                            "collectives = {}\n{}\n",
                            plugin_library("cpu").string(), devices, collectives, options),
                {"cpu"}});
}

inline std::vector<Device> devices_of(const Runtime& runtime, int count) {
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i) devices.push_back(runtime.device(fmt::format("late:{}", i)));
  return devices;
}

// Ranks that nobody waits for in vain: a mistake ends in a failed test.
inline const CommunicatorOptions kPatient{.timeout = std::chrono::minutes(2)};

// Each rank in a thread of its own, whose device is the current one there: work on another rank's
// would wait for that one's collectives. What `work` throws fails the test.
inline void on_each_rank(const Runtime& runtime, int size,
                         const std::function<void(const Communicator& rank)>& work,
                         const CommunicatorOptions& options = kPatient) {
  const std::vector<Device> devices = devices_of(runtime, size);
  const CommunicatorId id = CommunicatorId::make(devices[0]);
  std::vector<std::thread> threads;
  for (int i = 0; i < size; ++i) {
    threads.emplace_back([&, i] {
      try {
        const RuntimeScope scope(runtime);
        const Device& device = devices[static_cast<std::size_t>(i)];
        const DeviceScope here(device);
        work(Communicator(device, id, i, size, options));
      } catch (const Error& error) {
        ADD_FAILURE() << "rank " << i << ": " << error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace switchyard
