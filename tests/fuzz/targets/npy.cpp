// Reads the bytes as a .npy file, as it says itself and as an element type that is asked for.
#include "io/npy.hpp"
#include "io/host_value.hpp"
#include "outcome.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace switchyard;
  const auto expected = static_cast<DType>(size % (static_cast<std::size_t>(kLastDType) + 1));
  for (const DType dtype : {DType::undefined, expected}) {
    fuzz::succeeds([&] { host_value(read_npy_bytes(fuzz::as_bytes(data, size), "file", dtype)); });
  }
  return 0;
}
