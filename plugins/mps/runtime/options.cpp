#include "runtime/options.hpp"

#include <algorithm>

#include "switchyard/plugin/options.hpp"

namespace mps {
namespace {

// Ratios of the recommended working set.
double read_watermark(const sy::Options& options, std::string_view key, double otherwise) {
  return options.real(key, otherwise, 0, 2, "times the working set that the system recommends");
}

// Without a low watermark of its own, a low high one brings it down.
Watermarks read_watermarks(const sy::Options& options) {
  Watermarks marks;
  marks.high = read_watermark(options, "high_watermark", marks.high);
  const double most = marks.high > 0 ? marks.high : 2;
  marks.low = read_watermark(options, "low_watermark", std::min(marks.low, most));
  if (marks.low <= most) return marks;
  throw sy::invalid("option low_watermark is ", marks.low, ", above high_watermark, ", marks.high,
                    ": nothing is allocated beyond the high one, so the low one must be at most "
                    "that (or set high_watermark = 0, for no limit but the device's)");
}

}  // namespace

Options read_options(const sy_host& host) {
  const sy::Options given(host);
  given.reject_unknown({"device", "software.memory", "software.execute", "low_watermark",
                        "high_watermark", "commit_operations", "commit_megabytes",
                        "commits_in_flight", "graph_cache_megabytes", "graph_constant_kilobytes",
                        "fast_math", "fused_kernels", "profile", "capture"});
  Options options;
  if (given.choice("device", {"metal", "software"}) == "software") {
    options.device = DeviceKind::software;
  }
  options.unified_memory = given.choice("software.memory", {"unified", "discrete"}) == "unified";
  options.execute = given.flag("software.execute", true);
  options.watermarks = read_watermarks(given);
  options.commit.operations =
      static_cast<uint32_t>(given.integer("commit_operations", 64, 1, 10'000));
  options.commit.bytes = static_cast<uint64_t>(given.integer("commit_megabytes", 64, 1, 1 << 20))
                         << 20;
  options.commit.in_flight = static_cast<uint32_t>(given.integer("commits_in_flight", 16, 1, 64));
  options.graph_cache_bytes =
      static_cast<size_t>(given.integer("graph_cache_megabytes", 256, 1, 1 << 20)) << 20;
  options.graph_constant_bytes =
      static_cast<uint64_t>(given.integer("graph_constant_kilobytes", 64, 1, 1 << 30)) << 10;
  options.fast_math = given.flag("fast_math", false);
  if (given.has("fused_kernels")) options.fused_kernels = given.flag("fused_kernels", false);
  options.profile = given.flag("profile", false);
  options.capture = given.text("capture", "");
  if (SY_HAS(sy_host, &host, cache_folder) && host.cache_folder != nullptr) {
    options.cache_folder = host.cache_folder;
  }
  return options;
}

}  // namespace mps
