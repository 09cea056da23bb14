// Our kernels with one barrier taken out. Every test that opens a device runs on such a kernel if
// the environment says SWITCHYARD_MPS_MUTANT=SOURCE:BARRIER:SEED, as line.metal:0:1; the program in
// tests/barriers says so for each barrier in turn, and wants a test to fail. A barrier beyond the
// last takes none out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "seam/seam.hpp"

namespace mps::software::test {

// A call of threadgroup_barrier or simdgroup_barrier in a source: its bytes, up to the semicolon.
struct Barrier {
  size_t begin = 0;
  size_t end = 0;
};
std::vector<Barrier> barriers_of(std::string_view text);

// The text without it; its lines stay where they are.
std::string without(std::string_view text, const Barrier& barrier);

// A software device on which the kernels of one of our sources lack one barrier. `seed` shuffles
// the threads.
seam::Ref<seam::Device> open_mutant(const std::string& source, size_t barrier, uint64_t seed);

}  // namespace mps::software::test
