#include <switchyard/nn/fold.hpp>

#include <fmt/format.h>

#include "nn/python_text.hpp"

namespace switchyard::nn {
namespace {

std::string text_of_windows(const Dims& kernel_size, const UnfoldOptions& options) {
  return fmt::format("kernel_size={}, dilation={}, padding={}, stride={}",
                     python_extents(kernel_size), python_extents(options.dilation),
                     python_extents(options.padding), python_extents(options.stride));
}

}  // namespace

Tensor Unfold::forward(const Tensor& x) { return unfold(x, kernel_size, options); }
Tensor Fold::forward(const Tensor& x) { return fold(x, output_size, kernel_size, options); }

std::string Unfold::extra_repr() const { return text_of_windows(kernel_size, options); }
std::string Fold::extra_repr() const {
  return fmt::format("output_size={}, {}", python_extents(output_size),
                     text_of_windows(kernel_size, options));
}

}  // namespace switchyard::nn
