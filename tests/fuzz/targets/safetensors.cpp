// Reads the bytes as a safetensors file.
#include "io/safetensors.hpp"
#include "outcome.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace switchyard;
  fuzz::succeeds([&] { read_safetensors_bytes(fuzz::as_bytes(data, size), "file"); });
  return 0;
}
