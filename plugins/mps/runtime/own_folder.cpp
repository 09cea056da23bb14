#include "runtime/own_folder.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace mps {

std::string own_kernel_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_kernel_folder), &info) == 0 ||
      info.dli_fname == nullptr) {
    return {};
  }
  return (std::filesystem::path(info.dli_fname).parent_path() / "mps-kernels").string();
}

}  // namespace mps
