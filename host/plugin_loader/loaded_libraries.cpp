#include "plugin_loader/loaded_libraries.hpp"

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <cstdint>
#else
#include <link.h>

#include <cstddef>
#endif

namespace switchyard {

#ifdef __APPLE__

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> files;
  for (std::uint32_t i = 1; i < ::_dyld_image_count(); ++i) {  // 0 is the program
    const char* name = ::_dyld_get_image_name(i);
    if (name != nullptr) files.emplace_back(name);
  }
  return files;
}

#else

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> files;
  const auto add = [](dl_phdr_info* info, std::size_t, void* list) {
    const std::string name = info->dlpi_name;
    if (!name.empty() && name[0] == '/') {
      static_cast<std::vector<std::string>*>(list)->push_back(name);
    }
    return 0;
  };
  ::dl_iterate_phdr(add, &files);
  return files;
}

#endif

}  // namespace switchyard
