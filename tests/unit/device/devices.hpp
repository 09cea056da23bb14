// Open devices of this build's plugins, without a runtime around them.
#pragma once

#include <memory>
#include <string>

#include "device/open_device.hpp"
#include "plugin_loader/fakes.hpp"

namespace switchyard {

inline std::filesystem::path plugin_library(const std::string& plugin) {
  return build_folder() / "plugins" / ("libswitchyard_" + plugin + ".so");
}

// As a runtime loads plugins, so that both may use one in the same process.
inline LoadContext device_context() {
  LoadContext context = trial_context();
  context.thread_limit = installed_context().thread_limit;
  return context;
}

inline LoadResult load_for_device(const std::filesystem::path& library,
                                  const std::string& more = "") {
  return load_library(library, more, device_context());
}

inline std::shared_ptr<const Plugin> loaded(const LoadResult& result) {
  if (result.failure) throw Error(ErrorKind::plugin, to_text(*result.failure, "mine"));
  return result.plugin;
}

struct DeviceChoice {
  std::uint32_t index = 0;
  std::size_t memory_limit = 0;
};

// The device of a fake; it is called "mine:INDEX".
inline std::shared_ptr<OpenDevice> open_fake(const std::string& variant, DeviceChoice choice = {}) {
  return std::make_shared<OpenDevice>(loaded(load_for_device(fake_library(variant))), choice.index,
                                      choice.index,
                                      Allocator::Limits{.bytes = choice.memory_limit});
}

// The same for a real plugin of this build. `options` are lines of its [plugins.mine.options].
inline std::shared_ptr<OpenDevice> open_plugin(const std::string& plugin,
                                               const std::string& options = "") {
  const std::string more = options.empty() ? "" : "[plugins.mine.options]\n" + options;
  return std::make_shared<OpenDevice>(loaded(load_for_device(plugin_library(plugin), more)), 0, 0,
                                      Allocator::Limits());
}

// By name: "template", "null", "cpu" or a fake's.
inline std::shared_ptr<OpenDevice> open_any(const std::string& name) {
  const bool is_real = name == "template" || name == "null" || name == "cpu";
  return is_real ? open_plugin(name) : open_fake(name);
}

}  // namespace switchyard
