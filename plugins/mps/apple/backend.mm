// Metal's backend of the seam: what is there, and whether it will do.
#include <mutex>

#include "apple/device.hpp"
#include "apple/device_info.hpp"
#include "apple/entry.hpp"
#include "apple/frameworks.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

constexpr NSOperatingSystemVersion oldest_system = {12, 3, 0};
constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

std::string gibibytes(uint64_t bytes) {
  const auto tenths = static_cast<uint64_t>(static_cast<double>(bytes) / gibibyte * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

std::string listed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
  return list;
}

seam::Check check_system() {
  NSProcessInfo* process = NSProcessInfo.processInfo;
  const std::string found = "macOS, " + utf8(process.operatingSystemVersionString);
  if ([process isOperatingSystemAtLeastVersion:oldest_system]) {
    return {"operating system", true, found};
  }
  return {"operating system", false,
          found + ", is too old; update it to macOS 12.3 or later, or list another device in "
                  "routing.order too"};
}

seam::Check check_found(NSArray<id<MTLDevice>>* devices) {
  if (devices.count == 0) {
    return {"Metal device", false,
            "Metal finds no device, as in a virtual machine without graphics; run on a Mac of its "
            "own, or list another device in routing.order too"};
  }
  std::vector<std::string> names;
  for (id<MTLDevice> device in devices) names.push_back(utf8(device.name));
  return {"Metal device", true, listed(names)};
}

seam::Check check_family(NSArray<id<MTLDevice>>* devices) {
  std::vector<std::string> fit;
  std::vector<std::string> old;
  for (id<MTLDevice> device in devices) {
    const std::string family = family_of(device);
    (family.empty() ? old : fit)
        .push_back(utf8(device.name) + " is " + (family.empty() ? "older than Mac 2" : family));
  }
  if (!fit.empty()) {
    return {"family", true, listed(fit) + (old.empty() ? "" : "; not used: " + listed(old))};
  }
  return {"family", false,
          listed(old) + "; a device of family Mac 2 or Apple 5 at least is needed, so list another "
                        "one in routing.order too"};
}

seam::Check check_memory(NSArray<id<MTLDevice>>* devices) {
  std::vector<std::string> sizes;
  bool passed = false;
  for (id<MTLDevice> device in devices) {
    passed = passed || device.recommendedMaxWorkingSetSize > 0;
    sizes.push_back(utf8(device.name) + " may use " +
                    gibibytes(device.recommendedMaxWorkingSetSize));
  }
  const std::string system =
      "; the system has " + gibibytes(NSProcessInfo.processInfo.physicalMemory);
  if (passed) return {"memory", true, listed(sizes) + system};
  return {"memory", false,
          listed(sizes) + system +
              "; Metal offers no memory, so close what uses the graphics, or "
              "list another device in routing.order too"};
}

class MetalBackend final : public seam::Backend {
 public:
  std::vector<seam::Check> checks() const override {
    return entry([&] { return checks_of(all_devices()); });
  }

  std::vector<seam::DeviceInfo> devices() const override {
    return entry([&] {
      std::vector<seam::DeviceInfo> infos;
      for (id<MTLDevice> device in fit_devices()) infos.push_back(info_of(device));
      return infos;
    });
  }

  seam::Ref<seam::Device> open(size_t index) const override {
    return entry([&]() -> seam::Ref<seam::Device> {
      NSArray<id<MTLDevice>>* devices = fit_devices();
      if (index >= devices.count) {
        refuse("no Metal device " + std::to_string(index) + "; there are " +
               std::to_string(devices.count));
      }
      return std::make_shared<Device>(devices[index]);
    });
  }

 private:
  static std::vector<seam::Check> checks_of(NSArray<id<MTLDevice>>* devices) {
    const seam::Check found = check_found(devices);
    if (!found.passed) return {check_system(), found};
    return {check_system(), found, check_family(devices), check_memory(devices)};
  }

  // Asked for once, so that an index keeps its meaning when devices come and go.
  NSArray<id<MTLDevice>>* all_devices() const {
    std::call_once(asked_, [&] { devices_ = MTLCopyAllDevices(); });
    return devices_;
  }

  NSArray<id<MTLDevice>>* fit_devices() const {
    NSArray<id<MTLDevice>>* devices = all_devices();
    for (const seam::Check& check : checks_of(devices)) {
      if (!check.passed) return @[];
    }
    NSMutableArray<id<MTLDevice>>* fit = [NSMutableArray array];
    for (id<MTLDevice> device in devices) {
      if (!family_of(device).empty()) [fit addObject:device];
    }
    return fit;
  }

  mutable std::once_flag asked_;
  mutable NSArray<id<MTLDevice>>* devices_ = nil;
};

}  // namespace
}  // namespace mps::apple

namespace mps::seam {

const Backend& metal_backend() {
  static const auto& backend = *new apple::MetalBackend;
  return backend;
}

}  // namespace mps::seam
