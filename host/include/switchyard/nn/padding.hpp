/// @file
/// pad() of the last dimensions as modules, of [N, C, spatial...] or [C, spatial...], in any dtype
/// that pad() takes. Gradient: to the input.
#pragma once

#include <cstddef>
#include <string>

#include <switchyard/functions/image.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// What lies beyond the edges of the last dimensions, as pad() makes it. Padding is one number for
/// all edges, or one for each, before and after the last dimension first: {left, right, top,
/// bottom}. Negative numbers cut off. Throw Error(invalid_argument) for other counts of numbers,
/// and Error(shape_mismatch) for inputs of other ranks, or too small to be mirrored or cut.
class SWITCHYARD_API Padding : public Module {
 public:
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Dims padding;  ///< a number for each edge
  /// What lies beyond the edges.
  PaddingMode mode;
  double value;  ///< of PaddingMode::constant

 protected:
  Padding(std::size_t spatial, const Dims& padding, PaddingMode mode, Real value = 0);
};

/// One value: `nn::ConstantPad1d(2, 3.5)`.
class SWITCHYARD_API ConstantPad1d : public Padding {
 public:
  /// That value, of [N, C, L] or [C, L].
  ConstantPad1d(const Dims& padding, Real value)
      : Padding(1, padding, PaddingMode::constant, value) {}
  std::string extra_repr() const override;
};
/// One value around images.
class SWITCHYARD_API ConstantPad2d : public Padding {
 public:
  /// That value, of [N, C, H, W] or [C, H, W].
  ConstantPad2d(const Dims& padding, Real value)
      : Padding(2, padding, PaddingMode::constant, value) {}
  std::string extra_repr() const override;
};
/// One value around volumes.
class SWITCHYARD_API ConstantPad3d : public Padding {
 public:
  /// That value, of [N, C, D, H, W] or [C, D, H, W].
  ConstantPad3d(const Dims& padding, Real value)
      : Padding(3, padding, PaddingMode::constant, value) {}
  std::string extra_repr() const override;
};
/// Zeros around images.
class SWITCHYARD_API ZeroPad2d : public Padding {
 public:
  /// Of [N, C, H, W] or [C, H, W].
  /// @{
  explicit ZeroPad2d(const Dims& padding) : Padding(2, padding, PaddingMode::constant) {}
  template <Integer T>
  explicit ZeroPad2d(Extents<T> padding) : ZeroPad2d(detail::to_dims(padding)) {}
  /// @}
};
/// The elements behind the edge mirrored; it stops short of the other edge.
class SWITCHYARD_API ReflectionPad1d : public Padding {
 public:
  /// Of [N, C, L] or [C, L].
  /// @{
  explicit ReflectionPad1d(const Dims& padding) : Padding(1, padding, PaddingMode::reflect) {}
  template <Integer T>
  explicit ReflectionPad1d(Extents<T> padding) : ReflectionPad1d(detail::to_dims(padding)) {}
  /// @}
};
/// The same around images.
class SWITCHYARD_API ReflectionPad2d : public Padding {
 public:
  /// Of [N, C, H, W] or [C, H, W].
  /// @{
  explicit ReflectionPad2d(const Dims& padding) : Padding(2, padding, PaddingMode::reflect) {}
  template <Integer T>
  explicit ReflectionPad2d(Extents<T> padding) : ReflectionPad2d(detail::to_dims(padding)) {}
  /// @}
};
/// The same around volumes.
class SWITCHYARD_API ReflectionPad3d : public Padding {
 public:
  /// Of [N, C, D, H, W] or [C, D, H, W].
  /// @{
  explicit ReflectionPad3d(const Dims& padding) : Padding(3, padding, PaddingMode::reflect) {}
  template <Integer T>
  explicit ReflectionPad3d(Extents<T> padding) : ReflectionPad3d(detail::to_dims(padding)) {}
  /// @}
};
/// The edge itself.
class SWITCHYARD_API ReplicationPad1d : public Padding {
 public:
  /// Of [N, C, L] or [C, L].
  /// @{
  explicit ReplicationPad1d(const Dims& padding) : Padding(1, padding, PaddingMode::replicate) {}
  template <Integer T>
  explicit ReplicationPad1d(Extents<T> padding) : ReplicationPad1d(detail::to_dims(padding)) {}
  /// @}
};
/// The same around images.
class SWITCHYARD_API ReplicationPad2d : public Padding {
 public:
  /// Of [N, C, H, W] or [C, H, W].
  /// @{
  explicit ReplicationPad2d(const Dims& padding) : Padding(2, padding, PaddingMode::replicate) {}
  template <Integer T>
  explicit ReplicationPad2d(Extents<T> padding) : ReplicationPad2d(detail::to_dims(padding)) {}
  /// @}
};
/// The same around volumes.
class SWITCHYARD_API ReplicationPad3d : public Padding {
 public:
  /// Of [N, C, D, H, W] or [C, D, H, W].
  /// @{
  explicit ReplicationPad3d(const Dims& padding) : Padding(3, padding, PaddingMode::replicate) {}
  template <Integer T>
  explicit ReplicationPad3d(Extents<T> padding) : ReplicationPad3d(detail::to_dims(padding)) {}
  /// @}
};

}  // namespace switchyard::nn
