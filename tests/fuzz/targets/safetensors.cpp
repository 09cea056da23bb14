// Reads the bytes as a safetensors file.
#include <switchyard/io.hpp>

#include "memory_file.hpp"
#include "outcome.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace switchyard;
  static auto& file = *new fuzz::MemoryFile;
  file.hold(fuzz::as_bytes(data, size));
  fuzz::succeeds([] { load_safetensors(file.path()); });
  return 0;
}
