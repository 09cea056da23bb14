/// @file
/// What parameters start with. All write in place, record no gradients, draw from the one stream of
/// random numbers (manual_seed) and give the tensor back. Errors: Error(invalid_argument) for a
/// value of the host, and for a dtype without the numbers: random ones are floating-point.
#pragma once

#include <optional>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard::nn::init {

/// Numbers uniform in [low, high), or normal. Throws Error(invalid_argument) for bounds out of
/// order, and for a negative deviation.
/// @{
SWITCHYARD_API Tensor uniform_(const Tensor& tensor, Real low = 0, Real high = 1);
SWITCHYARD_API Tensor normal_(const Tensor& tensor, Real mean = 0, Real deviation = 1);
/// @}
/// One number everywhere, in any dtype.
/// @{
SWITCHYARD_API Tensor constant_(const Tensor& tensor, Real value);
SWITCHYARD_API Tensor zeros_(const Tensor& tensor);
SWITCHYARD_API Tensor ones_(const Tensor& tensor);
/// @}
/// Ones on the diagonal of a matrix, else zeros. Throws Error(shape_mismatch) for another rank.
SWITCHYARD_API Tensor eye_(const Tensor& tensor);

/// Normal numbers of that mean and deviation which lie in [a, b]. Throws Error(invalid_argument)
/// unless a < b and the deviation is above 0.
SWITCHYARD_API Tensor trunc_normal_(const Tensor& tensor, Real mean = 0, Real deviation = 1,
                                    Real a = -2, Real b = 2);
/// Of a matrix: normal numbers, of which a share of `sparsity` in each column, rounded up, is 0.
/// Throws Error(invalid_argument) for another rank, and unless sparsity lies in [0, 1].
SWITCHYARD_API Tensor sparse_(const Tensor& tensor, Real sparsity, Real deviation = 0.01);
/// Of a convolution's weight [out, in, kernel...] of rank 3 to 5: one that keeps as many channels
/// as it can as they are, in each of the groups. Throws Error(invalid_argument) for another rank,
/// and where `groups` does not divide the channels.
SWITCHYARD_API Tensor dirac_(const Tensor& weight, Int groups = 1);
/// Of a matrix, or of a weight as one [out, the rest]: rows that are orthogonal to each other, or
/// columns where there are more rows, all of length `gain`; each such matrix is as likely as the
/// others (Saxe and others, 2013). Made of linalg::qr of normal numbers. Throws
/// Error(invalid_argument) for a rank below 2.
SWITCHYARD_API Tensor orthogonal_(const Tensor& weight, Real gain = 1);

/// What follows a layer. `linear` is nothing: it is that of convolutions too.
enum class Nonlinearity { linear, sigmoid, tanh, relu, leaky_relu, selu };
/// How much it shrinks deviations. `slope` is for leaky_relu alone, whose slope is 0.01 if it is
/// left out; Error(invalid_argument) beside another.
[[nodiscard]] SWITCHYARD_API double calculate_gain(Nonlinearity nonlinearity,
                                                   std::optional<double> slope = {});

/// What fan_in_and_fan_out() gives.
struct Fans {
  double fan_in, fan_out;  ///< elements of the input and of the output
};
/// Of a weight [out, in, kernel...]: how many elements of the input one element of the output sums
/// over, and how many elements of the output one element of the input goes into. Throws
/// Error(shape_mismatch) for a rank below 2.
SWITCHYARD_API Fans fan_in_and_fan_out(const Tensor& weight);

/// Glorot and Bengio, 2010: uniform or normal numbers with a deviation of gain sqrt(2 / (in +
/// out)). Throws Error(shape_mismatch) for a rank below 2.
/// @{
SWITCHYARD_API Tensor xavier_uniform_(const Tensor& weight, Real gain = 1);
SWITCHYARD_API Tensor xavier_normal_(const Tensor& weight, Real gain = 1);
/// @}

/// Of kaiming_uniform_() and kaiming_normal_().
struct KaimingOptions {
  std::optional<double> a = {};  ///< the slope of leaky_relu, and for it alone; 0 if it is left out
  bool fan_out = false;          ///< by the elements of the output, not by those of the input
  Nonlinearity nonlinearity = Nonlinearity::leaky_relu;  ///< what follows the layer
};
/// He and others, 2015: uniform or normal numbers with a deviation of gain / sqrt(in), or
/// sqrt(out). Throws Error(shape_mismatch) for a rank below 2, Error(invalid_argument) for a slope
/// beside another nonlinearity.
/// @{
SWITCHYARD_API Tensor kaiming_uniform_(const Tensor& weight, const KaimingOptions& options = {});
SWITCHYARD_API Tensor kaiming_normal_(const Tensor& weight, const KaimingOptions& options = {});
/// @}

}  // namespace switchyard::nn::init
