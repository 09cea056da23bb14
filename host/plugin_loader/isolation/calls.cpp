#include "plugin_loader/isolation/calls.hpp"

#include <array>
#include <cstddef>

namespace switchyard::isolation {
namespace {

constexpr auto kCalls = static_cast<std::size_t>(Call::count);

std::array<std::string_view, kCalls> all_doings() {
  std::array<std::string_view, kCalls> doings{};
  const auto set = [&](Call call, std::string_view text) {
    doings[static_cast<std::size_t>(call)] = text;
  };
  set(Call::load, "loaded the library");
  set(Call::enter, "entered the library");
  set(Call::compile, "compiled a kernel");
  set(Call::infer_shapes, "told the shapes of an op's outputs");
  for_each_slot([&](Call call, std::string_view text, auto, auto) { set(call, text); });
  return doings;
}

}  // namespace

std::string_view doing(Call call) noexcept {
  static const std::array<std::string_view, kCalls> doings = all_doings();
  return doings[static_cast<std::size_t>(call)];
}

}  // namespace switchyard::isolation
