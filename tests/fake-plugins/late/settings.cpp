#include "settings.hpp"

#include "switchyard/plugin/options.hpp"

namespace late {
namespace {

sy_memory_kind memory_kind(const std::string& name) {
  if (name == "address") return SY_MEMORY_ADDRESS;
  if (name == "mappable") return SY_MEMORY_MAPPABLE;
  if (name == "opaque") return SY_MEMORY_OPAQUE;
  throw sy::invalid("option memory is ", name, "; it must be address, mappable or opaque");
}

}  // namespace

Settings read_settings(const sy_host& host) {
  const sy::Options options(host);
  options.reject_unknown({"kernels", "devices", "memory", "caches_memory", "imports_host_memory",
                          "has_events", "only_onnx", "has_integers", "shows_counter", "synchronous",
                          "collectives", "delay_microseconds", "batch", "seed", "refused",
                          "transient", "out_of_memory", "waits", "late"});
  Settings settings;
  settings.kernels = options.text("kernels", "");
  settings.devices = static_cast<uint32_t>(options.integer("devices", 2, 1, 8));
  settings.memory = memory_kind(options.text("memory", "opaque"));
  settings.caches_memory = options.flag("caches_memory", false);
  settings.imports_host_memory = options.flag("imports_host_memory", false);
  settings.has_events = options.flag("has_events", true);
  settings.only_onnx = options.flag("only_onnx", false);
  settings.has_integers = options.flag("has_integers", true);
  settings.shows_counter = options.flag("shows_counter", false);
  settings.synchronous = options.flag("synchronous", false);
  settings.collectives = options.flag("collectives", false);
  settings.delay_microseconds = options.integer("delay_microseconds", 0, 0, 1'000'000);
  settings.batch = options.integer("batch", 1, 1, 1'000'000);
  settings.seed = static_cast<uint64_t>(options.integer("seed", 1));
  settings.refused = options.integer("refused", 0, 0, 1000);
  settings.transient = options.integer("transient", 0, 0, 1000);
  settings.out_of_memory = options.integer("out_of_memory", 0, 0, 1000);
  settings.waits = options.integer("waits", 0, 0, 1000);
  settings.late = options.integer("late", 0, 0, 1000);
  return settings;
}

}  // namespace late
