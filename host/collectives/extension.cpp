#include "collectives/extension.hpp"

#include <fmt/format.h>

#include <array>
#include <switchyard/dtype.hpp>
#include <switchyard/error.hpp>

namespace switchyard {
namespace {

constexpr std::array<std::string_view, 6> kReductions = {"",         " sum",     " product",
                                                         " minimum", " maximum", " average"};

bool is_whole(const sy_collectives& given) {
  return given.make_id && given.create && given.destroy && given.abort && given.check &&
         given.enqueue;
}

}  // namespace

const sy_collectives* find_collectives(const OpenDevice& device) {
  const sy_extension* link = device.plugin().table().extensions;
  while (link &&
         (link->kind != SY_EXTENSION_COLLECTIVES || link->struct_size < sizeof(sy_collectives))) {
    link = link->next;
  }
  if (!link) return nullptr;
  const auto* found = reinterpret_cast<const sy_collectives*>(link);
  if (is_whole(*found)) return found;
  throw Error(ErrorKind::plugin,
              fmt::format("{}: the collectives of its plugin lack a slot that collectives.h "
                          "requires; tell the plugin's author",
                          device.name()));
}

const sy_collectives& collectives_of(const OpenDevice& device, std::string_view function) {
  if (const sy_collectives* found = find_collectives(device)) return *found;
  Error error(ErrorKind::unsupported,
              fmt::format("[{}] {}: its plugin has no collectives, or cannot show them from a "
                          "process of its own or through the validation layer; use a device that "
                          "has them, without isolation = \"process\" and validate = true",
                          function, device.name()));
  throw error.set_device(device.name());
}

void check_dtype(const OpenDevice& device, std::string_view function, sy_dtype dtype,
                 sy_reduction reduction) {
  const sy_collectives& collectives = collectives_of(device, function);
  const std::uint64_t taken = reduction == SY_REDUCE_NONE ? collectives.moved_dtypes
                                                          : collectives.reduced_dtypes[reduction];
  if ((taken & SY_DTYPE_BIT(dtype)) != 0) return;
  Error error(ErrorKind::unsupported,
              fmt::format("[{}] {}: its plugin has no {}{} of {}; convert the tensor with to() "
                          "first",
                          function, device.name(), function,
                          kReductions[static_cast<std::size_t>(reduction)],
                          name_of(static_cast<DType>(dtype))));
  throw error.set_device(device.name()).set_plugin_code("DTYPE");
}

}  // namespace switchyard
