#include "cli/conform/devices/test_bytes.hpp"

#include <algorithm>
#include <cstdint>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

std::vector<std::byte> test_bytes(std::size_t count, unsigned seed) {
  std::vector<std::byte> bytes(count);
  std::uint32_t state = 2463534242u + seed * 7919u;
  for (std::byte& byte : bytes) {  // Marsaglia's xorshift
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    byte = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

void require_bytes(const std::vector<std::byte>& found, const std::vector<std::byte>& expected,
                   std::string_view what) {
  const auto [ours, theirs] =
      std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (ours == found.end() && theirs == expected.end()) return;
  if (ours == found.end() || theirs == expected.end()) {
    fail("{}: {} bytes, expected {}", what, found.size(), expected.size());
  }
  fail("{}: byte {} of {} is {}, expected {}", what, ours - found.begin(), found.size(),
       static_cast<int>(*ours), static_cast<int>(*theirs));
}

}  // namespace switchyard::cli::conform
