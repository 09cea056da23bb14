// DynamicQuantizeLinear, of contiguous tensors.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/quantized/byte_rows.hpp"
#include "machine/parallel.hpp"
#include "simd/reduce_functions.hpp"
#include "switchyard/plugin/division.hpp"
#include "types/numeric.hpp"

namespace cpu {
namespace {

struct Range {
  float least, most;
};

// Of the elements and 0.
Range range_of(const float* x, int64_t count) {
  constexpr int64_t piece = int64_t{1} << 15;
  const auto least = reduce_functions<float>(ReduceKind::min);
  const auto most = reduce_functions<float>(ReduceKind::max);
  const int64_t pieces = sy::ceil_div(count, piece);
  std::vector<double> leasts(static_cast<size_t>(pieces)), mosts(leasts.size());
  parallel_for(pieces, 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t length = std::min(piece, count - i * piece);
      leasts[static_cast<size_t>(i)] = least.row(x + i * piece, length);
      mosts[static_cast<size_t>(i)] = most.row(x + i * piece, length);
    }
  });
  double low = 0, high = 0;
  for (const double part : leasts) low = least.join(low, part);
  for (const double part : mosts) high = most.join(high, part);
  return {static_cast<float>(low), static_cast<float>(high)};
}

Prepared make_dynamic_quantize(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel([](Call& call) {
    const ConstTensor& x = call.input(0);
    const auto [least, most] = range_of(x.as<float>(), x.size());
    const float range = (most - least) / 255;
    const float scale = range == 0 ? 1 : range;
    const float zero = std::nearbyint(std::clamp(-least / scale, 0.0f, 255.0f));
    *call.output(1).as<float>() = scale;
    const auto zero_byte = convert<uint8_t>(zero);
    *call.output(2).as<uint8_t>() = zero_byte;
    parallel_for(x.size(), int64_t{1} << 16, [&](int64_t begin, int64_t end) {
      write_quantized(x.as<float>() + begin, end - begin, scale, zero_byte,
                      call.output(0).as<uint8_t>() + begin);
    });
  });
  return made;
}

constexpr KernelRow dynamic_quantization_rows[] = {
    {"DynamicQuantizeLinear", SY_DTYPE_BIT(SY_FLOAT32),
     SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_UINT8), make_dynamic_quantize},
};

}  // namespace

KernelTable dynamic_quantization_kernels() { return dynamic_quantization_rows; }

}  // namespace cpu
