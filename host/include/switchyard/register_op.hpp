/// Ops of one's own, which models, `Runtime::operation` and configurations know by name.
///
///   register_op({.domain = "com.acme",
///                .name = "Film",
///                .signature = "x:T scale:T shift:T -> y:T",
///                .types = "T=float32|float64",
///                .shape = [](const OpCall& call) { return std::vector{call.input_shape(0)}; },
///                .body = "t = Mul (x, scale)\n y = Add (t, shift)"});
///   const Tensor y = runtime.operation("Film", {}, "com.acme")(inputs)[0];
///
/// Where a device of the order claims the op, it computes it. Else the op's kernel runs on the
/// host, and without one its function body. Plugins register ops as well: <switchyard/ops.h>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/element.hpp>
#include <switchyard/export.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

class Attributes;
class Backward;
class Literal;
struct Op;
struct ValueInfo;

/// One call of an op: its attributes, and what is known of its inputs, which are numbered as in the
/// signature. It lives as long as the function that it is given to runs. A position that the
/// signature does not have is Error(invalid_argument), and so is a name.
class SWITCHYARD_API OpCall {
 public:
  /// Those of the signature up to the last that is given, with any before it that are left out.
  [[nodiscard]] std::size_t input_count() const { return input_count_; }
  /// False for an optional input that is left out.
  [[nodiscard]] bool has_input(std::size_t i) const;
  /// DType::undefined for an input that is left out.
  [[nodiscard]] DType input_dtype(std::size_t i) const;
  /// An extent is -1 while a model is loaded and it is not known yet. Throws
  /// Error(invalid_argument) for an input that is left out.
  [[nodiscard]] const Dims& input_shape(std::size_t i) const;
  /// The integers in a host input (`!` in the signature), for shape rules; nothing while they are
  /// not known yet, and for an input that is left out. Throws Error(invalid_argument) for an input
  /// that is no host input or holds no integers.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> input_integers(std::size_t i) const;

  /// Whether the call has the attribute, as given or by default.
  [[nodiscard]] bool has_attribute(Text name) const;
  /// The values of attributes of the kinds int, float, text, ints, floats and texts. Another kind
  /// than the signature's, or an attribute that is left out, is Error(invalid_argument).
  /// @{
  [[nodiscard]] std::int64_t integer(Text name) const;
  [[nodiscard]] float number(Text name) const;
  [[nodiscard]] std::string_view text(Text name) const;
  [[nodiscard]] std::vector<std::int64_t> integers(Text name) const;
  [[nodiscard]] std::vector<float> numbers(Text name) const;
  [[nodiscard]] std::vector<std::string> texts(Text name) const;
  /// @}

  /// For the library's own use.
  /// @{
  const Op& op() const { return op_; }
  const Attributes& attributes() const { return attributes_; }
  const Literal* literal(std::size_t i) const;
  OpCall(const Op& op, const Attributes& attributes, std::span<const ValueInfo> inputs);
  OpCall(const OpCall&) = delete;
  OpCall& operator=(const OpCall&) = delete;
  /// @}

 protected:
  /// Throws Error(invalid_argument) for an input that the signature does not have.
  void require_position(std::size_t i) const;

 private:
  const Op& op_;
  const Attributes& attributes_;
  const ValueInfo* inputs_;
  std::size_t input_count_;
};

/// A call whose outputs are to be computed on the host. Inputs and outputs are contiguous.
class SWITCHYARD_API OpKernel : public OpCall {
 public:
  /// The elements, for reading. T must be the dtype's type.
  template <Element T>
  [[nodiscard]] std::span<const T> input(std::size_t i) const {
    return {static_cast<const T*>(input_elements(i, DTypeOf<T>::value)), input_size(i)};
  }
  /// The elements, which begin as zeros, to be written. T must be the dtype's type. A call may ask
  /// for fewer outputs than the signature has: the others are Error(invalid_argument).
  template <Element T>
  [[nodiscard]] std::span<T> output(std::size_t i) {
    T* elements = static_cast<T*>(output_elements(i, DTypeOf<T>::value));
    return {elements, output_size(i)};
  }
  /// What the signature and the shape rule tell of the outputs. The shape of one whose extents the
  /// kernel is to tell has -1 for these, before set_output_shape().
  /// @{
  [[nodiscard]] std::size_t output_count() const { return output_count_; }
  [[nodiscard]] DType output_dtype(std::size_t i) const;
  [[nodiscard]] const Dims& output_shape(std::size_t i) const;
  /// @}
  /// The shape of an output of which the shape rule could not tell all extents, before its elements
  /// are asked for. Throws Error(shape_mismatch) where it contradicts what the rule told.
  void set_output_shape(std::size_t i, const Dims& shape);

  struct Output;
  /// For the library's own use.
  OpKernel(const Op& op, const Attributes& attributes, std::span<const ValueInfo> infos,
           std::span<const Literal> inputs, Output* outputs, std::size_t output_count);

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  [[nodiscard]] const void* input_elements(std::size_t i, DType dtype) const;
  [[nodiscard]] std::size_t input_size(std::size_t i) const;
  [[nodiscard]] void* output_elements(std::size_t i, DType dtype);
  [[nodiscard]] std::size_t output_size(std::size_t i) const;
  [[nodiscard]] Output& output_at(std::size_t i) const;

  const Literal* inputs_;
  Output* outputs_;
  std::size_t output_count_;
};

/// A call whose inputs' gradients are to be told.
class SWITCHYARD_API OpGradient : public OpCall {
 public:
  /// Of the call, where the definition says that its gradient reads them; else
  /// Error(invalid_argument). An input or output that is left out holds nothing.
  /// @{
  [[nodiscard]] Tensor input(std::size_t i) const;
  [[nodiscard]] Tensor output(std::size_t i) const;
  /// @}
  /// The gradient of an output: zeros for one that nothing was made of, and a tensor that holds
  /// nothing for one that the call left out.
  [[nodiscard]] Tensor grad_output(std::size_t i) const;
  /// Whether the call made that output, which may be optional.
  [[nodiscard]] bool has_output(std::size_t i) const;
  /// Whether anybody asks for this input's gradient.
  [[nodiscard]] bool needs_grad_input(std::size_t i) const;
  /// Of the input's shape and dtype. One that is not set is zero.
  void set_grad_input(std::size_t i, const Tensor& gradient);

  /// For the library's own use.
  OpGradient(Backward& backward, std::span<const ValueInfo> inputs);

 private:
  Backward& backward_;
};

/// All that there is to know of an op.
///
/// `signature`: `name:Type` for each input, `->`, the same for each output; no name twice. A type
///   is a word that `types` explains, and all values of one word have one dtype; or dtypes
///   themselves, as `int32|int64`. Behind it may stand `?` for one that is optional, `*` for a last
///   input that comes once or more often, and `!` for a host input, whose values the shape rule
///   reads.
/// `attributes`: `name:kind` each, kind one of int, float, text, ints, floats and texts;
///   `name:kind=default` has a default, `name:kind!` must be given, others may be left out.
/// `types`: `T=float32|float64` each; `float`, `integer`, `numeric` and `all` name groups of
///   dtypes.
struct OpDefinition {
  std::string domain;           ///< One's own, as "com.acme".
  std::string name;             ///< In models and for Runtime::operation.
  int version = 1;              ///< Models that import an older version of the domain are refused.
  std::string signature;        ///< Inputs and outputs, as above.
  std::string attributes = {};  ///< As above.
  std::string types = {};       ///< As above.
  /// The outputs' shapes, in the order of the signature. Asked where the ranks of all inputs are
  /// known; an extent that cannot be told yet, or at all before the op has run, is -1. Inputs that
  /// do not fit: it throws Error(shape_mismatch), which is said of the model's node where a model
  /// is loaded. Must be given.
  std::function<std::vector<Dims>(const OpCall&)> shape;
  /// Simpler ops that make this one, as lines of ONNX text in the names of the signature; "" for
  /// none. They are of ONNX's newest opset, or of the domains switchyard and com.microsoft.
  /// Attributes of the op are `@name` there. What it makes must be what signature and shape rule
  /// tell: a call that finds otherwise is Error(invalid_argument).
  std::string body = {};
  /// Computes the outputs on the host, on the thread of the call; several threads may be in it at
  /// once. What it throws reaches who called the op, as it is. Where a device claims the op and
  /// refuses a call this is a fallback to "host", which [routing] may deny.
  std::function<void(OpKernel&)> kernel = {};
  /// Tells the gradients, with functions, so that they have gradients themselves. Without it a
  /// backward pass through the op is Error(unsupported).
  std::function<void(OpGradient&)> gradient = {};
  bool gradient_reads_inputs = true;    ///< They are kept for the backward pass.
  bool gradient_reads_outputs = false;  ///< The same.
  /// Equal inputs may give other results: a call whose inputs are known when a model is loaded is
  /// computed in each run, and not once.
  bool is_random = false;
  std::string summary = {};  ///< What it computes, for people.
};

/// Makes an op known to the whole process, for good. Any thread may call it; models that have the
/// op are loaded afterwards. Throws Error(invalid_argument) for a definition that makes no sense,
/// for a body that cannot be read or uses what there is not, for a domain that is not one's own
/// ("", ai.onnx, switchyard, com.microsoft and what begins with these and a dot), and for an op
/// that is known already.
SWITCHYARD_API void register_op(const OpDefinition& definition);

/// The ops that programs and plugins have registered, as "com.acme::Film", sorted.
[[nodiscard]] SWITCHYARD_API std::vector<std::string> registered_ops();

}  // namespace switchyard
