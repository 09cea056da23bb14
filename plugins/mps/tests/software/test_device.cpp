#include "test_device.hpp"

#include <unistd.h>

#include <filesystem>

namespace mps::software::test {

Settings settings() {
  Settings settings;
  const auto folder =
      std::filesystem::temp_directory_path() / ("switchyard-software-" + std::to_string(getuid()));
  settings.cache_folder = folder.string();
  return settings;
}

seam::Ref<seam::Device> open(const Settings& settings) { return backend(settings).open(0); }

seam::Ref<seam::Pipeline> pipeline_of(seam::Device& device, std::string_view text,
                                      std::string_view function, const seam::Constants& constants) {
  const std::string whole =
      "#include <metal_stdlib>\nusing namespace metal;\n#line 1 \"test.metal\"\n" +
      std::string(text);
  return device.library({"test.metal", whole})->pipeline(function, constants);
}

Outcome run(seam::Device& device, const seam::Dispatch& dispatch) {
  const auto queue = device.queue("test");
  const auto commands = queue->command_buffer();
  Outcome outcome;
  commands->on_complete(
      [&](seam::State, const std::string& message) { outcome.message = message; });
  commands->dispatch(dispatch);
  commands->commit();
  outcome.state = commands->wait_until_done();
  return outcome;
}

}  // namespace mps::software::test
