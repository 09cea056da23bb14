#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include <switchyard/tensor.hpp>

#include "autograd/backward_step.hpp"
#include "autograd/saved.hpp"
#include "ops/attributes.hpp"
#include "routing/call.hpp"

namespace switchyard {

class Backward;

/// Gives the gradients of an op's inputs from those of its outputs. Written with the functions of
/// <switchyard/functions.hpp>, so that it has a gradient itself.
using GradientRule = void (*)(Backward&);

/// Bits of the inputs or outputs whose elements a rule reads: `saves(0, 2)`.
template <typename... I>
constexpr std::uint32_t saves(I... which) {
  return ((1U << which) | ... | 0U);
}
inline constexpr std::uint32_t kNothing = 0;
inline constexpr std::uint32_t kAll = ~0U;

/// The word "none": no gradient flows through the op.
inline constexpr GradientRule none = nullptr;

/// The gradient of one op of the contract.
struct RuleRow;

/// The row of those calls of an op whose attributes ask for another rule; null where they do not.
using RowOfForm = const RuleRow* (*)(const Attributes&);

struct RuleRow {
  std::string_view op;
  GradientRule rule;
  std::uint32_t inputs = kNothing;   // that the rule reads
  std::uint32_t outputs = kNothing;  // the same
  std::string_view domain = "";
  RowOfForm other = nullptr;
};

/// An op's way back, as its rule sees it. Inputs and outputs are numbered as in the contract.
class Backward {
 public:
  virtual const Attributes& attributes() const = 0;
  virtual std::size_t input_count() const = 0;
  /// Whether the call had that input, and whether it wants a gradient.
  virtual bool has_input(std::size_t i) const = 0;
  virtual bool wants(std::size_t i) const = 0;

  virtual const Dims& input_shape(std::size_t i) const = 0;
  virtual DType input_dtype(std::size_t i) const = 0;
  /// The elements, for those that the row says are saved; no tensor for an input that was left out.
  virtual Tensor input(std::size_t i) const = 0;
  virtual Tensor output(std::size_t i = 0) const = 0;
  /// Whether the call was asked for an output that the row says is saved.
  virtual bool has_output(std::size_t i) const = 0;

  /// Whether a gradient came for that output; and the gradient, zeros if none came.
  virtual bool arrives(std::size_t i) const = 0;
  virtual Tensor arriving(std::size_t i = 0) const = 0;

  /// Sets an input's gradient, which must have its shape and dtype.
  virtual void give(std::size_t i, Tensor gradient) = 0;

 protected:
  ~Backward() = default;
};

/// The op's row, or null if there is none, which is a bug: a test asks for a rule or the word
/// "none" for every op.
const RuleRow* rule_of(const Op& op);
/// The same for calls with such attributes.
const RuleRow* rule_of(const Op& op, const Attributes& attributes);

}  // namespace switchyard
