// Pooling all positions of a channel: a reduction of the spatial axes.
#include <cmath>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/reduction/reduce.hpp"
#include "loops/convert.hpp"
#include "loops/elementwise.hpp"
#include "loops/line_loop.hpp"
#include "loops/lines.hpp"

namespace cpu {
namespace {

uint64_t spatial_axes(const ConstTensor& x) { return all_axes(x.rank()) & ~uint64_t{3}; }

Prepared reducing(ReduceKind kind, ReduceFinish finish) {
  Prepared made;
  made.kernel = function_kernel([kind, finish](Call& call) {
    reduce(kind, finish, call.input(0), call.output(0), spatial_axes(call.input(0)));
  });
  return made;
}

Prepared make_global_average_pool(const sy::Node&) {
  return reducing(ReduceKind::sum, ReduceFinish::mean);
}

Prepared make_global_max_pool(const sy::Node&) {
  return reducing(ReduceKind::max, ReduceFinish::nothing);
}

template <typename W>
void reduce_powers(const ConstTensor& x, const Tensor& y, double p) {
  const uint64_t axes = spatial_axes(x);
  const std::array<LineOperand, 2> operands = {LineOperand::whole(x),
                                               LineOperand::reduced(y, axes, x.rank())};
  const LineWalk walk(x.shape, axes, operands);
  const ConvertRow store = convert_row(SY_FLOAT64, y.dtype);
  const auto body = [&](const W* line, W*, const LineOffsets& offsets, int64_t) {
    double sum = 0;
    for (int64_t i = 0; i < walk.length(); ++i) {
      sum += std::pow(std::abs(static_cast<double>(line[i])), p);
    }
    const double value = std::pow(sum, 1 / p);
    store(reinterpret_cast<const char*>(&value), 0, y.as<char>() + offsets[1], 0, 1);
  };
  for_each_line<W>(walk, {&x}, expensive_grain, body);
}

Prepared make_global_lp_pool(const sy::Node& node) {
  const int64_t p = node.integer("p", 2);
  if (p == 1) return reducing(ReduceKind::sum_of_magnitudes, ReduceFinish::nothing);
  if (p == 2) return reducing(ReduceKind::sum_of_squares, ReduceFinish::root);
  Prepared made;
  made.kernel = function_kernel([p](Call& call) {
    const ConstTensor& x = call.input(0);
    const bool is_double = x.dtype == SY_FLOAT64;
    (is_double ? reduce_powers<double> : reduce_powers<float>)(x, call.output(0),
                                                               static_cast<double>(p));
  });
  return made;
}

constexpr KernelRow global_pooling_rows[] = {
    {"GlobalAveragePool", sy::float_dtypes, sy::float_dtypes, make_global_average_pool, nullptr,
     any_strides, "", 1, UINT32_MAX, 2},
    {"GlobalMaxPool", sy::float_dtypes, sy::float_dtypes, make_global_max_pool, nullptr,
     any_strides, "", 1, UINT32_MAX, 2},
    {"GlobalLpPool", sy::float_dtypes, sy::float_dtypes, make_global_lp_pool, nullptr, any_strides,
     "", 1, UINT32_MAX, 2},
};

}  // namespace

KernelTable global_pooling_kernels() { return global_pooling_rows; }

}  // namespace cpu
