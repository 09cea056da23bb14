#include "abi/backends.hpp"

#include "switchyard/plugin/guard.hpp"

#ifdef SWITCHYARD_MPS_SOFTWARE
#include "software/backend.hpp"
#endif

namespace mps {

const seam::Backend& backend_for(const Options& options) {
  if (options.device == DeviceKind::metal) return seam::metal_backend();
#ifdef SWITCHYARD_MPS_SOFTWARE
  software::Settings settings;
  settings.unified = options.unified_memory;
  settings.execute = options.execute;
  settings.cache_folder = options.cache_folder;
  return software::backend(settings);
#else
  throw sy::unsupported(SY_REASON_CONFIG,
                        "this build has no software device; set options.device to \"metal\"");
#endif
}

}  // namespace mps
