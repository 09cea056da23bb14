#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include <switchyard/functions/image.hpp>
#include <switchyard/functions/neural.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Padding by a rule: `valid` is nothing; `same` is what makes the output as long as the input,
/// which needs a stride of 1; where that is odd, the end has one more.
enum class PaddingRule { valid, same };

/// How much longer a convolution makes its input: numbers, the same at both ends of a dimension, or
/// a rule.
struct SWITCHYARD_API ConvPadding {
  /// Numbers, one for all spatial dimensions or one each; or a rule.
  /// @{
  template <Integer... T>
  requires(sizeof...(T) > 0) ConvPadding(T... extents) : extents(extents...) {}
  ConvPadding(const Dims& extents) : extents(extents) {}
  ConvPadding(PaddingRule rule) : rule(rule) {}
  /// @}

  Dims extents;                     ///< one number, or one for each spatial dimension
  std::optional<PaddingRule> rule;  ///< none where the extents say it
};

/// Of a convolution. Extents are one number for all spatial dimensions, or one each.
struct ConvolutionOptions {
  bool bias = true;         ///< whether a bias is learned, too
  Dims dilation = {1};      ///< from one element of a window to the next
  std::int64_t groups = 1;  ///< into which channels are divided; each sees its own alone
  ConvPadding padding = 0;  ///< at both ends
  PaddingMode padding_mode = PaddingMode::constant;  ///< zeros
  Dims stride = {1};                                 ///< from one window to the next
};

/// What convolutions share: weight [out, in / groups, kernel...], which starts uniform within
/// 1 / sqrt(in / groups * kernel), like bias [out]. Throw Error(invalid_argument) for options that
/// do not fit each other.
class SWITCHYARD_API Convolution : public Module {
 public:
  using Options = ConvolutionOptions;
  std::string extra_repr() const override;

  /// Elements before and behind each spatial dimension.
  struct Ends {
    Dims begin, end;  ///< one number for each spatial dimension
  };
  /// By how much each spatial dimension becomes longer.
  Ends padded_ends() const;

  Tensor weight, bias;  ///< learned; no bias where the options have none
  Dims kernel_size;
  ConvolutionOptions options;  ///< stride, dilation and padding with a number for each dimension

 protected:
  Convolution(std::size_t spatial, Int in_channels, Int out_channels, const Dims& kernel_size,
              const ConvolutionOptions& options);
  /// The input made longer by what the convolution itself cannot: by other modes than zeros, or at
  /// one end; and what is left to it.
  [[nodiscard]] Tensor padded(const Tensor& x) const;
  Dims remaining_padding() const;
};

/// [N, C, L] to [N, out, L']: `nn::Conv1d(16, 33, {3}, {.stride = {2}})`
class SWITCHYARD_API Conv1d : public Convolution {
 public:
  /// Starts at random. Throws Error(invalid_argument) for groups that do not divide the channels,
  /// extents of another count, and PaddingRule::same beside a stride.
  Conv1d(Int in_channels, Int out_channels, const Dims& kernel_size,
         const ConvolutionOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

/// [N, C, H, W] to [N, out, H', W']: `nn::Conv2d(1, 6, {5}, {.padding = PaddingRule::same})`
class SWITCHYARD_API Conv2d : public Convolution {
 public:
  /// As that of Conv1d.
  Conv2d(Int in_channels, Int out_channels, const Dims& kernel_size,
         const ConvolutionOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

/// [N, C, D, H, W] to [N, out, D', H', W']
class SWITCHYARD_API Conv3d : public Convolution {
 public:
  /// As that of Conv1d.
  Conv3d(Int in_channels, Int out_channels, const Dims& kernel_size,
         const ConvolutionOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

/// Of a transposed convolution. Extents are one number for all spatial dimensions, or one each.
struct ConvolutionTransposeOptions {
  bool bias = true;           ///< whether a bias is learned, too
  Dims dilation = {1};        ///< from one element of a window to the next
  std::int64_t groups = 1;    ///< into which channels are divided
  Dims output_padding = {0};  ///< elements more at the end, less than the stride or the dilation
  Dims padding = {0};         ///< elements less at both ends
  Dims stride = {1};          ///< from one window to the next
};

/// What transposed convolutions share: weight [in, out / groups, kernel...], which starts uniform
/// within 1 / sqrt(out / groups * kernel), like bias [out].
class SWITCHYARD_API ConvolutionTranspose : public Module {
 public:
  using Options = ConvolutionTransposeOptions;
  std::string extra_repr() const override;

  Tensor weight, bias;  ///< learned; no bias where the options have none
  Dims kernel_size;
  ConvolutionTransposeOptions options;  ///< with a number for each dimension

 protected:
  ConvolutionTranspose(std::size_t spatial, Int in_channels, Int out_channels,
                       const Dims& kernel_size, const ConvolutionTransposeOptions& options);
  /// What the function takes of the options.
  ConvTransposeOptions window() const;
};

/// [N, C, L] to [N, out, L'], where a Conv1d of these options would make L of L'.
class SWITCHYARD_API ConvTranspose1d : public ConvolutionTranspose {
 public:
  /// Starts at random. Throws Error(invalid_argument) for groups that do not divide the channels,
  /// and extents of another count.
  ConvTranspose1d(Int in_channels, Int out_channels, const Dims& kernel_size,
                  const ConvolutionTransposeOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

/// [N, C, H, W] to [N, out, H', W']: `nn::ConvTranspose2d(64, 32, 4, {.padding = 1, .stride = 2})`
/// makes each extent twice as large.
class SWITCHYARD_API ConvTranspose2d : public ConvolutionTranspose {
 public:
  /// As that of ConvTranspose1d.
  ConvTranspose2d(Int in_channels, Int out_channels, const Dims& kernel_size,
                  const ConvolutionTransposeOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

/// [N, C, D, H, W] to [N, out, D', H', W']
class SWITCHYARD_API ConvTranspose3d : public ConvolutionTranspose {
 public:
  /// As that of ConvTranspose1d.
  ConvTranspose3d(Int in_channels, Int out_channels, const Dims& kernel_size,
                  const ConvolutionTransposeOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

}  // namespace switchyard::nn
