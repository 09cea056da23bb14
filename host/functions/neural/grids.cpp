// Images read at positions, and such positions.
#include <fmt/format.h>

#include <array>
#include <string>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kGridSample("GridSample"), kAffineGrid("AffineGrid");

// In the order of the enums.
constexpr std::array<std::string_view, 3> kGridModes = {"linear", "nearest", "cubic"},
                                          kGridPaddings = {"zeros", "border", "reflection"};

void require_grid(const Tensor& x, const Tensor& grid, GridSampleMode mode) {
  require_floating("grid_sample", x);
  require_rank("grid_sample", x, 4, mode == GridSampleMode::bicubic ? 4 : 5);
  require_rank("grid_sample", grid, x.dim(), x.dim());
  bool fits = grid.dtype() == x.dtype() && grid.size(0) == x.size(0) &&
              grid.size(-1) == x.dim() - 2 && x.size(1) > 0;
  for (std::int64_t d = 2; d < x.dim(); ++d) fits = fits && x.size(d) > 0;
  if (fits) return;
  throw Error(grid.dtype() == x.dtype() ? ErrorKind::shape_mismatch : ErrorKind::invalid_argument,
              fmt::format("[grid_sample] images {} and positions {} do not go together: they must "
                          "be [N, C, H, W] and [N, rows, columns, 2], or [N, C, D, H, W] and [N, "
                          "depth, rows, columns, 3], of one type, with at least one pixel",
                          describe(x.dtype(), x.shape()), describe(grid.dtype(), grid.shape())));
}

}  // namespace

Tensor grid_sample(const Tensor& x, const Tensor& grid, const GridSampleOptions& options) {
  const CalledFunction here;
  require_grid(x, grid, options.mode);
  return kGridSample(
      {x, grid},
      attributes({{"align_corners", std::int64_t{options.align_corners}},
                  {"mode", std::string(kGridModes.at(static_cast<std::size_t>(options.mode)))},
                  {"padding_mode", std::string(kGridPaddings.at(
                                       static_cast<std::size_t>(options.padding_mode)))}}));
}

Tensor affine_grid(const Tensor& theta, const Dims& size, Flag align_corners) {
  const CalledFunction here;
  require_floating("affine_grid", theta);
  require_rank("affine_grid", theta, 3, 3);
  const auto rank = static_cast<std::int64_t>(size.size());
  bool fits = rank == 4 || rank == 5;
  for (const std::int64_t extent : size) fits = fits && extent > 0;
  if (!fits || theta.shape() != Dims{size[0], rank - 2, rank - 1}) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[affine_grid] theta {} and size {} do not go together: they must be "
                            "[N, 2, 3] and [N, C, H, W], or [N, 3, 4] and [N, C, D, H, W]",
                            describe(theta.shape()), listed(size)));
  }
  return kAffineGrid({theta, int64s(size)},
                     attributes({{"align_corners", std::int64_t{align_corners}}}));
}

}  // namespace switchyard
