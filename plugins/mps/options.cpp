#include "options.hpp"

#include "switchyard/plugin/options.hpp"

namespace mps {
namespace {

DeviceKind read_device(const std::string& name) {
  if (name == "metal") return DeviceKind::metal;
  if (name == "software") return DeviceKind::software;
  throw sy::invalid("option device is \"", name, "\"; it must be \"metal\" or \"software\"");
}

bool read_memory(const std::string& name) {
  if (name == "unified") return true;
  if (name == "discrete") return false;
  throw sy::invalid("option software.memory is \"", name,
                    "\"; it must be \"unified\" or \"discrete\"");
}

// Ratios of the recommended working set.
double read_watermark(const sy::Options& options, std::string_view key, double otherwise) {
  const double ratio = options.real(key, otherwise);
  if (ratio >= 0 && ratio <= 2) return ratio;
  throw sy::invalid("option ", key, " is ", ratio,
                    "; it must be from 0 to 2 (times the working set that the system recommends)");
}

}  // namespace

Options read_options(const sy_host& host) {
  const sy::Options given(host);
  given.refuse_others({"device", "software.memory", "software.execute", "low_watermark",
                       "high_watermark", "commit_operations", "commit_megabytes",
                       "graph_cache_megabytes", "fast_math", "capture"});
  Options options;
  options.device = read_device(given.text("device", "metal"));
  options.unified_memory = read_memory(given.text("software.memory", "unified"));
  options.execute = given.flag("software.execute", true);
  options.watermarks.low = read_watermark(given, "low_watermark", options.watermarks.low);
  options.watermarks.high = read_watermark(given, "high_watermark", options.watermarks.high);
  options.commit.operations =
      static_cast<uint32_t>(given.integer("commit_operations", 64, 1, 10'000));
  options.commit.bytes = static_cast<uint64_t>(given.integer("commit_megabytes", 64, 1, 1 << 20))
                         << 20;
  options.graph_cache_bytes =
      static_cast<size_t>(given.integer("graph_cache_megabytes", 256, 1, 1 << 20)) << 20;
  options.fast_math = given.flag("fast_math", false);
  options.capture = given.text("capture", "");
  return options;
}

}  // namespace mps
