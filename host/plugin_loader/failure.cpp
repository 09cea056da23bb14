#include "plugin_loader/failure.hpp"

#include <array>
#include <cstddef>

namespace switchyard {

std::string_view to_text(LoadProblem problem) noexcept {
  constexpr std::array<std::string_view, 12> texts = {
      "not found",     "not trusted",  "wrong sha256", "not loadable", "not opened", "no entry",
      "wrong version", "entry failed", "incomplete",   "probe failed", "crashed",    "wrong ops"};
  return texts[static_cast<std::size_t>(problem)];
}

}  // namespace switchyard
