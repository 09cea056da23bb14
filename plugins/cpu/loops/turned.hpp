// Contiguous operands beside channels-last ones.
#pragma once

#include <array>
#include <optional>

#include "loops/elementwise.hpp"
#include "machine/scratch.hpp"

namespace cpu {

// The operands of an elementwise op, the output last. Inputs of the output's shape that lie in the
// other of these two layouts would be read a few elements at a time: they are turned over first,
// into copies that live as long as this.
class Turned {
 public:
  Turned(const Tensor* const* operands, int count);
  Turned(const Turned&) = delete;
  Turned& operator=(const Turned&) = delete;

  const Tensor* const* operands() const { return operands_.data(); }

 private:
  void turn(int operand, const Tensor& output);

  std::array<const Tensor*, max_operands> operands_;
  std::array<Tensor, max_operands> turned_;
  std::array<std::optional<Scratch<char>>, max_operands> rooms_;
};

}  // namespace cpu
