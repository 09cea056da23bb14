// Reads the text as a configuration, and what is written of it once more.
#include <string_view>

#include "config/config.hpp"
#include "outcome.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace switchyard;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string written;
  const bool is_read =
      fuzz::succeeds([&] { written = to_text(parse_config(text, "fuzz", {}, Environment())); });
  if (!is_read) return 0;
  std::string again;
  const bool is_read_again =
      fuzz::succeeds([&] { again = to_text(parse_config(written, "fuzz", {}, Environment())); });
  if (!is_read_again) fuzz::report("a configuration as text is not read", written.c_str());
  return 0;
}
