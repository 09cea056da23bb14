#include <switchyard/nn/padding.hpp>

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "functions/calls/require.hpp"
#include "nn/class_name.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {
namespace {

/// A number for each edge.
Dims all_edges(std::size_t spatial, const Dims& padding) {
  if (padding.size() == 2 * spatial) return padding;
  if (padding.size() == 1) return Dims::filled(2 * spatial, padding[0]);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[Pad{}d] padding {} has neither one number nor {}, one for each edge",
                          spatial, listed(padding), 2 * spatial));
}

}  // namespace

Padding::Padding(std::size_t spatial, const Dims& padding, PaddingMode mode, Real value)
    : padding(all_edges(spatial, padding)), mode(mode), value(value) {}

Tensor Padding::forward(const Tensor& x) {
  const auto spatial = static_cast<std::int64_t>(padding.size()) / 2;
  require_rank(class_name(*this), x, spatial + 1, spatial + 2);
  return mode == PaddingMode::constant ? pad(x, padding, mode, value) : pad(x, padding, mode);
}

std::string Padding::extra_repr() const { return python_tuple(padding); }
std::string ConstantPad1d::extra_repr() const {
  return fmt::format("padding={}, value={}", python_tuple(padding), python_text(value));
}
std::string ConstantPad2d::extra_repr() const {
  return fmt::format("padding={}, value={}", python_tuple(padding), python_text(value));
}
std::string ConstantPad3d::extra_repr() const {
  return fmt::format("padding={}, value={}", python_tuple(padding), python_text(value));
}

}  // namespace switchyard::nn
