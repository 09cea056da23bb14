#include <fmt/format.h>

#include <array>
#include <switchyard/nn/upsampling.hpp>

#include "nn/python_text.hpp"

namespace switchyard::nn {
namespace {

const char* mode_text(InterpolationMode mode) {
  static constexpr std::array<const char*, 5> kNames = {"nearest", "linear", "bilinear",
                                                        "trilinear", "bicubic"};
  return kNames.at(static_cast<std::size_t>(mode));
}

}  // namespace

Tensor Upsample::forward(const Tensor& x) { return interpolate(x, options); }
Tensor PixelShuffle::forward(const Tensor& x) { return pixel_shuffle(x, upscale_factor); }
Tensor PixelUnshuffle::forward(const Tensor& x) { return pixel_unshuffle(x, downscale_factor); }

std::string Upsample::extra_repr() const {
  const std::string wanted = options.scale_factor
                                 ? "scale_factor=" + python_text(*options.scale_factor)
                                 : "size=" + python_extents(options.size);
  return fmt::format("{}, mode={}", wanted, mode_text(options.mode));
}
std::string PixelShuffle::extra_repr() const {
  return fmt::format("upscale_factor={}", upscale_factor);
}
std::string PixelUnshuffle::extra_repr() const {
  return fmt::format("downscale_factor={}", downscale_factor);
}

}  // namespace switchyard::nn
