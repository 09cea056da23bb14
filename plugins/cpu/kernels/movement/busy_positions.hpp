// Positions of a scatter that many updates meet. What they add or multiply is joined beside the
// output, in double, and rounded once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loops/convert.hpp"
#include "run/kernel.hpp"

namespace cpu {

class BusyPositions {
 public:
  // `out` is contiguous, with `block` elements at each position, and holds what the updates join.
  // `positions` has the position of every update.
  BusyPositions(const Tensor& out, int64_t block, std::span<const int64_t> positions,
                bool multiplies);

  // Joins the elements at `from`; false if the position is not a busy one.
  bool join(int64_t position, const char* from);
  void write() const;

 private:
  char* at(int64_t position) const;

  const Tensor& out_;
  int64_t block_;
  bool multiplies_;
  ConvertRow widen_;
  std::vector<int32_t> slots_;  // of each position; not_busy for most
  std::vector<int64_t> busy_;   // the position of each slot
  std::vector<double> joined_, update_;
};

}  // namespace cpu
