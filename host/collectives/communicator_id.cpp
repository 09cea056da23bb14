#include <fmt/format.h>
#include <switchyard/collectives.h>

#include <algorithm>
#include <charconv>
#include <switchyard/collectives.hpp>
#include <switchyard/error.hpp>

#include "collectives/extension.hpp"
#include "plugin_loader/plugin_api.hpp"

namespace switchyard {

static_assert(CommunicatorId::kBytes == SY_COMMUNICATOR_ID_BYTES);

CommunicatorId CommunicatorId::make(const Device& device) {
  OpenDevice& open = *device.open();
  const sy_collectives& collectives = collectives_of(open, "CommunicatorId::make");
  sy_communicator_id_args args{};
  args.struct_size = sizeof(args);
  args.device = open.handle();
  static_cast<void>(open.stream());  // one that has failed recovers first
  open.call(PluginFunction(collectives.make_id, "make_id", &open.calls()), args, "make_id");
  CommunicatorId id;
  std::copy(std::begin(args.id), std::end(args.id), id.bytes_.begin());
  return id;
}

std::string CommunicatorId::text() const {
  std::string text;
  for (const std::uint8_t byte : bytes_) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

CommunicatorId CommunicatorId::from_text(Text text) {
  CommunicatorId id;
  bool is_whole = text.size() == 2 * kBytes;
  for (std::size_t i = 0; is_whole && i < kBytes; ++i) {
    const char* digits = text.data() + 2 * i;
    const auto [end, failure] = std::from_chars(digits, digits + 2, id.bytes_[i], 16);
    is_whole = failure == std::errc() && end == digits + 2;
  }
  if (is_whole) return id;
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("[CommunicatorId::from_text] the text of an id has {} hexadecimal digits, "
                  "as text() gives them; this one has {} characters",
                  2 * kBytes, text.size()));
}

}  // namespace switchyard
