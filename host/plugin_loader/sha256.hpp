// SHA-256 (FIPS 180-4). Our own, because a checksum of one file is no reason to link a cryptography
// library into every host program; the tests hold it against the standard's vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace switchyard {

class Sha256 {
 public:
  void update(const void* data, std::size_t size_bytes);
  // The digest of all that was given, as 64 lower-case hexadecimal digits. Ends the computation.
  std::string finish();

 private:
  void consume(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_ = {};
  std::size_t pending_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace switchyard
