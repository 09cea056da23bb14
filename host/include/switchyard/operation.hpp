/// @file
/// Ops that a program names at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// The value of an op's attribute, as `{"axis", 1}`, `{"alpha", 0.5}`, `{"mode", "linear"}` and
/// `{"axes", {0, 1}}` have it. Attributes have no doubles: those given become floats.
class AttributeArgument {
 public:
  /// What attributes hold; a truth value is the integer 0 or 1.
  using Value = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>,
                             std::vector<float>, std::vector<std::string>, Tensor>;

  /// One integer, truth value or float.
  /// @{
  template <Integer T>
  AttributeArgument(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::same_as<bool> T>
  AttributeArgument(T value) : value_(std::int64_t{value}) {}
  template <std::floating_point T>
  AttributeArgument(T value) : value_(static_cast<float>(value)) {}
  /// @}
  /// A text.
  /// @{
  AttributeArgument(const char* text) : value_(std::string(Text(text))) {}
  AttributeArgument(std::string_view text) : value_(std::string(text)) {}
  AttributeArgument(std::string text) : value_(std::move(text)) {}
  AttributeArgument(std::nullptr_t) = delete;
  /// @}
  /// A list in braces, of integers, floats or texts, also of one: `{"axes", {1}}`. An empty one has
  /// no type: give a vector.
  /// @{
  template <Integer T>
  AttributeArgument(std::initializer_list<T> list)
      : value_(std::vector<std::int64_t>(list.begin(), list.end())) {}
  template <std::floating_point T>
  AttributeArgument(std::initializer_list<T> list) : value_(std::vector<float>()) {
    for (const T value : list) {
      std::get<std::vector<float>>(value_).push_back(static_cast<float>(value));
    }
  }
  AttributeArgument(std::initializer_list<std::string_view> list)
      : value_(std::vector<std::string>(list.begin(), list.end())) {}
  /// @}
  /// A list made at run time.
  /// @{
  AttributeArgument(std::vector<std::int64_t> list) : value_(std::move(list)) {}
  AttributeArgument(std::vector<float> list) : value_(std::move(list)) {}
  AttributeArgument(std::vector<std::string> list) : value_(std::move(list)) {}
  /// @}
  /// Elements.
  AttributeArgument(Tensor elements) : value_(std::move(elements)) {}

  /// As given.
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  Value value_;
};

/// Attributes by name: `{{"axis", 1}, {"largest", 0}}`.
using AttributeArguments = std::vector<std::pair<std::string, AttributeArgument>>;

/// An op with its attributes, ready to be called: an ONNX op in its newest form, made by
/// Runtime::operation(). Gradients flow through it as through functions. Immutable; any thread may
/// call it.
class SWITCHYARD_API Operation {
 public:
  // Moving copies, so that a handle which was moved from is still one.
  Operation(const Operation&) = default;
  Operation& operator=(const Operation&) = default;

  /// Runs on the first device in the order that supports it; where an input requires a gradient,
  /// on the device where its inputs lie, as functions do. An empty tensor leaves an optional input
  /// out. Gives the op's outputs, but for the optional ones at its end. Throws
  /// Error(invalid_argument) for inputs that the op cannot take, and where it has a variable number
  /// of outputs, as Split does: say how many.
  ///
  /// Ops that only show their input's elements in another way, as Identity, Reshape, Transpose,
  /// Slice, Split, Expand and a Cast to the same type do, give views of it, as the functions do:
  /// writing to the output in place writes to the input. clone() makes a copy.
  /// @{
  [[nodiscard]] std::vector<Tensor> operator()(std::span<const Tensor> inputs) const;
  [[nodiscard]] std::vector<Tensor> operator()(std::initializer_list<Tensor> inputs) const {
    return (*this)(std::span(inputs.begin(), inputs.size()));
  }
  /// @}
  /// The same with the first `output_count` outputs, optional ones among them, or so many of a
  /// variable number. Throws Error(invalid_argument) for 0, and where the op has fewer.
  /// @{
  [[nodiscard]] std::vector<Tensor> operator()(std::span<const Tensor> inputs,
                                               std::size_t output_count) const;
  [[nodiscard]] std::vector<Tensor> operator()(std::initializer_list<Tensor> inputs,
                                               std::size_t output_count) const {
    return (*this)(std::span(inputs.begin(), inputs.size()), output_count);
  }
  /// @}
  /// The first output, of the inputs in their order.
  /// @{
  [[nodiscard]] Tensor operator()(const Tensor& a) const;
  [[nodiscard]] Tensor operator()(const Tensor& a, const Tensor& b) const;
  template <std::convertible_to<Tensor>... T>
  [[nodiscard]] Tensor operator()(const Tensor& a, const Tensor& b, const Tensor& c,
                                  const T&... more) const {
    return (*this)({a, b, c, more...}).front();
  }
  /// @}

  struct State;

 private:
  friend class Runtime;
  explicit Operation(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace switchyard
