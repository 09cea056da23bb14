// One model on Switchyard under the clock, as models/compare.mjs asks for it. MODELS.md has the
// protocol, which onnxruntime_server.mjs speaks too, and says what is counted.
//
//   switchyard_bench_model MODEL INPUTS THREADS CONFIG
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "config/config.hpp"
#include "onnx/files/value_file.hpp"
#include "tensor/engine.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/placement.hpp"

namespace switchyard::bench {
namespace {

namespace fs = std::filesystem;
using Nanoseconds = std::chrono::nanoseconds;

Runtime start(const std::string& config, const std::string& threads) {
  ConfigRequest request;
  request.file = config;
  request.flags = {{ConfigFlag::Kind::set, "plugins.cpu.options.threads=" + threads}};
  return Runtime(Engine::start(load_config(request)));
}

/// A model with the arrays that it is run on, as a caller holds them.
class Contestant {
 public:
  Contestant(const fs::path& model, const fs::path& inputs, Runtime runtime)
      : runtime_(std::move(runtime)), model_(Model::load(runtime_, model)) {
    for (std::size_t i = 0; i < model_.inputs().size(); ++i) {
      const fs::path file = inputs / fmt::format("input_{}.pb", i);
      if (fs::exists(file)) arrays_.push_back({model_.inputs()[i].name, read_tensor_pb(file)});
    }
  }

  /// From the caller's arrays to outputs that are complete.
  Nanoseconds time_once() {
    outputs_.clear();
    const auto start = std::chrono::steady_clock::now();
    std::vector<NamedValue> inputs;
    for (const auto& [name, value] : arrays_) {
      const Literal& array = value.tensor();
      inputs.push_back(
          {name, host_tensor_from_bytes(array.dtype(), {array.bytes(), array.size_bytes()},
                                        array.shape())});
    }
    outputs_ = model_.run(std::move(inputs));
    device_.synchronize();
    return std::chrono::steady_clock::now() - start;
  }

  void write_outputs(const fs::path& folder) const {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      CopyCount count;
      const Literal value = read_to_host(TensorRef(outputs_[i].tensor.impl()), count);
      write_tensor_pb(folder / fmt::format("output_{}.pb", i), value, outputs_[i].name);
    }
  }

 private:
  struct Array {
    std::string name;
    StoredValue value;
  };

  Runtime runtime_;
  Device device_ = runtime_.default_device();
  Model model_;
  std::vector<Array> arrays_;
  std::vector<NamedValue> outputs_;
};

void serve(Contestant& contestant) {
  contestant.time_once();
  std::cout << "ready" << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string verb = line.substr(0, space);
    const std::string argument = space < line.size() ? line.substr(space + 1) : "";
    std::string answer = "ok";
    if (verb == "time") {
      answer.clear();
      for (int left = std::stoi(argument); left > 0; --left) {
        answer += fmt::format("{} ", contestant.time_once().count());
      }
    } else if (verb == "write") {
      contestant.write_outputs(argument);
    } else {
      answer = "there is no " + verb;
    }
    std::cout << answer << std::endl;
  }
}

}  // namespace
}  // namespace switchyard::bench

int main(int count, char** arguments) {
  using namespace switchyard::bench;
  if (count != 5) {
    std::cerr << "usage: switchyard_bench_model MODEL INPUTS THREADS CONFIG\n";
    return 2;
  }
  try {
    Contestant contestant(arguments[1], arguments[2], start(arguments[4], arguments[3]));
    serve(contestant);
  } catch (const std::exception& error) {
    std::cerr << "switchyard_bench_model: " << error.what() << '\n';
    return 2;
  }
}
