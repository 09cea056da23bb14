// Places of a scatter that many updates meet. What they add or multiply is joined beside the
// output, in double, and rounded once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loops/convert.hpp"
#include "run/kernel.hpp"

namespace cpu {

class BusyPlaces {
 public:
  // `out` is contiguous, with `block` elements at each place, and holds what the updates join.
  // `places` has the place of every update.
  BusyPlaces(const Tensor& out, int64_t block, std::span<const int64_t> places, bool multiplies);

  // Joins the elements at `from`; false if the place is not a busy one.
  bool join(int64_t place, const char* from);
  void write() const;

 private:
  char* at(int64_t place) const;

  const Tensor& out_;
  int64_t block_;
  bool multiplies_;
  ConvertRow widen_;
  std::vector<int32_t> slots_;  // of each place; not_busy for most
  std::vector<int64_t> busy_;   // the place of each slot
  std::vector<double> joined_, update_;
};

}  // namespace cpu
