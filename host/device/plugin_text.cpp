#include "device/plugin_text.hpp"

#include <cstddef>
#include <exception>

namespace switchyard {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

}  // namespace

sy_status PluginText::append(void* context, const char* text, std::uint64_t size_bytes) noexcept {
  auto& written = *static_cast<std::string*>(context);
  if (size_bytes > kMostBytes - written.size()) return SY_OUT_OF_MEMORY;
  try {
    written.append(text, size_bytes);
  } catch (const std::exception&) {
    return SY_OUT_OF_MEMORY;
  }
  return SY_OK;
}

}  // namespace switchyard
