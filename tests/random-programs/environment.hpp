// Where a program runs: a configuration with two devices, and streams beside their own.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <switchyard/model.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/streams.hpp>
#include <vector>

#include "tensor/test_runtime.hpp"

namespace switchyard::random_programs {

/// How an environment is made.
struct Conditions {
  std::string name;
  Setup setup;
  std::vector<std::string> devices;  // two; a program may use one name for both
  bool has_streams = true;           // else everything runs on the devices' own
  bool may_fail = false;             // an Error ends a program, and the environment with it
};

/// Everything on cpu, in order: what each program must come to.
const Conditions& plain();

/// All others.
const std::vector<Conditions>& environments();

class Environment {
 public:
  static constexpr std::size_t kStreams = 3;  // of each device, its own among them

  explicit Environment(const Conditions& conditions);

  const Conditions& conditions;
  const Runtime runtime;
  std::vector<Device> devices;
  const Model model;

  /// Puts a stream of a device in the place of its own as long as the result lives.
  std::unique_ptr<StreamScope> on_stream(std::size_t device, std::size_t stream) const;
  const Stream& stream(std::size_t device, std::size_t stream) const {
    return streams_[device][stream];
  }

  /// The plugins that can say what went wrong in them.
  std::vector<std::shared_ptr<const Plugin>> plugins() const;

 private:
  std::vector<std::vector<Stream>> streams_;
};

}  // namespace switchyard::random_programs
