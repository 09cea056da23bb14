// Where there is no Metal, its backend of the seam says so.
#if !defined(__APPLE__)

#include "seam/seam.hpp"

namespace mps::seam {
namespace {

#if defined(__linux__)
constexpr const char* absence =
    "no Metal device: this is Linux; Metal needs a Mac with macOS 12.3 or later, so list another "
    "device in routing.order too";
#else
constexpr const char* absence =
    "no Metal device: this is not macOS; Metal needs a Mac with macOS 12.3 or later, so list "
    "another device in routing.order too";
#endif

class AbsentBackend final : public Backend {
 public:
  std::vector<Check> checks() const override { return {{"operating system", false, absence}}; }
  std::vector<DeviceInfo> devices() const override { return {}; }
  Ref<Device> open(size_t) const override { throw Failure(Fault::unsupported, absence); }
};

}  // namespace

const Backend& metal_backend() {
  static const auto& backend = *new AbsentBackend;
  return backend;
}

}  // namespace mps::seam

#endif
