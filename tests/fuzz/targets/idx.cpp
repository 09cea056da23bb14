// Reads the bytes as an IDX file, plain or packed by gzip.
#include <switchyard/data.hpp>

#include "memory_file.hpp"
#include "outcome.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace switchyard;
  static auto& file = *new fuzz::MemoryFile;
  file.hold(fuzz::as_bytes(data, size));
  fuzz::succeeds([] { static_cast<void>(read_idx(file.path())); });
  return 0;
}
