// Where there is no Metal, its side of the seam says so.
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

class AbsentSide final : public Side {
 public:
  std::vector<Check> checks() const override { return {{"operating system", false, absence}}; }
  std::vector<DeviceInfo> devices() const override { return {}; }
  Ref<Device> open(size_t) const override { throw Failure(Fault::unsupported, absence); }
};

}  // namespace

const Side& metal_side() {
  static const auto& side = *new AbsentSide;
  return side;
}

}  // namespace mps::seam

#endif
