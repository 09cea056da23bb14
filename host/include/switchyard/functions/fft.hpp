#pragma once

#include <optional>

#include <switchyard/functions/creation.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

/// Fourier transforms, named as in torch.fft. There are no complex dtypes: a tensor of complex
/// numbers has a last dimension of 2, real and imaginary part, as torch.view_as_real gives it.
/// Dimensions do not count it: `dim` -1 is the last but one of such a tensor. Real tensors have
/// none; `stack({x, zeros_like(x)}, -1)` makes complex numbers of them.
///
/// Any floating-point type, which the result has, too; integers and bools become float32. Any
/// extents, computed in n log n steps. Results are new tensors on the device of the argument, or
/// computed on the next one of the order that can, and copied back. All are linear, with gradients
/// of any order but fftfreq and rfftfreq, which have no argument. Error(invalid_argument) for a
/// dimension that is not there, a length below 1, and complex numbers without a last dimension of
/// 2.
namespace switchyard::fft {

/// What a transform forth and one back are divided by, for a length of n: together always n.
enum class Norm {
  backward,  // the one back by n
  ortho,     // each by the root of n
  forward    // the one forth by n
};

/// The transform of n complex numbers along `dim`. `n` is the extent if it is left out; a shorter
/// extent is filled up with zeros, and of a longer one the first n count: so in all functions here.
[[nodiscard]] SWITCHYARD_API Tensor fft(const Tensor& x, std::optional<Int> n = {}, Dim dim = -1,
                                        Norm norm = Norm::backward);
/// Back.
[[nodiscard]] SWITCHYARD_API Tensor ifft(const Tensor& x, std::optional<Int> n = {}, Dim dim = -1,
                                         Norm norm = Norm::backward);
/// The transform of n real numbers along `dim`: of the spectrum, which mirrors itself, the first
/// n / 2 + 1 complex numbers.
[[nodiscard]] SWITCHYARD_API Tensor rfft(const Tensor& x, std::optional<Int> n = {}, Dim dim = -1,
                                         Norm norm = Norm::backward);
/// Back to n real numbers, 2 (extent - 1) if it is left out. The imaginary parts of the first
/// number and, for an even n, of number n / 2 do not count.
[[nodiscard]] SWITCHYARD_API Tensor irfft(const Tensor& x, std::optional<Int> n = {}, Dim dim = -1,
                                          Norm norm = Norm::backward);

/// The four along two dimensions or more: `fft2` and `ifft2` along each of `dims`, rfft2 first
/// along the last of them as rfft, then as fft along the others, and irfft2 the other way round.
/// `shape` has a length for each of `dims`; empty, the lengths are those of the one-dimensional
/// functions.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor fft2(const Tensor& x, const Dims& shape = {},
                                         const Dims& dims = {-2, -1}, Norm norm = Norm::backward);
[[nodiscard]] SWITCHYARD_API Tensor ifft2(const Tensor& x, const Dims& shape = {},
                                          const Dims& dims = {-2, -1}, Norm norm = Norm::backward);
[[nodiscard]] SWITCHYARD_API Tensor rfft2(const Tensor& x, const Dims& shape = {},
                                          const Dims& dims = {-2, -1}, Norm norm = Norm::backward);
[[nodiscard]] SWITCHYARD_API Tensor irfft2(const Tensor& x, const Dims& shape = {},
                                           const Dims& dims = {-2, -1}, Norm norm = Norm::backward);
/// @}

/// Frequency 0 in the middle of each of `dims` rather than in front, and back. Of any type; as it
/// cannot be seen whether a last dimension of 2 holds parts of complex numbers, `dims` always names
/// the dimensions, and from the end it counts all of them: of complex numbers -2 is the last.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor fftshift(const Tensor& x, const Dims& dims);
[[nodiscard]] SWITCHYARD_API Tensor ifftshift(const Tensor& x, const Dims& dims);
/// @}

/// The frequencies of a transform of n numbers `spacing` apart, in its order: 0, 1, ... up to, but
/// not, n / 2, then the negative ones from -(n / 2) on, divided by n times spacing. float32 unless
/// the options say.
[[nodiscard]] SWITCHYARD_API Tensor fftfreq(Int n, Real spacing = 1,
                                            const TensorOptions& options = {});
/// Those of rfft: 0 to n / 2, none of them negative.
[[nodiscard]] SWITCHYARD_API Tensor rfftfreq(Int n, Real spacing = 1,
                                             const TensorOptions& options = {});

}  // namespace switchyard::fft
