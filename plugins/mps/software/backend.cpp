#include "software/backend.hpp"

#include <list>
#include <mutex>
#include <tuple>

#include "software/device.hpp"

namespace mps::software {
namespace {

auto fields(const Settings& settings) {
  return std::tie(settings.unified, settings.memory_bytes, settings.order, settings.seed,
                  settings.threads, settings.compiler, settings.cache_folder, settings.execute);
}

class Backend final : public seam::Backend {
 public:
  explicit Backend(const Settings& settings) : settings_(settings) {}
  const Settings& settings() const { return settings_; }

  std::vector<seam::Check> checks() const override {
    return {{"software device", true,
             "Metal is imitated on the processor, as the options ask; it is slow"}};
  }
  std::vector<seam::DeviceInfo> devices() const override { return {describe_device(settings_)}; }
  seam::Ref<seam::Device> open(size_t index) const override {
    if (index != 0) {
      throw seam::Failure(seam::Fault::invalid,
                          "no software device " + std::to_string(index) + "; there is one, 0");
    }
    return std::make_shared<Device>(settings_);
  }

 private:
  const Settings settings_;
};

}  // namespace

const seam::Backend& backend(const Settings& settings) {
  if (settings.threads < 1 || settings.threads > 2) {
    throw seam::Failure(seam::Fault::invalid,
                        "the software device runs threadgroups on 1 or 2 threads, not on " +
                            std::to_string(settings.threads));
  }
  static auto& guard = *new std::mutex;
  static auto& backends = *new std::list<Backend>;
  const std::lock_guard lock(guard);
  for (const Backend& known : backends) {
    if (fields(known.settings()) == fields(settings)) return known;
  }
  return backends.emplace_back(settings);
}

}  // namespace mps::software
