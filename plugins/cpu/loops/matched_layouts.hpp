// Contiguous operands beside channels-last ones.
#pragma once

#include <array>
#include <optional>

#include "loops/elementwise.hpp"
#include "machine/scratch.hpp"

namespace cpu {

// The operands of an elementwise op, the output last. Inputs of the output's shape that lie in the
// other of these two layouts would be read a few elements at a time: they are copied first, into
// copies of its layout that live as long as this.
class MatchedLayouts {
 public:
  MatchedLayouts(const ConstTensor* const* operands, int count);
  MatchedLayouts(const MatchedLayouts&) = delete;
  MatchedLayouts& operator=(const MatchedLayouts&) = delete;

  const ConstTensor* const* operands() const { return operands_.data(); }

 private:
  void match(int operand, const ConstTensor& output);

  std::array<const ConstTensor*, max_operands> operands_;
  std::array<ConstTensor, max_operands> copies_;
  std::array<std::optional<Scratch<char>>, max_operands> buffers_;
};

}  // namespace cpu
