#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

#include "ops/attributes.hpp"
#include "ops/literal.hpp"
#include "types/describe.hpp"

namespace switchyard {

/// What is known of a value: its type, and as much of its shape and bytes as can be known now.
struct ValueInfo {
  DType dtype = DType::undefined;    // undefined: an input left out
  std::optional<Dims> shape;         // nothing: rank unknown; an extent may be kUnknown
  const Literal* literal = nullptr;  // the value, where it is known (constants, host inputs)
  bool bounded = false;  // outputs: extents are upper bounds (NonZero), known after running
};

/// What a row's rules see of one node, and where they put its outputs. The same rules run when a
/// model is loaded, with unknown extents, and before a node runs, with all extents and host inputs
/// known.
class Inference {
 public:
  Inference(std::string_view op, const Attributes& attributes, std::span<const ValueInfo> inputs,
            std::span<ValueInfo> outputs)
      : op_(op), attributes_(attributes), inputs_(inputs), outputs_(outputs) {}

  std::string_view op() const { return op_; }
  const Attributes& attributes() const { return attributes_; }
  const ValueInfo& input(std::size_t i) const { return inputs_[i]; }
  std::size_t input_count() const { return inputs_.size(); }
  std::size_t output_count() const { return outputs_.size(); }

  bool has(std::size_t i) const {
    return i < inputs_.size() && inputs_[i].dtype != DType::undefined;
  }
  DType dtype(std::size_t i) const { return inputs_[i].dtype; }
  bool has_rank(std::size_t i) const { return has(i) && inputs_[i].shape.has_value(); }
  const Dims& shape(std::size_t i) const { return *inputs_[i].shape; }
  std::int64_t rank(std::size_t i) const { return static_cast<std::int64_t>(shape(i).size()); }

  /// The value of an input as integers, or nothing if it is not known yet.
  std::optional<std::vector<std::int64_t>> ints(std::size_t i) const;
  /// The value of an input as floats, or nothing if it is not known yet.
  std::optional<std::vector<float>> floats(std::size_t i) const;
  const Literal* literal(std::size_t i) const { return has(i) ? inputs_[i].literal : nullptr; }

  void set_dtype(std::size_t output, DType dtype) {
    if (output < outputs_.size()) outputs_[output].dtype = dtype;
  }
  void set_shape(std::size_t output, Dims shape) {
    if (output < outputs_.size()) outputs_[output].shape = std::move(shape);
  }
  /// Extents are upper bounds; the run tells the real ones.
  void set_bound(std::size_t output, Dims shape);
  DType output_dtype(std::size_t output) const { return outputs_[output].dtype; }
  const std::optional<Dims>& output_shape(std::size_t output) const {
    return outputs_[output].shape;
  }

  /// `axis` brought into [0, rank); an Error(model) that names the op if it lies outside.
  std::int64_t normalize_axis(std::int64_t axis, std::int64_t rank) const;

  /// Throws Error(model): "[Op] what".
  [[noreturn]] void fail(const std::string& what) const;
  /// The same as a ShapeMismatch: the inputs' shapes do not fit each other, or the op.
  [[noreturn]] void mismatch(const std::string& what) const;

 private:
  std::string_view op_;
  const Attributes& attributes_;
  std::span<const ValueInfo> inputs_;
  std::span<ValueInfo> outputs_;
};

}  // namespace switchyard
